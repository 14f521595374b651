"""What a match was asked for: checked before it is made, and as the journal has it."""

from collections.abc import Mapping, Sequence

from referee.errors import InternalError, RefereeError
from referee.journal.codec import event_of
from referee.journal.store import Row
from referee.rules import PRESETS, RuleSet, preset
from referee.rules.knobs import FirstDealer
from referee.sealing.parts import Policy
from referee.table.events import MatchCreated, SeatJoined


def rules_of(
    rule_set: str, knobs: Mapping[str, str], policy: Policy, first_dealer: int | None
) -> RuleSet:
    """The rule set that is asked for; RefereeError where policy or dealer do not go with it."""
    base = preset(rule_set or "standard")
    rules = RuleSet.from_map({**base.to_map(), **knobs})
    if first_dealer is not None and rules.first_dealer is not FirstDealer.AGREED:
        raise RefereeError(
            f"the first dealer cannot be named where first_dealer is {rules.first_dealer}"
            " (leave it out, or set the knob to agreed)"
        )
    if rules.deals is not None and policy.games != 1:
        raise RefereeError("a fixed number of deals is one game: set games to 1")
    return rules


def created_of(match_id: bytes, rows: Sequence[Row]) -> MatchCreated:
    """How a match of the journal began; InternalError where it has no beginning."""
    created = event_of(rows[0]) if rows else None
    if not isinstance(created, MatchCreated):
        raise InternalError(f"match {match_id.hex()} has no beginning (restore a backup)")
    return created


def joined_of(rows: Sequence[Row]) -> list[tuple[int, bytes]]:
    """The seats that were joined with an invitation, and what is kept of their tokens."""
    events = [event_of(row) for row in rows[1:]]
    return [(event.seat, event.token) for event in events if isinstance(event, SeatJoined)]


def check_same(made: MatchCreated, asked: MatchCreated) -> None:
    """A match is made once: who asks again asks for the same."""
    if made.tokens != asked.tokens:
        raise RefereeError("the journal has the match of this seed (use another seed)")
    said, says = (
        (dict(one.rules), one.policy, one.first_dealer, one.invited, one.public)
        for one in (made, asked)
    )
    if said != says:
        raise RefereeError(
            "this request_id made a match with other settings (draw a new one for another match)"
        )


def name_of(rules: RuleSet) -> str:
    """The name of a rule set, or `custom`."""
    return next((name for name, known in PRESETS.items() if known == rules), "custom")
