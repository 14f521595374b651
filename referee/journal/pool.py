"""The decks, seeds and start seats of many transcripts, pooled for the tests of a fair shuffle.

Nothing is verified here: a deck is counted as its `deal_close` gives it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
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
from referee.sealing.boardevents import BoardClose, BoardOpen
from referee.sealing.statistics import BitCounts, DeckCounts, Finding, evenly, holm, repeated
from referee.sealing.transcript import BOARD_OPENS, read_board_line

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
        board: BoardOpen | None = None
        for line in lines:
            if board is not None or (opened is None and BOARD_OPENS.match(line)):
                board = self._of_board(board, line)
                continue
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

    def _of_board(self, opened: BoardOpen | None, line: bytes) -> BoardOpen:
        """Count a line of a board, whose tables have no deck of their own."""
        event = read_board_line(split_line(line)[0])
        if isinstance(event, BoardOpen):
            self.again += event.board in self.matches
            known = event.board in self.matches
            self.matches.add(event.board)
            return replace(event, pack="") if known else event
        if opened is None:
            raise UnreadableError("not a board: it does not open with board_open")
        if isinstance(event, BoardClose) and opened.pack:
            self._count(event.r, event.deck, opened.pack, "the board")
        return opened

    def _close(self, event: DealClose, pack: str) -> None:
        if event.deck is not None and event.r is not None:
            self._count(event.r, event.deck, pack, f"deal {event.deal}")

    def _count(self, r: bytes, deck: str, pack: str, what: str) -> None:
        self.secrets.add(r)
        counts = self.packs.setdefault(pack, DeckCounts(pack))
        if not counts.add(deck.split(" ")):
            raise UnreadableError(f"{what}: its deck is no order of {pack}")
        mark = hash(deck)
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
