"""A worker to be killed: plays a chunk, and says each choice and each board that is closed.

    python board_worker.py JOURNAL IDS

IDS is a JSON list with a board's id, then its tables', for each board.
"""

import asyncio
import json
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.arena.boards import Chunk, ChunkBoard, play_chunk
from referee.arena.bots import PythonSpec
from referee.arena.builtin import Random
from referee.arena.players import JSON
from referee.arena.tournament.model import BoardKey, team_seatings
from referee.host.boards import BoardHost
from referee.host.clock import LoopClock
from referee.journal.sqlite import SqliteStore
from referee.rules import preset
from referee.sealing.keys import SigningKey
from referee.table.policy import policy

KEY = SigningKey.from_bytes("referee", bytes(range(32)))


class Telling(Random):
    """Plays by chance, and says when it is asked."""

    def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The legal action that a hash picks."""
        say("asked")
        return super().choose(view, legal)


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def chunk_of(ids: Sequence[Sequence[str]]) -> Chunk:
    """The chunk of some ids."""
    boards = tuple(
        ChunkBoard(BoardKey(1, 1, number), board, tuple(matches), number % 4)
        for number, (board, *matches) in enumerate(ids, 1)
    )
    return Chunk(
        rules=preset("standard").to_map(),
        policy=policy(),
        seatings=team_seatings("A", "B"),
        boards=boards,
    )


async def main(journal: str, ids: Sequence[Sequence[str]]) -> None:
    """Play the chunk."""
    store = SqliteStore(Path(journal), asyncio.get_running_loop())
    host = BoardHost(store=store, key=KEY, clock=LoopClock(), chance=secrets.token_bytes)
    bots = {name: PythonSpec("telling", Telling) for name in ("A", "B")}
    chunk = chunk_of(ids)
    async for played in play_chunk(chunk, host=host, bots=bots, chance=secrets.token_bytes):
        say(f"played {played.id} {played.points}")
    store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
