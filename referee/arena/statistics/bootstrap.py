"""The interval of a mean over boards, by a bootstrap of whole clusters.

Duplicate scores are mostly 0. Where hardly any board differs from the rest, no bootstrap knows what
the boards may yet hold and have not shown: of thirty boards with four swings the usual intervals
(percentile, BCa, studentised) cover 80 to 90 % where 95 % was asked. From twelve boards that differ
the symmetric studentised one covers what it says; of fewer there is none. What it covers, on scores
of known means: `python -m benchmarks.coverage`.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import fsum, sqrt
from random import Random
from typing import Final

from referee.arena.statistics.figures import (
    LEVEL,
    FixedFigure,
    Number,
    StatisticsError,
    TooFewBoardsError,
    check_share,
    checked,
)

LEAST_APART: Final = 12
"""An interval takes so many boards whose score is not the commonest one."""
RESAMPLES: Final = 2_000
_PLACES: Final = 9
"""Scores that agree to so many places are alike: means of a cluster are rounded."""


def cluster_scores(scores: Sequence[Number], clusters: Sequence[Hashable]) -> tuple[float, ...]:
    """One value a cluster, whose mean is the mean over boards: boards of a cluster go together.

    A cluster counts as much as it has boards. Clusters stand in the order of their first board.

    >>> cluster_scores([1, 0, 2, 3], ["a", "a", "b", "b"])
    (0.5, 2.5)
    """
    if len(scores) != len(clusters):
        raise StatisticsError(
            f"{len(scores)} scores for {len(clusters)} clusters (name a cluster for every score)"
        )
    values = checked(scores, 1)
    members: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        members.setdefault(cluster, []).append(value)
    mean = fsum(values) / len(values)
    size = len(values) / len(members)
    return tuple(mean + fsum(value - mean for value in own) / size for own in members.values())


def boards_apart(scores: Sequence[Number]) -> int:
    """How many boards came out otherwise than the commonest score, which mostly is 0.

    >>> boards_apart([0, 0, 0, 1, -0.5])
    2
    """
    counts = Counter(round(float(score), _PLACES) for score in scores)
    return len(scores) - max(counts.values(), default=0)


def mean_interval(
    scores: Sequence[Number],
    rng: Random,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> FixedFigure:
    """The mean of the scores with its interval; boards are independent unless clusters say not.

    The number of boards must have been fixed before play: for a look in between see `watch`.
    Raises `TooFewBoardsError` where fewer than twelve boards (or clusters) differ from the
    commonest score.
    """
    check_share("the level", level)
    values = checked(scores, 0)
    boards = len(values)
    if clusters is not None:
        values = cluster_scores(values, clusters)
    apart = boards_apart(values)
    if apart < LEAST_APART:
        raise TooFewBoardsError(
            f"too few boards for an interval: {apart} of {len(values)} differ from the commonest"
            f" score (it takes {LEAST_APART} or more)"
        )
    mean = fsum(values) / len(values)
    half = _half_width([value - mean for value in values], rng, level, resamples)
    return FixedFigure(mean=mean, low=mean - half, high=mean + half, boards=boards, level=level)


def _half_width(apart: Sequence[float], rng: Random, level: float, resamples: int) -> float:
    """Half the width of the interval, from how far each value lies from the mean."""
    count = len(apart)
    # Both sums of a resample at once: the real part is of the values, the other of their squares.
    pairs = [complex(value, value * value) for value in apart]
    ratios = []
    for _ in range(resamples):
        total = sum(rng.choices(pairs, k=count))
        drift = total.real / count
        spread = total.imag / count - drift * drift
        ratios.append(abs(drift) / sqrt(spread) if spread > 0.0 else float("inf"))
    ratios.sort()
    quantile = ratios[min(resamples - 1, int(level * resamples))]
    return quantile * sqrt(fsum(value * value for value in apart) / count)
