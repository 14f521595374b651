"""A crowd: thousands of seats that play from one process, up to 64 of them on a stream.

    python -m tests.adversaries.crowd --to 127.0.0.1:8377 --matches 64 --folder out

The two seats of a side share a stream, so that losing one hurts one side. Each second a JSON object
of figures is written to standard output. The end of standard input ends the crowd, once nobody
waits for an answer; its last line has `"over": true`.
"""

import argparse
import asyncio
import json
import random
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc

from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc
from referee.sealing.keys import parse_key
from tests.adversaries.book import Book
from tests.adversaries.dialer import MOST_SEATS, Dialer
from tests.adversaries.sitters import Board, Sitter

MINUTE_MS: Final = 60_000
POLICY: Final = {
    "move_ms": MINUTE_MS,
    "commit_ms": MINUTE_MS,
    "reveal_ms": MINUTE_MS,
    "start_ms": MINUTE_MS,
    "illegal_limit": 999,
}
GROUP: Final = MOST_SEATS // 2
"""Matches whose sides' seats fill two streams."""
AT_ONCE: Final = 16
PATIENCE_S: Final = 60.0
CALM_S: Final = 90.0
MATCHES: Final = "matches.jsonl"
SIDES: Final = ((0, 2), (1, 3))


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a crowd does. `again` lays new matches in the place of those that are over."""

    matches: int
    folder: Path
    doors: Sequence[str]
    seed: int = 0
    think_s: float = 0.0
    again: bool = False
    rule_set: str = "standard"
    knobs: Mapping[str, str] = field(default_factory=dict)
    policy: Mapping[str, int] = field(default_factory=lambda: POLICY)


class Crowd:
    """Seats at many matches of one referee."""

    def __init__(self, operator: grpc.aio.Channel, plan: Plan) -> None:
        self.book = Book(plan.folder)
        self.made = 0
        self.open = 0
        self._plan = plan
        self._matches = match_pb2_grpc.MatchServiceStub(operator)
        self._chance = random.Random(plan.seed)
        self._dialers: set[Dialer] = set()
        self._stopping = False
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._list = (plan.folder / MATCHES).open("a", encoding="ascii")

    async def run(self) -> None:
        """Play until everything is over, or until stopped."""
        sizes = _shared(self._plan.matches, GROUP)
        async with asyncio.TaskGroup() as groups:
            for number, size in enumerate(sizes):
                groups.create_task(self._group(number, size))
        self.book.close()
        self._list.close()

    def stop(self) -> None:
        """Answer nothing more, and wait for the answers that are owed."""
        self._stopping = True
        for dialer in self._dialers:
            dialer.stopping.set()

    def figures(self) -> dict[str, int | float | list[str]]:
        """How things stand."""
        return self.book.figures(lambda: {"made": self.made, "open": self.open})

    async def _group(self, number: int, size: int) -> None:
        """Matches that share two streams, one after the other where there are to be more."""
        while not self._stopping:
            async with self._turn:
                boards = [await self._make(number) for _ in range(size)]
            self.open += size
            await self._play(number, boards)
            self.open -= size
            if not self._plan.again:
                return

    async def _make(self, number: int) -> Board:
        request = match_pb2.CreateMatchRequest(
            request_id=self._chance.randbytes(16),
            rule_set=self._plan.rule_set,
            rules=self._plan.knobs,
        )
        for name, value in self._plan.policy.items():
            setattr(request.policy, name, value)
        made = await self._matches.CreateMatch(request, timeout=PATIENCE_S)
        self.made += 1
        doors = [self._door(number, side) for side in range(2)]
        self._list.write(json.dumps({"match": made.match.match, "doors": doors}) + "\n")
        return Board(made, self.book, random.Random(self._chance.random()))

    def _door(self, number: int, side: int) -> int:
        return (number * 2 + side) % len(self._plan.doors)

    async def _play(self, number: int, boards: Sequence[Board]) -> None:
        dialers = [self._dialer(self._door(number, side), side, boards) for side in range(2)]
        self._dialers.update(dialers)
        for dialer in dialers:
            if self._stopping:
                dialer.stopping.set()
        try:
            await asyncio.gather(*(dialer.run() for dialer in dialers))
        finally:
            self._dialers.difference_update(dialers)

    def _dialer(self, door: int, side: int, boards: Sequence[Board]) -> Dialer:
        return Dialer(
            self._plan.doors[door],
            [Sitter(board, seat) for board in boards for seat in SIDES[side]],
            door=door,
            key=parse_key(boards[0].made.referee_key),
            book=self.book,
            think_s=self._plan.think_s,
            chance=random.Random(self._chance.random()),
        )


def _shared(total: int, most: int) -> Iterator[int]:
    """A number in parts of at most so much."""
    while total > 0:
        yield min(total, most)
        total -= most


async def input_ends() -> None:
    """Wait for the end of standard input."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()


async def watch(address: str, plan: Plan) -> int:
    """Run a crowd and tell its figures; 1 where the referee did what it must not."""
    async with grpc.aio.insecure_channel(address) as operator:
        crowd = Crowd(operator, plan)
        running = asyncio.create_task(crowd.run())
        ending = asyncio.create_task(input_ends())
        while not running.done() and not ending.done():
            _say(crowd.figures())
            await asyncio.wait((running, ending), timeout=1, return_when=asyncio.FIRST_COMPLETED)
        crowd.stop()
        async with asyncio.timeout(CALM_S):
            await running
        ending.cancel()
    _say({**crowd.figures(), "over": True})
    return int(bool(crowd.book.errors))


def _say(figures: Mapping[str, int | float | list[str]]) -> None:
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


def main() -> int:
    """Play until standard input ends."""
    parser = argparse.ArgumentParser(description="Thousands of seats that play by chance.")
    parser.add_argument("--to", required=True, help="HOST:PORT of the referee")
    parser.add_argument("--doors", type=Path, help="a file of addresses to dial in at, one a line")
    parser.add_argument("--folder", type=Path, required=True, help="where the files go")
    parser.add_argument("--matches", type=int, default=64, help="matches at a time")
    parser.add_argument("--again", action="store_true", help="new matches where some are over")
    parser.add_argument("--think", type=float, default=0.0, help="mean seconds to an answer")
    parser.add_argument("--rules", default="standard", help="the rule set")
    parser.add_argument("--knob", action="append", default=[], help="NAME=VALUE, any number")
    parser.add_argument("--limit", action="append", default=[], help="NAME=NUMBER of the policy")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32), help="of chance")
    flags = parser.parse_args()
    flags.folder.mkdir(parents=True, exist_ok=True)
    doors = flags.doors.read_text("ascii").split() if flags.doors else [flags.to]
    limits = {name: int(value) for name, _, value in (x.partition("=") for x in flags.limit)}
    plan = Plan(
        matches=flags.matches,
        folder=flags.folder,
        doors=doors,
        seed=flags.seed,
        think_s=flags.think,
        again=flags.again,
        rule_set=flags.rules,
        knobs=dict(knob.split("=", 1) for knob in flags.knob),
        policy={**POLICY, **limits},
    )
    return asyncio.run(watch(flags.to, plan))


if __name__ == "__main__":
    sys.exit(main())
