"""PlayService: seats on streams and by single calls, and watching."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Final

from google.rpc import code_pb2

from referee.errors import RefereeError
from referee.host.answers import reply_to
from referee.host.items import Answer, Closing, EventItem, Item, Misused, Reply, Ruling
from referee.host.match import Match
from referee.host.passes import Pass
from referee.host.referee import Referee, UnknownMatchError
from referee.meter import UNMETERED, Meter
from referee.pb.euchre.referee.v1 import play_pb2, play_pb2_grpc
from referee.sealing.encode import HASH_SIZE
from referee.sealing.errors import KeyFormError
from referee.sealing.keys import VerifyKey, name_fault
from referee.sealing.messages import ReceiptItem
from referee.sealing.parts import SeatInfo
from referee.service import convert
from referee.service.auth import bearer, holder
from referee.service.doors import Porter
from referee.service.guard import check_readable
from referee.service.limits import EVENTS_A_MESSAGE, HELLO_S
from referee.service.status import Context, RefusedError, bad_field, draining, misuse, refusal
from referee.service.stream import Outbox, PlayContext, SeatStream, begin, hand_over
from referee.service.told import (
    answer_message,
    item_message,
    receipt_message,
    welcome_message,
)
from referee.table.commands import GiveSeed

PROTOCOL: Final = 1
MOST_SEATS: Final = 4_096
REQUEST_ID_SIZE: Final = 16
LONGEST_WAIT_MS: Final = 30_000


def seat_info(hello: play_pb2.SeatHello) -> SeatInfo:
    """Who sits down, checked."""
    name = hello.name or "bot"
    fault = name_fault(name)
    if fault:
        raise bad_field("name", fault)
    level = convert.LEVELS.get(hello.level)
    if level is None:
        raise bad_field("level", "not a level that this server knows (use LEVEL_CHECKS)")
    if bool(hello.key) != (level == "signs"):
        raise bad_field("key", "a seat's key goes with LEVEL_SIGNS, and with no other level")
    try:
        key = VerifyKey(name, hello.key).text if hello.key else None
    except KeyFormError as err:
        raise bad_field("key", str(err)) from err
    own = hello.own_seeds and level != "plays"
    return SeatInfo(name=name, level=level, seed_by="seat" if own else "host", key=key)


def give(match: Match, seat: int, message: play_pb2.PlayInput, reply: Reply) -> None:
    """Hand one input of a seat to its match; RefusedError where it is malformed."""
    rid = message.request_id
    if len(rid) != REQUEST_ID_SIZE:
        raise bad_field("request_id", f"{REQUEST_ID_SIZE} bytes are wanted, not {len(rid)}")
    match message.WhichOneof("input"):
        case "act":
            act = message.act
            match.act(
                seat, rid, act.seq, act.action, blind=act.blind, sig=act.seat_sig, reply=reply
            )
        case "commit":
            if len(message.commit.commit) != HASH_SIZE:
                raise bad_field("commit.commit", f"{HASH_SIZE} bytes are wanted")
            match.commit(seat, rid, message.commit.deal, message.commit.commit, reply)
        case "reveal":
            shown = message.reveal
            command = GiveSeed(
                seat=seat,
                deal=shown.deal,
                seed=shown.seed,
                cut=shown.cut if shown.HasField("cut") else None,
                cset=shown.cset,
                sig=shown.sig,
            )
            match.reveal(command, rid, shown.head, reply)
        case "leave":
            match.forfeit(seat, "DISCONNECT", rid, reply)
        case other:
            raise bad_field("input", f"{other or 'nothing'} is no input of a seat here")


class PlayService(play_pb2_grpc.PlayServiceServicer):
    """Seats and watchers of one referee."""

    def __init__(self, referee: Referee, porter: Porter, meter: Meter = UNMETERED) -> None:
        self._referee = referee
        self._porter = porter
        self._meter = meter

    async def Play(  # noqa: N802 -- the rpc's name
        self, _requests: AsyncIterator[play_pb2.PlayRequest], context: PlayContext
    ) -> None:
        """Carry any number of seats on one stream."""
        stream = SeatStream(context, self._referee.key, self._meter)
        hello = await self._first(context)
        sitting = self._sitting(hello)
        with self._porter.streaming(entry.token for entry in hello.seats):
            await begin(context)
            await self._take(stream, sitting)
            await stream.run(self._input)
        if stream.draining:
            raise draining()

    async def _first(self, context: PlayContext) -> play_pb2.Hello:
        try:
            async with asyncio.timeout(HELLO_S):
                message = await context.read()
        except TimeoutError:
            raise bad_field("hello", f"none came within {HELLO_S:g} s") from None
        check_readable(message)
        if not isinstance(message, play_pb2.PlayRequest) or not message.HasField("hello"):
            raise bad_field("hello", "the first message of a stream holds a Hello")
        hello = message.hello
        if hello.protocol != PROTOCOL:
            text = f"protocol {hello.protocol} is unknown (this server knows {PROTOCOL})"
            raise refusal(code_pb2.FAILED_PRECONDITION, "UNKNOWN_PROTOCOL", text)
        if not 1 <= len(hello.seats) <= MOST_SEATS:
            raise bad_field("hello.seats", f"1 to {MOST_SEATS} seats are wanted")
        return hello

    def _sitting(self, hello: play_pb2.Hello) -> "list[tuple[Match, int, SeatInfo, int]]":
        """Who sits down where, and from which position on; a bad entry costs the whole Hello."""
        if len({entry.token for entry in hello.seats}) < len(hello.seats):
            raise bad_field("hello.seats", "a token stands there twice")
        return [self._numbered(number, entry) for number, entry in enumerate(hello.seats)]

    def _numbered(self, number: int, entry: play_pb2.SeatHello) -> tuple[Match, int, SeatInfo, int]:
        """Where one entry of many sits down; what is wrong with it says which it is."""
        try:
            return self._place(entry)
        except RefusedError as err:
            err.status.message = f"hello.seats[{number}]: {err.status.message}"
            raise

    def _place(self, entry: play_pb2.SeatHello) -> tuple[Match, int, SeatInfo, int]:
        match, seat = self._seat_of(holder(self._referee, entry.token))
        info = seat_info(entry)
        if (wrong := match.conflict(seat, info)) is not None:
            raise RefusedError(misuse(wrong))
        return match, seat, info, entry.resume

    async def _take(
        self, stream: SeatStream, sitting: Sequence[tuple[Match, int, SeatInfo, int]]
    ) -> None:
        """Record that the seats are taken, and let the stream hold them."""
        try:
            await asyncio.gather(*(sit_down(match, seat, info) for match, seat, info, _ in sitting))
        except BaseException:
            for match, seat, _, _ in sitting:
                match.lost(seat)
            raise
        for match, seat, _, resume in sitting:
            stream.outbox.put(welcome_message(match, seat))
            stream.take(match, seat, resume)

    def _seat_of(self, found: Pass) -> tuple[Match, int]:
        if found.seat is None:
            text = "the token is for watching (use a seat's token)"
            raise refusal(code_pb2.PERMISSION_DENIED, "NOT_YOUR_SEAT", text)
        match = self._referee.matches.find(found.match)
        if match is None:
            raise UnknownMatchError(found.match.hex())
        return match, found.seat

    def _input(self, stream: SeatStream, message: play_pb2.PlayInput) -> None:
        """One input of a stream; what is wrong with it is an item, and the stream stays."""
        seat = convert.seat_number(message.seat)
        match = stream.match(message.match, seat)
        try:
            if match is None or seat is None:
                text = f"this stream does not hold seat {message.seat} of {message.match!r}"
                raise refusal(code_pb2.PERMISSION_DENIED, "NOT_YOUR_SEAT", text)
            give(match, seat, message, stream.reply(match, message))
        except RefereeError as err:
            stream.refuse(message, err)

    async def Act(  # noqa: N802 -- the rpc's name
        self, request: play_pb2.ActRequest, context: Context
    ) -> play_pb2.ActResponse:
        """Give one input for one seat."""
        match, seat = self._named(context, request.input.match, request.input.seat)
        if request.input.WhichOneof("input") == "hello":
            await sit_down(match, seat, seat_info(request.input.hello))
            match.seen(seat)
            match.told(seat)
            item = welcome_message(match, seat)
            return self._act_response(match, seat, item, None)
        given = await self._answer(match, seat, request.input)
        return self._act_response(match, seat, answer_message(match, given), match.receipt(given))

    def _act_response(
        self, match: Match, seat: int, item: play_pb2.PlayItem, receipt: ReceiptItem | None
    ) -> play_pb2.ActResponse:
        view = match.view(seat)
        return play_pb2.ActResponse(
            item=item,
            view=None if view is None else convert.view_message(view),
            receipt=receipt_message((receipt,), self._referee.key) if receipt else None,
        )

    async def _answer(self, match: Match, seat: int, message: play_pb2.PlayInput) -> Ruling:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        give(match, seat, message, reply_to(answer))
        given = await answer
        match.told(seat)
        if isinstance(given, Misused):
            raise RefusedError(misuse(given))
        return given

    def _named(self, context: Context, match_id: str, seat_value: int) -> tuple[Match, int]:
        match, seat = self._seat_of(holder(self._referee, bearer(context)))
        if match.id.hex() != match_id:
            raise UnknownMatchError(match_id)
        if convert.seat_number(seat_value) != seat:
            text = f"the token is not for seat {seat_value} of {match_id!r}"
            raise refusal(code_pb2.PERMISSION_DENIED, "NOT_YOUR_SEAT", text)
        return match, seat

    async def GetView(  # noqa: N802 -- the rpc's name
        self, request: play_pb2.GetViewRequest, context: Context
    ) -> play_pb2.GetViewResponse:
        """The seat's view and the items from a position on, after some time for news."""
        match, seat = self._named(context, request.match, request.seat)
        if match.state.seats[seat] is None:
            text = "the seat has not said Hello yet (send it with Act)"
            raise refusal(code_pb2.FAILED_PRECONDITION, "NO_HELLO", text)
        match.seen(seat)
        await wait_for_news(match, seat, request.from_seq, min(request.wait_ms, LONGEST_WAIT_MS))
        view = match.view(seat)
        match.told(seat)
        return play_pb2.GetViewResponse(
            view=None if view is None else convert.view_message(view),
            items=[item_message(match, seat, i) for i in match.items(seat, request.from_seq)],
        )

    async def Watch(  # noqa: N802 -- the rpc's name
        self, request: play_pb2.WatchRequest, context: Context
    ) -> None:
        """Stream the public events of a match until it is over."""
        found = holder(self._referee, bearer(context))
        match = (
            self._referee.matches.find(found.match) if found.match.hex() == request.match else None
        )
        if match is None:
            raise UnknownMatchError(request.match)
        await watch(match, request.from_seq, context)


