"""A sealed board as its journal has it: its rows, as bytes and back, and its public files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.errors import InternalError
from referee.journal.codec import event_of
from referee.journal.store import Row
from referee.sealing.board import board_key
from referee.sealing.boardevents import (
    BoardClose,
    BoardCommitSet,
    BoardEvent,
    BoardOpen,
    BoardRevealSet,
)
from referee.sealing.canonical import dump, parse
from referee.sealing.errors import DealProofError
from referee.sealing.fields import Fields
from referee.sealing.transcript import read_board_line
from referee.table.board import BoardCreated
from referee.table.events import MatchCreated


@dataclass(frozen=True, slots=True)
class KeptBoard:
    """A board of a journal: how it was asked for, its public events, and the key of its deck."""

    created: BoardCreated
    events: tuple[BoardEvent, ...]

    @property
    def opened(self) -> BoardOpen:
        """The event that opened it."""
        found = next((e for e in self.events if isinstance(e, BoardOpen)), None)
        if found is None:
            raise InternalError(f"board {self.created.board.hex()} was never opened")
        return found

    @property
    def close(self) -> BoardClose | None:
        """The event that closed it."""
        return next((e for e in self.events if isinstance(e, BoardClose)), None)

    @property
    def key(self) -> bytes:
        """The key of its deck."""
        given = next((e for e in self.events if isinstance(e, BoardCommitSet)), None)
        shown = next((e for e in self.events if isinstance(e, BoardRevealSet)), None)
        if given is None or shown is None:
            raise InternalError(f"board {self.created.board.hex()} was never sealed")
        return board_key(given.cset, self.created.secret, shown.seeds)


def created_row(created: BoardCreated) -> Row:
    """The first row of a board, which is private."""
    body = dump({"kind": created.kind, **created.fields()})
    return Row(created.board, 0, None, created.kind, body)


def board_of(rows: Sequence[Row]) -> KeptBoard:
    """The board in its rows; InternalError where they are damaged."""
    if not rows or rows[0].kind != BoardCreated.kind:
        raise InternalError("a board has no beginning (restore a backup)")
    try:
        fields = Fields(parse(rows[0].body), rows[0].kind)
        fields.text("kind")
        created = BoardCreated.read(fields)
        fields.end()
        return KeptBoard(created, tuple(read_board_line(row.body) for row in rows[1:]))
    except DealProofError as err:
        raise InternalError(
            f"board {rows[0].match.hex()} is damaged: {err} (restore a backup)"
        ) from err


def is_board(rows: Sequence[Row]) -> bool:
    """Whether the rows of an id are a board's, and no match's."""
    return bool(rows) and rows[0].kind == BoardCreated.kind


def board_of_table(rows: Sequence[Row]) -> bytes | None:
    """The board whose table a match is; None for one that stands alone."""
    created = event_of(rows[0]) if rows and rows[0].kind == MatchCreated.kind else None
    if not isinstance(created, MatchCreated) or created.place is None:
        return None
    return created.place.board


def public_text(rows: Iterable[Row]) -> bytes:
    """The public file of a board, or of a match: one line an event."""
    return b"".join(row.line for row in rows if row.seq is not None)
