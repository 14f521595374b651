"""An interval that is true at every moment at once, for watching play and stopping when one likes.

A bet against a mean m multiplies a stake of 1 by a factor that is 1 on average where m is true; by
Ville's inequality a stake that ever reaches 2/alpha then has a chance of alpha/2 at most. The bets
are constant shares of all that may be bet, spread over twenty sizes, one purse a direction, so the
stake follows from the counts of the scores alone, in whatever order they came. The assumption is
that a score lies within bounds known before play, and that boards are independent with one mean.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, log1p
from typing import Final

from referee.arena.statistics.figures import (
    LEVEL,
    Note,
    Number,
    StatisticsError,
    WatchedFigure,
    check_share,
)
from referee.rules import RuleSet
from referee.rules.knobs import Enforcement
from referee.rules.scoring import largest_points

_SHARES: Final = tuple(0.01 * (0.97 / 0.01) ** (k / 19) for k in range(20))
_STEPS: Final = 40
_CLOSE: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most that a board can score, in points per deal."""

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse bounds that hold nothing."""
        if not self.low < self.high:
            raise StatisticsError(
                f"bounds must rise: {self.low!r} to {self.high!r} (as -4 to 4, the largest swing)"
            )

    def check(self, score: Number) -> float:
        """The score, which must lie within the bounds."""
        value = float(score)
        if not self.low <= value <= self.high:
            raise StatisticsError(
                f"a score lies outside the bounds {self.low:g} to {self.high:g}: {value!r}"
                " (take the bounds from the rule set that was played)"
            )
        return value


def swing_bounds(rules: RuleSet) -> Bounds:
    """How far a board can swing under a rule set: at both tables the most a deal can pay."""
    most = largest_points(rules)
    if rules.enforcement is not Enforcement.REFUSE:
        penalties = (
            rules.renege_points,
            rules.renege_vs_lone_maker,
            rules.renege_by_lone_side,
            rules.renege_false_claim,
        )
        most += max(penalties)
    return Bounds(-float(most), float(most))


def always_valid(
    counts: Mapping[float, int], bounds: Bounds, *, level: float = LEVEL
) -> WatchedFigure:
    """The mean of the scores that were counted, with its interval.

    The chance that any of the intervals of one stream ever misses the mean is at most 1 - level.
    Before the first board the interval is the bounds.
    """
    check_share("the level", level)
    seen = {bounds.check(value): count for value, count in counts.items() if count > 0}
    boards = sum(seen.values())
    if not boards:
        center = (bounds.low + bounds.high) / 2
        return WatchedFigure(mean=center, low=bounds.low, high=bounds.high, boards=0, level=level)
    mean = sum(value * count for value, count in seen.items()) / boards
    limit = log(2.0 / (1.0 - level))
    up = [(value - bounds.low, count) for value, count in seen.items()]
    down = [(bounds.high - value, count) for value, count in seen.items()]
    low = bounds.low + _edge(up, mean - bounds.low, limit)
    high = bounds.high - _edge(down, bounds.high - mean, limit)
    note = Note.LEVEL_BOARDS if set(seen) == {0.0} else Note.NONE
    return WatchedFigure(mean=mean, low=low, high=high, boards=boards, level=level, note=note)


def watched(
    scores: Iterable[Number], bounds: Bounds, *, level: float = LEVEL, every: int = 1
) -> tuple[WatchedFigure, ...]:
    """The figure after every so many boards and after the last, as a stream was watched."""
    if every < 1:
        raise StatisticsError(f"boards between two looks must be 1 or more: {every!r} (as 10)")
    counts: Counter[float] = Counter()
    figures = []
    number = 0
    for number, score in enumerate(scores, start=1):
        counts[bounds.check(score)] += 1
        if number % every == 0:
            figures.append(always_valid(counts, bounds, level=level))
    if number % every:
        figures.append(always_valid(counts, bounds, level=level))
    return tuple(figures)


def log_stake(counts: Mapping[float, int], mean: float, bounds: Bounds) -> tuple[float, float]:
    """The logarithm of what the bets that the true mean is above `mean`, and below, have become.

    The interval is the means at which neither has reached log(2 / (1 - level)).
    """
    up = [(value - bounds.low, count) for value, count in counts.items()]
    down = [(bounds.high - value, count) for value, count in counts.items()]
    return _stake(up, mean - bounds.low), _stake(down, bounds.high - mean)


def _stake(scores: Sequence[tuple[float, int]], mean: float) -> float:
    """Log of the purse against `mean`, both measured from the bound; it falls as the mean rises."""
    logs = [
        sum(count * log1p(share * (value / mean - 1.0)) for value, count in scores)
        for share in _SHARES
    ]
    most = max(logs)
    return most + log(sum(exp(value - most) for value in logs) / len(logs))


def _edge(scores: Sequence[tuple[float, int]], mean: float, limit: float) -> float:
    """The largest distance from the bound that the bets have ruled out (0: none)."""
    out, left = 0.0, mean
    for _ in range(_STEPS):
        middle = (out + left) / 2
        if left - out < _CLOSE or middle <= 0.0:
            break
        if _stake(scores, middle) >= limit:
            out = middle
        else:
            left = middle
    return out
