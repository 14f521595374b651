"""One stream of a client: the seats it holds, what waits to be sent, and the two loops."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc import code_pb2

from referee.errors import RefereeError
from referee.host.items import Answer, Closing, Item, Reply, Ruling, Sink
from referee.host.match import Match
from referee.pb.euchre.referee.v1 import play_pb2
from referee.sealing.keys import SigningKey
from referee.service.convert import seat_value
from referee.service.status import explained, retry
from referee.service.told import Answered, Entry, responses

T = TypeVar("T")
PlayContext: TypeAlias = "grpc.aio.ServicerContext[Message, bytes]"
"""A stream's, whose messages are put together from bytes."""

LONGEST_QUEUE: Final = 20_000
"""Items that may wait for a slow reader; it then starts again from where it was."""
MOST_AT_ONCE: Final = 4_096
"""Items that are taken at once, so that a long backlog does not hold the loop."""


class Outbox(Generic[T]):
    """What waits to be sent; one taker.

    `overfull` is set once the reader has fallen too far behind: nothing more is kept for it. What
    happened before it came is no fault of its own, and is not counted.
    """

    def __init__(self) -> None:
        self.overfull = asyncio.Event()
        self._items: list[T] = []
        self._missed = 0
        self._filled = asyncio.Event()
        self._closed = False

    def close(self) -> None:
        """Nothing more will be put: the taker gets what is there, then nothing."""
        self._closed = True
        self._filled.set()

    def put(self, item: T, *, missed: bool = False) -> None:
        """Add one item; `missed` says that it happened before the reader came."""
        if len(self._items) - self._missed >= LONGEST_QUEUE:
            self.overfull.set()
        else:
            self._items.append(item)
            self._missed += missed
        self._filled.set()

    async def take(self) -> list[T]:
        """The next items in order, at least one; none where the outbox is closed and empty.

        Raises RefusedError (RESOURCE_EXHAUSTED) where the reader has fallen too far behind.
        """
        await self._filled.wait()
        if self.overfull.is_set():
            text = "the reader is too slow (reconnect with the last position seen)"
            raise retry(code_pb2.RESOURCE_EXHAUSTED, "SLOW_READER", text)
        taken, self._items = self._items[:MOST_AT_ONCE], self._items[MOST_AT_ONCE:]
        self._missed = max(0, self._missed - len(taken))
        if not self._items and not self._closed:
            self._filled.clear()
        return taken


class SeatStream:
    """The seats of one client and what is sent to it."""

    def __init__(self, context: PlayContext, key: SigningKey) -> None:
        self.outbox: Outbox[Entry] = Outbox()
        self.draining = False
        self._context = context
        self._key = key
        self._seats: dict[tuple[str, int], tuple[Match, Sink]] = {}

    def take(self, match: Match, seat: int, resume: int) -> None:
        """Hold a seat: everything it has not seen is sent first."""
        name, value = match.id.hex(), seat_value(seat)
        missed = True

        def sink(items: Sequence[Item]) -> None:
            for item in items:
                self.outbox.put((name, value, item), missed=missed)
                if not isinstance(item, Closing):
                    continue
                if item.why == "draining":
                    self.draining = True
                else:
                    self._seats.pop((name, seat), None)
                if self.draining or not self._seats:
                    self.outbox.close()

        self._seats[name, seat] = (match, sink)
        match.attach(seat, sink, resume)
        missed = False

    def match(self, match_id: str, seat: int | None) -> Match | None:
        """The match of a seat that this stream holds."""
        held = self._seats.get((match_id, -1 if seat is None else seat))
        return None if held is None else held[0]

    def reply(self, match: Match, message: play_pb2.PlayInput) -> Reply:
        """Where the answer to an input goes, and what a receipt is to say of it."""
        name, seat = message.match, message.seat

        def put(answer: Answer) -> None:
            receipt = match.receipt(answer) if isinstance(answer, Ruling) else None
            self.outbox.put(Answered(name, seat, answer, receipt))

        return put

    def refuse(self, message: play_pb2.PlayInput, err: RefereeError) -> None:
        """Answer an input with what is wrong with it."""
        item = play_pb2.PlayItem(
            match=message.match, seat=message.seat, request_id=message.request_id
        )
        item.status.CopyFrom(explained(err).status)
        self.outbox.put(item)

    async def run(self, give: "Callable[[SeatStream, play_pb2.PlayInput], None]") -> None:
        """Read and write until the client is gone or every seat is another's.

        A client that does not read is listened to no longer, and ended when it reads again. The
        end of the client's stream is no resignation: its seats are away, and may come back.
        """
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read(give))
        behind = asyncio.create_task(self.outbox.overfull.wait())
        tasks = (writer, reader, behind)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            if behind in done:  # no status can be sent past a message that is being written
                reader.cancel()
                await writer
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for (_, seat), (match, sink) in tuple(self._seats.items()):
                match.detach(seat, sink)

    async def _read(self, give: "Callable[[SeatStream, play_pb2.PlayInput], None]") -> None:
        while isinstance(message := await self._context.read(), play_pb2.PlayRequest):
            for one in message.inputs:
                give(self, one)

    async def _write(self) -> None:
        while entries := await self.outbox.take():
            try:
                for message in responses(entries, self._key):
                    await self._context.write(message)
            except grpc.aio.InternalError:
                return  # the line was cut under the message: its seats are away
