"""Scores of boards to draw from: what was measured, and shapes that are hard."""

from collections.abc import Mapping
from math import exp
from random import Random
from typing import Final

SHAPES: Final[Mapping[str, Mapping[float, float]]] = {
    # 500 boards of `benchmarks.strength`, those that were not level.
    "measured": {
        -2: 6, -1.5: 16, -1: 6, -0.5: 77, 0.5: 17, 1: 64, 1.5: 39, 2: 5, 2.5: 4,
    },
    "even": {
        0.5: 50, 1: 40, 1.5: 20, 2: 15, 3: 2, 4: 0.5,
        -0.5: 50, -1: 40, -1.5: 20, -2: 15, -3: 2, -4: 0.5,
    },
    # Small losses often, large gains seldom, as a bot has that goes alone too seldom.
    "skewed": {-0.5: 45, -1: 9, 1: 10, 1.5: 6, 2: 8, 2.5: 4, 3: 2},
    # 500 boards of `sensible` against `random`: a large difference, and hardly a loss.
    "lopsided": {-1.5: 1, -1: 3, -0.5: 1, 0.5: 201, 1: 3, 1.5: 44, 2: 190},
}  # fmt: skip


class Population:
    """Boards of a shape, so many of them level; tilted to a mean where one is given."""

    def __init__(self, shape: str, ties: float, mean: float | None = None) -> None:
        swings = SHAPES[shape]
        tilt = 0.0 if mean is None else _tilt(swings, mean / (1 - ties))
        weights = {value: weight * exp(tilt * value) for value, weight in swings.items()}
        total = sum(weights.values())
        self.values = (0.0, *weights)
        self.chances = (ties, *((1 - ties) * weight / total for weight in weights.values()))
        self.mean = sum(v * p for v, p in zip(self.values, self.chances, strict=True))
        self.variance = (
            sum(v * v * p for v, p in zip(self.values, self.chances, strict=True)) - self.mean**2
        )

    def draw(self, rng: Random, boards: int) -> list[float]:
        """So many independent boards."""
        return rng.choices(self.values, self.chances, k=boards)


def _tilt(swings: Mapping[float, float], mean: float) -> float:
    low, high = -10.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        weights = {value: weight * exp(middle * value) for value, weight in swings.items()}
        reached = sum(v * w for v, w in weights.items()) / sum(weights.values())
        low, high = (middle, high) if reached < mean else (low, middle)
    return (low + high) / 2
