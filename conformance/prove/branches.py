"""Branch coverage of the referee's rules under the corpus alone.

Run as a module it is the child that measures: it loads the rules only once the measuring is on.
"""

import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.errors import SuiteError
from conformance.jsontypes import Json, Record, int_of, list_of, map_of
from conformance.machine import rules_dir
from conformance.prove.explained import Line
from conformance.prove.part import Part, Setting

SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A line or a branch of the rules that no case reaches."""

    file: str
    line: int
    text: str
    function: str
    what: str

    def excused_by(self, line: Line) -> bool:
        """Whether an explanation is of this line, or of the function around it."""
        return line.file == self.file and line.text in (self.text, self.function)


def branches(setting: Setting) -> Part:
    """Every branch of the rules is taken by the corpus, the excluded lines apart."""
    report = _measured()
    files = map_of(report["files"], "files")
    gaps: list[Gap] = []
    rows: list[list[str]] = []
    for path, found in sorted(files.items()):
        name = Path(path).name
        own = list(_gaps(name, Path(path).read_text(encoding="utf-8"), map_of(found, name)))
        gaps += own
        summary = map_of(map_of(found, name)["summary"], "summary")
        left = [gap for gap in own if not any(gap.excused_by(one) for one in _lines(setting))]
        rows.append(
            [name, str(summary["num_statements"]), str(summary["num_branches"]), str(len(left))]
        )
    return _part(setting, gaps, rows)


def _lines(setting: Setting) -> tuple[Line, ...]:
    return setting.explained.lines


def _part(setting: Setting, gaps: list[Gap], rows: list[list[str]]) -> Part:
    problems = [
        f"{gap.file}:{gap.line}: {gap.what} is not reached: {gap.text}"
        for gap in gaps
        if not any(gap.excused_by(line) for line in _lines(setting))
    ]
    problems += [
        f"explained.yaml excludes {line.file}: {line.text}, which needs no excuse (or is gone)"
        for line in _lines(setting)
        if not any(gap.excused_by(line) for gap in gaps)
    ]
    return Part(
        name="branches",
        title="Branches of the rules that the corpus takes",
        heading=("module", "statements", "branches", "not reached"),
        rows=rows,
        problems=problems,
        notes=[f"{line.file}: {line.text}: {line.reason}" for line in _lines(setting)],
        figures={
            "branches": sum(int(row[2]) for row in rows),
            "statements": sum(int(row[1]) for row in rows),
            "excluded lines": len(_lines(setting)),
            "not reached": sum(int(row[3]) for row in rows),
        },
    )


def _gaps(name: str, source: str, found: Record) -> Iterator[Gap]:
    tree = ast.parse(source)
    lines = source.splitlines()
    last_cases = set(_last_cases(tree))

    def gap(line: int, what: str) -> Gap:
        return Gap(
            file=name,
            line=line,
            text=lines[line - 1].strip(),
            function=_function(tree, lines, line),
            what=what,
        )

    for number in list_of(found["missing_lines"], "missing_lines"):
        yield gap(int_of(number, "a line"), "the line")
    missing = {int_of(one, "a line") for one in list_of(found["missing_lines"], "missing_lines")}
    for pair in list_of(found["missing_branches"], "missing_branches"):
        start, end = (int_of(one, "a line") for one in list_of(pair, "a branch"))
        if start not in missing and start not in last_cases and end not in missing:
            yield gap(start, f"the branch to {'the exit' if end < 0 else f'line {end}'}")


def _last_cases(tree: ast.AST) -> Iterator[int]:
    """The lines of last cases: mypy proves each match exhaustive, so nothing falls out of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match):
            yield node.cases[-1].pattern.lineno


def _function(tree: ast.AST, lines: list[str], line: int) -> str:
    """The `def` line of the function around a line."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return lines[around[0].lineno - 1].strip() if around else ""


def _measured() -> Mapping[str, Json]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "coverage.json"
        done = subprocess.run(
            [sys.executable, "-m", "conformance.prove.branches", str(out)],
            check=False,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        if done.returncode:
            raise SuiteError(f"the coverage was not measured: {done.stderr.strip()[-400:]}")
        report: Mapping[str, Json] = json.loads(out.read_text(encoding="utf-8"))
        return report


def measure(out: Path) -> None:
    """Ask the referee every question of the corpus while its rules are measured."""
    import coverage  # noqa: PLC0415 -- a tool of development: only this child needs it

    from conformance.check import checks_of  # noqa: PLC0415 -- nothing of the rules before the measuring
    from conformance.corpus import load  # noqa: PLC0415
    from conformance.prove.nonsense import odd_requests  # noqa: PLC0415
    from conformance.targets import referee_answer  # noqa: PLC0415

    corpus = load()
    requests = [step.request for check in checks_of(corpus) for step in check.steps[-1:]]
    requests += [odd.request for odd in odd_requests(corpus)]
    measured = coverage.Coverage(branch=True, include=[f"{rules_dir()}/*"], data_file=None)
    measured.start()
    referee = referee_answer()
    for request in requests:
        referee(request)
    measured.stop()
    measured.json_report(outfile=str(out))


if __name__ == "__main__":
    measure(Path(sys.argv[1]))
