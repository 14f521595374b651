"""The referee's answer to an attempt, when it is decided and when it is read from the journal."""

import asyncio
from collections.abc import Callable
from typing import Final

from referee.errors import InternalError
from referee.host.items import Answer, Misused, Reply, Ruling
from referee.journal.store import Row
from referee.rules import RULE_OF, Reason, Violation, ruling
from referee.sealing.closing import DealClose, Fault
from referee.sealing.events import ActionTaken, SeatCommit
from referee.table.commands import Command, GiveCommit, GiveSeed, TakeAction
from referee.table.decide import MALFORMED, Decision
from referee.table.events import AttemptRefused, CardHidden, Event, PrivateEvent, SeedShown
from referee.table.state import MatchState
from referee.table.view import view

NO_ACTION: Final = "not the text of an action: at most 48 printable ASCII characters (it counts)"


def reply_to(future: "asyncio.Future[Answer]") -> Reply:
    """A reply that fills a future, unless whoever waited for it has gone."""
    return lambda answer: None if future.done() else future.set_result(answer)


async def answer_of(give: Callable[[Reply], None]) -> Answer:
    """The answer to what is given, once it is there."""
    answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    give(reply_to(answer))
    return await answer


def answer_to(
    before: MatchState, command: Command, decision: Decision, seat: int, request_id: bytes
) -> Ruling:
    """The answer to a command that led to a decision in the state before it."""
    state = decision.state
    if decision.violation is not None:
        return _refusal(state, seat, request_id, decision.violation)
    for event in decision.events:
        if isinstance(event, DealClose) and Fault(seat, "WITHHELD") in event.faults:
            return _withheld(state, seat, request_id)
    hidden = next((e for e in decision.events if isinstance(e, CardHidden) and e.drawn), None)
    return Ruling(
        seat=seat,
        request_id=request_id,
        accepted=True,
        after=state.version,
        seq=_action_seq(decision),
        positions=hidden.positions if hidden is not None else (),
        blinds=hidden.blinds if hidden is not None else (),
        attempts=state.attempts[seat],
        stands=_stands(before, command, seat),
    )


def _stands(
    before: MatchState, said: Command | ActionTaken | SeatCommit | SeedShown, seat: int
) -> tuple[int, int] | None:
    """The deal, and the event that an input accepted in a state became or answered.

    An action is the next event, a commitment too, unless it stands already; a reveal answers the
    commit set.
    """
    deal = before.deal
    if deal is None:
        return None
    match said:
        case TakeAction() | ActionTaken():
            return deal.number, before.version + 1
        case GiveCommit() | SeatCommit():
            stood = deal.commit_seqs[seat]
            return deal.number, before.version + 1 if stood is None else stood
        case GiveSeed() | SeedShown():
            return deal.number, deal.cset_seq
        case _:
            return None


def _withheld(state: MatchState, seat: int, request_id: bytes) -> Ruling:
    return Ruling(
        seat=seat,
        request_id=request_id,
        accepted=False,
        after=state.version,
        reason="WITHHELD",
        rule="seal.reveal",
        text="the reveal is not what the commitment holds",
    )


def _action_seq(decision: Decision) -> int | None:
    """The seq of the action's event: public events after it are counted back from the version."""
    public = [e for e in decision.events if not isinstance(e, PrivateEvent)]
    for number, event in enumerate(public):
        if isinstance(event, ActionTaken):
            return decision.state.version - (len(public) - 1 - number)
    return None


def _refusal(state: MatchState, seat: int, request_id: bytes, violation: Violation) -> Ruling:
    seen = view(state, seat)
    return Ruling(
        seat=seat,
        request_id=request_id,
        accepted=False,
        after=state.version,
        reason=violation.reason.value,
        rule=violation.rule,
        text=violation.sentence,
        legal=seen.legal if seen is not None else (),
        attempts=state.attempts[seat],
    )


def stored_answer(before: MatchState, after: MatchState, event: Event, row: Row) -> Answer:
    """The answer that a row of the journal stands for, in the states around its decision."""
    rid = row.request_id
    if isinstance(event, AttemptRefused):
        return _stored_refusal(before, after, event, rid)
    if isinstance(event, DealClose):
        last = event.faults[-1]
        if last.why == "WITHHELD":
            return _withheld(after, last.seat, rid)
        return Ruling(seat=last.seat, request_id=rid, accepted=True, after=after.version)
    if not isinstance(event, ActionTaken | SeatCommit | SeedShown):
        raise InternalError(f"a row of kind {row.kind!r} answers no attempt")
    seat = event.seat
    hidden = before.deal.hidden if before.deal is not None else None
    hidden = hidden if hidden is not None and hidden.drawn else None
    return Ruling(
        seat=seat,
        request_id=rid,
        accepted=True,
        after=after.version,
        seq=row.seq if isinstance(event, ActionTaken) else None,
        positions=hidden.positions if hidden is not None else (),
        blinds=hidden.blinds if hidden is not None else (),
        attempts=after.attempts[seat],
        stands=_stands(before, event, seat),
    )


def _stored_refusal(
    before: MatchState, after: MatchState, event: AttemptRefused, request_id: bytes
) -> Answer:
    attempt, deal = event.attempt, before.deal
    if attempt.action == MALFORMED:
        return Misused(
            seat=attempt.seat,
            request_id=request_id,
            wrong="MALFORMED",
            text=NO_ACTION,
            view=view(after, attempt.seat),
        )
    verdict = ruling(deal.hand, attempt.seat, attempt.action) if deal and deal.hand else None
    if not isinstance(verdict, Violation):
        reason = Reason(attempt.reason)
        verdict = Violation(reason, f"refused by the rule {RULE_OF[reason]}")
    return _refusal(after, attempt.seat, request_id, verdict)
