"""The decks, seeds and start seats of many transcripts, pooled for the tests of a fair shuffle.

Nothing is verified here: a deck is counted as its `deal_close` gives it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.sealing import (
    DealClose,
    DealerDrawn,
    MatchOpen,
    RevealSet,
    UnreadableError,
    read_line,
    split_line,
)
from referee.sealing.statistics import BitCounts, DeckCounts, Finding, evenly, holm, repeated

_ASKED: Final = tuple(
    f'"kind":"{cls.kind}"'.encode() for cls in (MatchOpen, RevealSet, DealerDrawn, DealClose)
)
_SEATS: Final = 4


@dataclass(slots=True)
class Pool:
    """What has been counted over all files."""

    packs: dict[str, DeckCounts] = field(default_factory=dict)
    seeds: BitCounts = field(default_factory=lambda: BitCounts("bits of the seats' seeds"))
    secrets: BitCounts = field(default_factory=lambda: BitCounts("bits of the referee's secrets"))
    starts: list[int] = field(default_factory=lambda: [0] * _SEATS)
    matches: set[bytes] = field(default_factory=set)
    again: int = 0
    _twice: dict[str, int] = field(default_factory=dict)
    _decks: set[int] = field(default_factory=set)

    @property
    def decks(self) -> int:
        """How many decks have been counted."""
        return sum(counts.decks for counts in self.packs.values())

    def read(self, lines: Iterable[bytes]) -> None:
        """Count one transcript; one of a match that was counted before is left out."""
        opened: MatchOpen | None = None
        for line in lines:
            if opened is not None and not any(word in line for word in _ASKED):
                continue
            event = read_line(*split_line(line)).event
            if isinstance(event, MatchOpen):
                opened = event
                if event.match in self.matches:
                    self.again += 1
                    return
                self.matches.add(event.match)
            elif opened is None:
                raise UnreadableError("not a transcript: it does not open with match_open")
            elif isinstance(event, RevealSet):
                for seat, seed in zip(opened.seats, event.seeds, strict=True):
                    if seed and seat.seed_by == "seat":
                        self.seeds.add(seed)
            elif isinstance(event, DealerDrawn):
                self.starts[event.start] += 1
            elif isinstance(event, DealClose):
                self._close(event, opened.pack)

    def _close(self, event: DealClose, pack: str) -> None:
        if event.deck is None or event.r is None:
            return
        self.secrets.add(event.r)
        counts = self.packs.setdefault(pack, DeckCounts(pack))
        if not counts.add(event.deck.split(" ")):
            raise UnreadableError(f"deal {event.deal}: its deck is no order of {pack}")
        mark = hash(event.deck)
        self._twice[pack] = self._twice.get(pack, 0) + (mark in self._decks)
        self._decks.add(mark)

    def findings(self) -> Sequence[Finding]:
        """Every test, corrected for how many there are."""
        tests: list[Finding] = []
        for pack, counts in self.packs.items():
            tests += counts.findings()
            possible = math.factorial(counts.size)
            twice = self._twice.get(pack, 0)
            tests.append(repeated(f"{pack}: decks that come twice", counts.decks, twice, possible))
        tests += [self.seeds.finding(), self.secrets.finding()]
        if any(self.starts):
            tests.append(evenly("start seats of dealer draws", self.starts))
        return holm(tests)