async def sit_down(match: Match, seat: int, info: SeatInfo) -> None:
    """Take a seat, or come back to it; RefusedError where the first Hello said otherwise."""
    answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    match.sit(seat, info, reply_to(answer))
    given = await answer
    if isinstance(given, Misused):
        raise RefusedError(misuse(given))


async def wait_for_news(match: Match, seat: int, from_seq: int, wait_ms: int) -> None:
    """Wait until the seat is asked something or a new event is there, at most so long."""
    news = asyncio.Event()

    def sink(items: Sequence[Item]) -> None:
        if items:
            news.set()

    if wait_ms and not match.items(seat, from_seq):
        match.watch(sink, from_seq)
        try:
            async with asyncio.timeout(wait_ms / 1_000):
                await news.wait()
        except TimeoutError:
            pass
        finally:
            match.unwatch(sink)


async def watch(match: Match, from_seq: int, context: Context) -> None:
    """Write the public events of a match as they become durable."""
    outbox: Outbox[EventItem] = Outbox()
    drained = False
    missed = True

    def sink(items: Sequence[Item]) -> None:
        nonlocal drained
        for item in items:
            if isinstance(item, EventItem):
                outbox.put(item, missed=missed)
            elif isinstance(item, Closing):
                drained = item.why == "draining"
                outbox.close()
        if match.durable.over:
            outbox.close()

    await begin(context)
    match.watch(sink, from_seq)
    missed = False
    try:
        while batch := await outbox.take():
            for start in range(0, len(batch), EVENTS_A_MESSAGE):
                part = batch[start : start + EVENTS_A_MESSAGE]
                events = [convert.event_message(item) for item in part]
                await hand_over(context, play_pb2.WatchResponse(events=events))
    finally:
        match.unwatch(sink)
    if drained:
        raise draining()
