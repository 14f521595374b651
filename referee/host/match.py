"""One match, as whoever sits at it, watches it or made it speaks to it."""

import re
from collections.abc import Sequence
from typing import Final

from referee.host.answers import NO_ACTION
from referee.host.audience import key_of
from referee.host.course import Course
from referee.host.items import (
    AskItem,
    Closing,
    EventItem,
    Item,
    Misused,
    Reply,
    Ruling,
    Sink,
    unheard,
)
from referee.host.measure import note_back, note_superseded
from referee.host.signing import NOT_SIGNED, key_of_seat, signed_action, signed_seed
from referee.sealing.keys import VerifyKey
from referee.sealing.messages import ReceiptItem
from referee.sealing.parts import SeatInfo
from referee.table.commands import (
    Abort,
    Forfeit,
    GiveCommit,
    GiveSeed,
    JoinSeat,
    Malformed,
    SitDown,
    TakeAction,
)
from referee.table.decide import BLIND_SIZE, blind_size
from referee.table.events import Why
from referee.table.state import MatchState
from referee.table.view import View, view

LONGEST_ACTION: Final = 48
_TEXT: Final = re.compile(rf"[ !#-\[\]-~]{{0,{LONGEST_ACTION}}}")
"""What can be the text of an action: printable ASCII without quote and backslash."""


class Match:
    """One match. All methods are called on the event loop's thread.

    What happens by itself is its `course`.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.over = course.over
        self._ledger = course.ledger
        self._deadlines = course.deadlines

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
        return self.course.key.public

    @property
    def commit_head(self) -> bytes:
        """The head of the event chain after the newest commit_set."""
        return self._ledger.commit_head

    def receipt(self, ruling: Ruling) -> ReceiptItem | None:
        """What a receipt says of an accepted input; nothing for a seat without the seal."""
        if ruling.stands is None or self.durable.declined(ruling.seat):
            return None
        deal, seq = ruling.stands
        return ReceiptItem(self.id, deal, seq, self.course.audience.log[seq].head)

    @property
    def connected(self) -> int:
        """How many of its seats a stream holds."""
        return sum(chair.sink is not None for chair in self.course.audience.chairs)

    def view(self, seat: int) -> View | None:
        """The seat's view of what is durable."""
        return view(self.durable, seat)

    @property
    def log(self) -> Sequence[EventItem]:
        """The public events so far."""
        return self.course.audience.log

    def items(self, seat: int, from_seq: int) -> list[Item]:
        """Everything a seat is told from a position on, with what is asked of it now."""
        return [*self.course.audience.items(seat, from_seq), *self.course.asks(seat)]

    # Seats and watchers.

    def sit(self, seat: int, info: SeatInfo, reply: Reply) -> None:
        """A seat's Hello: the first one takes the seat, a later one must say the same."""
        wrong = self.conflict(seat, info)
        if wrong is not None:
            reply(wrong)
        elif self.state.seats[seat] is None:
            self.course.submit(SitDown(seat=seat, info=info), seat, b"", reply)
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
        chair = self.course.audience.chairs[seat]
        if chair.sink is not None:
            note_superseded(self.course.meter, self.id, seat)
        chair.reports = reports
        self.seen(seat)
        self.course.audience.attach(seat, sink, from_seq, self.course.asks(seat))
        self._tell_of_drain(sink)

    def detach(self, seat: int, sink: Sink) -> None:
        """A seat's stream has ended: its clock runs on, and its time of grace begins."""
        chair = self.course.audience.chairs[seat]
        if chair.sink is sink:
            chair.sink = None
            chair.reports = False
            chair.away = True
            self._deadlines.handed(seat)
            self.course.start_grace(seat)

    def lost(self, seat: int) -> None:
        """Whoever said Hello for a seat is gone before a stream held it."""
        chair = self.course.audience.chairs[seat]
        if chair.sink is None and not chair.away:
            chair.away = True
            self.course.start_grace(seat)

    def handed_over(self, seat: int, item: AskItem) -> None:
        """A question has left for its seat, whose clock starts now."""
        if self._deadlines.is_for(key_of(item.ask, item.after)):
            self._deadlines.handed(seat)

    def told(self, seat: int) -> None:
        """The seat has its view by a single call: its clock waits for no stream of it."""
        self._deadlines.handed(seat)

    def watch(self, sink: Sink, from_seq: int) -> None:
        """Tell somebody the public events from a position on."""
        self.course.audience.watch(sink, from_seq)
        self._tell_of_drain(sink)

    def _tell_of_drain(self, sink: Sink) -> None:
        """Whoever comes too late to be told with all others is told by itself."""
        if self.course.draining:
            sink([Closing("draining", "the referee is stopping")])

    def unwatch(self, sink: Sink) -> None:
        """Stop telling."""
        self.course.audience.unwatch(sink)

    def seen(self, seat: int) -> None:
        """A seat shows that it is there: its time of grace ends, and what stood still runs."""
        chair = self.course.audience.chairs[seat]
        self._deadlines.stop_grace(seat)
        if chair.away:
            note_back(self.id, seat)
        chair.away = False
        if chair.owed:
            chair.owed = False
            self.course.set_deadline()

    # Inputs.

    def join(self, seat: int, token: bytes, reply: Reply) -> None:
        """Somebody takes up the invitation to a seat; `token` is the SHA-256 of the seat's."""
        self.course.submit(JoinSeat(seat=seat, token=token), seat, b"", reply)

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
            blind=blind or self.course.chance(size),
            used_ms=self._deadlines.used_ms(),
            seat_sig=sig,
            drawn=not blind,
        )
        signed = signed_action(self.state, command, self._ledger.head)
        if signed is None:
            reply(self._ledger.misused(seat, request_id, "UNSIGNED", NOT_SIGNED))
            return
        self.course.submit(signed, seat, request_id, reply)

    def commit(
        self, seat: int, request_id: bytes, deal: int, commit: bytes, reply: Reply = unheard
    ) -> None:
        """A seat's commitment."""
        if not self._known(seat, request_id, reply):
            command = GiveCommit(seat=seat, deal=deal, commit=commit)
            self.course.submit(command, seat, request_id, reply)

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
        self.course.submit(signed, seat, request_id, reply)

    def malformed(self, seat: int, request_id: bytes, reply: Reply = unheard) -> None:
        """A seat sent rubbish where an action was asked for; a signing seat's does not count."""
        if self._known(seat, request_id, reply):
            return
        if key_of_seat(self.state, seat) is not None:
            reply(self._ledger.misused(seat, request_id, "MALFORMED", NO_ACTION))
            return
        self.course.submit(Malformed(seat=seat), seat, request_id, reply)

    def forfeit(self, seat: int, why: Why, request_id: bytes = b"", reply: Reply = unheard) -> None:
        """A seat gives up, or is given up."""
        known = request_id and self._known(seat, request_id, reply)
        if not known:
            self.course.submit(Forfeit(seat=seat, why=why), seat, request_id, reply)

    def abort(self, *, void: bool = False, reply: Reply = unheard) -> None:
        """End the match: nobody wins."""
        self.course.submit(Abort(void=void), 0, b"", reply)

    def _known(self, seat: int, request_id: bytes, reply: Reply) -> bool:
        """Answer an attempt that was made before; its seat is there in any case."""
        self.seen(seat)
        return self._ledger.known(seat, request_id, reply)
