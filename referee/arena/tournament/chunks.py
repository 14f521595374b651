"""Chunks as the queue has them: a key that says which boards, and a payload that says all else."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.arena.tournament.model import (
    TEAM_TABLES,
    BoardKey,
    Seating,
    player_seatings,
    team_seatings,
)
from referee.errors import InternalError
from referee.sealing.parts import Pair


@dataclass(frozen=True, slots=True)
class Announced:
    """A try at a board whose ids are public: `matches` has one id a table."""

    key: BoardKey
    id: str
    matches: tuple[str, ...]
    dealer: int


@dataclass(frozen=True, slots=True)
class Work:
    """A chunk to be played: who meets, the bots of their names, and the boards.

    `scores` are those of the games that go on at the tables of its one board.
    """

    entries: tuple[str, ...]
    bots: Mapping[str, str]
    boards: tuple[Announced, ...]
    scores: tuple[Pair, ...] = ()

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """Who sits where at each table."""
        if len(self.entries) == TEAM_TABLES:
            first, second = self.entries
            return team_seatings(first, second)
        north, east, south, west = self.entries
        return player_seatings((north, east, south, west))


def chunk_key(boards: Sequence[BoardKey], serial: int) -> str:
    """The key of the n-th chunk of some boards of one encounter.

    >>> chunk_key([BoardKey(2, 1, 5), BoardKey(2, 1, 6, 3)], 1)
    '2.1:5-1,6-3~1'
    """
    first = boards[0]
    listed = ",".join(f"{key.board}-{key.attempt}" for key in boards)
    return f"{first.round}.{first.encounter}:{listed}~{serial}"


def boards_of(key: str) -> tuple[BoardKey, ...]:
    """The boards of a chunk's key.

    >>> boards_of('2.1:5-1,6-3~1')[1]
    BoardKey(round=2, encounter=1, board=6, attempt=3)
    """
    try:
        where, _, listed = key.partition("~")[0].partition(":")
        round_, encounter = map(int, where.split("."))
        pairs = [tuple(map(int, each.split("-"))) for each in listed.split(",")]
        return tuple(BoardKey(round_, encounter, board, attempt) for board, attempt in pairs)
    except ValueError as err:
        raise InternalError(f"no key of a chunk: {key!r}") from err


def write_work(work: Work) -> str:
    """The payload of a chunk."""
    return json.dumps(
        {
            "entries": list(work.entries),
            "bots": dict(work.bots),
            "scores": [[score.ns, score.ew] for score in work.scores],
            "boards": [
                {
                    "key": [b.key.round, b.key.encounter, b.key.board, b.key.attempt],
                    "id": b.id,
                    "matches": list(b.matches),
                    "dealer": b.dealer,
                }
                for b in work.boards
            ],
        },
        sort_keys=True,
    )


def read_work(text: str) -> Work:
    """The chunk of a payload."""
    try:
        whole = json.loads(text)
        boards = tuple(
            Announced(
                BoardKey(*map(int, each["key"])),
                str(each["id"]),
                tuple(map(str, each["matches"])),
                int(each["dealer"]),
            )
            for each in whole["boards"]
        )
        bots = {str(name): str(bot) for name, bot in whole["bots"].items()}
        scores = tuple(Pair(int(ns), int(ew)) for ns, ew in whole["scores"])
        return Work(tuple(map(str, whole["entries"])), bots, boards, scores)
    except (ValueError, TypeError, KeyError) as err:
        raise InternalError(f"no payload of a chunk: {text[:80]!r}") from err
