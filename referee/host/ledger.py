"""From a command to what is durable: decided at once on the newest state, told in order.

The rows of a decision are queued with the store while later commands are decided already. If the
store fails, the ledger falls back to what is durable and says that the rest was not recorded.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

from referee.host.answers import NO_ACTION, answer_to
from referee.host.appends import kept
from referee.host.audience import Audience
from referee.host.items import Answer, EventItem, Misused, Reply, Wrong
from referee.host.past import Past, Spent
from referee.host.record import Mark, Record
from referee.host.resume import fold
from referee.journal.store import Row, Store, StoreClosedError, StoreError
from referee.meter import UNMETERED, Meter
from referee.sealing.closing import DealClose, Fault
from referee.sealing.deck import Sealer, sealed_deck
from referee.sealing.events import DealOpen
from referee.sealing.keys import SigningKey
from referee.table.commands import Command, Malformed
from referee.table.decide import Misuse, decide
from referee.table.events import MatchCreated
from referee.table.evolve import begin
from referee.table.state import MatchState
from referee.table.view import view

log = logging.getLogger(__name__)
LOST: Final = "the journal could not be written: send the same request again"
FULL: Final = "the match waits for the journal: send the same request again in a while"
MOST_WAITING: Final = 256
"""Inputs of one match that may wait for the journal; what the referee does by itself is beside."""
MOST_PASSING: Final = 64
"""Answers of one match that are kept though no row stands for them."""


@dataclass(slots=True)
class Batch:
    """What one decision led to, waiting to be durable."""

    state: MatchState
    mark: Mark
    told: tuple[EventItem, ...]
    faults: tuple[Fault, ...]
    answer: Answer
    replies: list[Reply]
    done: Future[None]


class Ledger:
    """The state of one match: the newest, and the newest that is durable.

    `publish` is called with each batch once it is durable, in order; `healed` after a failure of
    the store, when the newest state is the durable one again; `ill` where it cannot be yet.
    """

    def __init__(
        self,
        created: MatchCreated,
        *,
        store: Store,
        key: SigningKey,
        publish: Callable[[Batch], None],
        healed: Callable[[], None],
        ill: Callable[[], None],
        meter: Meter = UNMETERED,
        sealer: Sealer = sealed_deck,
        past: Past | None = None,
    ) -> None:
        self.state = self.durable = begin(created, sealer)
        self._record = Record(created.match, key)
        self._mark = self._record.mark
        self._store = store
        self._publish = publish
        self._healed = healed
        self._ill = ill
        self._meter = meter
        self._kept = meter.cell("appends", "kept")
        self._waiting: deque[Batch] = deque()
        self._past = past
        self._answers: dict[tuple[int, bytes], Answer] = {}
        self._older: dict[tuple[int, bytes], Answer] = {}
        self._spent = Spent()
        self._passing: deque[tuple[int, bytes]] = deque()
        self._lost: list[Batch] = []
        self.has_lost = False
        """Whether the journal has ever failed under this match."""
        self._frozen = self._shut = False

    @property
    def commit_head(self) -> bytes:
        """The head of the event chain after the newest commit_set."""
        return self._record.mark.commit_head

    @property
    def head(self) -> bytes:
        """The head of the event chain after the newest event."""
        return self._record.mark.head

    @property
    def mark(self) -> Mark:
        """The place in the record of what is durable."""
        return self._mark

    @property
    def idle(self) -> bool:
        """Whether nothing waits for the journal, and nothing was lost."""
        return not self._waiting and not self._frozen

    async def open(self) -> None:
        """Record that the match was created."""
        rows, _ = self._record.rows((self.state.created,))
        self._mark = self._record.mark
        created_at = self.state.created.created_at
        await kept(self._store.append(rows, at_ms=created_at), self._meter)

    def resume(self, rows: Sequence[Row], audience: Audience) -> None:
        """Fold what is durable."""
        self.state, self._answers = fold(self.state, rows, self._record, audience)
        self.durable = self.state
        self._mark = self._record.mark

    def known(self, seat: int, request_id: bytes, reply: Reply) -> bool:
        """Answer an attempt that was made before, or is being recorded just now."""
        attempt = (seat, request_id)
        stored = self._answers.get(attempt) or self._older.get(attempt)
        if stored is None and self._past is not None and attempt in self._spent:
            stored = self._past.answers().get(attempt)
        if stored is not None:
            reply(stored)
            return True
        for batch in self._waiting:
            if request_id and (batch.answer.seat, batch.answer.request_id) == (seat, request_id):
                if len(batch.replies) < MOST_WAITING:
                    batch.replies.append(reply)
                else:
                    reply(self.misused(seat, request_id, "FULL", FULL))
                return True
        return False

    def taking(self, seat: int) -> Batch | None:
        """The batch that is just recording that a seat is taken; None once that is durable."""
        if self.durable.seats[seat] is not None:
            return None
        return next((b for b in self._waiting if b.state.seats[seat] is not None), None)

    def misused(self, seat: int, request_id: bytes, wrong: Wrong, text: str) -> Misused:
        """The answer to an input that has no place now."""
        self._meter.count("misuses", wrong)
        return Misused(
            seat=seat,
            request_id=request_id,
            wrong=wrong,
            text=text,
            view=view(self.durable, seat),
        )

    def submit(
        self, command: Command, seat: int, request_id: bytes, reply: Reply, *, now_ms: int
    ) -> None:
        """Decide a command and queue what it led to.

        What finds the match frozen was meant for a state that may not be the durable one: it is
        sent again, also where the match has been healed just now.
        """
        if self._frozen:
            self.heal()
            reply(self.misused(seat, request_id, "NOT_RECORDED", LOST))
            return
        if request_id and len(self._waiting) >= MOST_WAITING:
            reply(self.misused(seat, request_id, "FULL", FULL))
            return
        before = self.state
        decision = decide(before, command, now_ms=now_ms)
        if isinstance(decision, Misuse):
            reply(self.misused(seat, request_id, decision.kind, decision.text))
            return
        rows, told = self._record.rows(decision.events, request_id)
        self.state = decision.state
        answer: Answer = answer_to(before, command, decision, seat, request_id)
        if isinstance(command, Malformed):
            answer = self.misused(seat, request_id, "MALFORMED", NO_ACTION)
        batch = Batch(
            state=decision.state,
            mark=self._record.mark,
            told=told,
            faults=_new_faults(before, decision.state, told),
            answer=answer,
            replies=[reply],
            done=self._store.append(rows, at_ms=now_ms),
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
                self._keep(batch)
            else:
                self._lose(batch, error)
        self.heal()

    def heal(self) -> None:
        """Fall back to what the journal holds, which may be more than the store could say.

        A commit whose end was not heard of may stand all the same. Where the journal cannot be
        read either, the match stays frozen, and the next input tries again, as does whoever is
        told that it is `ill`. A store that was closed under it does not come back: the match stays
        as it is, and that is said once.
        """
        if not self._frozen or self._waiting or self._shut:
            return
        match = self.state.match
        self.state = self.durable
        try:
            held = sum(1 for _ in self._store.rows(match))
        except StoreClosedError:
            self._shut = True
            log.warning("journal_closed match=%s seq=%s", match.hex(), self.durable.version)
            return
        except StoreError as err:
            log.error("not_healed match=%s error=%s", match.hex(), err)  # noqa: TRY400 -- it says all
            self._ill()
            return
        self._store.heal(match)
        lost, self._lost = self._lost, []
        for batch in lost:
            if self._mark.rows < batch.mark.rows <= held:
                self._keep(batch)
        log.warning("match_healed match=%s seq=%s", match.hex(), self.durable.version)
        self.state = self.durable
        self._record.mark = self._mark
        self._frozen = False
        self._healed()

    def _keep(self, batch: Batch) -> None:
        passing = batch.mark.rows == self._mark.rows
        self.durable = batch.state
        self._mark = batch.mark
        self._kept.number += 1
        if batch.answer.request_id:
            attempt = batch.answer.seat, batch.answer.request_id
            self._answers[attempt] = batch.answer
            if passing:
                self._pass(attempt)
        if any(isinstance(item.event, DealOpen) for item in batch.told):
            self._forget()
        self._publish(batch)

    def _pass(self, attempt: tuple[int, bytes]) -> None:
        """Keep the newest answers that nothing was recorded for: a seat may ask for any number."""
        self._passing.append(attempt)
        if len(self._passing) > MOST_PASSING:
            oldest = self._passing.popleft()
            self._answers.pop(oldest, None)
            self._older.pop(oldest, None)

    def _forget(self) -> None:
        """A deal opens: the answers of the one before the last are left to the journal."""
        if self._past is not None:
            for seat, request_id in self._older:
                self._spent.add(seat, request_id)
            self._older, self._answers = self._answers, {}
            self._past.deal_opened()

    def _lose(self, batch: Batch, error: BaseException | None) -> None:
        if not self._frozen:
            log.error("not_recorded match=%s error=%s", self.state.match.hex(), error)
        self._frozen = self.has_lost = True
        self._meter.count("appends", "lost")
        lost = self.misused(batch.answer.seat, batch.answer.request_id, "NOT_RECORDED", LOST)
        replies, batch.replies = batch.replies, []
        self._lost.append(batch)
        for reply in replies:
            reply(lost)


def _call(loop: asyncio.AbstractEventLoop, settle: Callable[[], None]) -> None:
    """Settle on the loop's thread; what became durable after the loop ended is resumed later."""
    try:
        asyncio.get_running_loop().call_soon(settle)
    except RuntimeError:
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle)


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
