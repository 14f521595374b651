"""A host with a clock whose hands the test turns, and a store that fails when it is told to."""

import asyncio
import heapq
import itertools
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import ParamSpec

from referee.host.answers import reply_to
from referee.host.clock import Timer
from referee.host.items import (
    Answer,
    AskItem,
    CardsItem,
    Closing,
    EventItem,
    FaultItem,
    Item,
    Misused,
    Ruling,
)
from referee.host.match import Match
from referee.host.mint import Tickets
from referee.host.referee import Referee
from referee.journal.store import Deed, Row, StoreClosedError, StoreError
from referee.rules import action_text
from referee.sealing.commit import seat_commit
from referee.sealing.keys import SigningKey
from referee.sealing.parts import SeatInfo
from referee.table.commands import GiveSeed
from referee.table.policy import policy
from referee.table.state import DealState

KEY = SigningKey.from_bytes("referee", bytes(range(32)))
REQUEST = b"q" * 16
P = ParamSpec("P")


def in_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """A test that runs on an event loop of its own."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def main() -> None:
            await test(*args, **kwargs)

        asyncio.run(main())

    return run


async def settle() -> None:
    """Let everything happen that needs no clock."""
    for _ in range(30):
        await asyncio.sleep(0)


@dataclass
class Alarm:
    """A call that is due later."""

    call: Callable[[], None]
    canceled: bool = False

    def cancel(self) -> None:
        self.canceled = True


class FakeClock:
    """A clock that stands still unless it is turned."""

    def __init__(self) -> None:
        self.now = 1_000
        self._due: list[tuple[int, int, Alarm]] = []
        self._numbers = itertools.count()

    def now_ms(self) -> int:
        return self.now

    def wall_ms(self) -> int:
        return 1_700_000_000_000 + self.now

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> Timer:
        alarm = Alarm(call)
        heapq.heappush(self._due, (self.now + delay_ms, next(self._numbers), alarm))
        return alarm

    async def turn(self, ms: int) -> None:
        """Turn the hands, ringing every alarm on the way."""
        end = self.now + ms
        while self._due and self._due[0][0] <= end:
            self.now, _, alarm = heapq.heappop(self._due)
            if not alarm.canceled:
                alarm.call()
                await settle()
        self.now = end
        await settle()

    async def ring(self) -> None:
        """Ring what is overdue, late: the hands were moved without it."""
        late = [alarm for due, _, alarm in self._due if due <= self.now]
        self._due = [entry for entry in self._due if entry[0] > self.now]
        heapq.heapify(self._due)
        for alarm in late:
            if not alarm.canceled:
                alarm.call()
        await settle()


@dataclass
class MemoryStore:
    """A store in memory that holds appends back, or loses them, when it is told to."""

    kept: dict[bytes, list[Row]] = field(default_factory=dict)
    held: list[tuple[Sequence[Row], int, Future[None]]] = field(default_factory=list)
    times: dict[bytes, int] = field(default_factory=dict)
    trail: list[Deed] = field(default_factory=list)
    holding: bool = False
    broken: bool = False
    trouble: str = ""
    keeping_silent: bool = False
    closed_down: bool = False
    unreadable: bool = False
    lost: set[bytes] = field(default_factory=set)
    reads: int = 0

    def append(self, rows: Sequence[Row], *, at_ms: int) -> Future[None]:
        future: Future[None] = Future()
        future.set_running_or_notify_cancel()
        if self.closed_down:
            future.set_exception(StoreClosedError())
        elif self.holding:
            self.held.append((rows, at_ms, future))
        else:
            self._keep(rows, at_ms, future)
        return future

    def _keep(self, rows: Sequence[Row], at_ms: int, future: Future[None]) -> None:
        self.trouble = "no space left" if self.broken else ""
        matches = {row.match for row in rows}
        taken = any(len(self.kept.get(row.match, ())) > row.n for row in rows)
        if self.broken or taken or matches & self.lost:
            self.lost |= matches
            future.set_exception(StoreError("no space left (free the disk)"))
            return
        for row in rows:
            self.kept.setdefault(row.match, []).append(row)
            if row.kind in {"match_close", "dropped", "board_close"}:
                self.times[row.match] = at_ms
        if self.keeping_silent:
            self.lost |= matches
            future.set_exception(StoreError("nobody knows"))
            return
        future.set_result(None)

    def note(self, deed: Deed) -> Future[None]:
        future: Future[None] = Future()
        self.trouble = "no space left" if self.broken else ""
        if self.broken or self.closed_down:
            future.set_exception(StoreError("no space left, or the store is closed"))
        else:
            self.trail.append(deed)
            future.set_result(None)
        return future

    def release(self) -> None:
        """Write, or lose, everything that was held back."""
        self.holding = False
        held, self.held = self.held, []
        for rows, at_ms, future in held:
            self._keep(rows, at_ms, future)

    def heal(self, match: bytes) -> None:
        self.lost.discard(match)

    def rows(self, match: bytes, kinds: Sequence[str] = ()) -> Iterator[Row]:
        if self.closed_down:
            raise StoreClosedError
        if self.unreadable:
            raise StoreError("the disk cannot be read")
        self.reads += 1
        rows = tuple(self.kept.get(match, ()))
        yield from (row for row in rows if not kinds or row.kind in kinds)

    def beginnings(self, *, since_ms: int) -> Iterator[Row]:
        for match, rows in self.kept.items():
            if self.times.get(match, since_ms) >= since_ms:
                yield from (row for row in rows if row.kind in {"created", "joined"})

    def matches(self, *, newest_first: bool = False) -> list[bytes]:
        ids = list(self.kept)
        return ids[::-1] if newest_first else ids

    def open_matches(self) -> list[bytes]:
        return [match for match in self.kept if match not in self.times]

    def closed_ms(self, match: bytes) -> int | None:
        return self.times.get(match)

    def closed(self, *, since_ms: int = 0) -> Mapping[bytes, int]:
        return {m: self.times[m] for m in self.kept if self.times.get(m, -1) >= since_ms}

    def deeds(self, first: int = 1, last: int | None = None) -> Iterator[Deed]:
        return iter(self.trail[max(first, 1) - 1 : last])

    def deed_count(self) -> int:
        return len(self.trail)

    def close(self) -> None:
        self.release()
        self.closed_down = True


@dataclass
class Ear:
    """One stream of a seat: everything that it was told."""

    items: list[Item] = field(default_factory=list)

    def __call__(self, items: Sequence[Item]) -> None:
        self.items.extend(items)

    @property
    def events(self) -> list[EventItem]:
        return [item for item in self.items if isinstance(item, EventItem)]

    @property
    def kinds(self) -> list[str]:
        return [item.event.kind for item in self.events]

    @property
    def asks(self) -> list[AskItem]:
        return [item for item in self.items if isinstance(item, AskItem)]

    @property
    def cards(self) -> list[CardsItem]:
        return [item for item in self.items if isinstance(item, CardsItem)]

    @property
    def faults(self) -> list[tuple[int, str]]:
        items = [item for item in self.items if isinstance(item, FaultItem)]
        return [(item.fault.seat, item.fault.why) for item in items]

    @property
    def closings(self) -> list[str]:
        return [item.why for item in self.items if isinstance(item, Closing)]


def info(seat: int, level: str = "checks") -> SeatInfo:
    return SeatInfo(name=f"bot{seat}", level=level, seed_by="seat")


class House:
    """One referee with one match, and four ears."""

    def __init__(self, store: MemoryStore | None = None, clock: FakeClock | None = None) -> None:
        self.store = store or MemoryStore()
        self.clock = clock or FakeClock()
        self._numbers = itertools.count(1)
        self.referee = Referee(store=self.store, key=KEY, clock=self.clock, chance=self.chance)
        self.ears = [Ear() for _ in range(4)]
        self.tickets = Tickets(b"", ("", "", "", ""), "")

    def chance(self, size: int) -> bytes:
        return next(self._numbers).to_bytes(size, "big")

    def rid(self) -> bytes:
        return b"r" + self.chance(15)

    @property
    def match(self) -> Match:
        return self.referee.match(self.tickets.match.hex())

    async def create(self, rules: str = "standard", **limits: int) -> "House":
        self.tickets = await self.referee.create(
            rule_set=rules, policy=policy(limits), request_id=REQUEST
        )
        return self

    async def sit(self, *seats: int) -> "House":
        for seat in seats or range(4):
            answer = await self.hear(partial(self.match.sit, seat, info(seat)))
            assert isinstance(answer, Ruling), answer
            self.match.attach(seat, self.ears[seat], 0)
        return self

    async def hear(self, give: Callable[[Callable[[Answer], None]], None]) -> Answer:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        give(reply_to(answer))
        return await answer

    async def restart(self) -> "House":
        """The same journal and clock under a new process; nobody is attached."""
        await settle()
        house = House(self.store, FakeClock())
        house._numbers = itertools.count(10_000)
        house.tickets = self.tickets
        house.referee.matches.resume()
        return house

    # -- what seats do

    @property
    def deal(self) -> DealState:
        deal = self.match.state.deal
        assert deal is not None
        return deal

    @property
    def turn(self) -> int:
        assert self.deal.hand is not None
        assert self.deal.hand.seat_on_turn is not None
        return self.deal.hand.seat_on_turn

    @property
    def legal(self) -> list[str]:
        assert self.deal.hand is not None
        return [action_text(code) for code in self.deal.hand.legal()]

    def seed(self, seat: int) -> tuple[bytes, int | None]:
        cut = 3 if self.deal.cutter == seat else None
        return bytes([seat + 1, self.deal.number]) * 16, cut

    def commit_bytes(self, seat: int) -> bytes:
        seed, cut = self.seed(seat)
        return seat_commit(self.match.id, self.deal.number, seat, seed, cut)

    async def commit(self, seat: int, rid: bytes = b"", commit: bytes = b"") -> Answer:
        given = commit or self.commit_bytes(seat)
        number, rid = self.deal.number, rid or self.rid()
        return await self.hear(lambda reply: self.match.commit(seat, rid, number, given, reply))

    async def reveal(
        self, seat: int, rid: bytes = b"", *, seed: bytes = b"", head: bytes | None = None
    ) -> Answer:
        drawn, cut = self.seed(seat)
        command = GiveSeed(
            seat=seat, deal=self.deal.number, seed=seed or drawn, cut=cut, cset=self.deal.cset
        )
        shown = self.match.commit_head if head is None else head
        rid = rid or self.rid()
        return await self.hear(lambda reply: self.match.reveal(command, rid, shown, reply))

    async def seal(self) -> "House":
        """Commit and reveal until a hand is on the table."""
        while self.deal.hand is None:
            for seat in range(4):
                await self.commit(seat)
            for seat in range(4):
                await self.reveal(seat)
        await settle()
        return self

    async def act(
        self,
        text: str,
        seat: int | None = None,
        *,
        rid: bytes = b"",
        seq: int | None = None,
        blind: bytes = b"",
    ) -> Answer:
        who = self.turn if seat is None else seat
        number = self.match.state.version + 1 if seq is None else seq
        rid = rid or self.rid()
        return await self.hear(
            lambda reply: self.match.act(who, rid, number, text, blind=blind, reply=reply)
        )


async def playing(rules: str = "standard", **limits: int) -> House:
    """A house in which the first hand has just been turned up."""
    house = await House().create(rules, **limits)
    await house.sit()
    return await house.seal()


def ruled(answer: Answer) -> Ruling:
    assert isinstance(answer, Ruling), answer
    return answer


def wrong(answer: Answer) -> str:
    assert isinstance(answer, Misused), answer
    return answer.wrong
