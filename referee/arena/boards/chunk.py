"""A chunk: boards of one encounter that lie open together, and are played one after the other."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.arena.tournament.model import BoardKey, Seating
from referee.errors import RefereeError
from referee.rules import SEATS, Game, RuleSet
from referee.sealing.boardevents import MOST_TABLES
from referee.sealing.parts import Pair, Policy

_ID: Final = re.compile(r"[0-9a-f]{32}")
_NAME: Final = re.compile(r"[ !#-\[\]-~]{1,64}")
_KEY: Final = re.compile(r"([0-9]+)/([0-9]+)/([0-9]+)/([0-9]+)")


class ChunkError(RefereeError, ValueError):
    """A chunk that cannot be played as it is written."""


@dataclass(frozen=True, slots=True)
class ChunkBoard:
    """One board: its place in the event, the ids that were announced, and the dealer's seat.

    `id` is the board's, `matches` has one of each table, all lower-case hex of 16 bytes. `scores`
    are those of the games that go on at the tables, none where every table begins at 0-0; such a
    board is alone in its chunk, as the next one's scores are not known before it is played.
    """

    key: BoardKey
    id: str
    matches: tuple[str, ...]
    dealer: int
    scores: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """What all boards of a chunk have in common, and the boards.

    `rules` is the whole knob map, `seatings` has a row of four entries for each table.
    """

    rules: Mapping[str, str]
    policy: Policy
    seatings: tuple[Seating, ...]
    boards: tuple[ChunkBoard, ...]

    @property
    def entries(self) -> tuple[str, ...]:
        """Everybody who sits somewhere, each once, in the order of the seats."""
        return tuple(dict.fromkeys(name for row in self.seatings for name in row))


def check_chunk(chunk: Chunk) -> None:
    """ChunkError where a chunk cannot be played; nothing has been started then."""
    tables = len(chunk.seatings)
    if not 1 <= tables <= MOST_TABLES or not chunk.boards:
        raise ChunkError(
            f"a chunk of {len(chunk.boards)} boards at {tables} tables (it has at least one of"
            f" each, and at most {MOST_TABLES} tables)"
        )
    if not chunk.policy.rated or chunk.policy.games != 1:
        raise ChunkError("a board is rated and one deal a table (use a policy with 1 game, rated)")
    for name in chunk.entries:
        if not _NAME.fullmatch(name):
            raise ChunkError(
                f"an entry cannot be named {name!r} (use 1 to 64 printable ASCII characters, no"
                " quote, no backslash)"
            )
    ids: list[str] = []
    for board in chunk.boards:
        ids += [board.id, *board.matches]
        if len(board.matches) != tables:
            raise ChunkError(
                f"board {board.id!r} has {len(board.matches)} match ids for {tables} tables"
            )
        _check_scores(chunk, board)
        if board.dealer not in range(4):
            raise ChunkError(f"board {board.id!r} has the dealer {board.dealer!r} (a seat is 0-3)")
    wrong = next((text for text in ids if not _ID.fullmatch(text)), None)
    if wrong is not None:
        raise ChunkError(f"not an id: {wrong!r} (write 16 bytes as 32 lower-case hex digits)")
    if len(set(ids)) != len(ids):
        raise ChunkError("two boards or tables of a chunk have one id (draw a new one for each)")


def _check_scores(chunk: Chunk, board: ChunkBoard) -> None:
    if not board.scores:
        return
    if len(board.scores) != len(chunk.seatings) or len(chunk.boards) > 1:
        raise ChunkError(
            f"board {board.id!r} has {len(board.scores)} running scores for"
            f" {len(chunk.seatings)} tables in a chunk of {len(chunk.boards)} (give one for each"
            " table, and one board a chunk)"
        )
    rules = RuleSet.from_map(dict(chunk.rules))
    for score in board.scores:
        if Game(rules=rules, dealer=SEATS[board.dealer], score=(score.ns, score.ew)).is_over:
            raise ChunkError(f"the game is over at {score.ns}-{score.ew} (start a new one)")


def write_key(key: BoardKey) -> str:
    """A board's place in the event, as its journal keeps it.

    >>> write_key(BoardKey(2, 1, 7)), read_key("2/1/7/1").board
    ('2/1/7/1', 7)
    """
    return f"{key.round}/{key.encounter}/{key.board}/{key.attempt}"


def read_key(text: str) -> BoardKey:
    """The place that a journal keeps; ChunkError where it is none."""
    found = _KEY.fullmatch(text)
    if found is None:
        raise ChunkError(f"not a board's place in an event: {text!r} (as 2/1/7/1)")
    return BoardKey(*map(int, found.groups()))
