"""One match in progress: commands in, durable events out, and the clocks between.

Every command is decided at once on the newest state, its rows are queued with the store, and what
it led to is told only when they are durable, in order. If the store fails, the match falls back to
what is durable and says that the rest was not recorded.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Final

from referee.host.answers import answer_to, stored_answer
from referee.host.clock import Clock
from referee.host.deadlines import Deadlines, Key
from referee.host.items import (
    Answer,
    AskItem,
    CardsItem,
    Closing,
    EventItem,
    FaultItem,
    Item,
    Misused,
    Reply,
    Ruling,
    Sink,
    Wrong,
    unheard,
)
from referee.host.record import Mark, Record
from referee.journal.codec import event_of
from referee.journal.store import Row, Store
from referee.sealing.closing import DealClose, Fault
from referee.sealing.events import DeckRoot, MatchOpen
from referee.sealing.keys import SigningKey, VerifyKey
from referee.sealing.messages import private_deal_bytes
from referee.sealing.parts import SeatInfo
from referee.table.commands import (
    Abort,
    Command,
    Forfeit,
    GiveCommit,
    GiveSeed,
    Malformed,
    SeedsMissing,
    SitDown,
    TakeAction,
)
from referee.table.decide import Misuse, decide
from referee.table.events import Fallback, MatchCreated, PrivateEvent, Why
from referee.table.evolve import begin, evolve
from referee.table.state import MatchState
from referee.table.view import Ask, View, asks, private_cards, view

log = logging.getLogger(__name__)
Chance = Callable[[int], bytes]
SEATS: Final = range(4)
BLIND_SIZE: Final = 32
LONGEST_ACTION: Final = 48
START: Final[Key] = ("start", 0, 0)


@dataclass(slots=True)
class _Batch:
    """What one decision led to, waiting to be durable."""

    state: MatchState
    mark: Mark
    told: tuple[EventItem, ...]
    faults: tuple[Fault, ...]
    answer: Answer
    replies: list[Reply]
    done: Future[None]


@dataclass(slots=True)
class _Chair:
    """A seat as the host knows it.

    `away` is a seat whose stream has ended; `owed` one that the referee's own restart cut off,
    whose clock stands still until it is back. `asked` is what it was asked last.
    """

    sink: Sink | None = None
    away: bool = False
    owed: bool = False
    asked: Key | None = None
    cards: list[CardsItem] = field(default_factory=list)


class Match:
    """One match. All methods are called on the event loop's thread."""

    def __init__(
        self,
        created: MatchCreated,
        *,
        store: Store,
        key: SigningKey,
        clock: Clock,
        chance: Chance,
    ) -> None:
        self.state = self.durable = begin(created)
        self.log: list[EventItem] = []
        self.over = asyncio.Event()
        self._record = Record(created.match, key)
        self._mark = self._record.mark
        self._key = key
        self._store = store
        self._clock = clock
        self._chance = chance
        self._chairs = tuple(_Chair() for _ in SEATS)
        self._watchers: list[Sink] = []
        self._pending: tuple[Ask, ...] = ()
        self._waiting: deque[_Batch] = deque()
        self._answers: dict[tuple[int, bytes], Answer] = {}
        self._deadlines = Deadlines(clock, self._expired, self._gone)
        self._frozen = False

    # Beginning, and beginning again.

    async def create(self) -> None:
        """Record the match, and start the time in which its seats must be taken."""
        rows, _ = self._record.rows((self.state.created,))
        self._mark = self._record.mark
        await asyncio.wrap_future(self._store.append(rows))
        self._set_deadline()

    def resume(self, rows: Sequence[Row]) -> None:
        """Fold what is durable; every seat is owed its stream before its clock runs again."""
        for row in rows:
            self._record.pass_by(row)
            if row.n == 0:
                continue
            event = event_of(row)
            before = self.state
            self.state = evolve(self.state, event)
            if row.seq is not None and not isinstance(event, PrivateEvent):
                item = EventItem(row.seq, row.body, row.sig, event)
                self._note(item, self.state)
            if row.request_id:
                answer = stored_answer(before, self.state, event, row)
                self._answers[answer.seat, answer.request_id] = answer
        self.durable = self.state
        self._pending = asks(self.durable)
        self._mark = self._record.mark
        if self.state.over:
            self.over.set()
            return
        for seat, chair in enumerate(self._chairs):
            if self.state.opened and not self.state.declined(seat):
                chair.owed = chair.away = True
                self._start_grace(seat)
        self._set_deadline()

    def close(self) -> None:
        """Stop the clocks: the referee is going down, or the match is over."""
        self._deadlines.close()

    # Reading.

    @property
    def id(self) -> bytes:
        """The match id."""
        return self.state.match

    @property
    def referee_key(self) -> VerifyKey:
        """The key under which this match is recorded."""
        return self._key.public

    @property
    def commit_head(self) -> bytes:
        """The head of the event chain after the newest commit_set."""
        return self._record.mark.commit_head

    def view(self, seat: int) -> View | None:
        """The seat's view of what is durable."""
        return view(self.durable, seat)

    def items(self, seat: int, from_seq: int) -> list[Item]:
        """Everything a seat is told from a position on, with what is asked of it now."""
        items: list[Item] = []
        cards = {c.after: c for c in self._chairs[seat].cards if c.after + 1 >= from_seq}
        if from_seq - 1 in cards:
            items.append(cards[from_seq - 1])
        for event in self.log[from_seq:]:
            items.append(event)
            if event.seq in cards:
                items.append(cards[event.seq])
        items.extend(self._asks(seat))
        return items

    def _asks(self, seat: int) -> list[AskItem]:
        left = self._deadlines.left_ms()
        return [
            AskItem(self.durable.version, replace(ask, limit_ms=left or ask.limit_ms))
            for ask in self._pending
            if ask.seat == seat
        ]

    # Seats and watchers.

    def sit(self, seat: int, info: SeatInfo, reply: Reply) -> None:
        """A seat's Hello: the first one takes the seat, a later one must say the same."""
        taken = self.state.seats[seat]
        if taken is None:
            self._submit(SitDown(seat=seat, info=info), seat, b"", reply)
        elif (taken.level, taken.key, taken.seed_by) != (info.level, info.key, info.seed_by):
            text = "the seat's first Hello had another level, key or source of seeds (keep to it)"
            reply(Misused(seat=seat, request_id=b"", wrong="CONFLICT", text=text))
        else:
            reply(Ruling(seat=seat, request_id=b"", accepted=True, after=self.durable.version))

    def attach(self, seat: int, sink: Sink, from_seq: int) -> None:
        """Tell a seat everything from a position on, and what happens from now on."""
        chair = self._chairs[seat]
        if chair.sink is not None:
            chair.sink([Closing("superseded", "another stream has taken the seat")])
        chair.sink = sink
        self._came_back(seat)
        items = self.items(seat, from_seq)
        chair.asked = next((_key(i.ask, i.after) for i in items if isinstance(i, AskItem)), None)
        sink(items)

    def detach(self, seat: int, sink: Sink) -> None:
        """A seat's stream has ended: its clock runs on, and its time of grace begins."""
        chair = self._chairs[seat]
        if chair.sink is sink:
            chair.sink = None
            chair.away = True
            self._start_grace(seat)

    def watch(self, sink: Sink, from_seq: int) -> None:
        """Tell somebody the public events from a position on."""
        self._watchers.append(sink)
        sink(list(self.log[from_seq:]))

    def unwatch(self, sink: Sink) -> None:
        """Stop telling."""
        if sink in self._watchers:
            self._watchers.remove(sink)

    def tell_all(self, item: Item) -> None:
        """Tell every seat and watcher the same."""
        for sink in (*(chair.sink for chair in self._chairs), *self._watchers):
            if sink is not None:
                sink([item])

    def _came_back(self, seat: int) -> None:
        chair = self._chairs[seat]
        self._deadlines.stop_grace(seat)
        chair.away = False
        if chair.owed:
            chair.owed = False
            self._set_deadline()

    def _start_grace(self, seat: int) -> None:
        if self.state.opened and not self.state.over:
            self._deadlines.start_grace(seat, self.state.created.policy.grace_ms)

    # Inputs.

    def act(
        self,
        seat: int,
        request_id: bytes,
        seq: int,
        action: str,
        *,
        blind: bytes = b"",
        reply: Reply = unheard,
    ) -> None:
        """A seat's action. What cannot be the text of an action at all is MALFORMED and counts."""
        if self._known(seat, request_id, reply):
            return
        if seq != self.state.version + 1 and not self.state.over:
            text = f"seq {seq} is stale: the next event is {self.state.version + 1}"
            reply(self._misused(seat, request_id, "STALE", text))
            return
        fit = len(action) <= LONGEST_ACTION and all(
            " " <= ch <= "~" and ch not in '"\\' for ch in action
        )
        if not fit or len(blind) not in {0, BLIND_SIZE}:
            self._submit(Malformed(seat=seat), seat, request_id, reply)
            return
        used = self._deadlines.used_ms()
        drawn = blind or self._chance(BLIND_SIZE)
        command = TakeAction(seat=seat, action=action, blind=drawn, used_ms=used)
        self._submit(command, seat, request_id, reply, drawn=not blind)

    def commit(
        self, seat: int, request_id: bytes, deal: int, commit: bytes, reply: Reply = unheard
    ) -> None:
        """A seat's commitment."""
        if not self._known(seat, request_id, reply):
            command = GiveCommit(seat=seat, deal=deal, commit=commit)
            self._submit(command, seat, request_id, reply)

    def reveal(
        self, command: GiveSeed, request_id: bytes, head: bytes, reply: Reply = unheard
    ) -> None:
        """A seat's seed; `head` is the head after commit_set, as the seat has computed it."""
        seat = command.seat
        if self._known(seat, request_id, reply):
            return
        deal = self.state.deal
        if deal is not None and deal.cset and head != self._record.mark.commit_head:
            text = "the reveal answers another record: its head is not the one after commit_set"
            reply(self._misused(seat, request_id, "CONFLICT", text))
            return
        self._submit(command, seat, request_id, reply)

    def malformed(self, seat: int, request_id: bytes, reply: Reply = unheard) -> None:
        """A seat sent rubbish where an action was asked for."""
        if not self._known(seat, request_id, reply):
            self._submit(Malformed(seat=seat), seat, request_id, reply)

    def forfeit(self, seat: int, why: Why, reply: Reply = unheard) -> None:
        """A seat gives up, or is given up."""
        self._submit(Forfeit(seat=seat, why=why), seat, b"", reply)

    def abort(self, *, void: bool = False, reply: Reply = unheard) -> None:
        """End the match: nobody wins."""
        self._submit(Abort(void=void), 0, b"", reply)

    def fall_back(self, seat: int, why: Fallback) -> None:
        """Play the fallback action for a seat that is on turn, and count the fault."""
        used = self._deadlines.used_ms()
        blind = self._chance(BLIND_SIZE)
        command = TakeAction(seat=seat, action="", blind=blind, used_ms=used, fallback=why)
        self._submit(command, seat, b"", unheard)

    def _known(self, seat: int, request_id: bytes, reply: Reply) -> bool:
        """Answer an attempt that was made before, or is being recorded just now."""
        self._came_back(seat)
        stored = self._answers.get((seat, request_id))
        if stored is not None:
            reply(stored)
            return True
        for batch in self._waiting:
            if request_id and (batch.answer.seat, batch.answer.request_id) == (seat, request_id):
                batch.replies.append(reply)
                return True
        return False

    def _misused(self, seat: int, request_id: bytes, wrong: Wrong, text: str) -> Misused:
        return Misused(
            seat=seat, request_id=request_id, wrong=wrong, text=text, view=self.view(seat)
        )

    # From a command to what is told.

    def _submit(
        self, command: Command, seat: int, request_id: bytes, reply: Reply, *, drawn: bool = False
    ) -> None:
        if self._frozen:
            text = "the journal could not be written: send the same request again"
            reply(self._misused(seat, request_id, "NOT_RECORDED", text))
            return
        before = self.state
        decision = decide(before, command, now_ms=self._clock.wall_ms())
        if isinstance(decision, Misuse):
            reply(self._misused(seat, request_id, decision.kind, decision.text))
            return
        rows, told = self._record.rows(decision.events, request_id)
        self.state = decision.state
        answer: Answer = answer_to(decision, seat, request_id, drawn=drawn)
        if isinstance(command, Malformed):
            text = "not the text of an action: at most 48 printable ASCII characters (it counts)"
            answer = self._misused(seat, request_id, "MALFORMED", text)
        batch = _Batch(
            state=decision.state,
            mark=self._record.mark,
            told=told,
            faults=_new_faults(before, decision.state, told),
            answer=answer,
            replies=[reply],
            done=self._store.append(rows),
        )
        self._waiting.append(batch)
        loop = asyncio.get_running_loop()
        batch.done.add_done_callback(lambda _: _call(loop, self._settle))

    def _settle(self) -> None:
        """Tell what has become durable, in order; fall back where something has not."""
        while self._waiting and self._waiting[0].done.done():
            batch = self._waiting.popleft()
            error = batch.done.exception()
            if error is None and not self._frozen:
                self._publish(batch)
            else:
                self._lose(batch, error)
        if self._frozen and not self._waiting:
            self._store.heal(self.id)
            self.state = self.durable
            self._record.mark = self._mark
            self._frozen = False
            self._set_deadline()

    def _lose(self, batch: _Batch, error: BaseException | None) -> None:
        if not self._frozen:
            log.error("not_recorded match=%s error=%s", self.id.hex(), error)
        self._frozen = True
        text = "the journal could not be written: send the same request again"
        lost = self._misused(batch.answer.seat, batch.answer.request_id, "NOT_RECORDED", text)
        for reply in batch.replies:
            reply(lost)

    def _publish(self, batch: _Batch) -> None:
        self.durable = batch.state
        self._pending = asks(self.durable)
        self._mark = batch.mark
        if batch.answer.request_id:
            self._answers[batch.answer.seat, batch.answer.request_id] = batch.answer
        for item in batch.told:
            self._note(item, batch.state)
        for reply in batch.replies:
            reply(batch.answer)
        if any(isinstance(item.event, MatchOpen) for item in batch.told):
            for seat, chair in enumerate(self._chairs):
                if chair.away:
                    self._start_grace(seat)
        self._set_deadline()
        self._tell(batch)
        if self.state.over:
            self.close()
            self.over.set()

    def _note(self, item: EventItem, state: MatchState) -> None:
        """Keep a public event, and the private cards that come with a fixed deck."""
        self.log.append(item)
        event = item.event
        if not isinstance(event, DeckRoot):
            return
        for seat, chair in enumerate(self._chairs):
            cards = private_cards(state, seat)
            if cards:
                signed = private_deal_bytes(self.id, event.deal, seat, event.root, cards)
                sig = self._key.sign(signed)
                chair.cards.append(CardsItem(item.seq, event.deal, event.root, cards, sig))

    def _tell(self, batch: _Batch) -> None:
        faults = [FaultItem(self.durable.version, fault) for fault in batch.faults]
        for sink in self._watchers:
            sink([*batch.told, *faults])
        for seat, chair in enumerate(self._chairs):
            if chair.sink is None:
                continue
            items: list[Item] = []
            cards = {c.after: c for c in chair.cards[-1:]}
            for event in batch.told:
                items.append(event)
                if event.seq in cards:
                    items.append(cards[event.seq])
            items.extend(faults)
            items.extend(self._new_asks(seat, chair, batch))
            if self.durable.dropped:
                items.append(Closing("dropped", f"the match was dropped: {self.durable.dropped}"))
            if items:
                chair.sink(items)

    def _new_asks(self, seat: int, chair: _Chair, batch: _Batch) -> list[AskItem]:
        """What the seat is asked and has not been told, or is asked again after a refusal."""
        news = self._asks(seat)
        key = _key(news[0].ask, news[0].after) if news else None
        accepted = isinstance(batch.answer, Ruling) and batch.answer.accepted
        again = not accepted and batch.answer.seat == seat
        if key == chair.asked and not again:
            return []
        chair.asked = key
        return news

    # Clocks.

    def _set_deadline(self) -> None:
        """Run the clock for what is asked now; it stands still while a seat is owed its stream."""
        if self.durable.over:
            self._deadlines.close()
            return
        if not self.durable.opened:
            self._deadlines.run(START, self.durable.created.policy.start_ms)
            return
        pending = self._pending
        if not pending:
            self._deadlines.stop()
        elif not any(self._chairs[ask.seat].owed for ask in pending):
            self._deadlines.run(_key(pending[0], self.durable.version), pending[0].limit_ms)

    def _expired(self, key: Key) -> None:
        """The time for what was asked is over, unless the answer is being recorded just now."""
        if key == START:
            if not self.state.opened:
                missing = [seat for seat in SEATS if self.state.seats[seat] is None]
                self.forfeit(missing[0] if missing else 0, "START_FAIL")
            return
        pending = asks(self.state)
        if not pending or _key(pending[0], self.state.version) != key:
            return
        if pending[0].what == "act":
            seat = pending[0].seat
            away = self._deadlines.absent(seat)
            self.fall_back(seat, "DISCONNECT" if away else "TIMEOUT")
        else:
            self._submit(SeedsMissing(), pending[0].seat, b"", unheard)

    def _gone(self, seat: int) -> None:
        """A seat did not come back in its time of grace."""
        self._deadlines.stop_grace(seat)
        if not self.state.over:
            self.forfeit(seat, "DISCONNECT")


def _call(loop: asyncio.AbstractEventLoop, settle: Callable[[], None]) -> None:
    """Settle on the loop's thread; what became durable after the loop ended is resumed later."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(settle)


def _key(ask: Ask, version: int) -> Key:
    return (ask.what, ask.deal, version if ask.what == "act" else 0)


def _new_faults(
    before: MatchState, after: MatchState, told: Sequence[EventItem]
) -> tuple[Fault, ...]:
    """The faults that one decision added."""
    known = before.deal.faults if before.deal is not None else ()
    for item in told:
        if isinstance(item.event, DealClose):
            return item.event.faults[len(known) :]
    now = after.deal.faults if after.deal is not None else ()
    return now[len(known) :]
