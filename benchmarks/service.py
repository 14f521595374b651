"""The referee over gRPC beside an empty echo server: single calls, and one stream of many tables.

Every server is a process of its own, the load comes from this one, and the rounds are interleaved.
The referee seals every deal; commitments and reveals are inputs too, but only actions are counted.
The echo is told how many actions to put into a message: as many as the referee's load had.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Final

import grpc

from benchmarks.harness import OUT, interleave, ratio, report
from benchmarks.load import EchoStream, EchoUnary, Multiplexed, Session, Unary, tables
from benchmarks.servers import running
from referee.pb.euchre.referee.v1 import play_pb2

TABLES: Final = 64
ROUNDS: Final = 7
KINDS: Final = ("echo", "bare", "memory", "durable")
ACTIONS: Final = {
    "echo, calls": 2_000,
    "echo, stream": 20_000,
    "bare echo, stream": 40_000,
    "calls": 1_000,
    "stream, no journal": 4_000,
    "stream, no seeds of seats": 4_000,
    "stream": 4_000,
}
Channels = Mapping[str, grpc.aio.Channel]


@contextmanager
def addresses() -> Iterator[dict[str, str]]:
    """One server of each kind."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT) as place, ExitStack() as stack:
        yield {kind: stack.enter_context(running(kind, Path(place) / kind)) for kind in KINDS}


async def connect(address: Mapping[str, str]) -> dict[str, grpc.aio.Channel]:
    """A connection to each."""
    return {kind: grpc.aio.insecure_channel(where) for kind, where in address.items()}


async def sessions(channels: Channels) -> tuple[dict[str, Session], Multiplexed, Unary]:
    """Everything that is measured, warmed up; the two that are looked at by themselves again."""
    stream = Multiplexed(channels["durable"], await tables(channels["durable"], TABLES))
    memory = Multiplexed(channels["memory"], await tables(channels["memory"], TABLES))
    plain = Multiplexed(
        channels["durable"],
        await tables(channels["durable"], TABLES, level=play_pb2.LEVEL_PLAYS),
    )
    unary = Unary(channels["durable"], await tables(channels["durable"], TABLES))
    for session in (stream, memory, plain, unary):
        await session.play(TABLES)
    sent = stream.sent
    in_message = max(1, round(await stream.play(2_000) / (stream.sent - sent)))
    found: dict[str, Session] = {
        "echo, calls": EchoUnary(channels["echo"], TABLES),
        "echo, stream": EchoStream(channels["echo"], under_way=TABLES, in_message=in_message),
        "bare echo, stream": EchoStream(channels["bare"], under_way=TABLES, in_message=in_message),
        "calls": unary,
        "stream, no journal": memory,
        "stream, no seeds of seats": plain,
        "stream": stream,
    }
    return found, stream, unary


async def close(channels: Channels) -> None:
    """Let go of the connections."""
    for channel in channels.values():
        await channel.close()


def worker(runner: asyncio.Runner, session: Session, actions: int) -> Callable[[], int]:
    """One round of a session."""
    return lambda: runner.run(session.play(actions))


def figures(
    rates: Mapping[str, list[float]], stream: Multiplexed, unary: Unary
) -> dict[str, float | int | str]:
    """What is reported."""
    durable = ratio(rates, "stream", "stream, no journal")
    return {
        "python": sys.version.split()[0],
        "grpc": grpc.__version__,
        "tables": TABLES,
        **{f"{name}: actions a second": median(rates[name]) for name in ACTIONS},
        "calls, for each action": unary.calls / (ROUNDS * ACTIONS["calls"] + TABLES),
        "stream, actions in a message": (ROUNDS * ACTIONS["stream"] + 2_000) / stream.sent,
        "calls ÷ echo calls": ratio(rates, "calls", "echo, calls"),
        "stream ÷ echo stream of the same items (reach 0.4)": ratio(
            rates, "stream", "echo, stream"
        ),
        "stream ÷ echo stream of rulings alone": ratio(rates, "stream", "bare echo, stream"),
        "stream, durable ÷ not journalled (reach 0.5)": durable,
        "stream ÷ stream without seeds of seats": ratio(
            rates, "stream", "stream, no seeds of seats"
        ),
        "stream ÷ calls (reach 20)": ratio(rates, "stream", "calls"),
    }


def main() -> None:
    """Measure, print and write `out/service.json`."""
    with addresses() as address, asyncio.Runner() as runner:
        channels = runner.run(connect(address))
        measured, stream, unary = runner.run(sessions(channels))
        work = {name: worker(runner, measured[name], ACTIONS[name]) for name in ACTIONS}
        rates = interleave(work, rounds=ROUNDS)
        runner.run(close(channels))
    report("service", figures(rates, stream, unary))


if __name__ == "__main__":
    main()
