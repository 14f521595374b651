"""What a mean is after an SPRT, which stopped because of what it saw.

The plain mean is too large after H1 and too small after H0. The outcomes of a test are put in one
order: an early H1 above a late one, above a test that goes on, above a late H0, above an early
one, and by the ratio where these are alike. The adjusted mean is the one at which what was seen has
an even chance to be exceeded (median unbiased), and the interval holds the means at which it is not
extreme. The chances are simulated: the test is run over and over on scores like those that were
seen, tilted to three means, and the runs are weighed by how likely each other mean makes them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, sqrt
from random import Random
from typing import Final, TypeAlias

from referee.arena.statistics.figures import (
    LEVEL,
    Note,
    SprtFigure,
    StatisticsError,
    TooFewBoardsError,
    check_share,
)
from referee.arena.statistics.sprt import Sprt, Verdict

PATHS: Final = 200
"""Tests that are simulated at each of the three means."""
_REFERENCES: Final = (-2.0, 0.0, 2.0)
"""The three means, in standard errors from the plain one."""
_REACH: Final = 4.5
_STEPS: Final = 50
_EVEN: Final = 1e-9

Outcome: TypeAlias = "tuple[int, int, float]"
"""How a test came out, in the order of outcomes: verdict, boards, ratio."""


class Tilted:
    """The scores that were seen, with their chances tilted exponentially to another mean."""

    def __init__(self, weights: Mapping[float, float]) -> None:
        total = sum(weights.values())
        self.values = tuple(weights)
        self._chances = tuple(weight / total for weight in weights.values())
        self.reach = 60.0 / max(abs(value) for value in self.values)

    def level(self, tilt: float) -> float:
        """The logarithm of what the tilted chances sum to."""
        return log(sum(self.chances(tilt)))

    def chances(self, tilt: float) -> list[float]:
        """The tilted chances, which do not sum to 1."""
        return [p * exp(tilt * v) for v, p in zip(self.values, self._chances, strict=True)]

    def mean(self, tilt: float) -> float:
        """The mean of the tilted scores: it rises with the tilt."""
        chances = self.chances(tilt)
        return sum(v * p for v, p in zip(self.values, chances, strict=True)) / sum(chances)

    def spread(self) -> float:
        """The standard deviation of the scores without a tilt."""
        mean = self.mean(0.0)
        return sqrt(
            sum(p * (v - mean) ** 2 for v, p in zip(self.values, self._chances, strict=True))
        )

    def tilt(self, mean: float) -> float:
        """The tilt that gives a mean; the steepest there is where none does."""
        return _root(self.mean, mean, -self.reach, self.reach)


@dataclass(frozen=True, slots=True)
class _Path:
    """A simulated test: how it compares with the one that was seen (1 above), boards and sum."""

    above: float
    boards: int
    total: float


def after_sprt(
    test: Sprt,
    counts: Mapping[float, int],
    rng: Random,
    *,
    every: int = 1,
    level: float = LEVEL,
    paths: int = PATHS,
) -> SprtFigure:
    """The adjusted mean and its interval, of the scores that were counted when play was stopped.

    `every` is the number of boards from one look at the test to the next. Play may have been
    stopped by a verdict or, without one, because the boards had run out.
    """
    check_share("the level", level)
    boards = sum(counts.values())
    if not boards:
        raise TooFewBoardsError("no boards were played under the SPRT (play at least one)")
    if every < 1:
        raise StatisticsError(f"boards between two looks must be 1 or more: {every!r} (as 8)")
    tilted = Tilted(test.weights(counts))
    plain, error = tilted.mean(0.0), tilted.spread() / sqrt(boards)
    seen = _outcome(test.verdict(counts), boards, test.ratio(counts))
    tilts = [tilted.tilt(plain + share * error) for share in _REFERENCES]
    runs = [
        _run(test, tilted, tilt, boards=boards, every=every, seen=seen, rng=rng)
        for tilt in tilts
        for _ in range(paths)
    ]
    exceeding = _exceeding(tilted, tilts, runs)
    low, high = tilted.tilt(plain - _REACH * error), tilted.tilt(plain + _REACH * error)
    tail = (1.0 - level) / 2
    found = [_root(exceeding, share, low, high) for share in (tail, 0.5, 1.0 - tail)]
    note = Note.AT_THE_EDGE if {found[0], found[2]} & {low, high} else Note.NONE
    ends = [tilted.mean(tilt) for tilt in found]
    return SprtFigure(
        mean=ends[1], low=ends[0], high=ends[2], boards=boards, level=level, note=note
    )


def _outcome(verdict: Verdict, boards: int, ratio: float) -> Outcome:
    match verdict:
        case Verdict.H1:
            return 2, -boards, ratio
        case Verdict.H0:
            return 0, boards, ratio
        case Verdict.CONTINUE:
            return 1, 0, ratio


def _run(
    test: Sprt,
    tilted: Tilted,
    tilt: float,
    *,
    boards: int,
    every: int,
    seen: Outcome,
    rng: Random,
) -> _Path:
    """One test of as many boards as were seen at most: what comes later compares the same."""
    scores = rng.choices(tilted.values, tilted.chances(tilt), k=boards)
    counts: dict[float, int] = {}
    verdict, played = Verdict.CONTINUE, 0
    for start, end in pairwise((*range(0, boards, every), boards)):
        for score in scores[start:end]:
            counts[score] = counts.get(score, 0) + 1
        played = end
        verdict = test.verdict(counts)
        if verdict is not Verdict.CONTINUE:
            break
    outcome = _outcome(verdict, played, test.ratio(counts))
    if outcome[:2] == seen[:2] and abs(outcome[2] - seen[2]) < _EVEN:
        above = 0.5
    else:
        above = float(outcome > seen)
    return _Path(above, played, sum(scores[:played]))


def _exceeding(
    tilted: Tilted, tilts: Sequence[float], runs: Sequence[_Path]
) -> Callable[[float], float]:
    """The chance of an outcome above the one that was seen, by the tilt.

    The runs come from a mixture of the tilts, and are weighed by their likelihood against it.
    """
    levels = [tilted.level(tilt) for tilt in tilts]
    mixture = []
    for run in runs:
        logs = [t * run.total - run.boards * lv for t, lv in zip(tilts, levels, strict=True)]
        most = max(logs)
        mixture.append(most + log(sum(exp(one - most) for one in logs)))

    def chance(tilt: float) -> float:
        level = tilted.level(tilt)
        logs = [
            tilt * run.total - run.boards * level - under
            for run, under in zip(runs, mixture, strict=True)
        ]
        most = max(logs)
        weights = [exp(one - most) for one in logs]
        above = sum(w * run.above for w, run in zip(weights, runs, strict=True))
        return above / sum(weights)

    return chance


def _root(rising: Callable[[float], float], share: float, low: float, high: float) -> float:
    """Where a rising function has the value `share`; an end where it has it nowhere."""
    if rising(low) >= share:
        return low
    if rising(high) <= share:
        return high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if rising(middle) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2
