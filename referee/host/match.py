"""One match in progress: inputs in, durable events out, and the clocks between."""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from referee.host.answers import NO_ACTION
from referee.host.audience import SEATS, Audience, key_of
from referee.host.clock import Clock, Timer
from referee.host.deadlines import Deadlines, Key
from referee.host.items import (
    AskItem,
    Closing,
    EventItem,
    FaultItem,
    Item,
    Misused,
    Reply,
    Ruling,
    Sink,
    unheard,
)
from referee.host.ledger import Batch, Ledger
from referee.host.measure import measure, note_away, note_back, note_superseded
from referee.host.past import weakly
from referee.host.resume import Journaled
from referee.host.signing import NOT_SIGNED, key_of_seat, signed_action, signed_seed
from referee.journal.store import Row, Store
from referee.meter import UNMETERED, Meter
from referee.sealing.deck import Sealer, sealed_deck
from referee.sealing.events import MatchOpen
from referee.sealing.keys import SigningKey, VerifyKey
from referee.sealing.messages import ReceiptItem
from referee.sealing.parts import SeatInfo
from referee.table.commands import (
    Abort,
    Command,
    Forfeit,
    GiveCommit,
    GiveSeed,
    JoinSeat,
    Malformed,
    SeedsMissing,
    SitDown,
    TakeAction,
)
from referee.table.decide import BLIND_SIZE, blind_size
from referee.table.events import Fallback, MatchCreated, Why
from referee.table.state import MatchState
from referee.table.view import Ask, View, asks, view

