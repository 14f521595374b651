"""The runner against programs that behave badly: what each costs, and what is left of it."""

import json
import os
import resource
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.check import Check
from conformance.errors import TargetStartError
from conformance.oracle import answer
from conformance.prove.badprograms import EVERY, PROGRAMS, STARTS_NOT, Bad
from conformance.prove.part import Part, Setting
from conformance.runner import Run, run
from conformance.targets.process import ProcessTarget

CHECKS = 16
STARTS = 9
SECONDS = 1.0
HELLO_SECONDS = 5.0
MEGABYTES = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What came of one program."""

    word: str
    lost: Sequence[str]
    starts: int
    left: int
    megabytes: int


def harness(setting: Setting, programs: Sequence[Bad] = PROGRAMS) -> Part:
    """Each bad program gets its verdict and costs its cases, and nothing of it is left behind."""
    checks = [
        check
        for check in setting.checks
        if check.ruleset == "standard" and check.case.op == "legal" and not check.case.changes
    ][:CHECKS]
    rows: list[list[str]] = []
    problems: list[str] = []
    for bad in programs:
        with tempfile.TemporaryDirectory() as folder:
            found = _tried(setting, bad, Path(folder), checks)
        rows.append(
            [
                bad.name,
                " or ".join(bad.wanted) or "pass",
                found.word,
                str(len(found.lost)),
                str(found.starts),
                str(found.left),
            ]
        )
        problems += [f"a program that {bad.name} {text}" for text in _wrong(bad, found, checks)]
    return Part(
        name="harness",
        title="The runner against programs that behave badly",
        heading=("a program that", "wanted", "got", "cases lost", "starts", "left running"),
        rows=rows,
        problems=problems,
        figures={"programs": len(rows), "wrong": len(problems)},
    )


def _wrong(bad: Bad, found: _Found, checks: Sequence[Check]) -> Iterator[str]:
    if found.word not in (bad.wanted or ("pass",)):
        yield f"ends with {found.word}"
    if found.left:
        yield f"leaves {found.left} processes running"
    if found.megabytes > MEGABYTES:
        yield f"makes the runner take {found.megabytes} MiB more"
    if found.word == STARTS_NOT:
        return
    if bad.cost == EVERY:
        if len(found.lost) < EVERY:
            yield f"costs {len(found.lost)} cases, though it breaks down in each"
    elif len(found.lost) != bad.cost:
        yield f"costs {len(found.lost)} cases, not {bad.cost}"
    elif found.lost and found.lost[0] != checks[bad.culprit - 1].id:
        yield f"costs {found.lost[0]}, which did nothing"
    if bad.cost != EVERY and found.starts > STARTS:
        yield f"is started {found.starts} times"


def _tried(setting: Setting, bad: Bad, folder: Path, checks: Sequence[Check]) -> _Found:
    answers = {
        number: answer(check.steps[-1].request) for number, check in enumerate(checks, start=1)
    }
    (folder / "answers.json").write_text(json.dumps(answers), encoding="ascii")
    (folder / "bad.py").write_text(bad.source(), encoding="utf-8")
    inside = f"import os; os.chdir({str(folder)!r}); exec(open('bad.py').read())"
    target = ProcessTarget(
        f"{shlex.quote(sys.executable)} -c {shlex.quote(inside)}",
        case_seconds=SECONDS,
        hello_seconds=HELLO_SECONDS,
    )
    before = _peak()
    done: Run | None = None
    try:
        done = run(target, setting.corpus, checks)
    except TargetStartError:
        pass
    finally:
        target.close()
    pids = folder / "pids"
    lines = pids.read_text(encoding="ascii").splitlines() if pids.is_file() else []
    noted = [line.split() for line in lines]
    results = [] if done is None else done.results
    lost = [result for result in results if result.verdict.value != "pass"]
    return _Found(
        word=STARTS_NOT if done is None else lost[0].verdict.value if lost else "pass",
        lost=[result.check.id for result in lost],
        starts=sum(what == "start" for what, _ in noted),
        left=sum(_lives(int(pid)) for _, pid in noted),
        megabytes=_peak() - before,
    )


def _peak() -> int:
    """The most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _lives(pid: int) -> bool:
    """Whether a process is still there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.is_file() or ") Z " not in status.read_text(encoding="ascii")
