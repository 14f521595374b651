"""A proxy with the referee's key, between a referee and one seat: it tells another story.

It changes one thing and makes everything fit that hangs on it: the chain, the signatures, the typed
copies. So what a client finds is the lie, and not the seam.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

import grpc
from google.protobuf.message import Message

from referee.host.items import EventItem
from referee.pb.euchre.referee.v1 import events_pb2, play_pb2, table_pb2
from referee.sealing import DealProofError
from referee.sealing.canonical import Json, dump
from referee.sealing.encode import EVENT, tagged_hash
from referee.sealing.keys import SigningKey
from referee.sealing.messages import (
    Opening,
    ReceiptItem,
    private_deal_bytes,
    receipt_bytes,
    referee_bytes,
)
from referee.sealing.transcript import read_line
from referee.service.convert import event_message

SERVICE: Final = "euchre.referee.v1.PlayService"
METHOD: Final = f"/{SERVICE}/Play"
NORTH: Final = 0
START: Final = bytes(32)
Row = dict[str, Json]
_Told = TypeVar("_Told", bound=Message)
_Call = grpc.aio.StreamStreamCall[Message, play_pb2.PlayResponse]
_Context = grpc.aio.ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse]


def leave(_what: object) -> None:
    """Change nothing."""


def same_sig(_kind: str, sig: bytes) -> bytes:
    """Sign as it is signed."""
    return sig


def never(_said: play_pb2.PlayInput) -> bool:
    """Cut nothing."""
    return False


@dataclass(frozen=True, kw_only=True)
class Lies:
    """What is changed on the way, each in place; `cut` drops the line, input and all.

    A changed event is chained and signed anew; cards and receipts are signed anew. `seam` and `sig`
    come last, for chains and signatures that do not hold; `cards_sig` and `receipt_sig` stand in
    for true ones. With `late`, a ruling and its receipt come after the event that they speak of.
    `said` changes what the seat says, and `strange` is put into every message as fields that nobody
    knows.
    """

    row: Callable[[Row], None] = leave
    seam: Callable[[Row], None] = leave
    sig: Callable[[str, bytes], bytes] = same_sig
    cards: Callable[[play_pb2.PrivateDeal], None] = leave
    cards_sig: bytes | None = None
    receipt: Callable[[play_pb2.Receipt], None] = leave
    receipt_sig: bytes | None = None
    late: bool = False
    view: Callable[[table_pb2.View], None] = leave
    welcome: Callable[[play_pb2.Welcome], None] = leave
    said: Callable[[play_pb2.PlayInput], None] = leave
    cut: Callable[[play_pb2.PlayInput], bool] = never
    strange: bytes = b""


@dataclass
class Liar:
    """The proxy: it listens for north, and dials the referee.

    Once it has `lied`, it counts the `answers` that north still gives; it is `believed` where
    north plays on in a deal after that of the lie.
    """

    lies: Lies
    key: SigningKey
    inputs: list[play_pb2.PlayInput] = field(default_factory=list)
    hellos: list[play_pb2.SeatHello] = field(default_factory=list)
    cuts: int = 0
    lied: bool = False
    answers: int = 0
    believed: asyncio.Event = field(default_factory=asyncio.Event)
    cut: asyncio.Event = field(default_factory=asyncio.Event)
    address: str = ""
    _to: grpc.aio.Channel | None = None
    _server: grpc.aio.Server | None = None
    _heads: dict[int, bytes] = field(default_factory=dict)
    _match: bytes = b""
    _held: list[play_pb2.PlayItem] = field(default_factory=list)
    _deal: int = 0
    _lied_in: int = 0

    async def start(self, address: str) -> None:
        """Listen before a referee."""
        self._to = grpc.aio.insecure_channel(address)
        await self._listen("127.0.0.1:0")

    async def _listen(self, address: str) -> None:
        handler = grpc.stream_stream_rpc_method_handler(
            self._play,
            request_deserializer=play_pb2.PlayRequest.FromString,
            response_serializer=play_pb2.PlayResponse.SerializeToString,
        )
        self._server = grpc.aio.server()
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),)
        )
        self.address = f"127.0.0.1:{self._server.add_insecure_port(address)}"
        await self._server.start()

    async def dark(self, seconds: float) -> None:
        """Be away for a while, as a referee that was killed and is started again."""
        if self._server is not None:
            await self._server.stop(0)
        await asyncio.sleep(seconds)
        await self._listen(self.address)

    async def stop(self) -> None:
        """Hang up."""
        if self._server is not None:
            await self._server.stop(0)
        if self._to is not None:
            await self._to.close()

    def said(self, kind: str) -> list[play_pb2.PlayInput]:
        """The inputs of a kind that north has sent."""
        return [said for said in self.inputs if said.WhichOneof("input") == kind]

    async def _play(
        self, requests: AsyncIterator[play_pb2.PlayRequest], context: _Context
    ) -> AsyncIterator[play_pb2.PlayResponse]:
        if self._to is None:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "there is no referee")
        call: _Call = self._to.stream_stream(
            METHOD,
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )()
        saying = asyncio.create_task(self._pass_on(requests, call))
        try:
            async for response in self._heard(call, saying):
                yield self._changed(response)
        except grpc.aio.AioRpcError as err:
            await context.abort(err.code(), err.details() or "")
        finally:
            saying.cancel()
            call.cancel()
        if self.cut.is_set():
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the line is cut")

    async def _heard(
        self, call: _Call, saying: "asyncio.Task[bool]"
    ) -> AsyncIterator[play_pb2.PlayResponse]:
        """What the referee says, until it ends or the line is cut."""
        while not (saying.done() and saying.result()):
            reading = asyncio.create_task(call.read())
            reading.add_done_callback(_seen)
            await asyncio.wait(
                {reading, *(() if saying.done() else (saying,))},
                return_when=asyncio.FIRST_COMPLETED,
            )
            if saying.done() and saying.result():
                reading.cancel()
                break
            message = await reading
            if not isinstance(message, play_pb2.PlayResponse):
                return
            yield message
        self.cuts += 1
        self.cut.set()

    async def _pass_on(self, requests: AsyncIterator[play_pb2.PlayRequest], call: _Call) -> bool:
        """Pass on what north says; True where the line is to be cut."""
        async for request in requests:
            self.hellos.extend(request.hello.seats)
            self.inputs.extend(request.inputs)
            self.answers += len(request.inputs) * self.lied
            if self.lied and any(said.reveal.deal > self._lied_in for said in request.inputs):
                self.believed.set()
            if any(self.lies.cut(said) for said in request.inputs):
                return True
            if request.HasField("hello"):
                self.cut.clear()
            for said in request.inputs:
                self.lies.said(said)
            await call.write(request)
        await call.done_writing()
        return False

    # -- the other story

    def _changed(self, response: play_pb2.PlayResponse) -> play_pb2.PlayResponse:
        told = play_pb2.PlayResponse()
        for item in response.items:
            self._change(item)
            _strange(item, self.lies.strange)
            if not (item.HasField("receipt") and not item.receipt.items):
                told.items.append(item)
        if self.lies.strange:
            told.items.add()  # an item of a kind from after the client was written
            told.MergeFromString(self.lies.strange)
        return self._reordered(told) if self.lies.late else told

    def _reordered(self, told: play_pb2.PlayResponse) -> play_pb2.PlayResponse:
        """The same, with rulings and receipts held back until events have come."""
        items: list[play_pb2.PlayItem] = []
        place: int | None = None
        for item in told.items:
            if item.WhichOneof("item") in {"ruling", "receipt"}:
                self._held.append(item)
                continue
            items.append(item)
            if item.HasField("event"):
                place = len(items)
        if place is not None:
            items[place:place], self._held = self._held, []
        return play_pb2.PlayResponse(items=items)

    def _change(self, item: play_pb2.PlayItem) -> None:
        match item.WhichOneof("item"):
            case "welcome":
                self._match = bytes.fromhex(item.welcome.match)
                self.lies.welcome(item.welcome)
            case "event":
                self._change_event(item.event)
            case "private_deal":
                self._change_cards(item.private_deal)
            case "receipt":
                self._change_receipt(item.receipt)
            case "ask" if item.ask.what == "act":
                self._lie(self.lies.view, item.ask.view)

    def _lie(self, lie: Callable[[_Told], None], told: _Told) -> None:
        true = told.SerializeToString(deterministic=True)
        lie(told)
        self._note(lied=told.SerializeToString(deterministic=True) != true)

    def _note(self, *, lied: bool) -> None:
        if lied and not self.lied:
            self.lied, self._lied_in = True, self._deal

    def _change_event(self, event: events_pb2.Event) -> None:
        row: Row = json.loads(event.event)
        true, kind = bytes(event.event), row["kind"]
        if kind == "deal_open":
            self._deal = int(str(row["deal"]))
        self.lies.row(row)
        self._note(lied=dump(row) != true)
        row["prev"] = self._heads.get(event.seq - 1, START).hex()
        self.lies.seam(row)
        event.event = dump(row)
        head = tagged_hash(EVENT, bytes.fromhex(str(row["prev"])), event.event)
        if event.event != true:
            if event.sig or row["kind"] != kind:  # another kind may have to be signed
                event.sig = self.key.sign(referee_bytes(head))
            _retype(event, head)
        event.sig = self.lies.sig(str(row["kind"]), event.sig)
        self._heads[event.seq] = head

    def _change_cards(self, dealt: play_pb2.PrivateDeal) -> None:
        self._lie(self.lies.cards, dealt)
        cards = [Opening(c.position, c.card, c.salt) for c in dealt.cards]
        signed = private_deal_bytes(self._match, dealt.deal, NORTH, dealt.root, cards)
        dealt.sig = self.key.sign(signed) if self.lies.cards_sig is None else self.lies.cards_sig

    def _change_receipt(self, receipt: play_pb2.Receipt) -> None:
        for item in receipt.items:
            item.head = self._heads.get(item.seq, item.head)
        self._lie(self.lies.receipt, receipt)
        items = [ReceiptItem(i.match, i.deal, i.seq, i.head) for i in receipt.items]
        signed = self.key.sign(receipt_bytes(items))
        receipt.sig = signed if self.lies.receipt_sig is None else self.lies.receipt_sig


def _seen(reading: "asyncio.Task[object]") -> None:
    """Look at how a read ended that nobody waits for any more."""
    if not reading.cancelled():
        reading.exception()


def _retype(event: events_pb2.Event, head: bytes) -> None:
    """Make the typed copy of an event say the same; none where no type can."""
    raw, sig, seq = event.event, event.sig, event.seq
    try:
        typed = read_line(raw, sig).event
    except DealProofError:
        event.Clear()
        event.event, event.sig, event.seq = raw, sig, seq
        return
    event.CopyFrom(event_message(EventItem(seq, raw, sig, typed, head)))


def _strange(item: play_pb2.PlayItem, fields: bytes) -> None:
    """Put fields that nobody knows into an item, and into what it holds."""
    if not fields:
        return
    item.MergeFromString(fields)
    if item.HasField("ask"):
        item.ask.MergeFromString(fields)
        item.ask.view.MergeFromString(fields) if item.ask.HasField("view") else None
    elif item.HasField("event"):
        item.event.MergeFromString(fields)
