"""A match as its journal holds it: the rows folded, and the answers that they stand for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.host.answers import stored_answer
from referee.host.audience import Audience
from referee.host.items import Answer, EventItem, Item
from referee.host.record import Record
from referee.journal.codec import event_of
from referee.journal.store import Row, Store
from referee.sealing.deck import Sealer
from referee.sealing.keys import SigningKey
from referee.sealing.transcript import ZERO_HEAD, event_hash
from referee.table.events import Event, MatchCreated, PrivateEvent
from referee.table.evolve import begin, evolve
from referee.table.follow import follow
from referee.table.state import MatchState


@dataclass(frozen=True, slots=True)
class _Asked:
    """An attempt whose decision is being folded: the state before it, and its row."""

    before: MatchState
    event: Event
    row: Row


def fold(
    state: MatchState, rows: Sequence[Row], record: Record, audience: Audience
) -> tuple[MatchState, dict[tuple[int, bytes], Answer]]:
    """The state after all rows, and the answer to every attempt that one of them keeps.

    An answer speaks of the state after its whole decision, which is over when nothing follows.
    """
    answers: dict[tuple[int, bytes], Answer] = {}
    asked: _Asked | None = None
    for row in rows:
        record.pass_by(row)
        if row.n == 0:
            continue
        event = event_of(row)
        if row.request_id and asked is None:
            asked = _Asked(state, event, row)
        state = evolve(state, event)
        if row.seq is not None and not isinstance(event, PrivateEvent):
            audience.note(EventItem(row.seq, row.body, row.sig, event, record.mark.head), state)
        if asked is not None and follow(state, now_ms=0) is None:
            answer = stored_answer(asked.before, state, asked.event, asked.row)
            answers[answer.seat, answer.request_id] = answer
            asked = None
    return state, answers


@dataclass(slots=True)
class _Folded:
    """Rows that have been folded, and what they came to."""

    state: MatchState
    record: Record
    audience: Audience
    answers: dict[tuple[int, bytes], Answer] = field(default_factory=dict)


class Journaled:
    """The past of a match, out of its rows.

    Folding them takes milliseconds a deal, and a seat may ask as often as it likes: what was folded
    is kept as long as somebody asks for it in every deal, and folded on from there.
    """

    def __init__(
        self, created: MatchCreated, store: Store, key: SigningKey, sealer: Sealer
    ) -> None:
        self._created = created
        self._store = store
        self._key = key
        self._sealer = sealer
        self._folded: _Folded | None = None
        self._is_new = False

    def deal_opened(self) -> None:
        """More is past than before; what nobody asked for since the last deal opened is let go."""
        if not self._is_new:
            self._folded = None
        self._is_new = False

    def events(self, start: int, stop: int) -> list[EventItem]:
        """The public events between two positions, which only have to be chained again."""
        if self._is_new and self._folded is not None:
            return self._folded.audience.log[start:stop]
        head, found = ZERO_HEAD, []
        for row in self._store.rows(self._created.match):
            if row.seq is None:
                continue
            if row.seq >= stop:
                break
            head = event_hash(head, row.body)
            event = event_of(row) if row.seq >= start else None
            if event is not None and not isinstance(event, PrivateEvent):
                found.append(EventItem(row.seq, row.body, row.sig, event, head))
        return found

    def items(self, seat: int, from_seq: int) -> list[Item]:
        """The events from a position on, with a seat's cards between them."""
        return self._fold().audience.items(seat, from_seq)

    def answers(self) -> Mapping[tuple[int, bytes], Answer]:
        """The answer to every attempt that a row keeps."""
        return self._fold().answers

    def _fold(self) -> _Folded:
        """What is past by now, folded; of a deal that is played only what was asked for last."""
        if self._is_new and self._folded is not None:
            return self._folded
        match = self._created.match
        rows = tuple(self._store.rows(match))
        folded, self._folded = self._folded, None  # a row that makes no sense leaves it half done
        if folded is None:
            state = begin(self._created, self._sealer)
            folded = _Folded(state, Record(match, self._key), Audience(self._key))
        late = rows[folded.record.mark.rows :]
        folded.state, answers = fold(folded.state, late, folded.record, folded.audience)
        folded.answers.update(answers)
        self._folded, self._is_new = folded, True
        return folded
