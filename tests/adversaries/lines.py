"""Lines to a referee: streams that carry many seats, streams of one seat, single calls, watching.

A line ends where the referee does, or where its tables are over; what its seats have said and not
heard an answer to is said again on the next one.
"""

import asyncio
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import grpc

from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc, play_pb2, play_pb2_grpc
from referee.sealing import VerifyKey, parse_key
from tests.adversaries.chairs import (
    CHECKS,
    PLAYS,
    SEEDS,
    SIGNS,
    WIRE_SEATS,
    Chair,
    Table,
    keep_receipt,
)

HOUR_MS: Final = 3_600_000
POLICY: Final = match_pb2.Policy(
    illegal_limit=999,
    move_ms=HOUR_MS,
    start_ms=HOUR_MS,
    commit_ms=HOUR_MS,
    reveal_ms=HOUR_MS,
    grace_ms=HOUR_MS,
)
LEVELS: Final = (
    (SEEDS, SEEDS, SEEDS, SEEDS),
    (SIGNS, SIGNS, SIGNS, SIGNS),
    (PLAYS, SEEDS, CHECKS, SIGNS),
    (CHECKS, SIGNS, CHECKS, SIGNS),
    (PLAYS, PLAYS, PLAYS, PLAYS),
)
PATIENCE_S: Final = 30.0
NEWS_MS: Final = 500


Call: TypeAlias = "grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]"


class GoneError(Exception):
    """The referee has ended a stream, or is no more."""


