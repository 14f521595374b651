"""Sealed boards as they are hosted: opened together, played at their tables, closed as a whole.

A board and all its tables are recorded in one append before anybody sees a card, and closed in one
append: board_close, and what it leads to at each table. So whatever stops this process, a board is
whole in the journal, or open; and one that was left open is closed void, never played on.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.errors import InternalError
from referee.host.clock import Chance, Clock
from referee.host.course import Course
from referee.host.match import Match
from referee.host.matches import OtherKeyError
from referee.host.record import Mark, Record
from referee.journal.boards import KeptBoard, board_of, created_row, public_text
from referee.journal.codec import event_of
from referee.journal.store import Row, Store, StoreError
from referee.meter import UNMETERED, Meter
from referee.sealing.boardevents import BoardClose, BoardEvent, BoardOpen
from referee.sealing.closing import DealClose
from referee.sealing.keys import SigningKey
from referee.sealing.transcript import Writer
from referee.table.board import (
    INFRA,
    BoardAsked,
    BoardCreated,
    SealedBoard,
    board_close,
    close_table,
    seal_board,
)
from referee.table.events import Event, MatchCreated
from referee.table.evolve import begin, evolve
from referee.table.state import MatchState

log = logging.getLogger(__name__)
SEED_SIZE: Final = 32
SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class ClosedBoard:
    """A board that is closed, and how the deal ended at each of its tables."""

    created: BoardCreated
    opened: BoardOpen
    close: BoardClose
    deals: tuple[DealClose, ...]

    @property
    def void(self) -> bool:
        """Whether nothing that was played counts."""
        return self.close.outcome == "void"


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where a table stands in its record."""

    state: MatchState
    mark: Mark


class OpenBoard:
    """A board whose deck is fixed and durable, and whose tables can be played."""

    def __init__(self, host: "BoardHost", sealed: SealedBoard, writer: Writer) -> None:
        self.sealed = sealed
        self.tables: dict[int, Match] = {}
        self._host = host
        self._writer = writer
        self._begun: dict[int, tuple[tuple[Row, ...], Mark]] = {}
        self._rows = 0
        self._closed = False

    @property
    def label(self) -> str:
        """What its director calls it."""
        return self.sealed.created.label

    @property
    def closed(self) -> bool:
        """Whether its close has been recorded, or is being so."""
        return self._closed

    def rows(self) -> tuple[Row, ...]:
        """All rows with which the board and its tables begin, to be appended together."""
        board = self.sealed.created.board
        rows = [created_row(self.sealed.created), *self._public(board, self.sealed.events, 1)]
        self._rows = len(rows)
        for table, events in enumerate(self.sealed.tables):
            record = Record(self.sealed.created.matches[table], self._host.key)
            begun, _ = record.rows(events)
            self._begun[table] = begun, record.mark
            rows += begun
        return tuple(rows)

    def _public(self, board: bytes, events: Iterable[BoardEvent], n: int) -> list[Row]:
        rows = []
        for number, event in enumerate(events, n):
            seq = self._writer.seq
            raw, sig = self._writer.append(event)
            rows.append(Row(board, number, seq, event.kind, raw, sig))
        return rows

    def take_up(self, table: int) -> Match:
        """The match that is played at a table; its seats are taken, and wait for their players."""
        match = self.tables.get(table)
        if match is None:
            match = self.tables[table] = self._host.match_at(self.sealed, table)
            match.course.resume(self._begun[table][0])
        return match

    async def close(self, *, void: bool = False) -> ClosedBoard:
        """Close the board and all its tables, durably; nothing that comes later is taken.

        Where the journal failed under one of its tables, be it only for a while, a seat may have
        been charged with time that was ours: the board is void. Raises InternalError where a table
        is still played and the board is not `void`, StoreError where the journal does not keep it.
        """
        self._closed = True
        for match in self.tables.values():
            match.course.draining = True
            match.course.close()
        await self._host.flush()
        void = void or any(match.course.ledger.has_lost for match in self.tables.values())
        standing = [self._standing(table) for table in range(len(self.sealed.tables))]
        return await self._host.close(
            self.sealed.created,
            self.sealed.opened,
            self.sealed.key,
            standing,
            writer=self._writer,
            rows=self._rows,
            void=void,
        )

    def _standing(self, table: int) -> _Standing:
        match = self.tables.get(table)
        if match is not None:
            ledger = match.course.ledger
            if not ledger.idle:
                raise StoreError(f"table {match.id.hex()} was not recorded (start again)")
            return _Standing(ledger.durable, ledger.mark)
        events = self.sealed.tables[table]
        return _Standing(_state_of(events), self._begun[table][1])


