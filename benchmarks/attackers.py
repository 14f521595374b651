"""Clients that mean harm, each a process of its own that attacks when it is told to.

    python -m benchmarks.attackers KIND ADDRESS

A line `{"on": true, "watch": [[MATCH, TOKEN], …]}` on standard input begins an attack and
`{"on": false}` ends it; each is answered by a line that says how much was done, as JSON.
`reset` opens streams and takes each back at once. `stall` watches every match it is given, plays
one of its own, floods that with repeats, and reads nothing of all this.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

import grpc

from benchmarks.harness import OUT
from benchmarks.http2 import Http2, framed
from benchmarks.load import Multiplexed, Session, Table, tables
from benchmarks.servers import running
from referee.pb.euchre.referee.v1 import play_pb2

PLAY: Final = "/euchre.referee.v1.PlayService/Play"
WATCH: Final = "/euchre.referee.v1.PlayService/Watch"
AT_A_TIME: Final = 64
FLOOD: Final = 1_000
ROUNDS: Final = 7
BEGUN_S: Final = 0.3
"""The attack is under way by then."""
Watched = Sequence[tuple[str, str]]


class Reset:
    """Streams that are opened and taken back at once, as fast as they can be sent."""

    def __init__(self, address: str) -> None:
        self.done = 0
        self._address = address

    async def attack(self, _watch: Watched) -> None:
        """Go on until cancelled; a connection that the server closes is made anew."""
        while True:
            link = await Http2.connect(self._address)
            try:
                while not link.over.is_set():
                    for _ in range(AT_A_TIME):
                        link.reset(link.call(PLAY, timeout=""))
                    await link.flush()
                    await asyncio.sleep(0)
                    self.done += AT_A_TIME
            finally:
                await link.close()


class Stall:
    """A client that asks for everything and reads nothing."""

    def __init__(self, address: str) -> None:
        self.done = 0
        self._address = address

    async def attack(self, watch: Watched) -> None:
        """Go on until cancelled, with every stream that the server still holds."""
        async with grpc.aio.insecure_channel(self._address) as channel:
            (table,) = await tables(channel, 1, level=play_pb2.LEVEL_PLAYS)
        link = await Http2.connect(self._address)
        link.reads = False
        try:
            for match, token in watch:
                stream = link.call(WATCH, timeout="", fields=[("authorization", f"Bearer {token}")])
                asked = play_pb2.WatchRequest(match=match).SerializeToString()
                await link.send(stream, framed(asked), end=True)
                self.done += 1
            await self._flood(link, table)
            await link.over.wait()
        finally:
            await link.close()

    async def _flood(self, link: Http2, table: Table) -> None:
        """Hold four seats, and say things whose answers nobody reads."""
        stream = link.call(PLAY, timeout="")
        seats = [table.hello(seat) for seat in range(4)]
        first = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=seats))
        await link.send(stream, framed(first.SerializeToString()))
        leaves = play_pb2.PlayRequest(inputs=[table.act(0, 1, "pass")] * FLOOD)
        await link.send(stream, framed(leaves.SerializeToString()))


KINDS: Final[Mapping[str, type[Reset] | type[Stall]]] = {"reset": Reset, "stall": Stall}


async def _obey(kind: str, address: str) -> None:
    """Attack as the lines say."""
    attacker = KINDS[kind](address)
    loop = asyncio.get_running_loop()
    under_way: asyncio.Task[None] | None = None
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        said = json.loads(line)
        if said["on"]:
            under_way = asyncio.create_task(attacker.attack(said["watch"]))
        elif under_way is not None:
            under_way.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await under_way
        sys.stdout.write(json.dumps(attacker.done) + "\n")
        sys.stdout.flush()


class Attacker:
    """The process, from outside."""

    def __init__(self, child: "subprocess.Popen[str]") -> None:
        self._child = child

    def tell(self, *, on: bool, watch: Watched = ()) -> int:
        """Begin or end; how much it has done."""
        if self._child.stdin is None or self._child.stdout is None:
            raise SystemExit("the attacker has no pipes")
        self._child.stdin.write(json.dumps({"on": on, "watch": list(watch)}) + "\n")
        self._child.stdin.flush()
        return int(self._child.stdout.readline())


@contextmanager
def attacking(kind: str, address: str) -> Iterator[Attacker]:
    """An attacker that ends with the block."""
    argv = [sys.executable, "-W", "ignore::UserWarning", "-m", "benchmarks.attackers"]
    child = subprocess.Popen(
        [*argv, kind, address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
        text=True,
    )
    try:
        yield Attacker(child)
    finally:
        child.kill()
        child.communicate()


class Waits:
    """How long each action took, while nobody attacks and while somebody does, and how much."""

    def __init__(self) -> None:
        self.done = 0
        self.calm: list[list[float]] = []
        self.attacked: list[list[float]] = []

    def worse(self, share: float) -> float:
        """The median over rounds of that quantile under attack divided by that without."""
        pairs = zip(self.attacked, self.calm, strict=True)
        return median(quantile(hot, share) / quantile(cool, share) for hot, cool in pairs)

    def rows(self, share: float) -> dict[str, float]:
        """The quantiles in milliseconds."""
        name = f"p{share * 100:.0f}"
        return {
            f"{name} without, ms": median(quantile(one, share) for one in self.calm) * 1_000,
            f"{name} with, ms": median(quantile(one, share) for one in self.attacked) * 1_000,
        }


def quantile(seconds: Sequence[float], share: float) -> float:
    """The value below which that share lies."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def timed(play: Sequence[Session], actions: int) -> list[float]:
    """How long each of so many actions took at each of several tables that play at a time."""

    async def one(session: Session) -> list[float]:
        found = []
        for _ in range(actions):
            start = time.perf_counter()
            await session.play(1)
            found.append(time.perf_counter() - start)
        return found

    return [wait for part in await asyncio.gather(*map(one, play)) for wait in part]


async def _measured(address: str, attacker: Attacker, number: int, actions: int) -> Waits:
    """Rounds in turn: the tables alone, then beside the attack."""
    waits = Waits()
    async with grpc.aio.insecure_channel(address) as channel:
        playing = await tables(channel, number)
        sessions = [Multiplexed(channel, [table]) for table in playing]
        await timed(sessions, 8)
        watch = [(table.match, table.watching) for table in playing]
        for _ in range(ROUNDS):
            waits.calm.append(await timed(sessions, actions))
            before = await asyncio.to_thread(attacker.tell, on=True, watch=watch)
            await asyncio.sleep(BEGUN_S)
            waits.attacked.append(await timed(sessions, actions))
            waits.done += await asyncio.to_thread(attacker.tell, on=False) - before
    return waits


def beside(kind: str, *, number: int, actions: int) -> Waits:
    """How long so many tables wait for each of so many actions, with an attacker and without."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=OUT) as place,
        running("durable", Path(place) / "durable") as address,
        attacking(kind, address) as attacker,
    ):
        return asyncio.run(_measured(address, attacker, number, actions))


if __name__ == "__main__":
    asyncio.run(_obey(*sys.argv[1:3]))
