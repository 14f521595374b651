"""The intervals of the standings, worked out once more.

A finished event has a symmetric studentised bootstrap over boards, of a sample to which one board
was added; one that still runs has bounds that hold at every moment, found by betting against means.
"""

from collections import Counter
from fractions import Fraction
from math import exp, fsum, isclose, log, log1p, sqrt
from random import Random

LEAST = 8
RESAMPLES = 2000
LEVEL = 0.95
MIRRORED = 8
SHARES = [0.01 * (0.97 / 0.01) ** (k / 19) for k in range(20)]
STEPS = 40
NARROW = 1e-5


def fixed_interval(scores: list[Fraction], seed: str) -> tuple[float, float] | None:
    """The interval of a finished event; None of too few boards."""
    if len(scores) < LEAST:
        return None
    values = [float(score) for score in scores]
    swings = sorted(abs(value) for value in values if not isclose(value, 0.0, abs_tol=1e-12))
    if not swings:
        return 0.0, 0.0
    n = len(values)
    extra = fsum(swing * swing for swing in swings) / len(swings) / n
    steps = range(MIRRORED)
    sizes = [swings[(2 * k + 1) * len(swings) // (2 * MIRRORED)] for k in steps]
    population = values * (2 * MIRRORED) + sizes + [-size for size in sizes]
    center = fsum(population) / len(population)
    pairs = [complex(value - center, (value - center) ** 2) for value in population]
    random = Random(seed)  # noqa: S311 -- anybody is to draw it again
    ratios: list[float] = []
    for _ in range(RESAMPLES):
        total = sum(random.choices(pairs, k=n))
        drift = total.real / n
        variance = max(total.imag / n - drift * drift, 0.0)
        ratios.append(abs(drift) / sqrt(variance + extra))
    ratios.sort()
    mean = fsum(values) / n
    spread = fsum((value - mean) ** 2 for value in values) / n
    quantile = ratios[min(RESAMPLES - 1, int(LEVEL * RESAMPLES))]
    half = quantile * sqrt(spread + swings[-1] ** 2 / n)
    return mean - half, mean + half


def watched_interval(scores: list[Fraction], most: int) -> tuple[float, float] | None:
    """The interval of an event that runs; None where no board counts."""
    if not scores:
        return None
    counts = Counter(float(score) for score in scores)
    mean = sum(value * count for value, count in counts.items()) / len(scores)
    limit = log(2.0 / (1.0 - LEVEL))
    up = [(value + most, count) for value, count in counts.items()]
    down = [(most - value, count) for value, count in counts.items()]
    return _edge(up, mean + most, limit) - most, most - _edge(down, most - mean, limit)


def _stake(scores: list[tuple[float, int]], mean: float) -> float:
    logs = [
        sum(count * log1p(share * (value / mean - 1.0)) for value, count in scores)
        for share in SHARES
    ]
    top = max(logs)
    return top + log(sum(exp(value - top) for value in logs) / len(logs))


def _edge(scores: list[tuple[float, int]], mean: float, limit: float) -> float:
    ruled_out, left = 0.0, mean
    for _ in range(STEPS):
        middle = (ruled_out + left) / 2
        if left - ruled_out < NARROW or middle <= 0.0:
            break
        if _stake(scores, middle) >= limit:
            ruled_out = middle
        else:
            left = middle
    return ruled_out