class BoardHost:
    """Opens, closes and recovers boards in one journal. Called on the event loop's thread."""

    def __init__(
        self,
        *,
        store: Store,
        key: SigningKey,
        clock: Clock,
        chance: Chance,
        meter: Meter = UNMETERED,
    ) -> None:
        self.key = key
        self._store = store
        self._clock = clock
        self._chance = chance
        self._meter = meter

    # Opening.

    async def open(self, asked: Sequence[BoardAsked]) -> tuple[OpenBoard, ...]:
        """Seal boards, all in one append; they are durable when this returns.

        Raises StoreError where the journal does not keep them, or has one of their ids already.
        """
        now = self._clock.wall_ms()
        boards = tuple(self._sealed(each, now) for each in asked)
        rows = [row for board in boards for row in board.rows()]
        await asyncio.wrap_future(self._store.append(rows, at_ms=now))
        return boards

    def _sealed(self, asked: BoardAsked, now_ms: int) -> OpenBoard:
        seeds = [self._chance(SEED_SIZE) for _ in range(SEATS * len(asked.matches))]
        sealed = seal_board(
            asked,
            secret=self._chance(SEED_SIZE),
            seeds=seeds,
            referee_key=self.key.public.text,
            now_ms=now_ms,
        )
        return OpenBoard(self, sealed, Writer(self.key))

    def match_at(self, sealed: SealedBoard, table: int) -> Match:
        """A match for a table, of which nothing has been folded yet."""
        created = sealed.tables[table][0]
        if not isinstance(created, MatchCreated):
            raise InternalError(f"a table begins with {created.kind}")
        course = Course(
            created,
            store=self._store,
            key=self.key,
            clock=self._clock,
            chance=self._chance,
            meter=self._meter,
            ended=lambda: None,
        )
        return Match(course)

    # Closing.

    async def flush(self) -> None:
        """Wait until everything that was queued before is durable, and told."""
        await asyncio.wrap_future(self._store.append((), at_ms=self._clock.wall_ms()))
        await asyncio.sleep(0)

    async def close(
        self,
        created: BoardCreated,
        opened: BoardOpen,
        key: bytes,
        standing: Sequence[_Standing],
        *,
        writer: Writer,
        rows: int,
        void: bool,
    ) -> ClosedBoard:
        """Record a board's close with its tables'; `rows` is how many rows the board has."""
        now = self._clock.wall_ms()
        heads = [table.mark.head for table in standing]
        close = board_close(created, opened, key, heads, void=void)
        seq = writer.seq
        raw, sig = writer.append(close)
        appended = [Row(created.board, rows, seq, close.kind, raw, sig)]
        deals = []
        for table in standing:
            closing, deal = self._close_table(table, void=void, now_ms=now)
            appended += closing
            deals.append(deal)
        await asyncio.wrap_future(self._store.append(appended, at_ms=now))
        log.info("board_closed board=%s outcome=%s", created.board.hex(), close.outcome)
        return ClosedBoard(created, opened, close, tuple(deals))

    def _close_table(
        self, table: _Standing, *, void: bool, now_ms: int
    ) -> tuple[tuple[Row, ...], DealClose]:
        decided = close_table(table.state, void=void, now_ms=now_ms)
        record = Record(table.state.match, self.key)
        record.mark = table.mark
        rows, _ = record.rows(decided.events)
        return rows, _deal_close(decided.events)

    # After a restart.

    async def recover(self, wanted: Collection[bytes] | None = None) -> tuple[ClosedBoard, ...]:
        """Every board of the journal, or those with some ids, closed: an open one void.

        Ids that the journal does not have are passed over: such a board was never opened. Raises
        OtherKeyError where a board was opened under another key, StoreError.
        """
        await self.flush()
        boards = self._store.matches() if wanted is None else wanted
        found = []
        for board in boards:
            rows = tuple(self._store.rows(board))
            if rows and rows[0].kind == BoardCreated.kind:
                found.append(await self._recovered(board_of(rows), rows))
        return tuple(found)

    async def void_open(self) -> tuple[ClosedBoard, ...]:
        """Every open board of the journal, closed void."""
        opened = [
            match
            for match in self._store.open_matches()
            if any(True for _ in self._store.rows(match, (BoardCreated.kind,)))
        ]
        return await self.recover(opened)

    async def _recovered(self, kept: KeptBoard, rows: Sequence[Row]) -> ClosedBoard:
        tables = [tuple(self._store.rows(match)) for match in kept.created.matches]
        close = kept.close
        if kept.opened.referee_key != self.key.public.text:
            raise OtherKeyError(
                f"board {kept.created.board.hex()} is recorded under the key"
                f" {kept.opened.referee_key!r}, not {self.key.public.text!r} (give that key's file)"
            )
        if close is None:
            log.warning("board_void board=%s reason=%s", kept.created.board.hex(), INFRA)
            writer = Writer(self.key)
            for row in rows:
                if row.seq is not None:
                    writer.pass_by(row.body)
            return await self.close(
                kept.created,
                kept.opened,
                kept.key,
                [self._folded(table) for table in tables],
                writer=writer,
                rows=len(rows),
                void=True,
            )
        deals = [await self._close_left(table, close) for table in tables]
        return ClosedBoard(kept.created, kept.opened, close, tuple(deals))

    def _folded(self, rows: Sequence[Row]) -> _Standing:
        state = _state_of([event_of(row) for row in rows])
        record = Record(state.match, self.key)
        for row in rows:
            record.pass_by(row)
        return _Standing(state, record.mark)

    async def _close_left(self, rows: Sequence[Row], close: BoardClose) -> DealClose:
        """How a table of a closed board ended, which is written where it is missing."""
        deal = next((row for row in rows if row.kind == DealClose.kind), None)
        if deal is not None:
            return _deal_close([event_of(deal)])
        now = self._clock.wall_ms()
        void = close.outcome == "void"
        appended, closed = self._close_table(self._folded(rows), void=void, now_ms=now)
        await asyncio.wrap_future(self._store.append(appended, at_ms=now))
        return closed

    # The files.

    def files(self, board: bytes) -> dict[str, bytes]:
        """The public files of a board that is closed: its own and its tables', by their names.

        Raises InternalError where it is not closed, or not there.
        """
        rows = tuple(self._store.rows(board))
        kept = board_of(rows)
        if kept.close is None:
            raise InternalError(f"board {board.hex()} is open: its files are not public")
        name = board.hex()
        tables = {
            f"{name}.{number}.jsonl": public_text(self._store.rows(match))
            for number, match in enumerate(kept.created.matches)
        }
        return {f"{name}.board.jsonl": public_text(rows), **tables}


def _state_of(events: Sequence[Event]) -> MatchState:
    created, *later = events
    if not isinstance(created, MatchCreated):
        raise InternalError(f"a table begins with {created.kind}")
    state = begin(created)
    for event in later:
        state = evolve(state, event)
    return state


def _deal_close(events: Sequence[Event]) -> DealClose:
    found = next((event for event in events if isinstance(event, DealClose)), None)
    if found is None:
        raise InternalError("a table of a closed board has no deal_close")
    return found
