"""One stream of a crowd: it carries up to 64 seats, and comes back whenever it is lost."""

import asyncio
import contextlib
import random
from collections.abc import Sequence
from typing import Final, TypeAlias

import grpc

from referee.pb.euchre.referee.v1 import play_pb2, play_pb2_grpc
from referee.sealing.keys import VerifyKey
from tests.adversaries.book import Book
from tests.adversaries.sitters import WIRE_SEATS, Receipts, Sitter

MOST_SEATS: Final = 64
TICKS: Final = 8
"""What is asked waits for the next of so many ticks in a mean time of thinking."""
SHORTEST_TICK_S: Final = 0.02
FIRST_WAIT_S: Final = 0.2
LONGEST_WAIT_S: Final = 2.0
OUR_OWN: Final = "Internal error from Core"
"""What our own end of a connection says of a write that came after the cut."""
LEAVING_S: Final = 0.05
OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),  # a connection of its own
    ("grpc.keepalive_time_ms", 12_000),  # a line that is half open is noticed
    ("grpc.keepalive_timeout_ms", 4_000),
    ("grpc.http2.ping_timeout_ms", 4_000),  # the one that counts: a minute otherwise
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)
_Call: TypeAlias = "grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]"


class _LostError(Exception):
    """The stream has ended, and not by us."""


class Dialer:
    """A client with some seats, whose answers take it `think_s` on average."""

    def __init__(
        self,
        address: str,
        sitters: Sequence[Sitter],
        *,
        door: int,
        key: VerifyKey,
        book: Book,
        think_s: float,
        chance: random.Random,
    ) -> None:
        self.stopping = asyncio.Event()
        self._address = address
        self._door = door
        self._book = book
        self._think_s = think_s
        self._chance = chance
        self._seats = {(s.board.name, WIRE_SEATS[s.seat]): s for s in sitters}
        self._receipts = Receipts({s.board.id: s.board for s in sitters}, key, book)
        self._asked: dict[Sitter, float] = {}
        self._up = False
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Play until every match is over, or until told to stop and nothing is owed."""
        wait_s = FIRST_WAIT_S
        async with grpc.aio.insecure_channel(self._address, options=OPTIONS) as channel:
            stub = play_pb2_grpc.PlayServiceStub(channel)
            while not self._done():
                try:
                    await self._carry(stub.Play())
                except (_LostError, grpc.aio.AioRpcError, asyncio.InvalidStateError) as err:
                    if self._note_lost(err):
                        wait_s = FIRST_WAIT_S
                    await asyncio.sleep(wait_s * self._chance.uniform(0.5, 1.5))
                    wait_s = min(wait_s * 1.5, LONGEST_WAIT_S)

    def _note_lost(self, err: Exception) -> bool:
        """Write down that the stream is lost; whether it had come back before."""
        was_up, self._up = self._up, False
        code = err.code() if isinstance(err, grpc.aio.AioRpcError) else None
        if code not in {None, grpc.StatusCode.UNAVAILABLE}:
            details = err.details() if isinstance(err, grpc.aio.AioRpcError) else ""
            self._book.counted[f"stream {code}"] += 1
            if details != OUR_OWN and code is not grpc.StatusCode.CANCELLED:
                self._book.wrong(f"door {self._door}: the stream ended with {code}: {details}")
        if was_up:
            self._book.door(self._door, "lost")
        return was_up

    def _done(self) -> bool:
        if self.stopping.is_set():
            return all(sitter.quiet or sitter.over for sitter in self._seats.values())
        return all(sitter.over for sitter in self._seats.values())

    async def _carry(self, call: _Call) -> None:
        """One stream, from Hello until it is lost or no longer wanted."""
        seats = [sitter for sitter in self._seats.values() if not sitter.over]
        self._asked.clear()
        saying: asyncio.Future[tuple[None, None]] | None = None
        try:
            hello = play_pb2.Hello(protocol=1, seats=[sitter.hello() for sitter in seats])
            await call.write(play_pb2.PlayRequest(hello=hello))
            owed = [said for sitter in seats for said in sitter.again()]
            if owed:
                self._book.counted["said again"] += len(owed)
                await call.write(play_pb2.PlayRequest(inputs=owed))
            saying = asyncio.gather(self._say(call), self._leave(call))
            await self._hear(call)
        finally:
            if saying is not None:
                saying.cancel()
                with contextlib.suppress(
                    asyncio.CancelledError, grpc.aio.AioRpcError, asyncio.InvalidStateError
                ):
                    await saying
            call.cancel()

    async def _leave(self, call: _Call) -> None:
        """End the stream in good order, once it is not wanted and nothing is owed."""
        await self.stopping.wait()
        while not self._done():  # noqa: ASYNC110 -- of many seats
            await asyncio.sleep(LEAVING_S)
        await call.done_writing()

    async def _hear(self, call: _Call) -> None:
        loop = asyncio.get_running_loop()
        while not self._done():
            message = await call.read()
            if not isinstance(message, play_pb2.PlayResponse):
                raise _LostError
            if not self._up:
                self._up = True
                self._book.door(self._door, "back")
            self._take(message, loop.time())

    def _take(self, message: play_pb2.PlayResponse, now: float) -> None:
        accepted = receipts = 0
        for item in message.items:
            if item.HasField("receipt"):
                receipts += len(item.receipt.items)
                self._receipts.take(item.receipt)
                continue
            if item.HasField("draining"):
                continue
            accepted += item.HasField("ruling") and item.ruling.accepted
            sitter = self._seats[item.match, item.seat]
            if sitter.hear(item, now):
                self._asked.setdefault(sitter, now + self._chance.uniform(0, 2 * self._think_s))
        if accepted != receipts:
            self._book.wrong(f"door {self._door}: {accepted} accepted, {receipts} in the receipt")
        if self._asked:
            self._news.set()

    async def _say(self, call: _Call) -> None:
        """Answer what is asked, many seats in one message."""
        loop = asyncio.get_running_loop()
        tick_s = max(self._think_s / TICKS, SHORTEST_TICK_S) if self._think_s else 0.0
        while not self.stopping.is_set():
            await self._news.wait()
            self._news.clear()
            while self._asked and not self.stopping.is_set():
                now = loop.time()
                due = [sitter for sitter, at in self._asked.items() if at <= now]
                inputs = [said for sitter in due if (said := self._pop(sitter, now)) is not None]
                if inputs:
                    self._book.counted["messages"] += 1
                    await call.write(play_pb2.PlayRequest(inputs=inputs))
                await asyncio.sleep(tick_s)

    def _pop(self, sitter: Sitter, now: float) -> play_pb2.PlayInput | None:
        del self._asked[sitter]
        return sitter.say(now)
