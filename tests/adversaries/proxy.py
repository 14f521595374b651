"""A TCP proxy between clients and a referee that does to connections what bad networks do.

    python -m tests.adversaries.proxy --to 127.0.0.1:8377 --doors 4 --log faults.jsonl

It listens on one loopback port a door, so that its log can say whose connection it was. A line
`storm` on standard input lets the weather of the plan begin, `calm` ends it; the end of the input
ends the proxy.
"""

import argparse
import asyncio
import contextlib
import json
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

from tests.adversaries.link import Link
from tests.adversaries.weather import Plan, PlanError, drawn, parse_plan

MOST_LINKS: Final = 4_096
"""Connections at a time; one more is refused."""
MOST_DOORS: Final = 1_024


class Proxy:
    """Carries bytes to `target`. Every fault is a line of `log`, written before it is done."""

    def __init__(
        self,
        *,
        doors: int = 1,
        seed: int = 0,
        plan: Plan | None = None,
        log: IO[str] | None = None,
    ) -> None:
        self.target = ""
        self.addresses: list[str] = []
        self.struck: dict[str, int] = {}
        self._doors = doors
        self._chance = random.Random(seed)
        self._plan = plan or Plan()
        self._log = log
        self._links: dict[int, Link] = {}
        self._dark: dict[int, float] = {}
        self._servers: list[asyncio.Server] = []
        self._numbers = 0
        self._storm: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Where the first door is."""
        return self.addresses[0]

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen, each door on a port; `port` is the first door's, 0 for a free one."""
        for door in range(self._doors):
            server = await asyncio.start_server(self._opener(door), host, port if door == 0 else 0)
            self._servers.append(server)
            self.addresses.append(f"{host}:{server.sockets[0].getsockname()[1]}")

    async def stop(self) -> None:
        """Cut everything and listen no longer."""
        self.calm()
        for server in self._servers:
            server.close()
        self.drop()

    def links(self, door: int | None = None) -> list[Link]:
        """The connections that are open, of one door or of all."""
        return [link for link in self._links.values() if door in {None, link.door}]

    # The weather.

    def storm(self) -> None:
        """Let the weather of the plan begin."""
        if self._storm is None and self._plan.every:
            self._note("storm")
            self._storm = asyncio.create_task(self._blow())

    def calm(self) -> None:
        """Fair weather: nothing new strikes, and doors that are dark open again."""
        if self._storm is not None:
            self._storm.cancel()
            self._storm = None
            self._note("calm")
        self._dark.clear()
        for link in self.links():
            link.fair()
            if link.half_open:
                self._reset(link)

    async def _blow(self) -> None:
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / self._plan.every))
            self.strike(drawn(self._plan.weights(), self._chance))

    def strike(self, kind: str, door: int | None = None) -> None:
        """Do one thing: to a connection by chance, of that door if it is given, or to a door."""
        lasts_s = self._plan.lasts_s(kind, self._chance)
        if kind == "dark":
            for each in range(self._doors):
                self.blackout(each, lasts_s)
        elif kind == "blackout":
            self.blackout(self._chance.randrange(self._doors) if door is None else door, lasts_s)
        elif links := [link for link in self.links(door) if not link.half_open]:
            self._strike_link(self._chance.choice(links), kind, lasts_s)
        else:
            return
        self.struck[kind] = self.struck.get(kind, 0) + 1

    def _strike_link(self, link: Link, kind: str, lasts_s: float) -> None:
        self._note(kind, link, lasts_s)
        match kind:
            case "cut":
                link.cut()
            case "reset":
                link.reset()
            case "half_open":
                link.half_open = True
                asyncio.get_running_loop().call_later(lasts_s, self._reset, link)
            case "delay":
                link.latency_s = self._plan.latency_s
            case "slice":
                link.slicing = True
            case "throttle":
                link.rate = self._plan.rate
            case _:
                raise PlanError(f"no fault of a connection: {kind!r}")
        if kind in {"delay", "slice", "throttle"}:
            asyncio.get_running_loop().call_later(lasts_s, link.fair)

    def blackout(self, door: int, lasts_s: float) -> None:
        """Reset all connections of a door, and take no new one for so long."""
        self._note("blackout", door=door, lasts_s=lasts_s)
        self._dark[door] = asyncio.get_running_loop().time() + lasts_s
        for link in self.links(door):
            link.reset()

    def drop(self) -> None:
        """Reset every connection, as a pulled plug does."""
        for link in self.links():
            self._reset(link)

    def _reset(self, link: Link) -> None:
        if link.number in self._links:
            self._note("reset", link)
            link.reset()

    # Connections.

    def _opener(
        self, door: int
    ) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], "asyncio.Future[None]"]:
        return lambda reader, writer: asyncio.ensure_future(self._open(door, reader, writer))

    async def _open(
        self, door: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        dark = self._dark.get(door, 0.0) > asyncio.get_running_loop().time()
        if dark or len(self._links) >= MOST_LINKS:
            writer.transport.abort()
            return
        self._numbers += 1
        link = self._links[self._numbers] = Link(self._numbers, door, self._chance)
        self._note("open", link)
        try:
            await link.carry(reader, writer, self.target)
        finally:
            del self._links[link.number]
            self._note("close", link)

    def _note(
        self, what: str, link: Link | None = None, lasts_s: float = 0.0, *, door: int | None = None
    ) -> None:
        if self._log is None:
            return
        entry = {
            "at_ms": time.time_ns() // 1_000_000,
            "what": what,
            "door": door if link is None else link.door,
            "link": None if link is None else link.number,
            "for_ms": round(lasts_s * 1_000),
        }
        self._log.write(json.dumps(entry) + "\n")
        self._log.flush()


async def obey(proxy: Proxy, stop: asyncio.Event) -> None:
    """Do what standard input says, until it ends."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        match line.strip():
            case b"storm":
                proxy.storm()
            case b"calm":
                proxy.calm()
            case _:
                sys.stderr.write(f"not a word for the proxy: {line!r} (say storm or calm)\n")
    stop.set()


async def serve(proxy: Proxy, listen: str, told: Path | None, *, storm: bool) -> None:
    """Carry until standard input ends."""
    host, _, port = listen.rpartition(":")
    await proxy.start(host, int(port))
    text = "".join(f"{address}\n" for address in proxy.addresses)
    if told is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        part = told.with_name(told.name + ".part")
        part.write_text(text, encoding="ascii")
        part.replace(told)
    if storm:
        proxy.storm()
    stop = asyncio.Event()
    obeying = asyncio.create_task(obey(proxy, stop))
    await stop.wait()
    await obeying
    await proxy.stop()


@contextlib.contextmanager
def log_at(path: Path | None) -> Iterator[IO[str] | None]:
    """The log, open for writing at its end, where there is one."""
    if path is None:
        yield None
        return
    with path.open("a", encoding="ascii") as log:
        yield log


def main() -> int:
    """Carry bytes in bad weather until standard input ends."""
    parser = argparse.ArgumentParser(description="A proxy on loopback that breaks connections.")
    parser.add_argument("--to", required=True, help="HOST:PORT of the referee")
    parser.add_argument("--listen", default="127.0.0.1:0", help="HOST:PORT of the first door")
    parser.add_argument("--doors", type=int, default=1, help=f"how many ports, up to {MOST_DOORS}")
    parser.add_argument("--log", type=Path, help="append one JSON object a fault to this file")
    parser.add_argument("--plan", default="", help="what strikes, as every=0.5,cut=3,half_open=1")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32), help="of chance")
    parser.add_argument("--address-file", type=Path, help="write the doors' addresses here")
    parser.add_argument("--storm", action="store_true", help="begin at once")
    flags = parser.parse_args()
    if not 1 <= flags.doors <= MOST_DOORS:
        parser.error(f"--doors is {flags.doors}: use a number from 1 to {MOST_DOORS}")
    try:
        plan = parse_plan(flags.plan)
    except PlanError as err:
        parser.error(str(err))
    with log_at(flags.log) as log:
        proxy = Proxy(doors=flags.doors, seed=flags.seed, plan=plan, log=log)
        proxy.target = flags.to
        asyncio.run(serve(proxy, flags.listen, flags.address_file, storm=flags.storm))
    return 0


if __name__ == "__main__":
    sys.exit(main())
