"""Whether many decks look as a fair shuffle leaves them: counts, and how unlikely they are.

Every test gives a p-value: how often a fair shuffle would look this odd or odder. Together they are
corrected (Holm), so that asking more questions does not find more faults.

The counts of card by position are not independent: every deck has each card once and fills each
position once. Their chi-square has the mean n(n-1), so it is scaled by (n-1)/n, after which it is
distributed with (n-1)**2 degrees of freedom.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from referee.sealing.packs import PACKS

LEAST_IN_A_CELL: Final = 5
LEAST_OF_A_MEAN: Final = 100
_TINY: Final = 1e-300
_SERIES_END: Final = 1e-15
_MOST_STEPS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One test: how much it has seen, its statistic, and its p-value as such and corrected.

    `p` is None where too little was seen; `least` says how much it takes.
    """

    name: str
    seen: int
    least: int
    statistic: float | None = None
    p: float | None = None
    corrected: float | None = None


def chi_square_tail(x: float, df: int) -> float:
    """The probability that a chi-square of so many degrees of freedom is x or more.

    The regularized upper incomplete gamma function: its series below the mean, its continued
    fraction (Lentz) above.

    >>> round(chi_square_tail(3.841458820694124, 1), 9)
    0.05
    """
    if x <= 0:
        return 1.0
    a, half = df / 2, x / 2
    scale = math.exp(a * math.log(half) - half - math.lgamma(a))
    if half < a + 1:
        term = total = 1 / a
        for k in range(1, _MOST_STEPS):
            term *= half / (a + k)
            total += term
            if term < total * _SERIES_END:
                break
        return max(0.0, 1 - total * scale)
    b = half + 1 - a
    c, d = 1 / _TINY, 1 / b
    product = d
    for k in range(1, _MOST_STEPS):
        step = k * (a - k)
        b += 2
        d = 1 / (step * d + b or _TINY)
        c = b + step / c or _TINY
        product *= c * d
        if abs(c * d - 1) < _SERIES_END:
            break
    return min(1.0, product * scale)


def two_sided(z: float) -> float:
    """The probability that a normal deviate is as far from zero as z, or farther."""
    return math.erfc(abs(z) / math.sqrt(2))


def holm(findings: Sequence[Finding]) -> list[Finding]:
    """The findings with corrected p-values: the chance that any of them would look as odd."""
    judged = sorted((f.p, i) for i, f in enumerate(findings) if f.p is not None)
    corrected: dict[int, float] = {}
    highest = 0.0
    for rank, (p, index) in enumerate(judged):
        highest = max(highest, min(1.0, p * (len(judged) - rank)))
        corrected[index] = highest
    return [replace(f, corrected=corrected.get(i)) for i, f in enumerate(findings)]


