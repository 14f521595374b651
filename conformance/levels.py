"""Levels of conformance: how much of the game a target is asked, from one position to the seal."""

from collections.abc import Iterator, Mapping
from typing import Final

from conformance.runner import Result, Run
from conformance.verdict import Verdict

LEVELS: Final[Mapping[str, tuple[str, ...]]] = {
    "L0": ("legal", "deck", "draw"),
    "L1": ("apply", "view", "replay", "score", "perft"),
    "L2": ("game",),
    "L3": ("adjudicate",),
    "L4": ("verify",),
}
"""Which ops make up a level: the one place that says so."""

TITLES: Final[Mapping[str, str]] = {
    "L0": "pure functions",
    "L1": "a deal",
    "L2": "a game",
    "L3": "adjudication",
    "L4": "sealed deals",
}
_LEVEL_OF: Final = {op: level for level, ops in LEVELS.items() for op in ops}


def level_of(op: str) -> str:
    """The level that an op belongs to."""
    return _LEVEL_OF[op]


def standing(run: Run) -> dict[str, str]:
    """What a run says of each level: passed, failed, incomplete, not claimed or no cases."""
    return {level: _standing(run, level) for level in LEVELS}


def _standing(run: Run, level: str) -> str:
    if not run.hello.ops.intersection(LEVELS[level]):
        return "not claimed"
    planned = sum(run.planned_ops.get(op, 0) for op in LEVELS[level])
    if not planned:
        return "no cases"
    results = [result for result in run.results if level_of(result.check.case.op) == level]
    if any(run.bad(result) for result in results):
        return "failed"
    asked = [result for result in results if result.verdict is not Verdict.NOT_APPLICABLE]
    whole = len(results) == planned and bool(asked)
    return "passed" if whole and all(map(_answered, asked)) else "incomplete"


def _answered(result: Result) -> bool:
    return result.verdict in (Verdict.PASS, Verdict.DISPUTED)


def level_lines(run: Run) -> Iterator[str]:
    """One line a level."""
    for level, word in standing(run).items():
        yield f"{level} {TITLES[level]} ({', '.join(LEVELS[level])}): {word}"
