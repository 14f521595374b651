"""One stream of a client: the seats it holds, what waits to be sent, and the two loops."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc import code_pb2

from referee.errors import RefereeError
from referee.host.items import Answer, AskItem, Closing, Item, Misused, Reply, Ruling, Sink
from referee.host.match import Match
from referee.meter import UNMETERED, Meter
from referee.pb.euchre.referee.v1 import play_pb2
from referee.sealing.keys import SigningKey
from referee.service.convert import seat_number, seat_value
from referee.service.guard import check_readable
from referee.service.limits import (
    AT_A_STRETCH,
    LONGEST_QUEUE,
    MOST_AT_ONCE,
    MOST_INPUTS,
    STALLED_S,
)
from referee.service.status import RefusedError, explained, refusal, retry
from referee.service.told import Answered, Entry, responses

log = logging.getLogger(__name__)
T = TypeVar("T")
PLAY: Final = "PlayService/Play"
PlayContext: TypeAlias = "grpc.aio.ServicerContext[Message, bytes]"
"""A stream's, whose messages are put together from bytes."""

BLAMELESS: Final = frozenset({"NOT_RECORDED", "DRAINING"})
"""What is wrong with an input by no fault of its sender."""
MISUSES_A_SEAT: Final = 16
"""Inputs without a place in the course of a match that a stream may send at once for each seat."""


class Outbox(Generic[T]):
    """What waits to be sent; one taker.

    `overfull` is done once the reader has fallen too far behind: nothing more is kept for it. What
    happened before it came is no fault of its own, and is not counted.
    """

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.overfull: asyncio.Future[None] = loop.create_future()
        self._items: list[T] = []
        self._missed = 0
        self._taker: asyncio.Future[None] | None = None
        self._closed = False

    def close(self) -> None:
        """Nothing more will be put: the taker gets what is there, then nothing."""
        self._closed = True
        self._wake()

    def put(self, item: T, *, missed: bool = False) -> None:
        """Add one item; `missed` says that it happened before the reader came."""
        if len(self._items) - self._missed < LONGEST_QUEUE:
            self._items.append(item)
            self._missed += missed
        elif not self.overfull.done():
            self.overfull.set_result(None)
        self._wake()

    def _wake(self) -> None:
        taker, self._taker = self._taker, None
        if taker is not None and not taker.done():
            taker.set_result(None)

    async def take(self) -> list[T]:
        """The next items in order, at least one; none where the outbox is closed and empty.

        Raises RefusedError (RESOURCE_EXHAUSTED) where the reader has fallen too far behind.
        """
        if not (self._items or self._closed or self.overfull.done()):
            self._taker = asyncio.get_running_loop().create_future()
            await self._taker
        if self.overfull.done():
            raise slow_reader()
        taken, self._items = self._items[:MOST_AT_ONCE], self._items[MOST_AT_ONCE:]
        self._missed = max(0, self._missed - len(taken))
        return taken


def slow_reader() -> RefusedError:
    """The status of whoever does not take what it is told."""
    text = "the reader is too slow (reconnect with the last position seen)"
    return retry(code_pb2.RESOURCE_EXHAUSTED, "SLOW_READER", text)


async def begin(context: "grpc.aio.ServicerContext[Message, T]") -> None:
    """Send the headers of a stream before its first message.

    With a message they would count as unsent until the reader has taken it; whatever ended the
    stream before that could not be told, and the reader would wait for ever.
    """
    try:
        await context.send_initial_metadata(())
    except grpc.aio.InternalError:
        raise asyncio.CancelledError("the line was cut") from None


async def hand_over(context: "grpc.aio.ServicerContext[Message, T]", message: T) -> None:
    """Write one message of a stream.

    Raises RefusedError (RESOURCE_EXHAUSTED) where the reader does not take it in time. A line that
    was cut under the message is a call taken back.
    """
    try:
        async with asyncio.timeout(STALLED_S):
            await context.write(message)
    except grpc.aio.InternalError:
        raise asyncio.CancelledError("the line was cut") from None
    except TimeoutError:
        raise slow_reader() from None


