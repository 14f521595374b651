"""A match as its journal holds it: the rows folded, and the answers that they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.host.answers import stored_answer
from referee.host.audience import Audience
from referee.host.items import Answer, EventItem
from referee.host.record import Record
from referee.journal.codec import event_of
from referee.journal.store import Row
from referee.table.events import Event, PrivateEvent
from referee.table.evolve import evolve
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
