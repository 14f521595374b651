"""The load: tables whose four seats one process holds, playing by chance over the real protocol.

Every seat draws its seeds and reveals them (level seeds), or leaves them to the referee (level
plays), and acts when it is asked to.
A session plays on from where its last round ended, so that setting up is not measured.
"""

import asyncio
import random
from collections.abc import Sequence
from itertools import count
from typing import Final, Protocol

import grpc

from referee.pb.euchre.referee.v1 import (
    events_pb2,
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    table_pb2,
)
from referee.rules import SEATS, Hand, action_text, deal_from_hands, parse_card, preset
from referee.sealing.commit import seat_commit, seat_seed
from referee.sealing.transcript import ZERO_HEAD, event_hash

HOUR_MS: Final = 3_600_000
POLICY: Final = match_pb2.Policy(
    rated=False,
    games=999,
    move_ms=HOUR_MS,
    start_ms=HOUR_MS,
    commit_ms=HOUR_MS,
    reveal_ms=HOUR_MS,
    grace_ms=HOUR_MS,
)
SECRET: Final = b"a secret that every table shares"
RULES: Final = preset("standard")
CUT: Final = 7
PATIENCE_S: Final = 60.0
WIRE_SEATS: Final = (
    table_pb2.SEAT_NORTH,
    table_pb2.SEAT_EAST,
    table_pb2.SEAT_SOUTH,
    table_pb2.SEAT_WEST,
)
_numbers: Final = count(1)
_chance: Final = random.Random(1)


class Session(Protocol):
    """A client at work."""

    async def play(self, actions: int) -> int:
        """Make so many actions more, or a few over; how many they were."""
        ...


class Table:
    """One match, seen from its four seats."""

    def __init__(
        self,
        made: match_pb2.CreateMatchResponse,
        level: play_pb2.Level = play_pb2.LEVEL_SEEDS,
    ) -> None:
        self._level = level
        self.match = made.match.match
        self.tokens = tuple(made.seat_tokens)
        self.watching = made.watch_token
        self.next_seq = 0
        self._id = bytes.fromhex(self.match)
        self._head = self._commit_head = ZERO_HEAD
        self._cset = b""
        self._cuts: dict[int, int | None] = {}

    def fold(self, event: events_pb2.Event) -> None:
        """Take an event into account, once, though each seat is told of it."""
        if event.seq != self.next_seq:
            return
        self.next_seq += 1
        self._head = event_hash(self._head, event.event)
        if event.HasField("commit_set"):
            self._commit_head, self._cset = self._head, event.commit_set.cset

    def hello(self, seat: int) -> play_pb2.SeatHello:
        """A seat's Hello."""
        return play_pb2.SeatHello(
            token=self.tokens[seat], name="load", level=self._level, own_seeds=True
        )

    def input(self, seat: int) -> play_pb2.PlayInput:
        """An input of a seat that says nothing yet."""
        rid = next(_numbers).to_bytes(16, "big")
        return play_pb2.PlayInput(match=self.match, seat=WIRE_SEATS[seat], request_id=rid)

    def commit(self, seat: int, deal: int, *, cutter: bool) -> play_pb2.PlayInput:
        """A seat's commitment."""
        cut = self._cuts[seat] = CUT if cutter else None
        seed = seat_seed(SECRET, self._id, deal)
        message = self.input(seat)
        message.commit.deal = deal
        message.commit.commit = seat_commit(self._id, deal, seat, seed, cut)
        return message

    def reveal(self, seat: int, deal: int) -> play_pb2.PlayInput:
        """A seat's seed."""
        message = self.input(seat)
        message.reveal.deal = deal
        message.reveal.seed = seat_seed(SECRET, self._id, deal)
        message.reveal.cset = self._cset
        message.reveal.head = self._commit_head
        cut = self._cuts[seat]
        if cut is not None:
            message.reveal.cut = cut
        return message

    def act(self, seat: int, seq: int, action: str) -> play_pb2.PlayInput:
        """A seat's action."""
        message = self.input(seat)
        message.act.seq = seq
        message.act.action = action
        return message

    def answer(self, seat: int, ask: play_pb2.Ask) -> play_pb2.PlayInput:
        """What the seat says to what it is asked."""
        if ask.what == "act":
            return self.act(seat, ask.view.state_version + 1, _chance.choice(ask.view.legal))
        if ask.what == "commit":
            return self.commit(seat, ask.deal, cutter=ask.cutter)
        return self.reveal(seat, ask.deal)


