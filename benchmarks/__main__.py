"""Every benchmark, one after the other, and all their ratios in one table.

python -m benchmarks [NAME ...]
"""

import json
import subprocess
import sys

from benchmarks.harness import OUT, table

NAMES = ("engine", "seal", "journal", "service", "adapter")


def main() -> None:
    """Run each in a process of its own; exit 1 where one has failed."""
    names = sys.argv[1:] or NAMES
    rows: list[tuple[str, str, float]] = []
    failed = []
    for name in names:
        sys.stdout.write(f"\n{name}\n")
        sys.stdout.flush()
        argv = [sys.executable, "-W", "ignore::UserWarning", "-m", f"benchmarks.{name}"]
        if subprocess.run(argv, check=False, cwd=OUT.parents[1]).returncode:
            failed.append(name)
            continue
        figures = json.loads((OUT / f"{name}.json").read_text(encoding="ascii"))
        rows += [(name, key, value) for key, value in figures.items() if "÷" in key]
    sys.stdout.write("\nratios\n")
    table((f"{name}: {key}", value) for name, key, value in rows)
    if failed:
        raise SystemExit(f"could not be measured: {', '.join(failed)} (see above)")


if __name__ == "__main__":
    main()
