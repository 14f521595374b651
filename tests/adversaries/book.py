"""What a crowd of seats has seen, counted, and written down for whoever checks it afterwards.

The files stand in one folder: `rulings.tsv` every answer, `faults.jsonl` every fault with the time
at which the first seat was told, `doors.jsonl` when each stream was lost and when it was back. What
is kept in memory does not grow with the time that is played.
"""

import json
import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

MOST_ERRORS: Final = 50
RULINGS: Final = "rulings.tsv"
FAULTS: Final = "faults.jsonl"
DOORS: Final = "doors.jsonl"
GRAIN: Final = 1.1


def wall_ms() -> int:
    """Milliseconds since 1970, as the proxy's log has them."""
    return time.time_ns() // 1_000_000


@dataclass
class Latencies:
    """Times in buckets that grow by a tenth: percentiles without keeping every time."""

    buckets: Counter[int] = field(default_factory=Counter)

    def add(self, seconds: float) -> None:
        """Count one time."""
        self.buckets[math.ceil(math.log(max(seconds, 1e-6), GRAIN))] += 1

    def percentile_ms(self, percent: float) -> float:
        """The time that so many percent do not exceed, to a tenth of itself; 0 where none is."""
        left = self.buckets.total() * percent / 100
        for bucket in sorted(self.buckets):
            left -= self.buckets[bucket]
            if left <= 0:
                return GRAIN**bucket * 1_000
        return 0.0


class Book:
    """Where all seats of a crowd write down what they see."""

    def __init__(self, folder: Path) -> None:
        self.counted: Counter[str] = Counter()
        self.answers = Latencies()
        self.errors: list[str] = []
        self._rulings = _open(folder / RULINGS)
        self._faults = _open(folder / FAULTS)
        self._doors = _open(folder / DOORS)

    def wrong(self, text: str) -> None:
        """The referee did what it must not do."""
        self.counted["wrong"] += 1
        if len(self.errors) < MOST_ERRORS:
            self.errors.append(text)

    def ruling(self, *words: str | int) -> None:
        """An answer, as it was given."""
        self._rulings.write("\t".join(map(str, words)) + "\n")

    def fault(self, match: str, event: tuple[int, str], seat: int, why: str) -> None:
        """A fault, when the first seat of the match is told of it; which event tells it."""
        self.counted[why] += 1
        seq, kind = event
        close = kind == "deal_close"
        entry = {
            "at_ms": wall_ms(),
            "match": match,
            "seq": seq,
            "seat": seat,
            "why": why,
            "close": close,
        }
        self._faults.write(json.dumps(entry) + "\n")

    def door(self, number: int, what: str) -> None:
        """A stream is `lost` or `back`, of which door."""
        self.counted[what] += 1
        self._doors.write(json.dumps({"at_ms": wall_ms(), "door": number, "what": what}) + "\n")

    def close(self) -> None:
        """Let everything reach the disk."""
        for file in (self._rulings, self._faults, self._doors):
            file.close()

    def figures(self, extra: Callable[[], dict[str, int]]) -> dict[str, int | float | list[str]]:
        """How things stand, for programs."""
        return {
            **self.counted,
            **extra(),
            "p50_ms": round(self.answers.percentile_ms(50), 1),
            "p99_ms": round(self.answers.percentile_ms(99), 1),
            "errors": self.errors,
        }


def _open(path: Path) -> IO[str]:
    return path.open("a", encoding="ascii", buffering=1 << 16)
