"""Many streams beside few, and what an idle one holds: a stream for every seat.

The messages of 500 tables on 2,000 streams are held against those of 4 tables on 16, round by
round. Then seats of matches that do not begin open their streams and stay, and the server's memory
is read before and after.
"""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

import grpc

from benchmarks.apart import Apart, connections
from benchmarks.harness import OUT, Figure, Goal, interleave, ratio, report
from benchmarks.load import tables
from benchmarks.servers import resident_kib, running
from referee.pb.euchre.referee.v1 import play_pb2, play_pb2_grpc

MANY: Final = 500
FEW: Final = 4
ROUNDS: Final = 7
ACTIONS: Final = {"2,000 streams": 4_000, "16 streams": 1_500}
STREAMS_A_CONNECTION: Final = 500
IDLE_TABLES: Final = 500
IDLE_SEATS: Final = 3
"""Of each table: the fourth stays away, and the match does not begin."""


def worker(runner: asyncio.Runner, session: Apart, actions: int) -> Callable[[], int]:
    """One round of a session: how many messages went in and out."""

    def work() -> int:
        before = session.messages
        runner.run(session.play(actions))
        return session.messages - before

    return work


async def playing(address: str, number: int) -> tuple[Apart, list[grpc.aio.Channel]]:
    """So many tables of seats that play, warmed up, and their connections."""
    channels = connections(address, max(1, 4 * number // STREAMS_A_CONNECTION))
    made = await tables(channels[0], number, level=play_pb2.LEVEL_PLAYS)
    session = Apart(channels, made)
    await session.play(number)
    return session, channels


async def idle(address: str, directory: Path) -> dict[str, Figure]:
    """What the server holds more for each stream that is open and silent."""
    channels = connections(address, IDLE_SEATS * IDLE_TABLES // STREAMS_A_CONNECTION)
    made = await tables(channels[0], IDLE_TABLES, level=play_pb2.LEVEL_PLAYS)
    before = resident_kib(directory)
    calls = []
    for number, table in enumerate(made):
        for seat in range(IDLE_SEATS):
            stub = play_pb2_grpc.PlayServiceStub(channels[number % len(channels)])
            call = stub.Play()
            hello = play_pb2.Hello(protocol=1, seats=[table.hello(seat)])
            await call.write(play_pb2.PlayRequest(hello=hello))
            await call.read()
            calls.append(call)
    after = resident_kib(directory)
    for call in calls:
        call.cancel()
    for channel in channels:
        await channel.close()
    each = (after - before) / len(calls)
    return {
        "idle streams": len(calls),
        "memory for an idle stream ÷ 1 KiB": Goal(each, most=40),
    }


def main() -> None:
    """Measure, print and write `out/streams.json`."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=OUT) as place,
        running("unsealed", Path(place) / "unsealed") as address,
        running("memory", Path(place) / "memory") as quiet,
        asyncio.Runner() as runner,
    ):
        memory = runner.run(idle(quiet, Path(place) / "memory"))
        many, ways = runner.run(playing(address, MANY))
        few, way = runner.run(playing(address, FEW))
        work = {
            "2,000 streams": worker(runner, many, ACTIONS["2,000 streams"]),
            "16 streams": worker(runner, few, ACTIONS["16 streams"]),
        }
        rates = interleave(work, rounds=ROUNDS)
        for session in (many, few):
            runner.run(session.close())
        for channel in (*ways, *way):
            runner.run(channel.close())
    report(
        "streams",
        {
            **{f"{name}: messages a second": median(rate) for name, rate in rates.items()},
            "2,000 streams ÷ 16 streams": Goal(
                ratio(rates, "2,000 streams", "16 streams"), least=0.85
            ),
            **memory,
        },
    )


if __name__ == "__main__":
    main()
