"""A server on a free loopback port, its stubs, and a client that plays any seats by a script."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from referee.host.clock import Chance, Clock, LoopClock
from referee.host.match import Match
from referee.host.referee import Referee
from referee.meter import Tally
from referee.pb.euchre.referee.v1 import (
    adjudication_pb2_grpc,
    deal_pb2_grpc,
    lobby_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    status_pb2_grpc,
    table_pb2,
)
from referee.sealing.commit import seat_commit
from referee.service.operators import Operators
from referee.service.quotas import Quotas
from referee.service.server import Listen, Server
from tests.host.support import KEY, MemoryStore

PATIENCE_S = 20.0
P = ParamSpec("P")
SEATS = (
    table_pb2.SEAT_NORTH,
    table_pb2.SEAT_EAST,
    table_pb2.SEAT_SOUTH,
    table_pb2.SEAT_WEST,
)


RUNNER = asyncio.Runner()
"""One event loop for all tests of the service: grpc keeps hold of the first that it sees."""


def on_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """A test that runs on the event loop of the service's tests."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def main() -> None:
            await test(*args, **kwargs)

        RUNNER.run(main())

    return run


async def until(holds: Callable[[], bool]) -> None:
    """Wait for a change in the server that it tells nobody of."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 -- there is no event to wait for
            await asyncio.sleep(0.01)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


@dataclass
class Served:
    """A running server and the stubs of a client."""

    referee: Referee
    server: Server
    store: MemoryStore
    channel: grpc.aio.Channel

    @property
    def matches(self) -> match_pb2_grpc.MatchServiceStub:
        return match_pb2_grpc.MatchServiceStub(self.channel)

    @property
    def plays(self) -> play_pb2_grpc.PlayServiceStub:
        return play_pb2_grpc.PlayServiceStub(self.channel)

    @property
    def rules(self) -> adjudication_pb2_grpc.AdjudicationServiceStub:
        return adjudication_pb2_grpc.AdjudicationServiceStub(self.channel)

    @property
    def deals(self) -> deal_pb2_grpc.DealServiceStub:
        return deal_pb2_grpc.DealServiceStub(self.channel)

    @property
    def lobby(self) -> lobby_pb2_grpc.LobbyServiceStub:
        return lobby_pb2_grpc.LobbyServiceStub(self.channel)

    @property
    def status(self) -> status_pb2_grpc.StatusServiceStub:
        return status_pb2_grpc.StatusServiceStub(self.channel)

    async def create(self, rules: str = "quick", **limits: int) -> "Made":
        return await self.create_as(secrets.token_bytes(16), rules, **limits)

    async def create_as(self, request_id: bytes, rules: str, **limits: int) -> "Made":
        request = match_pb2.CreateMatchRequest(request_id=request_id, rule_set=rules)
        for name, value in limits.items():
            setattr(request.policy, name, value)
        made = await self.matches.CreateMatch(request, timeout=PATIENCE_S)
        return Made(self, made.match.match, tuple(made.seat_tokens), made.watch_token)


@dataclass
class Made:
    """A match on a server, with its tokens."""

    served: Served
    id: str
    seats: tuple[str, ...]
    watching: str

    @property
    def match(self) -> Match:
        return self.served.referee.match(self.id)

    def stream(self, *seats: int, patience: float = PATIENCE_S) -> "Stream":
        return Stream(self, seats or (0, 1, 2, 3), patience)

    def input(self, seat: int) -> play_pb2.PlayInput:
        return play_pb2.PlayInput(
            match=self.id, seat=SEATS[seat], request_id=secrets.token_bytes(16)
        )

    def act(self, seat: int, text: str, seq: int) -> play_pb2.PlayInput:
        said = self.input(seat)
        said.act.seq, said.act.action = seq, text
        return said


def hello(
    token: str, *, level: play_pb2.Level = play_pb2.LEVEL_CHECKS, resume: int = 0, name: str = "bot"
) -> play_pb2.SeatHello:
    return play_pb2.SeatHello(token=token, name=name, level=level, own_seeds=True, resume=resume)


@dataclass
class Stream:
    """One Play stream that holds some seats, and all that it was told."""

    made: Made
    seats: Sequence[int]
    patience: float = PATIENCE_S
    items: list[play_pb2.PlayItem] = field(default_factory=list)
    commits: dict[int, bytes] = field(default_factory=dict)
    _queue: list[play_pb2.PlayItem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.call = self.made.served.plays.Play(timeout=self.patience)

    async def say(self, *inputs: play_pb2.PlayInput) -> None:
        await self.call.write(play_pb2.PlayRequest(inputs=inputs))

    async def hello(self, *entries: play_pb2.SeatHello, protocol: int = 1) -> None:
        given = entries or [hello(self.made.seats[seat]) for seat in self.seats]
        await self.call.write(
            play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=protocol, seats=given))
        )

    async def next(self) -> play_pb2.PlayItem | None:
        """The next item; nothing where the stream has ended."""
        if not self._queue:
            message = await self.call.read()
            if not isinstance(message, play_pb2.PlayResponse):
                return None
            self._queue.extend(message.items)
        item = self._queue.pop(0)
        self.items.append(item)
        return item

    async def until(self, kind: str) -> play_pb2.PlayItem:
        """The next item of a kind."""
        while (item := await self.next()) is not None:
            if item.WhichOneof("item") == kind:
                return item
        raise AssertionError(f"the stream ended before {kind}")

    async def until_asked_to_act(self) -> play_pb2.PlayItem:
        """Do what the seal asks for until some seat is to act."""
        while True:
            item = await self.next()
            assert item is not None
            if item.HasField("ask") and item.ask.what == "act":
                return item
            await self.answer(item)

    async def answer(self, item: play_pb2.PlayItem) -> None:
        """Answer what is asked: the seal as it has to be, the play with the first legal action."""
        if not item.HasField("ask"):
            return
        match, seat, ask = self.made.match, item.seat - 1, item.ask
        said = self.made.input(seat)
        seed, cut = bytes([seat + 1, ask.deal % 250]) * 16, 3 if ask.cutter else None
        if ask.what == "commit":
            said.commit.deal = ask.deal
            said.commit.commit = seat_commit(match.id, ask.deal, seat, seed, cut)
        elif ask.what == "reveal":
            deal = match.durable.deal
            if deal is None:
                return  # it was closed since
            said.reveal.deal, said.reveal.seed = ask.deal, seed
            said.reveal.cset, said.reveal.head = deal.cset, match.commit_head
            if cut is not None:
                said.reveal.cut = cut
        else:
            said.act.seq, said.act.action = ask.view.state_version + 1, ask.view.legal[-1]
        await self.say(said)

    async def play_on(self, deals: int | None = None) -> None:
        """Answer everything until the match is closed, or a number of deals is."""
        closed = {"deal_close": 0, "match_close": 0}
        while (item := await self.next()) is not None:
            await self.answer(item)
            kind = item.event.WhichOneof("kind") if item.HasField("event") else None
            if kind in closed:
                closed[kind] += 1
            if closed["match_close"] == len(self.seats):
                return
            if deals is not None and closed["deal_close"] == deals * len(self.seats):
                return


@asynccontextmanager
async def serving(
    operator_token: str = "",
    address: str = "127.0.0.1:0",
    quotas: Quotas | None = None,
    clock: Clock | None = None,
    also: Sequence[tuple[str, str]] = (),
    *,
    chance: Chance = secrets.token_bytes,
) -> AsyncIterator[Served]:
    """A server as it is after `serve`, but for the store."""
    store = MemoryStore()
    tally = Tally()
    referee = Referee(store=store, key=KEY, clock=clock or LoopClock(), chance=chance, meter=tally)
    operators = [*([("ada", operator_token)] if operator_token else []), *also]
    listen = Listen(
        address=address, operators=Operators.of(operators, "the test"), quotas=quotas or Quotas()
    )
    server = Server(referee, listen, tally)
    await server.start()
    try:
        async with grpc.aio.insecure_channel(server.address) as channel:
            yield Served(referee, server, store, channel)
    finally:
        await server.stop(0)
        referee.close()


@dataclass(frozen=True)
class Refused:
    """The status of a call that failed."""

    code: str
    reason: str
    text: str
    status: status_pb2.Status

    @property
    def fields(self) -> list[str]:
        """The fields that a BadRequest names."""
        found = error_details_pb2.BadRequest()
        return [v.field for v in found.field_violations] if self._unpack(found) else []

    @property
    def quota(self) -> str:
        """The quota that a QuotaFailure names."""
        found = error_details_pb2.QuotaFailure()
        return found.violations[0].quota_id if self._unpack(found) else ""

    @property
    def asks_to_retry(self) -> bool:
        return self._unpack(error_details_pb2.RetryInfo())

    @property
    def view(self) -> table_pb2.View:
        view = table_pb2.View()
        assert self._unpack(view)
        return view

    def _unpack(self, message: Message) -> bool:
        return any(detail.Unpack(message) for detail in self.status.details)


def refused_status(status: status_pb2.Status) -> Refused:
    """A status as it stands in an item, or at the end of a call."""
    info = error_details_pb2.ErrorInfo()
    for detail in status.details:
        detail.Unpack(info)
    assert info.domain == "euchre.referee.v1"
    code = next(c.name for c in grpc.StatusCode if c.value[0] == status.code)
    return Refused(code, info.reason, status.message, status)


async def refusal(call: Awaitable[object]) -> Refused:
    """The status of a call that has to fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]  # it has all it needs
    assert status is not None, caught.value
    return refused_status(status)


async def drain(stream: "grpc.aio.UnaryStreamCall[object, object]") -> list[object]:
    """Every message of a stream."""
    return [message async for message in stream]
