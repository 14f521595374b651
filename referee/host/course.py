"""How one match goes on: what is durable is told and sets the clock, and the clock plays too."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from referee.host.audience import SEATS, Audience, key_of
from referee.host.clock import Chance, Clock, Timer
from referee.host.deadlines import Deadlines, Key
from referee.host.items import AskItem, Closing, FaultItem, Reply, Ruling, unheard
from referee.host.ledger import Batch, Ledger
from referee.host.measure import measure, note_away
from referee.host.past import weakly
from referee.host.resume import Journaled
from referee.journal.store import Row, Store
from referee.meter import UNMETERED, Meter
from referee.sealing.deck import Sealer, sealed_deck
from referee.sealing.events import MatchOpen
from referee.sealing.keys import SigningKey
from referee.table.commands import Command, Forfeit, SeedsMissing, TakeAction
from referee.table.decide import BLIND_SIZE
from referee.table.events import Fallback, MatchCreated
from referee.table.view import Ask, asks

START: Final[Key] = ("start", 0, 0)
HEAL_MS: Final = 1_000
"""How long a match that cannot be healed waits before it is tried again."""


class Course:
    """The course of one match, from a command to what is told, and all that happens by itself.

    It knows the ledger, the audience and the clocks, and nothing of who speaks: that is `Match`'s.
    """

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
        self.draining = False
        self.key = key
        self.chance = chance
        self.meter = meter
        past = Journaled(created, store, key, sealer)
        self.ledger = Ledger(
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
        self.audience = Audience(key, past)
        self.deadlines = Deadlines(clock, weakly(self._expired), weakly(self._gone))
        self._match = created.match
        self._clock = clock
        self._ended = ended
        self._accepted = meter.cell("actions", "accepted")
        self._pending: tuple[Ask, ...] = ()
        self._healing: Timer | None = None

    # Beginning, beginning again, and going down.

    async def begin(self) -> None:
        """Record the match, and start the time in which its seats must be taken."""
        await self.ledger.open()
        self.set_deadline()

    def resume(self, rows: Sequence[Row]) -> None:
        """Fold what is durable; every seat is owed its stream before its clock runs again."""
        self.ledger.resume(rows, self.audience)
        state = self.ledger.durable
        self._pending = asks(state)
        if state.over:
            self.over.set()
            return
        for seat, chair in enumerate(self.audience.chairs):
            chair.away = state.seats[seat] is not None
            chair.owed = chair.away and state.opened
            if chair.owed:
                self.start_grace(seat)
        self.set_deadline()

    def close(self) -> None:
        """Stop the clocks: the referee is going down, or the match is over."""
        self.deadlines.close()
        if self._healing is not None:
            self._healing.cancel()
            self._healing = None

    def drain(self, text: str) -> None:
        """Take nothing more, stop the clocks, and tell everybody."""
        self.draining = True
        self.close()
        self.audience.tell_all(Closing("draining", text))

    # From a command to what is told.

    def submit(self, command: Command, seat: int, request_id: bytes, reply: Reply) -> None:
        """Decide a command, or say that nothing is taken any more."""
        if self.draining:
            reply(self.ledger.misused(seat, request_id, "DRAINING", "the referee is stopping"))
            return
        now = self._clock.wall_ms()
        self.ledger.submit(command, seat, request_id, reply, now_ms=now)

    def _publish(self, batch: Batch) -> None:
        measure(self.meter, self._accepted, batch)
        state = self.ledger.durable
        self._pending = asks(state)
        for item in batch.told:
            self.audience.note(item, batch.state)
        for reply in batch.replies:
            reply(batch.answer)
        if any(isinstance(item.event, MatchOpen) for item in batch.told):
            for seat, chair in enumerate(self.audience.chairs):
                if chair.away:
                    self.start_grace(seat)
        self.set_deadline()
        self._tell(batch)
        if state.over:
            self.close()
            self.over.set()
            self._ended()

    def _tell(self, batch: Batch) -> None:
        state = self.ledger.durable
        faults = [FaultItem(state.version, fault) for fault in batch.faults]
        accepted = isinstance(batch.answer, Ruling) and batch.answer.accepted
        again = None if accepted else batch.answer.seat
        version = state.version
        news = {a.seat: (key_of(a, version), partial(self._asked, a)) for a in self._pending}
        self.audience.tell(batch.told, faults, news, again)
        if state.dropped:
            text = f"the match was dropped: {state.dropped}"
            self.audience.tell_all(Closing("dropped", text))

    def asks(self, seat: int) -> list[AskItem]:
        """What is asked of a seat now."""
        return [self._asked(ask) for ask in self._pending if ask.seat == seat]

    def _asked(self, ask: Ask) -> AskItem:
        """What is asked, with the time that is left for it."""
        left = self.deadlines.left_ms()
        if left not in {0, ask.limit_ms}:
            ask = replace(ask, limit_ms=left)
        return AskItem(self.ledger.durable.version, ask)

    # Clocks.

    def set_deadline(self) -> None:
        """Run the clock for what is asked now; it stands still while a seat is owed its stream."""
        state = self.ledger.durable
        if state.over or self.draining:
            self.deadlines.close()
            return
        if not state.opened:
            self.deadlines.run(START, state.created.policy.start_ms)
            return
        pending = self._pending
        if not pending:
            self.deadlines.stop()
        elif not any(self.audience.chairs[ask.seat].owed for ask in pending):
            key = key_of(pending[0], state.version)
            unread = [ask.seat for ask in pending if self.audience.chairs[ask.seat].reports]
            limit = pending[0].limit_ms
            hold = min(limit, state.created.policy.move_ms)  # a bank is not doubled
            self.deadlines.run(key, limit, unread=unread, hold_ms=hold)

    def start_grace(self, seat: int) -> None:
        """Start the time that an absent seat has to come back, where anything waits for it."""
        state = self.ledger.durable
        if state.opened and not state.over and not self.draining:
            grace_ms = state.created.policy.grace_ms
            note_away(self._match, seat, grace_ms)
            self.deadlines.start_grace(seat, grace_ms)

    def fall_back(self, seat: int, why: Fallback) -> None:
        """Play the fallback action for a seat that is on turn, and count the fault."""
        used = self.deadlines.used_ms()
        blind = self.chance(BLIND_SIZE)
        command = TakeAction(
            seat=seat, action="", blind=blind, used_ms=used, drawn=True, fallback=why
        )
        self.submit(command, seat, b"", unheard)

    def _expired(self, key: Key) -> None:
        """The time for what was asked is over, unless the answer is being recorded just now."""
        state = self.ledger.state
        if key == START:
            if not state.opened:
                missing = [seat for seat in SEATS if state.seats[seat] is None]
                seat = missing[0] if missing else 0
                self.submit(Forfeit(seat=seat, why="START_FAIL"), seat, b"", unheard)
            return
        pending = asks(state)
        if not pending or key_of(pending[0], state.version) != key:
            return
        if pending[0].what == "act":
            seat = pending[0].seat
            away = self.deadlines.absent(seat)
            self.fall_back(seat, "DISCONNECT" if away else "TIMEOUT")
        else:
            self.submit(SeedsMissing(), pending[0].seat, b"", unheard)

    def _gone(self, seat: int) -> None:
        """A seat did not come back in its time of grace."""
        self.deadlines.stop_grace(seat)
        if not self.ledger.state.over:
            self.submit(Forfeit(seat=seat, why="DISCONNECT"), seat, b"", unheard)

    # Healing, after a failure of the store.

    def _healed(self) -> None:
        """The match stands on what is durable again: its clock starts afresh."""
        self.deadlines.stop()
        self.set_deadline()
        for seat, chair in enumerate(self.audience.chairs):
            if chair.away and not self.deadlines.absent(seat):  # its forfeit was lost
                self.start_grace(seat)

    def _heal_later(self) -> None:
        """Try again by itself: the seats may all wait for each other, or for the clock."""
        if self._healing is None and not self.draining:
            self._healing = self._clock.call_later(HEAL_MS, self._heal_now)

    def _heal_now(self) -> None:
        self._healing = None
        self.ledger.heal()
