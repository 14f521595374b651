"""Chunks of boards to play, and a host in a directory of its own."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.arena.boards import Chunk, ChunkBoard, MakesPlayers, play_chunk
from referee.arena.bots import DialSpec, parse_bot
from referee.arena.tournament.model import (
    BoardKey,
    BoardPlayed,
    Seating,
    player_seatings,
    team_seatings,
)
from referee.host.boards import BoardHost
from referee.host.clock import LoopClock
from referee.journal.sqlite import SqliteStore
from referee.rules import preset
from referee.sealing.keys import SigningKey
from referee.sealing.parts import Policy
from referee.table.policy import policy

KEY = SigningKey.from_bytes("referee", bytes(range(32)))
TEAMS = team_seatings("A", "B")
PLAYERS = player_seatings(("A", "B", "C", "D"))
USUAL = policy()


def chunk(
    boards: int,
    seatings: tuple[Seating, ...] = TEAMS,
    *,
    limits: Policy = USUAL,
    rule_set: str = "standard",
    knobs: Mapping[str, str] | None = None,
) -> Chunk:
    """So many boards with ids of their own; the deal goes round."""
    return Chunk(
        rules={**preset(rule_set).to_map(), **(knobs or {})},
        policy=limits,
        seatings=seatings,
        boards=tuple(
            ChunkBoard(
                BoardKey(1, 1, number + 1),
                secrets.token_hex(16),
                tuple(secrets.token_hex(16) for _ in seatings),
                number % 4,
            )
            for number in range(boards)
        ),
    )


def specs(**texts: str) -> dict[str, MakesPlayers]:
    """The bots of entries, by what they are written as."""
    found: dict[str, MakesPlayers] = {}
    for entry, text in texts.items():
        spec = parse_bot(text)
        assert not isinstance(spec, DialSpec)
        found[entry] = spec
    return found


@dataclass
class House:
    """A host and its journal."""

    host: BoardHost
    store: SqliteStore
    path: Path

    async def play(self, asked: Chunk, bots: Mapping[str, MakesPlayers]) -> list[BoardPlayed]:
        """All boards of a chunk, in the order in which they were closed."""
        playing = play_chunk(asked, host=self.host, bots=bots, chance=secrets.token_bytes)
        return [played async for played in playing]

    def files(self, played: Sequence[BoardPlayed], directory: Path) -> list[Path]:
        """The public files of boards, written."""
        paths = []
        for board in played:
            for name, content in self.host.files(bytes.fromhex(board.id)).items():
                paths.append(directory / name)
                paths[-1].write_bytes(content)
        return paths


@asynccontextmanager
async def house(directory: Path) -> AsyncIterator[House]:
    """A host in a directory, whose journal is closed at the end."""
    path = directory / "work.db"
    store = SqliteStore(path, asyncio.get_running_loop())
    host = BoardHost(store=store, key=KEY, clock=LoopClock(), chance=secrets.token_bytes)
    try:
        yield House(host, store, path)
    finally:
        store.close()
