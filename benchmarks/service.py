"""The referee over gRPC beside an empty echo: single calls, a stream a seat, one stream of many.

Every server is a process of its own, the load comes from this one, and the rounds are interleaved.
Commitments and reveals are inputs too, but only actions are counted, and where streams of one seat
are compared, messages in and out. The echo answers an action with the items that the referee tells
a stream of all four seats, and is told how many actions to put into a message: as many as the
referee's load had.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import grpc

from benchmarks.apart import Apart, EchoApart, connections
from benchmarks.harness import OUT, Figure, Goal, interleave, ratio, report
from benchmarks.load import EchoStream, EchoUnary, Multiplexed, Session, Unary, tables
from benchmarks.servers import running
from referee.pb.euchre.referee.v1 import play_pb2

TABLES: Final = 64
ROUNDS: Final = 7
KINDS: Final = ("echo", "bare", "unsealed", "memory", "durable")
ACTIONS: Final = {
    "echo, calls": 2_000,
    "echo, one stream": 20_000,
    "bare echo, one stream": 40_000,
    "echo, a stream a seat": 4_000,
    "calls": 1_000,
    "a stream a seat": 1_500,
    "a stream a seat, unsealed": 1_500,
    "one stream, unsealed": 4_000,
    "one stream, not journalled": 4_000,
    "one stream, no seeds of seats": 4_000,
    "one stream": 4_000,
}
Channels = Mapping[str, grpc.aio.Channel]


@contextmanager
def addresses() -> Iterator[dict[str, str]]:
    """One server of each kind."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT) as place, ExitStack() as stack:
        yield {kind: stack.enter_context(running(kind, Path(place) / kind)) for kind in KINDS}


@dataclass(frozen=True, slots=True)
class Sessions:
    """Everything that is measured, and those that are looked at by themselves again."""

    all: Mapping[str, Session]
    stream: Multiplexed
    unary: Unary
    seats: Apart
    echo_seats: EchoApart


async def sessions(channels: Channels) -> Sessions:
    """Every session, warmed up."""
    plays = play_pb2.LEVEL_PLAYS
    stream = Multiplexed(channels["durable"], await tables(channels["durable"], TABLES))
    unary = Unary(channels["durable"], await tables(channels["durable"], TABLES))
    bare = await tables(channels["unsealed"], TABLES, level=plays)
    seats = Apart([channels["unsealed"]], bare)
    echo_seats = EchoApart([channels["bare"]], 4 * TABLES)
    ours: dict[str, Session] = {
        "calls": unary,
        "a stream a seat": Apart([channels["durable"]], await tables(channels["durable"], TABLES)),
        "a stream a seat, unsealed": seats,
        "one stream, unsealed": Multiplexed(
            channels["unsealed"], await tables(channels["unsealed"], TABLES, level=plays)
        ),
        "one stream, not journalled": Multiplexed(
            channels["memory"], await tables(channels["memory"], TABLES)
        ),
        "one stream, no seeds of seats": Multiplexed(
            channels["durable"], await tables(channels["durable"], TABLES, level=plays)
        ),
        "one stream": stream,
    }
    for session in ours.values():
        await session.play(TABLES)
    sent = stream.sent
    in_message = max(1, round(await stream.play(2_000) / (stream.sent - sent)))
    echoes: dict[str, Session] = {
        "echo, calls": EchoUnary(channels["echo"], TABLES),
        "echo, one stream": EchoStream(channels["echo"], under_way=TABLES, in_message=in_message),
        "bare echo, one stream": EchoStream(
            channels["bare"], under_way=TABLES, in_message=in_message
        ),
        "echo, a stream a seat": echo_seats,
    }
    return Sessions({**echoes, **ours}, stream, unary, seats, echo_seats)


def worker(runner: asyncio.Runner, session: Session, actions: int) -> Callable[[], int]:
    """One round of a session."""
    return lambda: runner.run(session.play(actions))


def figures(rates: Mapping[str, list[float]], measured: Sessions) -> dict[str, Figure]:
    """What is reported."""
    seats = measured.seats.messages / (ROUNDS * ACTIONS["a stream a seat, unsealed"] + TABLES)
    messages = {
        "ours": [rate * seats for rate in rates["a stream a seat, unsealed"]],
        "echo": [rate * 2 for rate in rates["echo, a stream a seat"]],
    }
    stream = measured.stream
    return {
        "python": sys.version.split()[0],
        "grpc": grpc.__version__,
        "tables": TABLES,
        **{f"{name}: actions a second": median(rates[name]) for name in ACTIONS},
        "calls, for each action": measured.unary.calls / (ROUNDS * ACTIONS["calls"] + TABLES),
        "messages of a stream a seat, for each action": seats,
        "actions in a message of one stream": (ROUNDS * ACTIONS["one stream"] + 2_000)
        / stream.sent,
        "unsealed ÷ echo, a stream a seat, messages": Goal(
            ratio(messages, "ours", "echo"), least=0.8
        ),
        "unsealed ÷ echo of the same items, one stream": Goal(
            ratio(rates, "one stream, unsealed", "echo, one stream"), least=0.4
        ),
        "unsealed ÷ echo of rulings alone, one stream": ratio(
            rates, "one stream, unsealed", "bare echo, one stream"
        ),
        "durable ÷ not journalled, one stream": Goal(
            ratio(rates, "one stream", "one stream, not journalled"), least=0.5
        ),
        "sealed with receipts ÷ unsealed, one stream": ratio(
            rates, "one stream, not journalled", "one stream, unsealed"
        ),
        "one stream ÷ one stream without seeds of seats": ratio(
            rates, "one stream", "one stream, no seeds of seats"
        ),
        "one stream ÷ calls": Goal(ratio(rates, "one stream", "calls"), least=20),
        "a stream a seat ÷ calls": Goal(ratio(rates, "a stream a seat", "calls"), least=3),
        "calls ÷ echo, calls": ratio(rates, "calls", "echo, calls"),
    }


def main() -> None:
    """Measure, print and write `out/service.json`."""
    with addresses() as address, asyncio.Runner() as runner:
        channels = runner.run(connect(address))
        measured = runner.run(sessions(channels))
        work = {name: worker(runner, measured.all[name], ACTIONS[name]) for name in ACTIONS}
        rates = interleave(work, rounds=ROUNDS)
        runner.run(close(channels))
    report("service", figures(rates, measured))


async def connect(address: Mapping[str, str]) -> dict[str, grpc.aio.Channel]:
    """A connection to each."""
    return {kind: connections(where, 1)[0] for kind, where in address.items()}


async def close(channels: Channels) -> None:
    """Let go of the connections."""
    for channel in channels.values():
        await channel.close()


if __name__ == "__main__":
    main()
