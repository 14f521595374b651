"""What an event will take, before anything of it is played: rounds, encounters, boards, deals."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from referee.arena.formats.model import TEAMS, Encounter, Outcome, RoundPlan, RoundPlayed
from referee.arena.tournament.field import format_of
from referee.arena.tournament.sheet import Sheet

MOST_ROUNDS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """How much there is to play; `exact` is false where it depends on results.

    `first` is the first round as it will be drawn.
    """

    rounds: int
    encounters: int
    boards: int
    deals: int
    exact: bool
    first: RoundPlan | None


def outline_of(sheet: Sheet) -> Outline:
    """What an event takes where the entry named first wins every meeting."""
    form = format_of(sheet)
    played: list[RoundPlayed] = []
    while len(played) < MOST_ROUNDS and (plan := form.next_round(played)) is not None:
        played.append(RoundPlayed(plan, tuple(map(_first_wins, plan.encounters))))
    encounters = sum(len(one.plan.encounters) for one in played)
    boards = encounters * sheet.boards
    return Outline(
        rounds=len(played),
        encounters=encounters,
        boards=boards,
        deals=boards * sheet.tables,
        exact=form.rounds() is not None and not sheet.format.elimination,
        first=played[0].plan if played else None,
    )


def _first_wins(encounter: Encounter) -> Outcome:
    if len(encounter.entries) == TEAMS:
        return Outcome(scores=(Fraction(1), Fraction(-1)), boards=1, winner=encounter.entries[0])
    return Outcome(scores=(Fraction(0),) * len(encounter.entries), boards=1)
