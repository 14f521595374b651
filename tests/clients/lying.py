"""A true referee, and between it and one seat somebody with its key who tells another story.

The matches are real: three seats play in this process, and north's client dials. What it is told
goes through a proxy that changes one thing and makes everything fit that hangs on it: the chain,
the signatures, the typed copies. So what a client finds is the lie, and not the seam.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
from google.protobuf.message import Message

from referee.arena.bots import BotSpec, parse_bot
from referee.arena.match import Arena, Plan
from referee.host.items import EventItem
from referee.pb.euchre.referee.v1 import events_pb2, play_pb2, table_pb2
from referee.sealing import DealProofError
from referee.sealing.canonical import Json, dump
from referee.sealing.encode import EVENT, tagged_hash
from referee.sealing.messages import (
    Opening,
    ReceiptItem,
    private_deal_bytes,
    receipt_bytes,
    referee_bytes,
)
from referee.sealing.transcript import read_line
from referee.service.convert import event_message
from referee.table.policy import policy
from tests.adversaries.support import LIMITS, Cheat, CheatingReferee
from tests.clients.house import CRASHED, environment
from tests.clients.known import Client
from tests.host.support import KEY

SERVICE: Final = "euchre.referee.v1.PlayService"
METHOD: Final = f"/{SERVICE}/Play"
NORTH: Final = 0
START: Final = bytes(32)
PATIENCE_S: Final = 120.0
Row = dict[str, Json]
_Call = grpc.aio.StreamStreamCall[Message, play_pb2.PlayResponse]
_Context = grpc.aio.ServicerContext[play_pb2.PlayRequest, play_pb2.PlayResponse]


def leave(_what: object) -> None:
    """Change nothing."""


def same_sig(_kind: str, sig: bytes) -> bytes:
    return sig


def never(_said: play_pb2.PlayInput) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Lies:
    """What is changed on the way to north, each in place; `cut` drops the line, input and all.

    A changed event is chained and signed anew; cards and receipts are signed anew. `sig` and `seam`
    come last, for signatures and chains that do not hold. `cards_sig` stands in for a true one.
    With `late`, a ruling and its receipt come after the event that they speak of.
    """

    row: Callable[[Row], None] = leave
    seam: Callable[[Row], None] = leave
    sig: Callable[[str, bytes], bytes] = same_sig
    cards: Callable[[play_pb2.PrivateDeal], None] = leave
    cards_sig: bytes | None = None
    receipt: Callable[[play_pb2.Receipt], None] = leave
    receipt_sig: bytes | None = None
    view: Callable[[table_pb2.View], None] = leave
    welcome: Callable[[play_pb2.Welcome], None] = leave
    cut: Callable[[play_pb2.PlayInput], bool] = never
    late: bool = False


@dataclass
class Liar:
    """The proxy: it listens for north, and dials the referee."""

    lies: Lies
    inputs: list[play_pb2.PlayInput] = field(default_factory=list)
    hellos: list[play_pb2.SeatHello] = field(default_factory=list)
    cuts: int = 0
    cut: asyncio.Event = field(default_factory=asyncio.Event)
    address: str = ""
    _to: grpc.aio.Channel | None = None
    _server: grpc.aio.Server | None = None
    _heads: dict[int, bytes] = field(default_factory=dict)
    _match: bytes = b""
    _held: list[play_pb2.PlayItem] = field(default_factory=list)

    async def start(self, address: str) -> None:
        """Listen before a referee."""
        self._to = grpc.aio.insecure_channel(address)
        handler = grpc.stream_stream_rpc_method_handler(
            self._play,
            request_deserializer=play_pb2.PlayRequest.FromString,
            response_serializer=play_pb2.PlayResponse.SerializeToString,
        )
        self._server = grpc.aio.server()
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),)
        )
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        await self._server.start()

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
        assert self._to is not None
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
            if any(self.lies.cut(said) for said in request.inputs):
                return True
            if request.HasField("hello"):
                self.cut.clear()
            await call.write(request)
        await call.done_writing()
        return False

    # -- the other story

    def _changed(self, response: play_pb2.PlayResponse) -> play_pb2.PlayResponse:
        told = play_pb2.PlayResponse()
        for item in response.items:
            self._change(item)
            if not (item.HasField("receipt") and not item.receipt.items):
                told.items.append(item)
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
                self.lies.view(item.ask.view)

    def _change_event(self, event: events_pb2.Event) -> None:
        row: Row = json.loads(event.event)
        true = bytes(event.event)
        self.lies.row(row)
        row["prev"] = self._heads.get(event.seq - 1, START).hex()
        self.lies.seam(row)
        event.event = dump(row)
        head = tagged_hash(EVENT, bytes.fromhex(str(row["prev"])), event.event)
        if event.event != true:
            if event.sig:
                event.sig = KEY.sign(referee_bytes(head))
            _retype(event, head)
        event.sig = self.lies.sig(str(row["kind"]), event.sig)
        self._heads[event.seq] = head

    def _change_cards(self, dealt: play_pb2.PrivateDeal) -> None:
        self.lies.cards(dealt)
        cards = [Opening(c.position, c.card, c.salt) for c in dealt.cards]
        signed = private_deal_bytes(self._match, dealt.deal, NORTH, dealt.root, cards)
        dealt.sig = KEY.sign(signed) if self.lies.cards_sig is None else self.lies.cards_sig

    def _change_receipt(self, receipt: play_pb2.Receipt) -> None:
        for item in receipt.items:
            item.head = self._heads.get(item.seq, item.head)
        self.lies.receipt(receipt)
        items = [ReceiptItem(i.match, i.deal, i.seq, i.head) for i in receipt.items]
        signed = KEY.sign(receipt_bytes(items))
        receipt.sig = signed if self.lies.receipt_sig is None else self.lies.receipt_sig


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


@dataclass(frozen=True, slots=True, kw_only=True)
class NorthDials(Plan):
    """A plan in which north is a client, and the three others the referee's own."""

    def spec(self, seat: int) -> BotSpec:
        return self.east_west if seat else self.north_south