class Patience:
    """How much misuse a stream may still send: so much at once, and a little more each second."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since = now()
        self._spent = 0.0

    def strain(self) -> None:
        """One more input had no place."""
        self._spent += 1

    def is_over(self, seats: int) -> bool:
        """Whether a stream of so many seats has sent too much of it."""
        now = self._now()
        self._spent = max(0.0, self._spent - (now - self._since) * max(1, seats))
        self._since = now
        return self._spent > MISUSES_A_SEAT * max(4, seats)


class SeatStream:
    """The seats of one client and what is sent to it."""

    def __init__(self, context: PlayContext, key: SigningKey, meter: Meter = UNMETERED) -> None:
        self.outbox: Outbox[Entry] = Outbox()
        self.draining = False
        self._context = context
        self._key = key
        self._meter = meter
        self._latency = meter.spread("seconds", PLAY)
        self._came = 0.0
        self._slow = False
        self._seats: dict[tuple[str, int], tuple[Match, Sink]] = {}
        self._patience = Patience()

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
        match.attach(seat, sink, resume, reports=True)
        missed = False

    def match(self, match_id: str, seat: int | None) -> Match | None:
        """The match of a seat that this stream holds."""
        held = self._seats.get((match_id, -1 if seat is None else seat))
        return None if held is None else held[0]

    def reply(self, match: Match, message: play_pb2.PlayInput) -> Reply:
        """Where the answer to an input goes, and what a receipt is to say of it."""
        name, seat, came = message.match, message.seat, self._came

        def put(answer: Answer) -> None:
            receipt = match.receipt(answer) if isinstance(answer, Ruling) else None
            if isinstance(answer, Misused) and answer.wrong not in BLAMELESS:
                self._patience.strain()
            self.outbox.put(Answered(name, seat, answer, receipt, came))

        return put

    def refuse(self, message: play_pb2.PlayInput, err: RefereeError) -> None:
        """Answer an input with what is wrong with it."""
        item = play_pb2.PlayItem(
            match=message.match, seat=message.seat, request_id=message.request_id
        )
        item.status.CopyFrom(explained(err).status)
        self._patience.strain()
        self.outbox.put(item)

    async def run(self, give: "Callable[[SeatStream, play_pb2.PlayInput], None]") -> None:
        """Read and write until the client is gone or every seat is another's.

        A client that does not read is listened to no longer, its seats are away, and it is ended
        when it reads again or its time is over. The end of the client's stream is no resignation.
        """
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read(give))
        behind = self.outbox.overfull
        tasks = (writer, reader)
        try:
            done, _ = await asyncio.wait((*tasks, behind), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            if behind in done:  # no status can be sent past a message that is being written
                reader.cancel()
                seats = len(self._seats)
                self._leave()
                self._note_slow(seats)
                await writer
        finally:
            for task in tasks:
                task.cancel()
            self._leave()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _note_slow(self, seats: int) -> None:
        if self._slow:
            return
        self._slow = True
        self._meter.count("slow_readers")
        log.warning("slow_reader peer=%s seats=%s", self._context.peer(), seats)

    def _leave(self) -> None:
        """Let go of every seat."""
        for (_, seat), (match, sink) in tuple(self._seats.items()):
            match.detach(seat, sink)
        self._seats.clear()

    async def _read(self, give: "Callable[[SeatStream, play_pb2.PlayInput], None]") -> None:
        while isinstance(message := await self._context.read(), play_pb2.PlayRequest):
            self._came = time.perf_counter()
            if len(message.inputs) > MOST_INPUTS:
                text = f"at most {MOST_INPUTS} inputs in a message, not {len(message.inputs)}"
                raise refusal(code_pb2.RESOURCE_EXHAUSTED, "TOO_MANY_INPUTS", text)
            for number, one in enumerate(message.inputs, 1):
                give(self, one)
                if number % AT_A_STRETCH == 0:
                    self._check_patience()
                    await asyncio.sleep(0)
            self._check_patience()
        check_readable(message)

    def _check_patience(self) -> None:
        if self._patience.is_over(len(self._seats)):
            text = "too many inputs that are stale, unsigned or none (look at the statuses told)"
            raise retry(code_pb2.RESOURCE_EXHAUSTED, "TOO_MUCH_MISUSE", text)

    def _measured(self, entries: Sequence[Entry]) -> list[tuple[Match, int, AskItem]]:
        """Count what is about to be written; the questions in it, and whom they are for."""
        questions: list[tuple[Match, int, AskItem]] = []
        came, answers, now = 0.0, 0, time.perf_counter()
        self._meter.observe("queue_items", len(entries))
        for entry in entries:
            if isinstance(entry, Answered):
                if entry.came != came and answers:  # those of one message came together
                    self._latency.add(now - came, answers)
                    answers = 0
                came = entry.came
                answers += 1
            elif isinstance(entry, tuple) and isinstance(entry[2], AskItem):
                seat = seat_number(entry[1])
                match = self.match(entry[0], seat)
                if match is not None and seat is not None:
                    questions.append((match, seat, entry[2]))
        if answers:
            self._latency.add(now - came, answers)
        return questions

    async def _write(self) -> None:
        while await self._write_next():
            pass

    async def _write_next(self) -> bool:
        """Write what waits, or comes next; False where nothing more will.

        Nothing of it is held while the stream is silent: thousands are, most of the time.
        """
        entries = await self.outbox.take()
        questions = self._measured(entries)
        for message in responses(entries, self._key):
            try:
                await hand_over(self._context, message)
            except RefusedError:  # it takes nothing
                self._note_slow(len(self._seats))
                raise
        for match, seat, item in questions:
            match.handed_over(seat, item)
        return bool(entries)
