"""What is counted and measured while a referee runs: a door that every layer may count through.

Whoever counts knows only `Meter`. It says how often and how long, never for which match or seat:
what is kept does not grow with the matches played.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, Protocol

Counted = Literal[
    "actions",
    "appends",
    "commits",
    "ended",
    "faults",
    "matches",
    "misuses",
    "refusals",
    "resumed",
    "slow_readers",
    "started",
    "superseded",
]
"""Each has one label: an outcome, a reason, a kind or an rpc; empty where there is nothing to tell.

Rpcs are `Service/Method`, and for `ended` the name of the status code behind it.
"""
Measured = Literal[
    "commit_rows", "commit_seconds", "flush_seconds", "loop_lag_seconds", "queue_items", "seconds"
]
"""`seconds` has the rpc as its label; the others have none."""

IN_SECONDS: Final = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
IN_ITEMS: Final = (1.0, 4.0, 16.0, 64.0, 256.0, 1_024.0, 4_096.0, 16_384.0)


class Cell:
    """One count, kept at hand where something happens with every action."""

    __slots__ = ("number",)

    def __init__(self) -> None:
        self.number = 0


class Spread:
    """How values are spread over buckets whose upper bounds rise; the last one has no bound."""

    __slots__ = ("bounds", "counts", "last", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        self.last = 0.0

    def add(self, value: float, times: int = 1) -> None:
        """Keep a value that was seen so many times."""
        self.counts[bisect_left(self.bounds, value)] += times
        self.total += value * times
        self.last = value


class Meter(Protocol):
    """Where to count, from any thread."""

    def cell(self, what: Counted, label: str = "") -> Cell:
        """The count of something; adding to its number costs next to nothing."""
        ...

    def spread(self, what: Measured, label: str = "") -> Spread:
        """How long something takes, in seconds, or how many there are."""
        ...

    def count(self, what: Counted, label: str = "") -> None:
        """Count something that happened."""
        ...

    def observe(self, what: Measured, value: float, label: str = "") -> None:
        """Keep how long something took, in seconds, or how many there were."""
        ...


class Tally:
    """A meter that keeps what it is told, in numbers that only grow."""

    def __init__(self) -> None:
        self._cells: dict[tuple[Counted, str], Cell] = {}
        self._spreads: dict[tuple[Measured, str], Spread] = {}

    def cell(self, what: Counted, label: str = "") -> Cell:
        """The count of something."""
        cell = self._cells.get((what, label))
        return self._cells.setdefault((what, label), Cell()) if cell is None else cell

    def spread(self, what: Measured, label: str = "") -> Spread:
        """How long something takes, in seconds, or how many there are."""
        spread = self._spreads.get((what, label))
        if spread is None:
            bounds = IN_SECONDS if what.endswith("seconds") else IN_ITEMS
            spread = self._spreads.setdefault((what, label), Spread(bounds))
        return spread

    def count(self, what: Counted, label: str = "") -> None:
        """Count something that happened."""
        self.cell(what, label).number += 1

    def observe(self, what: Measured, value: float, label: str = "") -> None:
        """Keep how long something took, in seconds, or how many there were."""
        self.spread(what, label).add(value)

    def counted(self, what: Counted) -> Mapping[str, int]:
        """The counts so far, by label."""
        known = self._cells.copy()  # other threads go on counting
        return {
            label: cell.number
            for (name, label), cell in known.items()
            if name == what and cell.number
        }

    def spreads(self, what: Measured) -> Iterator[tuple[str, Spread]]:
        """The values so far, by label."""
        known = self._spreads.copy()
        return ((label, spread) for (name, label), spread in known.items() if name == what)

    def running(self, rpc: str) -> int:
        """How many calls of an rpc have begun and not ended."""
        ended = sum(n for label, n in self.counted("ended").items() if label.startswith(f"{rpc} "))
        return self.counted("started").get(rpc, 0) - ended


UNMETERED: Final = Tally()
"""A meter that nobody reads."""


def quantile(bounds: Sequence[float], counts: Sequence[int], share: float) -> float:
    """The value that a share of all stays below, as well as buckets can tell; 0 where none is.

    >>> quantile((1.0, 2.0), (2, 2, 0), 0.5)
    1.0
    >>> quantile((1.0, 2.0), (0, 4, 0), 0.5)
    1.5
    """
    wanted = share * sum(counts)
    if not wanted:
        return 0.0
    low = 0.0
    for high, count in zip(bounds, counts, strict=False):
        if count and wanted <= count:
            return low + (high - low) * wanted / count
        wanted -= count
        low = high
    return low