@dataclass(frozen=True)
class Left:
    """How north's client ended: its exit status, all that it said, and what it had sent."""

    exit: int
    said: str
    liar: Liar

    @property
    def last(self) -> str:
        """The last line that it said."""
        lines = self.said.strip().splitlines()
        return lines[-1] if lines else ""


@dataclass(frozen=True, kw_only=True)
class Story:
    """A match in which north is lied to; with `again`, by another story after a restart."""

    lies: Lies = field(default_factory=Lies)
    again: Lies | None = None
    cheat: Cheat = field(default_factory=Cheat)
    knobs: Mapping[str, str] = field(default_factory=dict)
    chance: Callable[[int], bytes] = secrets.token_bytes
    flags: tuple[str, ...] = ()
    pinned: bool = True


def told(client: Client, story: Story, folder: Path) -> Left:
    """How a client ends that is told a story."""
    return asyncio.run(_told(client, story, folder))


async def _told(client: Client, story: Story, folder: Path) -> Left:
    referee = CheatingReferee(story.cheat, story.chance)
    plan = NorthDials(
        rule_set="quick",
        knobs={"first_dealer": "agreed", "cut": "dealers_right", "target": "15", **story.knobs},
        policy=policy({**LIMITS, "grace_ms": 20_000}),
        north_south=parse_bot("dial"),
        east_west=parse_bot("sensible"),
        first_dealer=2,
    )
    arena = Arena(referee, plan, chance=secrets.token_bytes, directory=folder)
    there: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    playing = asyncio.create_task(arena.play(leave, there.set_result))
    liar = Liar(story.lies)
    try:
        address = (await there).split(" ")[2]  # north: dial ADDRESS with ...
        await liar.start(address)
        async with asyncio.timeout(PATIENCE_S):
            return await _north(client, story, folder, liar)
    finally:
        arena.abort()
        await asyncio.gather(playing, return_exceptions=True)
        await liar.stop()
        referee.close()


async def _north(client: Client, story: Story, folder: Path, liar: Liar) -> Left:
    """North's client, from its start to its end."""
    if story.again is not None:
        first = await _started(client, story, folder, liar)
        await liar.cut.wait()
        first.kill()
        await first.communicate()
        liar.lies = story.again
    process = await _started(client, story, folder, liar)
    try:
        said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    text = said.decode("utf-8", "replace")
    assert not CRASHED.search(text), text
    return Left(process.returncode or 0, text, liar)


async def _started(
    client: Client, story: Story, folder: Path, liar: Liar
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(client.bot("random"), "--referee", liar.address),
        *(("--key", KEY.public.text) if story.pinned else ()),
        *("--token-file", str(folder / "north.token"), "--receipts", str(folder / "receipts")),
        *("--secret-file", str(folder / "secret"), "--state-file", str(folder / "state")),
        *story.flags,
        env=environment(folder),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.STDOUT,
        stdout=asyncio.subprocess.PIPE,
    )