log = logging.getLogger(__name__)
Chance = Callable[[int], bytes]
LONGEST_ACTION: Final = 48
_TEXT: Final = re.compile(rf"[ !#-\[\]-~]{{0,{LONGEST_ACTION}}}")
"""What can be the text of an action: printable ASCII without quote and backslash."""
START: Final[Key] = ("start", 0, 0)
HEAL_MS: Final = 1_000
"""How long a match that cannot be healed waits before it is tried again."""


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
        ended: Callable[[], None],
        meter: Meter = UNMETERED,
        sealer: Sealer = sealed_deck,
    ) -> None:
        self.over = asyncio.Event()
        past = Journaled(created, store, key, sealer)
        self._ledger = Ledger(
            created,
            store=store,
            key=key,
            publish=weakly(self._publish),
            healed=weakly(self._healed),
            ill=weakly(self._heal_later),
            meter=meter,
            sealer=sealer,
            past=past,
        )
        self._meter = meter
        self._accepted = meter.cell("actions", "accepted")
        self._key = key
        self._clock = clock
        self._chance = chance
        self._ended = ended
        self._audience = Audience(created.match, key, past)
        self._pending: tuple[Ask, ...] = ()
        self._deadlines = Deadlines(clock, weakly(self._expired), weakly(self._gone))
        self._healing: Timer | None = None
        self._draining = False

    # Beginning, and beginning again.

    async def create(self) -> None:
        """Record the match, and start the time in which its seats must be taken."""
        await self._ledger.open()
        self._set_deadline()

    def resume(self, rows: Sequence[Row]) -> None:
        """Fold what is durable; every seat is owed its stream before its clock runs again."""
        self._ledger.resume(rows, self._audience)
        self._pending = asks(self.durable)
        if self.state.over:
            self.over.set()
            return
        for seat, chair in enumerate(self._audience.chairs):
            chair.away = self.state.seats[seat] is not None
            chair.owed = chair.away and self.state.opened
            if chair.owed:
                self._start_grace(seat)
        self._set_deadline()

    def close(self) -> None:
        """Stop the clocks: the referee is going down, or the match is over."""
        self._deadlines.close()
        if self._healing is not None:
            self._healing.cancel()
            self._healing = None

    def drain(self, text: str) -> None:
        """Take nothing more, stop the clocks, and tell everybody."""
        self._draining = True
        self.close()
        self._audience.tell_all(Closing("draining", text))

    # Reading.

    @property
    def state(self) -> MatchState:
        """The newest state, which may not be durable yet."""
        return self._ledger.state

    @property
    def durable(self) -> MatchState:
        """The newest state that is durable: all that is ever told."""
        return self._ledger.durable

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
        return self._ledger.commit_head

    def receipt(self, ruling: Ruling) -> ReceiptItem | None:
        """What a receipt says of an accepted input; nothing for a seat without the seal."""
        if ruling.stands is None or self.durable.declined(ruling.seat):
            return None
        deal, seq = ruling.stands
        return ReceiptItem(self.id, deal, seq, self._audience.log[seq].head)

    @property
    def connected(self) -> int:
        """How many of its seats a stream holds."""
        return sum(chair.sink is not None for chair in self._audience.chairs)

    def view(self, seat: int) -> View | None:
        """The seat's view of what is durable."""
        return view(self.durable, seat)

    @property
    def log(self) -> Sequence[EventItem]:
        """The public events so far."""
        return self._audience.log

    def items(self, seat: int, from_seq: int) -> list[Item]:
        """Everything a seat is told from a position on, with what is asked of it now."""
        return [*self._audience.items(seat, from_seq), *self._asks(seat)]

    def _asks(self, seat: int) -> list[AskItem]:
        return [self._asked(ask) for ask in self._pending if ask.seat == seat]

    def _asked(self, ask: Ask) -> AskItem:
        """What is asked, with the time that is left for it."""
        left = self._deadlines.left_ms()
        if left not in {0, ask.limit_ms}:
            ask = replace(ask, limit_ms=left)
        return AskItem(self.durable.version, ask)

    # Seats and watchers.

    def sit(self, seat: int, info: SeatInfo, reply: Reply) -> None:
        """A seat's Hello: the first one takes the seat, a later one must say the same."""
        wrong = self.conflict(seat, info)
        if wrong is not None:
            reply(wrong)
        elif self.state.seats[seat] is None:
            self._submit(SitDown(seat=seat, info=info), seat, b"", reply)
        elif (taking := self._ledger.taking(seat)) is not None:
            taking.replies.append(reply)
        else:
            reply(Ruling(seat=seat, request_id=b"", accepted=True, after=self.durable.version))

    def conflict(self, seat: int, info: SeatInfo) -> Misused | None:
        """What is wrong with a Hello where the seat's first one said otherwise."""
        taken = self.state.seats[seat]
        if taken is None or (taken.level, taken.key, taken.seed_by) == (
            info.level,
            info.key,
            info.seed_by,
        ):
            return None
        text = "the seat's first Hello had another level, key or source of seeds (keep to it)"
        return Misused(seat=seat, request_id=b"", wrong="CONFLICT", text=text)

    def attach(self, seat: int, sink: Sink, from_seq: int, *, reports: bool = False) -> None:
        """Tell a seat everything from a position on, and what happens from now on.

        A sink that `reports` has its owner call `handed_over` when a question has left.
        """
        chair = self._audience.chairs[seat]
        if chair.sink is not None:
            note_superseded(self._meter, self.id, seat)
        chair.reports = reports
        self.seen(seat)
        self._audience.attach(seat, sink, from_seq, self._asks(seat))
        self._tell_of_drain(sink)

    def detach(self, seat: int, sink: Sink) -> None:
        """A seat's stream has ended: its clock runs on, and its time of grace begins."""
        chair = self._audience.chairs[seat]
        if chair.sink is sink:
            chair.sink = None
            chair.reports = False
            chair.away = True
            self._deadlines.handed(seat)
            self._start_grace(seat)

    def lost(self, seat: int) -> None:
        """Whoever said Hello for a seat is gone before a stream held it."""
        chair = self._audience.chairs[seat]
        if chair.sink is None and not chair.away:
            chair.away = True
            self._start_grace(seat)

    def handed_over(self, seat: int, item: AskItem) -> None:
        """A question has left for its seat, whose clock starts now."""
        if self._deadlines.is_for(key_of(item.ask, item.after)):
            self._deadlines.handed(seat)

    def told(self, seat: int) -> None:
        """The seat has its view by a single call: its clock waits for no stream of it."""
        self._deadlines.handed(seat)

    def watch(self, sink: Sink, from_seq: int) -> None:
        """Tell somebody the public events from a position on."""
        self._audience.watch(sink, from_seq)
        self._tell_of_drain(sink)

    def _tell_of_drain(self, sink: Sink) -> None:
        """Whoever comes too late to be told with all others is told by itself."""
        if self._draining:
            sink([Closing("draining", "the referee is stopping")])

    def unwatch(self, sink: Sink) -> None:
        """Stop telling."""
        self._audience.unwatch(sink)

    def seen(self, seat: int) -> None:
        """A seat shows that it is there: its time of grace ends, and what stood still runs."""
        chair = self._audience.chairs[seat]
        self._deadlines.stop_grace(seat)
        if chair.away:
            note_back(self.id, seat)
        chair.away = False
        if chair.owed:
            chair.owed = False
            self._set_deadline()

    def _start_grace(self, seat: int) -> None:
        if self.durable.opened and not self.durable.over and not self._draining:
            grace_ms = self.durable.created.policy.grace_ms
            note_away(self.id, seat, grace_ms)
            self._deadlines.start_grace(seat, grace_ms)

    # Inputs.

    def join(self, seat: int, token: bytes, reply: Reply) -> None:
        """Somebody takes up the invitation to a seat; `token` is the SHA-256 of the seat's."""
        self._submit(JoinSeat(seat=seat, token=token), seat, b"", reply)

    def act(
        self,
        seat: int,
        request_id: bytes,
        seq: int,
        action: str,
        *,
        blind: bytes = b"",
        sig: bytes = b"",
        reply: Reply = unheard,
    ) -> None:
        """A seat's action. What cannot be the text of an action at all is MALFORMED and counts.

        Nothing counts of a signing seat that its signature does not cover.
        """
        if self._known(seat, request_id, reply):
            return
        if seq != self.state.version + 1 and not self.state.over:
            text = f"seq {seq} is stale: the next event is {self.state.version + 1}"
            reply(self._ledger.misused(seat, request_id, "STALE", text))
            return
        fit = _TEXT.fullmatch(action) is not None
        size = (blind_size(action) if fit else 0) or BLIND_SIZE
        if not fit or len(blind) not in {0, size}:
            self.malformed(seat, request_id, reply)
            return
        command = TakeAction(
            seat=seat,
            action=action,
            blind=blind or self._chance(size),
            used_ms=self._deadlines.used_ms(),
            seat_sig=sig,
            drawn=not blind,
        )
        signed = signed_action(self.state, command, self._ledger.head)
        if signed is None:
            reply(self._ledger.misused(seat, request_id, "UNSIGNED", NOT_SIGNED))
            return
        self._submit(signed, seat, request_id, reply)

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
        if deal is not None and deal.cset and head != self._ledger.commit_head:
            text = "the reveal answers another record: its head is not the one after commit_set"
            reply(self._ledger.misused(seat, request_id, "CONFLICT", text))
            return
        signed = signed_seed(self.state, command, head)
        if signed is None:
            reply(self._ledger.misused(seat, request_id, "UNSIGNED", NOT_SIGNED))
            return
        self._submit(signed, seat, request_id, reply)

    def malformed(self, seat: int, request_id: bytes, reply: Reply = unheard) -> None:
        """A seat sent rubbish where an action was asked for; a signing seat's does not count."""
        if self._known(seat, request_id, reply):
            return
        if key_of_seat(self.state, seat) is not None:
            reply(self._ledger.misused(seat, request_id, "MALFORMED", NO_ACTION))
            return
        self._submit(Malformed(seat=seat), seat, request_id, reply)

    def forfeit(self, seat: int, why: Why, request_id: bytes = b"", reply: Reply = unheard) -> None:
        """A seat gives up, or is given up."""
        known = request_id and self._known(seat, request_id, reply)
        if not known:
            self._submit(Forfeit(seat=seat, why=why), seat, request_id, reply)

    def abort(self, *, void: bool = False, reply: Reply = unheard) -> None:
        """End the match: nobody wins."""
        self._submit(Abort(void=void), 0, b"", reply)

    def fall_back(self, seat: int, why: Fallback) -> None:
        """Play the fallback action for a seat that is on turn, and count the fault."""
        used = self._deadlines.used_ms()
        blind = self._chance(BLIND_SIZE)
        command = TakeAction(
            seat=seat, action="", blind=blind, used_ms=used, drawn=True, fallback=why
        )
        self._submit(command, seat, b"", unheard)

    def _known(self, seat: int, request_id: bytes, reply: Reply) -> bool:
        """Answer an attempt that was made before; its seat is there in any case."""
        self.seen(seat)
        return self._ledger.known(seat, request_id, reply)

    # From a command to what is told.

    def _submit(self, command: Command, seat: int, request_id: bytes, reply: Reply) -> None:
        if self._draining:
            reply(self._ledger.misused(seat, request_id, "DRAINING", "the referee is stopping"))
            return
        now = self._clock.wall_ms()
        self._ledger.submit(command, seat, request_id, reply, now_ms=now)

    def _healed(self) -> None:
        """The store failed, and the match stands on what is durable: its clock starts afresh."""
        self._deadlines.stop()
        self._set_deadline()
        for seat, chair in enumerate(self._audience.chairs):
            if chair.away and not self._deadlines.absent(seat):  # its forfeit was lost
                self._start_grace(seat)

    def _heal_later(self) -> None:
        """Try again by itself: the seats may all wait for each other, or for the clock."""
        if self._healing is None and not self._draining:
            self._healing = self._clock.call_later(HEAL_MS, self._heal_now)

    def _heal_now(self) -> None:
        self._healing = None
        self._ledger.heal()

    def _publish(self, batch: Batch) -> None:
        measure(self._meter, self._accepted, batch)
        self._pending = asks(self.durable)
        for item in batch.told:
            self._audience.note(item, batch.state)
        for reply in batch.replies:
            reply(batch.answer)
        if any(isinstance(item.event, MatchOpen) for item in batch.told):
            for seat, chair in enumerate(self._audience.chairs):
                if chair.away:
                    self._start_grace(seat)
        self._set_deadline()
        self._tell(batch)
        if self.durable.over:
            self.close()
            self.over.set()
            self._ended()

    def _tell(self, batch: Batch) -> None:
        faults = [FaultItem(self.durable.version, fault) for fault in batch.faults]
        accepted = isinstance(batch.answer, Ruling) and batch.answer.accepted
        again = None if accepted else batch.answer.seat
        version = self.durable.version
        news = {a.seat: (key_of(a, version), partial(self._asked, a)) for a in self._pending}
        self._audience.tell(batch.told, faults, news, again)
        if self.durable.dropped:
            text = f"the match was dropped: {self.durable.dropped}"
            self._audience.tell_all(Closing("dropped", text))

    # Clocks.

    def _set_deadline(self) -> None:
        """Run the clock for what is asked now; it stands still while a seat is owed its stream."""
        if self.durable.over or self._draining:
            self._deadlines.close()
            return
        if not self.durable.opened:
            self._deadlines.run(START, self.durable.created.policy.start_ms)
            return
        pending = self._pending
        if not pending:
            self._deadlines.stop()
        elif not any(self._audience.chairs[ask.seat].owed for ask in pending):
            key = key_of(pending[0], self.durable.version)
            unread = [ask.seat for ask in pending if self._audience.chairs[ask.seat].reports]
            limit = pending[0].limit_ms
            hold = min(limit, self.durable.created.policy.move_ms)  # a bank is not doubled
            self._deadlines.run(key, limit, unread=unread, hold_ms=hold)

    def _expired(self, key: Key) -> None:
        """The time for what was asked is over, unless the answer is being recorded just now."""
        if key == START:
            if not self.state.opened:
                missing = [seat for seat in SEATS if self.state.seats[seat] is None]
                self.forfeit(missing[0] if missing else 0, "START_FAIL")
            return
        pending = asks(self.state)
        if not pending or key_of(pending[0], self.state.version) != key:
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
