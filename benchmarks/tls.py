"""The referee behind a certificate beside the same in plain text: one stream, and single calls."""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

import grpc

from benchmarks.harness import OUT, Goal, interleave, ratio, report
from benchmarks.load import Multiplexed, Session, Unary, tables
from benchmarks.servers import running

TABLES: Final = 64
ROUNDS: Final = 7
ACTIONS: Final = {"stream": 3_000, "calls": 700}


async def sessions(channel: grpc.aio.Channel) -> dict[str, Session]:
    """One stream of many tables, and single calls, warmed up."""
    found: dict[str, Session] = {
        "stream": Multiplexed(channel, await tables(channel, TABLES)),
        "calls": Unary(channel, await tables(channel, TABLES)),
    }
    for session in found.values():
        await session.play(TABLES)
    return found


def worker(runner: asyncio.Runner, session: Session, actions: int) -> Callable[[], int]:
    """One round of a session."""
    return lambda: runner.run(session.play(actions))


async def connect(address: str, cert: bytes) -> grpc.aio.Channel:
    """A connection, private where a certificate is given."""
    if not cert:
        return grpc.aio.insecure_channel(address)
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(cert))


def main() -> None:
    """Measure, print and write `out/tls.json`."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=OUT) as place,
        running("memory", Path(place) / "memory") as plain,
        running("tls", Path(place) / "tls") as private,
        asyncio.Runner() as runner,
    ):
        ways = {
            "plain text": runner.run(connect(plain, b"")),
            "TLS": runner.run(connect(private, (Path(place) / "tls" / "cert.pem").read_bytes())),
        }
        work: dict[str, Callable[[], int]] = {}
        for way, channel in ways.items():
            for kind, session in runner.run(sessions(channel)).items():
                work[f"{way}, {kind}"] = worker(runner, session, ACTIONS[kind])
        rates = interleave(work, rounds=ROUNDS)
        for channel in ways.values():
            runner.run(channel.close())
    report(
        "tls",
        {
            **{f"{name}: actions a second": median(rate) for name, rate in rates.items()},
            "TLS ÷ plain text, one stream": Goal(
                ratio(rates, "TLS, stream", "plain text, stream"), least=0.85
            ),
            "TLS ÷ plain text, calls": Goal(
                ratio(rates, "TLS, calls", "plain text, calls"), least=0.85
            ),
        },
    )


if __name__ == "__main__":
    main()
