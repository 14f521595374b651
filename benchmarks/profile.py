"""Where a referee's time goes under the load of one stream of many tables: a share for each room.

    python -m benchmarks.profile [KIND ...]

The kinds are those of `benchmarks.servers`. A sampler in the server's process notes once a
millisecond which line is at work; a sample counts for the room whose code it is in, also where
that has called a library.
"""

import asyncio
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from benchmarks.apart import connections
from benchmarks.harness import OUT, report
from benchmarks.load import Multiplexed, tables
from benchmarks.servers import running, samples_file
from referee.pb.euchre.referee.v1 import play_pb2

TABLES: Final = 64
ACTIONS: Final = 12_000
KINDS: Final = ("unsealed", "memory", "durable")
ROOMS: Final = ("rules", "table", "sealing", "journal", "host", "service")
LEVELS: Final = {"unsealed": play_pb2.LEVEL_PLAYS}


def room_of(stack: str) -> str:
    """The innermost room of ours on a stack; the event loop and gRPC where none is."""
    for part in reversed(stack.split(";")):
        for room in ROOMS:
            if part.startswith(f"referee.{room}"):
                return room
    return "event loop and gRPC"


async def load(address: str, kind: str) -> int:
    """Play so many actions."""
    channel = connections(address, 1)[0]
    level = LEVELS.get(kind, play_pb2.LEVEL_SEEDS)
    session = Multiplexed(channel, await tables(channel, TABLES, level=level))
    done = await session.play(ACTIONS)
    await channel.close()
    return done


def shares(kind: str) -> dict[str, float]:
    """The share of each room, and the lines that are at work most often."""
    with tempfile.TemporaryDirectory(dir=OUT) as place:
        directory = Path(place) / kind
        with running(kind, directory, sampled=True) as address:
            asyncio.run(load(address, kind))
        samples = Counter(json.loads(samples_file(directory).read_text(encoding="utf-8")))
    rooms: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for stack, times in samples.items():
        rooms[room_of(stack)] += times
        lines[stack.rpartition(";")[2]] += times
    total = samples.total()
    found = {f"{kind}: {room} ÷ all": times / total for room, times in rooms.most_common()}
    return found | {f"{kind}: at {line} ÷ all": n / total for line, n in lines.most_common(12)}


def main() -> None:
    """Sample, print and write `out/profile.json`."""
    OUT.mkdir(parents=True, exist_ok=True)
    rows: dict[str, float] = {}
    for kind in sys.argv[1:] or KINDS:
        rows |= shares(kind)
    report("profile", rows)


if __name__ == "__main__":
    main()
