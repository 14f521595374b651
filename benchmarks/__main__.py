"""Every benchmark, one after the other, and all their ratios in one table.

python -m benchmarks [NAME ...]
"""

import json
import subprocess
import sys
from collections.abc import Mapping

from benchmarks.harness import OUT, table

NAMES = (
    "engine",
    "seal",
    "journal",
    "boards",
    "service",
    "streams",
    "tls",
    "reset",
    "slow_reader",
    "adapter",
)


def said(value: float | Mapping[str, float | str | bool]) -> str:
    """A ratio as the table has it, with what it is to reach where that is known."""
    if not isinstance(value, Mapping):
        return f"{value:,.3f}"
    verdict = "reached" if value["reached"] else "NOT reached"
    return f"{value['value']:,.3f}  {value['reach']:<8}  {verdict}"


def main() -> None:
    """Run each in a process of its own; exit 1 where one has failed."""
    names = sys.argv[1:] or NAMES
    rows: list[tuple[str, str]] = []
    failed = []
    for name in names:
        sys.stdout.write(f"\n{name}\n")
        sys.stdout.flush()
        argv = [sys.executable, "-W", "ignore::UserWarning", "-m", f"benchmarks.{name}"]
        if subprocess.run(argv, check=False, cwd=OUT.parents[1]).returncode:
            failed.append(name)
            continue
        figures = json.loads((OUT / f"{name}.json").read_text(encoding="ascii"))
        rows += [(f"{name}: {key}", said(value)) for key, value in figures.items() if "÷" in key]
    sys.stdout.write("\nratios\n")
    table(rows)
    (OUT / "ratios.json").write_text(json.dumps(dict(rows), indent=2) + "\n", encoding="utf-8")
    if failed:
        raise SystemExit(f"could not be measured: {', '.join(failed)} (see above)")


if __name__ == "__main__":
    main()
