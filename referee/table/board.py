"""A sealed board as a value: what was asked for, what opens it, and what closes it with its tables.

The public events are those of `referee.sealing.boardevents`; one private event, the board's first,
holds its secret until the close publishes it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from referee.errors import InternalError
from referee.sealing.board import (
    TABLE_CHAIN,
    board_deck,
    board_link,
    sealing_events,
    table_seats,
)
from referee.sealing.boardevents import MOST_TABLES, BoardClose, BoardEvent, BoardOpen
from referee.sealing.canonical import Json
from referee.sealing.closing import ZERO
from referee.sealing.encode import HASH_SIZE, MATCH_SIZE
from referee.sealing.fields import Fields
from referee.sealing.parts import Pair, Policy, SeatInfo
from referee.sealing.transcript import rule_set_hash
from referee.table.commands import CloseBoard, SitDown
from referee.table.decide import Decision, decide
from referee.table.events import Event, MatchCreated, Place
from referee.table.evolve import begin
from referee.table.state import MatchState

INFRA = "INFRA"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCreated:
    """What a board was asked for, with its secret, and the matches that are its tables.

    `label` is whatever its director calls it.
    """

    kind: ClassVar[str] = "board_created"
    board: bytes
    matches: tuple[bytes, ...]
    secret: bytes = field(repr=False)
    label: str

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return {
            "board": self.board.hex(),
            "matches": [match.hex() for match in self.matches],
            "secret": self.secret.hex(),
            "label": self.label,
        }

    @classmethod
    def read(cls, f: Fields) -> "BoardCreated":
        """The event in an object."""
        return cls(
            board=f.raw("board", MATCH_SIZE),
            matches=f.raws("matches", MATCH_SIZE),
            secret=f.raw("secret", HASH_SIZE),
            label=f.text("label"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAsked:
    """A board to open: its id and its tables' were published before; `names` has a row a table.

    `dealer` is a seat's number; `rule_set` is the name of `rules`, the whole knob map. `scores` are
    the running games' at the tables, all 0-0 where there are none.
    """

    board: bytes
    matches: tuple[bytes, ...]
    rule_set: str
    rules: Mapping[str, str]
    pack: str
    dealer: int
    policy: Policy
    names: tuple[tuple[str, str, str, str], ...]
    label: str = ""
    scores: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True)
class SealedBoard:
    """A board whose deck is fixed: all its events so far, and how each table begins."""

    created: BoardCreated
    events: tuple[BoardEvent, ...]
    key: bytes = field(repr=False)
    tables: tuple[tuple[Event, ...], ...]

    @property
    def opened(self) -> BoardOpen:
        """The event that opened it."""
        first = self.events[0]
        if not isinstance(first, BoardOpen):
            raise InternalError(f"a board begins with {first.kind}")
        return first


def seal_board(
    asked: BoardAsked, *, secret: bytes, seeds: Sequence[bytes], referee_key: str, now_ms: int
) -> SealedBoard:
    """A board with its deck fixed, and its tables open with the upcard turned.

    `secret` is R_2 of the board, `seeds` has one of 32 bytes for each seat of each table, all drawn
    by this host.
    """
    tables = len(asked.matches)
    if not 1 <= tables == len(asked.names) <= MOST_TABLES:
        raise InternalError(f"a board of {tables} tables with {len(asked.names)} seatings")
    seats = tuple(
        SeatInfo(name=name, level="seeds", seed_by="host") for row in asked.names for name in row
    )
    opened = BoardOpen(
        board=asked.board,
        rule_set=rule_set_hash(asked.rules),
        rules=asked.rules,
        pack=asked.pack,
        dealer=asked.dealer,
        tables=tables,
        seats=seats,
        referee_key=referee_key,
        r1=board_link(asked.board, secret),
        opened_at=now_ms,
    )
    events, key = sealing_events(opened, r=secret, seeds=seeds)
    created = BoardCreated(
        board=asked.board, matches=asked.matches, secret=secret, label=asked.label
    )
    begun = tuple(
        _table_events(_table_created(asked, opened, table, key), table_seats(seats, table))
        for table in range(tables)
    )
    return SealedBoard(created, events, key, begun)


def _table_created(asked: BoardAsked, opened: BoardOpen, table: int, key: bytes) -> MatchCreated:
    return MatchCreated(
        match=asked.matches[table],
        rule_set=asked.rule_set,
        rules=asked.rules,
        policy=asked.policy,
        first_dealer=asked.dealer,
        chain=TABLE_CHAIN,
        secret=opened.r1,
        referee_key=opened.referee_key,
        tokens=(),
        created_at=opened.opened_at,
        place=Place(asked.board, table, key, asked.scores[table] if asked.scores else ZERO),
    )


def _table_events(created: MatchCreated, seats: Sequence[SeatInfo]) -> tuple[Event, ...]:
    """How a table begins: its seats are taken, and the upcard is turned."""
    state = begin(created)
    events: list[Event] = [created]
    for seat, info in enumerate(seats):
        decided = _decided(state, SitDown(seat=seat, info=info), created.created_at)
        events += decided.events
        state = decided.state
    return tuple(events)


def _decided(state: MatchState, command: SitDown | CloseBoard, now_ms: int) -> Decision:
    decided = decide(state, command, now_ms=now_ms)
    if not isinstance(decided, Decision):
        raise InternalError(f"table {state.match.hex()}: {decided.text}")
    return decided


def board_close(
    created: BoardCreated, opened: BoardOpen, key: bytes, heads: Sequence[bytes], *, void: bool
) -> BoardClose:
    """The close of a board, with the head of each table before its own."""
    return BoardClose(
        outcome="void" if void else "played",
        r=created.secret,
        deck=board_deck(created.board, opened.pack, key).text,
        heads=tuple(heads),
        reason=INFRA if void else None,
    )


def close_table(state: MatchState, *, void: bool, now_ms: int) -> Decision:
    """What the close of its board leads to at a table: its deal and its match are closed."""
    return _decided(state, CloseBoard(void=void), now_ms)


__all__ = [
    "INFRA",
    "BoardAsked",
    "BoardCreated",
    "SealedBoard",
    "board_close",
    "close_table",
    "seal_board",
]
