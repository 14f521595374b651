"""The intervals of the standings, worked out once more.

A finished event has a symmetric studentised bootstrap over boards; one that still runs, or has too
few boards that differ, has bounds that hold at every moment, found by betting against means.
"""

from collections import Counter
from fractions import Fraction
from math import exp, fsum, inf, log, log1p, sqrt
from random import Random

LEAST = 12
ALIKE = 9
RESAMPLES = 2000
LEVEL = 0.95
SHARES = [0.01 * (0.97 / 0.01) ** (k / 19) for k in range(20)]
STEPS = 40
NARROW = 1e-5


def fixed_interval(scores: list[Fraction], seed: str) -> tuple[float, float] | None:
    """The interval of a finished event; None where too few boards differ from the commonest."""
    values = [float(score) for score in scores]
    commonest = max(Counter(round(value, ALIKE) for value in values).values(), default=0)
    n = len(values)
    if n - commonest < LEAST:
        return None
    mean = fsum(values) / n
    apart = [value - mean for value in values]
    pairs = [complex(value, value * value) for value in apart]
    random = Random(seed)  # noqa: S311 -- anybody is to draw it again
    ratios: list[float] = []
    for _ in range(RESAMPLES):
        total = sum(random.choices(pairs, k=n))
        drift = total.real / n
        variance = total.imag / n - drift * drift
        ratios.append(abs(drift) / sqrt(variance) if variance > 0.0 else inf)
    ratios.sort()
    quantile = ratios[min(RESAMPLES - 1, int(LEVEL * RESAMPLES))]
    half = quantile * sqrt(fsum(value * value for value in apart) / n)
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