async def tables(
    channel: grpc.aio.Channel, number: int, *, level: play_pb2.Level = play_pb2.LEVEL_SEEDS
) -> list[Table]:
    """So many new matches, with four seats of that level."""
    stub = match_pb2_grpc.MatchServiceStub(channel)
    request = match_pb2.CreateMatchRequest(rule_set="standard", policy=POLICY)
    return [
        Table(await stub.CreateMatch(request, timeout=PATIENCE_S), level) for _ in range(number)
    ]


class Multiplexed:
    """All seats of all tables on one stream, each message answered by one message."""

    def __init__(self, channel: grpc.aio.Channel, playing: Sequence[Table]) -> None:
        self.sent = 0
        self.received = 0
        self._tables = {table.match: table for table in playing}
        self._stub = play_pb2_grpc.PlayServiceStub(channel)
        self._held: list[play_pb2.PlayInput] = []
        self._waiting = 0
        self._accepted = 0

    async def play(self, actions: int) -> int:
        """Open the stream the first time, then answer what is asked."""
        start = self._accepted
        if not self.sent:
            self._call = self._stub.Play()
            seats = [table.hello(seat) for table in self._tables.values() for seat in SEATS]
            await self._write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=seats)))
        await self._send(self._held)
        self._held = []
        while self._waiting or self._accepted - start < actions:
            inputs = self._read(await self._call.read())
            if self._accepted - start < actions:
                await self._send(inputs)
            else:
                self._held += inputs
        return self._accepted - start

    async def _send(self, inputs: Sequence[play_pb2.PlayInput]) -> None:
        if inputs:
            self._waiting += len(inputs)
            await self._write(play_pb2.PlayRequest(inputs=inputs))

    async def _write(self, message: play_pb2.PlayRequest) -> None:
        self.sent += 1
        await self._call.write(message)

    def _read(self, message: object) -> list[play_pb2.PlayInput]:
        """Take one message in; the answers to what it asks."""
        if not isinstance(message, play_pb2.PlayResponse):
            raise SystemExit("the referee has ended the stream")
        self.received += 1
        inputs = []
        for item in message.items:
            if item.HasField("receipt"):
                continue  # it is of no single table
            table = self._tables[item.match]
            match item.WhichOneof("item"):
                case "event":
                    table.fold(item.event)
                case "ask":
                    inputs.append(table.answer(item.seat - 1, item.ask))
                case "ruling":
                    self._waiting -= 1
                    self._accepted += item.ruling.HasField("seq")
                case "status":
                    raise SystemExit(f"the referee refuses an input: {item.status.message}")
                case _:
                    pass
        return inputs