class Floor:
    """Every table that was made, and how new ones are."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.tables: dict[str, Table] = {}
        self.closing = False
        self.answered = asyncio.Event()
        self.key: VerifyKey | None = None
        self._channel: grpc.aio.Channel | None = None
        self._numbers = 0

    @property
    def acknowledged(self) -> int:
        """How much has been acknowledged in all."""
        return sum(table.heard.count for table in self.tables.values())

    def connect(self, channel: grpc.aio.Channel) -> None:
        """Go on over another channel, over which nothing has been answered yet."""
        self._channel = channel
        self.answered = asyncio.Event()

    @property
    def channel(self) -> grpc.aio.Channel:
        """The way to the referee."""
        assert self._channel is not None
        return self._channel

    def keep_receipt(self, receipt: play_pb2.Receipt) -> None:
        """Keep a receipt, by the tables that it is of."""
        if self.key is not None:
            keep_receipt(self.tables, receipt, self.key)

    async def make(self, request_id: bytes) -> Table:
        """A new table; the same one again for the same request_id."""
        levels = LEVELS[self._numbers % len(LEVELS)]
        request = match_pb2.CreateMatchRequest(
            request_id=request_id, rule_set="quick", policy=POLICY
        )
        stub = match_pb2_grpc.MatchServiceStub(self.channel)
        made = await stub.CreateMatch(request, timeout=PATIENCE_S)
        self._numbers += 1
        key = parse_key(made.referee_key) if self.key is None else self.key
        self.key = key
        table = Table(made, levels, random.Random(self.chance.random()), key)
        self.tables[made.match.match] = table
        return table


@dataclass
class Line:
    """A number of tables, and whoever carries their seats."""

    floor: Floor
    size: int
    tables: list[Table] = field(default_factory=list)
    _making: bytes = b""

    async def run(self) -> None:
        """Play until the referee is gone, or there is nothing more to play."""
        try:
            while await self._lay():
                await self.carry()
        except (GoneError, asyncio.InvalidStateError):
            pass  # a call that is over cannot be written to
        except grpc.aio.AioRpcError as err:
            if not _is_gone(err):
                raise

    async def _lay(self) -> bool:
        """Make new tables in the place of those that are over; whether there are any."""
        self.tables = [table for table in self.tables if not table.over]
        while len(self.tables) < self.size and not self.floor.closing:
            self._making = self._making or self.floor.chance.randbytes(16)
            self.tables.append(await self.floor.make(self._making))
            self._making = b""
        return bool(self.tables)

    def worn(self) -> bool:
        """Whether so many tables are over that the line begins anew."""
        over = sum(table.over for table in self.tables)
        return over == len(self.tables) or (over * 4 >= self.size and not self.floor.closing)

    async def carry(self) -> None:
        """Carry the seats of all tables until enough of them are over."""
        raise NotImplementedError


class ManySeats(Line):
    """All seats of many tables on one stream."""

    async def carry(self) -> None:
        chairs = [chair for table in self.tables for chair in table.chairs]
        await stream(self.floor, chairs, self.worn)


class SeatByItself(Line):
    """A stream for every seat."""

    async def carry(self) -> None:
        chairs = [chair for table in self.tables for chair in table.chairs]
        await asyncio.gather(*(stream(self.floor, [chair], chair.done) for chair in chairs))


class SingleCalls(Line):
    """Every seat by single calls, and a watcher at every table."""

    async def carry(self) -> None:
        watching = [asyncio.create_task(self._watch(table)) for table in self.tables]
        try:
            chairs = [chair for table in self.tables for chair in table.chairs]
            await asyncio.gather(*(self._seat(chair) for chair in chairs))
        finally:
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)

    async def _watch(self, table: Table) -> None:
        stub = play_pb2_grpc.PlayServiceStub(self.floor.channel)
        request = play_pb2.WatchRequest(match=table.heard.match.hex(), from_seq=table.watched)
        call = stub.Watch(request, metadata=bearer(table.made.watch_token))
        async for message in call:
            for event in message.events:
                if event.seq != table.watched:
                    table.heard.wrong.append(f"a watcher was told event {event.seq} out of turn")
                table.watched = event.seq + 1
                table.event(event)

    async def _seat(self, chair: Chair) -> None:
        said = chair.input()
        said.hello.CopyFrom(chair.hello())
        await self._give(chair, said)
        stub = play_pb2_grpc.PlayServiceStub(self.floor.channel)
        while not chair.table.over:
            request = play_pb2.GetViewRequest(
                match=chair.table.heard.match.hex(),
                seat=WIRE_SEATS[chair.seat],
                from_seq=chair.resume,
                wait_ms=NEWS_MS,
            )
            metadata = bearer(chair.table.tokens[chair.seat])
            news = await stub.GetView(request, timeout=PATIENCE_S, metadata=metadata)
            for item in news.items:
                chair.hear(item)
            while (due := chair.due()) is not None:
                await self._give(chair, due)

    async def _give(self, chair: Chair, said: play_pb2.PlayInput) -> None:
        stub = play_pb2_grpc.PlayServiceStub(self.floor.channel)
        metadata = bearer(chair.table.tokens[chair.seat])
        request = play_pb2.ActRequest(input=said)
        try:
            given = await stub.Act(request, timeout=PATIENCE_S, metadata=metadata)
        except grpc.aio.AioRpcError as err:
            if _is_gone(err):
                raise
            item = play_pb2.PlayItem(request_id=said.request_id)
            item.status.code = err.code().value[0]
            item.status.message = err.details() or ""
            chair.hear(item)
            return
        chair.hear(given.item)
        if given.HasField("receipt"):
            self.floor.keep_receipt(given.receipt)


def _is_gone(err: grpc.aio.AioRpcError) -> bool:
    """Whether a call failed because the referee is no more; grpc's own client has two words."""
    made_up = err.code() is grpc.StatusCode.INTERNAL and "error from Core" in (err.details() or "")
    return made_up or err.code() is grpc.StatusCode.UNAVAILABLE


async def stream(floor: Floor, chairs: Sequence[Chair], worn: Callable[[], bool]) -> None:
    """Carry seats on one stream until it is worn; AioRpcError where it is cut."""
    seats = {(chair.table.heard.match.hex(), WIRE_SEATS[chair.seat]): chair for chair in chairs}
    call = play_pb2_grpc.PlayServiceStub(floor.channel).Play()
    hello = play_pb2.Hello(protocol=1, seats=[chair.hello() for chair in chairs])
    await call.write(play_pb2.PlayRequest(hello=hello))
    try:
        while not worn():
            message = await call.read()
            if not isinstance(message, play_pb2.PlayResponse):
                raise GoneError(await call.code())
            told = set()
            for item in message.items:
                if item.HasField("ruling"):
                    floor.answered.set()
                if item.HasField("receipt"):
                    floor.keep_receipt(item.receipt)
                else:
                    seats[item.match, item.seat].hear(item)
                    told.add((item.match, item.seat))
            await _say(call, (seats[seat] for seat in told))
    finally:
        call.cancel()


async def _say(call: Call, chairs: Iterable[Chair]) -> None:
    due = [said for chair in chairs if (said := chair.due()) is not None]
    if due:
        await call.write(play_pb2.PlayRequest(inputs=due))


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """A token as metadata."""
    return (("authorization", f"Bearer {token}"),)
