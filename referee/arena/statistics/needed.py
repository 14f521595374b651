"""How many boards it takes to show a difference, before the first is played."""

from collections.abc import Hashable, Sequence
from math import ceil, sqrt
from statistics import NormalDist, variance
from typing import Final

from referee.arena.statistics.bootstrap import LEAST_APART, cluster_scores
from referee.arena.statistics.figures import (
    LEVEL,
    Number,
    StatisticsError,
    check_share,
    checked,
)

USUAL_VARIANCE: Final = 0.54
"""Of the score of a board between `strong` and `sensible`: `python -m benchmarks.strength`."""
POWER: Final = 0.9
_QUANTILE: Final = NormalDist().inv_cdf


def board_variance(scores: Sequence[Number], clusters: Sequence[Hashable] | None = None) -> float:
    """The variance of a board's score as an earlier event has it.

    With clusters it is what a board adds to the variance of the mean, times the boards: larger
    where boards of a cluster go together.
    """
    values = checked(scores, LEAST_APART)
    if clusters is None:
        return variance(values)
    grouped = checked(cluster_scores(values, clusters), 2)
    return variance(grouped) * len(values) / len(grouped)


def boards_needed(
    difference: float,
    *,
    variance: float = USUAL_VARIANCE,
    power: float = POWER,
    level: float = LEVEL,
) -> int:
    """The boards after which the interval leaves 0 out, with a chance of `power`.

    `difference` is the true mean in points per deal, either sign; `variance` that of one board's
    score (`board_variance`).

    >>> boards_needed(0.2)
    144
    """
    if not 0.0 < abs(difference) < float("inf"):
        raise StatisticsError(
            f"no number of boards shows a difference of {difference!r} (as 0.1 points per deal)"
        )
    edge, reach = _quantiles(variance, power, level)
    return max(LEAST_APART, ceil(variance * ((edge + reach) / difference) ** 2 + edge * edge / 2))


def smallest_difference(
    boards: int,
    *,
    variance: float = USUAL_VARIANCE,
    power: float = POWER,
    level: float = LEVEL,
) -> float:
    """The least difference that so many boards show with a chance of `power`."""
    edge, reach = _quantiles(variance, power, level)
    counted = boards - edge * edge / 2
    if boards < LEAST_APART or counted <= 0.0:
        raise StatisticsError(
            f"so few boards show nothing: {boards!r} (plan {LEAST_APART} or more)"
        )
    return (edge + reach) * sqrt(variance / counted)


def _quantiles(variance: float, power: float, level: float) -> tuple[float, float]:
    _check_variance(variance)
    check_share("the level", level)
    check_share("the power", power)
    return _QUANTILE((1.0 + level) / 2), _QUANTILE(power)


def _check_variance(variance: float) -> None:
    if not 0.0 < variance < float("inf"):
        raise StatisticsError(
            f"the variance of a board must be above 0: {variance!r} (measure it on an earlier"
            f" event, or take the usual {USUAL_VARIANCE})"
        )
