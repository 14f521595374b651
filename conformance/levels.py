"""Levels of conformance: how much of the game a target is asked, from one position to the seal."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from conformance.runner import Run
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
ANSWERED: Final = (Verdict.PASS.value, Verdict.DISPUTED.value)
_LEVEL_OF: Final = {op: level for level, ops in LEVELS.items() for op in ops}


def level_of(op: str) -> str:
    """The level that an op belongs to."""
    return _LEVEL_OF[op]


@dataclass(frozen=True, slots=True)
class Told:
    """One result, as far as levels look at it."""

    op: str
    verdict: str
    bad: bool


def standing(run: Run) -> dict[str, str]:
    """What a run says of each level."""
    told = [
        Told(result.check.case.op, result.verdict.value, run.bad(result)) for result in run.results
    ]
    return standing_of(told, run.hello.ops, run.planned_ops)


def standing_of(
    told: Iterable[Told], ops: Collection[str], planned_ops: Mapping[str, int]
) -> dict[str, str]:
    """Each level in a word: passed, failed, incomplete, not claimed or no cases."""
    results = list(told)
    found: dict[str, str] = {}
    for level, own in LEVELS.items():
        planned = sum(planned_ops.get(op, 0) for op in own)
        if not any(op in ops for op in own):
            found[level] = "not claimed"
        elif not planned:
            found[level] = "no cases"
        else:
            found[level] = _standing([one for one in results if one.op in own], planned)
    return found


def _standing(results: Sequence[Told], planned: int) -> str:
    if any(one.bad for one in results):
        return "failed"
    asked = [one for one in results if one.verdict != Verdict.NOT_APPLICABLE.value]
    whole = len(results) == planned and bool(asked)
    answered = all(one.verdict.split(":")[0] in ANSWERED for one in asked)
    return "passed" if whole and answered else "incomplete"


def level_lines(run: Run) -> Iterator[str]:
    """One line a level."""
    yield from lines_of(standing(run))


def lines_of(standings: Mapping[str, str]) -> Iterator[str]:
    """One line a level, of its standing."""
    for level, word in standings.items():
        yield f"{level} {TITLES[level]} ({', '.join(LEVELS[level])}): {word}"
