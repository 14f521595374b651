"""Sealed duplicate boards: deals a second at all tables, journalled, and verified afterwards.

Two worker processes play chunks of boards with bots that answer at once; each has a journal of its
own on the disk, every decision is flushed before anybody sees it, and chunks that are played side
by side share flushes. A deal is one board at one table.
"""

import asyncio
import secrets
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.harness import OUT, Figure, Goal, report
from referee.arena.boards import Chunk, ChunkBoard, play_chunk
from referee.arena.bots import PythonSpec
from referee.arena.builtin import Random
from referee.arena.tournament.model import BoardKey, team_seatings
from referee.host.boards import BoardHost
from referee.host.clock import LoopClock
from referee.journal.boardverify import verify_board
from referee.journal.sqlite import SqliteStore
from referee.journal.verify import Asked
from referee.rules import preset
from referee.sealing.keys import SigningKey
from referee.table.policy import policy

WORKERS: Final = 2
SIDE_BY_SIDE: Final = 16
"""Chunks that one worker plays at once: while one waits for the disk, the others go on."""
BOARDS: Final = 16
ROUNDS: Final = 3
LEAST: Final = 100.0
PLAIN: Final = Asked(None, strict=False, roster=None, receipts=None)


@dataclass(frozen=True, slots=True)
class Done:
    """What one worker did: deals, and seconds to play them and to verify their files."""

    deals: int
    play_s: float
    verify_s: float


def chunk() -> Chunk:
    """Some boards of one encounter of two teams."""
    seatings = team_seatings("A", "B")
    boards = tuple(
        ChunkBoard(
            BoardKey(1, 1, number),
            secrets.token_hex(16),
            tuple(secrets.token_hex(16) for _ in seatings),
            number % 4,
        )
        for number in range(1, BOARDS + 1)
    )
    return Chunk(
        rules=preset("standard").to_map(), policy=policy(), seatings=seatings, boards=boards
    )


def work(directory: str) -> Done:
    """Play chunks side by side in a journal of this process, then verify all their boards."""
    return asyncio.run(_work(Path(directory) / f"{secrets.token_hex(4)}.db"))


async def _work(path: Path) -> Done:
    store = SqliteStore(path, asyncio.get_running_loop())
    key = SigningKey.from_bytes("benchmark", secrets.token_bytes(32))
    host = BoardHost(store=store, key=key, clock=LoopClock(), chance=secrets.token_bytes)
    chunks = [chunk() for _ in range(SIDE_BY_SIDE)]
    begun = perf_counter()
    await asyncio.gather(*(_play(each, host) for each in chunks))
    played = perf_counter()
    ids = [bytes.fromhex(board.id) for each in chunks for board in each.boards]
    for board in ids:
        first, *tables = host.files(board).values()
        found, reports = verify_board(first, list(enumerate(tables)), PLAIN)
        if found.exit or any(each.exit for each in reports):
            raise SystemExit(f"board {board.hex()} does not verify")
    verified = perf_counter()
    store.close()
    return Done(len(ids) * 2, played - begun, verified - played)


async def _play(asked: Chunk, host: BoardHost) -> None:
    bots = {name: PythonSpec("random", Random) for name in asked.entries}
    async for _ in play_chunk(asked, host=host, bots=bots, chance=secrets.token_bytes):
        pass


def main() -> None:
    """Measure, print and write `out/boards.json`; `--profile` profiles one worker instead."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT) as place:
        if "--profile" in sys.argv[1:]:
            import cProfile  # noqa: PLC0415 -- only here

            cProfile.runctx("work(place)", globals(), locals(), sort="tottime")
            return
        with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
            list(pool.map(_warm, range(WORKERS)))
            runs = [list(pool.map(work, [place] * WORKERS)) for _ in range(ROUNDS)]
    play = [sum(done.deals for done in run) / max(done.play_s for done in run) for run in runs]
    both = [
        sum(done.deals for done in run) / max(done.play_s + done.verify_s for done in run)
        for run in runs
    ]
    rows: dict[str, Figure] = {
        f"deals a second, played by {WORKERS} workers": max(play),
        "deals a second, played and verified": max(both),
        f"played and verified ÷ {LEAST:.0f} deals a second": Goal(max(both) / LEAST, least=1),
    }
    report("boards", rows)


def _warm(_number: int) -> None:
    """Load everything before the clock runs."""


if __name__ == "__main__":
    main()