class Unary:
    """All seats by single calls; each table makes the next when the last is answered."""

    def __init__(self, channel: grpc.aio.Channel, playing: Sequence[Table]) -> None:
        self.calls = 0
        self._stub = play_pb2_grpc.PlayServiceStub(channel)
        self._tables = playing
        self._hands: dict[str, tuple[Hand, int]] = {}
        self._seated = False
        self._left = 0

    async def play(self, actions: int) -> int:
        """Take the seats the first time, then act."""
        if not self._seated:
            self._seated = True
            for table in self._tables:
                for seat in SEATS:
                    hello = table.input(seat)
                    hello.hello.CopyFrom(table.hello(seat))
                    await self._give(table, seat, hello)
        self._left = actions
        await asyncio.gather(*(self._at(table) for table in self._tables))
        return actions - self._left

    async def _at(self, table: Table) -> None:
        while self._left > 0:
            dealt = self._hands.get(table.match)
            if dealt is None or dealt[0].seat_on_turn is None:
                await self._seal(table)
            else:
                await self._act(table, *dealt)

    async def _act(self, table: Table, hand: Hand, version: int) -> None:
        """One action; who is next and what is legal is known, since all hands are."""
        code = _chance.choice(hand.legal())
        made = await self._give(
            table, hand.turn, table.act(hand.turn, version + 1, action_text(code))
        )
        if not made.item.ruling.accepted:
            raise SystemExit(f"the referee refuses an action: {made.item.ruling.text}")
        self._left -= 1
        hand.advance(code)
        self._hands[table.match] = (hand, made.item.ruling.seq)

    async def _seal(self, table: Table) -> None:
        """Commit and reveal for all seats, and look at the four hands."""
        asked = await self._asked(table)
        for seat in SEATS:
            await self._give(table, seat, table.commit(seat, asked.deal, cutter=False))
        await self._asked(table)
        for seat in SEATS:
            await self._give(table, seat, table.reveal(seat, asked.deal))
        views = [(await self._look(table, seat, table.next_seq)).view for seat in SEATS]
        if views[0].hand:
            hands = {seat: [parse_card(c) for c in views[seat].hand] for seat in SEATS}
            upcard = parse_card(views[0].upcard)
            deal = deal_from_hands(RULES, views[0].dealer - 1, hands, upcard)
            self._hands[table.match] = (Hand(RULES, deal), views[0].state_version)

    async def _asked(self, table: Table) -> play_pb2.Ask:
        found = await self._look(table, 0, table.next_seq)
        for item in found.items:
            if item.HasField("event"):
                table.fold(item.event)
        return found.items[-1].ask

    async def _look(self, table: Table, seat: int, from_seq: int) -> play_pb2.GetViewResponse:
        self.calls += 1
        response: play_pb2.GetViewResponse = await self._stub.GetView(
            play_pb2.GetViewRequest(match=table.match, seat=WIRE_SEATS[seat], from_seq=from_seq),
            timeout=PATIENCE_S,
            metadata=(("authorization", f"Bearer {table.tokens[seat]}"),),
        )
        return response

    async def _give(
        self, table: Table, seat: int, message: play_pb2.PlayInput
    ) -> play_pb2.ActResponse:
        self.calls += 1
        response: play_pb2.ActResponse = await self._stub.Act(
            play_pb2.ActRequest(input=message),
            timeout=PATIENCE_S,
            metadata=(("authorization", f"Bearer {table.tokens[seat]}"),),
        )
        return response


MADE: Final = match_pb2.CreateMatchResponse(
    match=match_pb2.Match(match="5f" * 16), seat_tokens=["5f" * 32] * 4
)


class EchoUnary:
    """As many callers as there are tables, each with an action at a time."""

    def __init__(self, channel: grpc.aio.Channel, callers: int) -> None:
        self._stub = play_pb2_grpc.PlayServiceStub(channel)
        self._callers = callers
        self._table = Table(MADE)
        self._left = 0

    async def play(self, actions: int) -> int:
        """Call so often."""
        self._left = actions
        await asyncio.gather(*(self._call() for _ in range(self._callers)))
        return actions - self._left

    async def _call(self) -> None:
        while self._left > 0:
            await self._stub.Act(
                play_pb2.ActRequest(input=self._table.act(0, 123, "play KD")),
                timeout=PATIENCE_S,
                metadata=(("authorization", f"Bearer {self._table.tokens[0]}"),),
            )
            self._left -= 1


class EchoStream:
    """As many actions under way as there are tables, so many of them in each message."""

    def __init__(self, channel: grpc.aio.Channel, *, under_way: int, in_message: int) -> None:
        self._call = play_pb2_grpc.PlayServiceStub(channel).Play()
        self._messages = max(1, round(under_way / in_message))
        self._in_message = in_message
        self._table = Table(MADE)

    async def play(self, actions: int) -> int:
        """Send, and send again as the answers come."""
        rounds = -(-actions // self._in_message)
        sent = min(self._messages, rounds)
        for _ in range(sent):
            await self._write()
        done = 0
        while done < rounds:
            message = await self._call.read()
            if not isinstance(message, play_pb2.PlayResponse):
                raise SystemExit("the echo has ended the stream")
            for item in message.items:
                if item.WhichOneof("item") == "event":
                    self._table.fold(item.event)
            done += 1
            if sent < rounds:
                sent += 1
                await self._write()
        return rounds * self._in_message

    async def _write(self) -> None:
        inputs = [self._table.act(0, 123, "play KD") for _ in range(self._in_message)]
        await self._call.write(play_pb2.PlayRequest(inputs=inputs))
