"""The ratings of teams, found once more: the likeliest strengths under Davidson's model of ties.

A board between strengths a and b is won, lost and level in the proportions exp(a), exp(b) and
exp(t + (a + b) / 2). Strengths have a normal prior of spread 1.5, t one of spread 5.
"""

from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import NormalDist

SCALE = 400 / log(10)
PRIOR = 1 / 1.5**2
TIES_PRIOR = 1 / 5.0**2
STEPS = 200
CLOSE = 1e-11
Matrix = list[list[float]]


@dataclass
class Pair:
    """How often two won, lost and were level, by their places."""

    first: int
    second: int
    counts: list[int]


def ratings(size: int, pairs: list[Pair]) -> list[tuple[float, float, float]]:
    """The rating of each place and its bounds."""
    values = [0.0] * (size + 1)
    for _ in range(STEPS):
        slope, bend = _slope(size, pairs, values)
        step = _solve(bend, slope)
        longest = max(abs(part) for part in step)
        scale = min(1.0, 1.0 / longest) if longest else 0.0  # never more than one unit at once
        values = [value + scale * part for value, part in zip(values, step, strict=True)]
        if longest < CLOSE:
            break
    mean = sum(values[:size]) / size
    _, bend = _slope(size, pairs, values)
    reach = NormalDist().inv_cdf(0.975)
    found = []
    for n in range(size):
        contrast = [(1.0 if m == n else 0.0) - 1.0 / size for m in range(size)] + [0.0]
        spread = sum(c * x for c, x in zip(contrast, _solve(bend, contrast), strict=True))
        error = reach * sqrt(max(0.0, spread))
        own = values[n] - mean
        found.append((SCALE * own, SCALE * (own - error), SCALE * (own + error)))
    return found


def _slope(size: int, pairs: list[Pair], values: list[float]) -> tuple[list[float], Matrix]:
    """The gradient of log likelihood and prior, and minus its second derivatives."""
    slope = [-PRIOR * value for value in values[:size]] + [-TIES_PRIOR * values[size]]
    bend = [[0.0] * (size + 1) for _ in range(size + 1)]
    for n in range(size + 1):
        bend[n][n] = TIES_PRIOR if n == size else PRIOR
    for pair in pairs:
        a, b = values[pair.first], values[pair.second]
        heights = (a, b, values[size] + (a + b) / 2)
        top = max(heights)
        weights = [exp(height - top) for height in heights]
        chances = [weight / sum(weights) for weight in weights]
        boards = sum(pair.counts)
        part = {pair.first: (1.0, 0.0, 0.5), pair.second: (0.0, 1.0, 0.5), size: (0.0, 0.0, 1.0)}
        mean = {p: sum(c * w for c, w in zip(chances, ws, strict=True)) for p, ws in part.items()}
        for p, ws in part.items():
            slope[p] += sum(n * w for n, w in zip(pair.counts, ws, strict=True)) - boards * mean[p]
            for q, vs in part.items():
                both = sum(c * w * v for c, w, v in zip(chances, ws, vs, strict=True))
                bend[p][q] += boards * (both - mean[p] * mean[q])
    return slope, bend


def _solve(matrix: Matrix, side: list[float]) -> list[float]:
    """The solution of a system of equations, by elimination with the largest pivot first."""
    size = len(side)
    rows = [[*row, value] for row, value in zip(matrix, side, strict=True)]
    for at in range(size):
        best = max(range(at, size), key=lambda n: abs(rows[n][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for n in range(at + 1, size):
            share = rows[n][at] / rows[at][at]
            rows[n] = [x - share * y for x, y in zip(rows[n], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][n] * found[n] for n in range(at + 1, size))
        found[at] = (rows[at][size] - known) / rows[at][at]
    return found