@dataclass(slots=True)
class DeckCounts:
    """What many decks of one pack have shown, counted deck by deck."""

    pack: str
    decks: int = 0
    cells: list[list[int]] = field(default_factory=list)
    rises: int = 0
    even: int = 0
    stayed: int = 0
    _number: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        cards = PACKS[self.pack]
        self.cells = [[0] * len(cards) for _ in cards]
        self._number = {card: number for number, card in enumerate(cards)}

    @property
    def size(self) -> int:
        """The number of cards."""
        return len(self.cells)

    def add(self, deck: Sequence[str]) -> bool:
        """Count a deck in deal order; False where it is no order of the pack."""
        order = [self._number.get(card, -1) for card in deck]
        if sorted(order) != list(range(self.size)):
            return False
        self.decks += 1
        for row, card in zip(self.cells, order, strict=True):
            row[card] += 1
        self.rises += sum(a < b for a, b in pairwise(order))
        self.stayed += sum(place == card for place, card in enumerate(order))
        self.even += (self.size - _cycles(order)) % 2 == 0
        return True

    def residuals(self) -> list[float]:
        """Each cell's distance from what is expected, in standard deviations."""
        n = self.size
        expected = self.decks / n
        deviation = math.sqrt(expected * (1 - 1 / n)) or 1.0
        return [(count - expected) / deviation for row in self.cells for count in row]

    def findings(self) -> list[Finding]:
        """The tests of the decks, not yet corrected."""
        n = self.size
        return [
            self._cells(),
            self._mean("neighbors that rise", self.rises, (n - 1) / 2, (n + 1) / 12),
            self._mean("even orders", self.even, 1 / 2, 1 / 4),
            self._mean("cards that stay", self.stayed, 1, 1),
        ]

    def _cells(self) -> Finding:
        n, decks = self.size, self.decks
        name, least = f"{self.pack}: card by position", LEAST_IN_A_CELL * n
        if decks < least:
            return Finding(name, decks, least)
        expected = decks / n
        total = sum((count - expected) ** 2 / expected for row in self.cells for count in row)
        scaled = total * (n - 1) / n
        return Finding(name, decks, least, scaled, chi_square_tail(scaled, (n - 1) ** 2))

    def _mean(self, what: str, total: int, mean: float, variance: float) -> Finding:
        """A sum over decks that is all but normal, whose mean and variance a deck are known."""
        name = f"{self.pack}: {what}"
        if self.decks < LEAST_OF_A_MEAN:
            return Finding(name, self.decks, LEAST_OF_A_MEAN)
        z = (total - self.decks * mean) / math.sqrt(self.decks * variance)
        return Finding(name, self.decks, LEAST_OF_A_MEAN, z, two_sided(z))


def _cycles(order: Sequence[int]) -> int:
    """How many cycles a permutation has."""
    left = set(range(len(order)))
    count = 0
    while left:
        count += 1
        place = left.pop()
        while (place := order[place]) in left:
            left.remove(place)
    return count


@dataclass(slots=True)
class BitCounts:
    """How often each bit of values of 32 bytes was set."""

    name: str
    seen: int = 0
    ones: list[int] = field(default_factory=lambda: [0] * 256)

    def add(self, value: bytes) -> None:
        """Count the bits of a value."""
        self.seen += 1
        number = int.from_bytes(value, "big")
        ones = self.ones
        while number:
            lowest = number & -number
            ones[lowest.bit_length() - 1] += 1
            number ^= lowest

    def finding(self) -> Finding:
        """Each bit is set half of the time."""
        if self.seen < LEAST_OF_A_MEAN:
            return Finding(self.name, self.seen, LEAST_OF_A_MEAN)
        total = sum((2 * count - self.seen) ** 2 / self.seen for count in self.ones)
        return Finding(
            self.name, self.seen, LEAST_OF_A_MEAN, total, chi_square_tail(total, len(self.ones))
        )


def evenly(name: str, counts: Sequence[int]) -> Finding:
    """Each of a few outcomes is as likely as another."""
    seen, least = sum(counts), LEAST_IN_A_CELL * len(counts)
    if seen < least:
        return Finding(name, seen, least)
    expected = seen / len(counts)
    total = sum((count - expected) ** 2 / expected for count in counts)
    return Finding(name, seen, least, total, chi_square_tail(total, len(counts) - 1))


def repeated(name: str, seen: int, twice: int, possible: int) -> Finding:
    """Whether any of so many equally likely things has come twice."""
    chance = min(1.0, seen * (seen - 1) / 2 / possible) if twice else 1.0
    return Finding(name, seen, 2, float(twice), chance) if seen > 1 else Finding(name, seen, 2)


def histogram(residuals: Iterable[float], edges: Sequence[float]) -> list[tuple[int, float]]:
    """How many residuals fall between the edges (and beyond the outer ones), and should."""
    values = list(residuals)
    bounds = [-math.inf, *edges, math.inf]
    shares = [math.erfc(-edge / math.sqrt(2)) / 2 for edge in bounds]
    return [
        (sum(low <= value < high for value in values), (above - below) * len(values))
        for (low, high), (below, above) in zip(pairwise(bounds), pairwise(shares), strict=True)
    ]
