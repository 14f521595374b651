"""The interval of a mean over boards, by a bootstrap of whole clusters.

Duplicate scores are mostly 0, so a sample of thirty boards holds few swings, and the usual
bootstrap intervals (percentile, BCa, studentised) are too narrow: they cover 80 to 90 % where 95 %
was asked. What is used here is the symmetric studentised interval of a sample to which one board
was added: a swing of either sign, like those that were seen in the resamples, and the largest of
them in the spread. It stands for the swings that the boards may yet hold and have not shown. Under
twelve swings it is told to be doubtful. `python -m benchmarks.coverage` prints what it covers.
"""

from collections.abc import Hashable, Sequence
from math import fsum, isclose, sqrt
from random import Random
from typing import Final

from referee.arena.statistics.figures import (
    LEVEL,
    FixedFigure,
    Note,
    Number,
    StatisticsError,
    check_share,
    checked,
)

LEAST_BOARDS: Final = 8
LEAST_SWINGS: Final = 12
"""Fewer boards that were not level than this: the interval is told to be doubtful."""
RESAMPLES: Final = 2_000
_MIRRORED: Final = 8
"""The sizes of swing of which the added board is made."""


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
    Raises `TooFewBoardsError` under eight clusters.
    """
    check_share("the level", level)
    values = checked(scores, LEAST_BOARDS)
    boards = len(values)
    if clusters is not None:
        values = checked(cluster_scores(values, clusters), LEAST_BOARDS)
    mean = fsum(values) / len(values)
    swings = sorted(abs(value) for value in values if not isclose(value, 0.0, abs_tol=1e-12))
    if not swings:
        return FixedFigure(
            mean=0.0, low=0.0, high=0.0, boards=boards, level=level, note=Note.LEVEL_BOARDS
        )
    half = _half_width(values, swings, rng, level, resamples)
    few = Note.FEW_SWINGS if len(swings) < LEAST_SWINGS else Note.NONE
    return FixedFigure(
        mean=mean, low=mean - half, high=mean + half, boards=boards, level=level, note=few
    )


def _half_width(
    values: Sequence[float], swings: Sequence[float], rng: Random, level: float, resamples: int
) -> float:
    count = len(values)
    added = fsum(swing * swing for swing in swings) / len(swings) / count
    sizes = [swings[(2 * k + 1) * len(swings) // (2 * _MIRRORED)] for k in range(_MIRRORED)]
    population = list(values) * (2 * _MIRRORED) + sizes + [-size for size in sizes]
    center = fsum(population) / len(population)
    # Both sums of a resample at once: the real part is of the values, the other of their squares.
    pairs = [complex(value - center, (value - center) ** 2) for value in population]
    ratios = []
    for _ in range(resamples):
        total = sum(rng.choices(pairs, k=count))
        drift = total.real / count
        ratios.append(abs(drift) / sqrt(max(total.imag / count - drift * drift, 0.0) + added))
    ratios.sort()
    quantile = ratios[min(resamples - 1, int(level * resamples))]
    mean = fsum(values) / count
    spread = fsum((value - mean) ** 2 for value in values) / count
    # What was seen says least of the large swings, which are seldom: the board that is added to the
    # spread holds the largest.
    return quantile * sqrt(spread + swings[-1] ** 2 / count)
