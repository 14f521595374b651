"""The interval of an entry's points per deal: one that may be watched, or that of a whole event."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final

from referee.arena.statistics.bootstrap import LEAST_APART, RESAMPLES, boards_apart, mean_interval
from referee.arena.statistics.figures import Figure, TooFewBoardsError
from referee.arena.statistics.watch import always_valid, swing_bounds
from referee.arena.tournament.publish.figures import EXACT_PLACES
from referee.rules import RuleSet

FIXED: Final = (
    f"Intervals hold 95 % of the time, for an event whose boards were fixed before it: a symmetric"
    f" studentised bootstrap over boards, {RESAMPLES} resamples, drawn by Python's Random from the"
    " seed SHEET:ENTRY, where SHEET is the SHA-256 of event.yaml and ENTRY the name. It takes"
    f" {LEAST_APART} boards that differ from the commonest score."
)
WATCHED: Final = (
    "Intervals are always valid: in 95 of 100 events none of them ever misses the mean, however"
    " often one looks and whenever play stops. They are wider than those of an event that is over,"
    " whose number of boards was fixed and in which half of the entries have at least"
    f" {LEAST_APART} boards that differ from the commonest score."
)


def method(*, fixed: bool) -> str:
    """How the intervals came about, in words."""
    return FIXED if fixed else WATCHED


def enough(scores: Sequence[Sequence[Fraction]]) -> bool:
    """Whether half of the entries or more have the boards that a fixed interval takes."""
    able = sum(boards_apart(own) >= LEAST_APART for own in scores)
    return 2 * able >= len(scores)


def interval_of(
    scores: Sequence[Fraction], *, fixed: bool, rules: RuleSet, sheet: str, entry: str
) -> tuple[float | None, float | None, str]:
    """The bounds of the mean of an entry's boards, and what a reader must know of them.

    No bounds where too few boards differ, which the words then say.
    """
    if not scores:
        return None, None, "no boards"
    try:
        figure = _figure(scores, fixed=fixed, rules=rules, seed=f"{sheet}:{entry}")
    except TooFewBoardsError:
        return None, None, f"fewer than {LEAST_APART} boards differ from the commonest score"
    low, high = round(figure.low, EXACT_PLACES), round(figure.high, EXACT_PLACES)
    return low, high, str(figure.note)


def _figure(scores: Sequence[Fraction], *, fixed: bool, rules: RuleSet, seed: str) -> Figure:
    if fixed:
        return mean_interval(scores, Random(seed))  # noqa: S311 -- anybody is to draw it again
    counts = Counter(float(score) for score in scores)
    return always_valid(counts, swing_bounds(rules))
