"""One table beside a client that opens streams and takes each back at once."""

import asyncio
import tempfile
from pathlib import Path
from typing import Final

import grpc

from benchmarks.attackers import Attacker, Waits, attacking, timed
from benchmarks.harness import OUT, Goal, report
from benchmarks.load import Multiplexed, tables
from benchmarks.servers import running

TABLES: Final = 1
ROUNDS: Final = 7
ACTIONS: Final = 400
BEGUN_S: Final = 0.3
"""The attack is under way by then."""


async def measured(address: str, attacker: Attacker) -> tuple[Waits, int]:
    """Rounds in turn: the tables alone, then beside the attack."""
    waits, done = Waits(), 0
    async with grpc.aio.insecure_channel(address) as channel:
        playing = await tables(channel, TABLES)
        sessions = [Multiplexed(channel, [table]) for table in playing]
        await timed(sessions, 8)
        watch = [(table.match, table.watching) for table in playing]
        for _ in range(ROUNDS):
            waits.calm.append(await timed(sessions, ACTIONS))
            before = await asyncio.to_thread(attacker.tell, on=True, watch=watch)
            await asyncio.sleep(BEGUN_S)
            waits.attacked.append(await timed(sessions, ACTIONS))
            done += await asyncio.to_thread(attacker.tell, on=False) - before
    return waits, done


def main() -> None:
    """Measure, print and write `out/reset.json`."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=OUT) as place,
        running("durable", Path(place) / "durable") as address,
        attacking("reset", address) as attacker,
    ):
        waits, done = asyncio.run(measured(address, attacker))
    report(
        "reset",
        {
            "tables": TABLES,
            "streams opened and reset": done,
            **waits.rows(0.5),
            **waits.rows(0.99),
            "a victim's p50 under rapid reset ÷ without": Goal(waits.worse(0.5), most=3.0),
        },
    )


if __name__ == "__main__":
    main()
