"""A match in a few words: what anybody who may see it sees, read without playing it again."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from referee.errors import InternalError
from referee.journal.codec import event_of
from referee.journal.store import Row
from referee.sealing.closing import ZERO, DealClose, MatchClose
from referee.sealing.events import DealOpen
from referee.sealing.parts import Pair
from referee.table.events import MatchCreated, MatchDropped, SeatTaken, for_side
from referee.table.state import MatchState

KINDS: Final = ("created", "seated", "deal_open", "deal_close", "match_close", "dropped")
"""The kinds of rows that a summary is made of."""
DROPPED: Final = "void"
"""The outcome of a match that never opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One match: `state` is waiting, open or closed; `winner` a side, absent where nobody won."""

    match: bytes
    state: str
    rule_set: str
    rules: Mapping[str, str]
    names: tuple[str, ...]
    score: Pair
    games: Pair
    deal: int
    events: int
    outcome: str
    winner: int | None


def summary_of(state: MatchState) -> Summary:
    """The summary of a match in progress, or of one that is over."""
    closed = state.closed
    running = "open" if state.opened else "waiting"
    return Summary(
        match=state.match,
        state="closed" if state.over else running,
        rule_set=state.created.rule_set,
        rules=state.created.rules,
        names=tuple("" if info is None else info.name for info in state.seats),
        score=state.score,
        games=state.games,
        deal=max(state.last_deal, 0),
        events=state.version + 1,
        outcome=(DROPPED if state.dropped else "") if closed is None else closed.outcome,
        winner=None if closed is None else closed.winner,
    )


def summary_of_rows(rows: Iterable[Row]) -> Summary:
    """The summary of a match that is over, from its rows of the kinds that it needs."""
    found: Summary | None = None
    for row in rows:
        event = event_of(row)
        if isinstance(event, MatchCreated):
            found = _begun(event)
        if found is None:
            raise InternalError(f"match {row.match.hex()} has no beginning (restore a backup)")
        match event:
            case SeatTaken():
                names = (
                    *found.names[: event.seat],
                    event.info.name,
                    *found.names[event.seat + 1 :],
                )
                found = replace(found, names=names)
            case DealOpen():
                found = replace(found, deal=event.deal)
            case DealClose():
                found = replace(found, score=event.score)
            case MatchDropped():
                found = replace(found, outcome=DROPPED)
            case MatchClose():
                found = _ended(found, event, (row.seq or 0) + 1)
            case _:
                pass
    if found is None:
        raise InternalError("a match of the index has no rows (restore a backup)")
    return found


def _begun(created: MatchCreated) -> Summary:
    return Summary(
        match=created.match,
        state="closed",
        rule_set=created.rule_set,
        rules=created.rules,
        names=("", "", "", ""),
        score=ZERO,
        games=ZERO,
        deal=0,
        events=0,
        outcome="",
        winner=None,
    )


def _ended(found: Summary, closed: MatchClose, events: int) -> Summary:
    """Under the knob `deals` the match's score is points, and its one game is the winner's."""
    games = closed.score
    if found.rules["deals"].isdigit():
        won = closed.outcome == "finished" and closed.winner is not None
        games = for_side(closed.winner or 0, int(won))
    return replace(found, games=games, outcome=closed.outcome, winner=closed.winner, events=events)
