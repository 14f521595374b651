"""What a deal pays, and to which side (rule book, chapter score)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.errors import InternalError
from referee.rules.knobs import DefendAlone, TrumpMaking
from referee.rules.play import TRICKS
from referee.rules.ruleset import RuleSet
from referee.rules.seats import NOBODY, SIDE_MASK, SIDES, Seat, Side
from referee.rules.state import OVER, HandState

_MOST: Final = 3
"""The tricks that win a deal."""
_NEVER: Final = DefendAlone.NEVER


class Result(StrEnum):
    """How a deal ended."""

    PLAYED = "played"
    THROWN_IN = "thrown_in"
    REDEAL = "redeal"
    FAULT = "fault"
    RENEGE = "renege"
    VOID = "void"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a deal; tricks and points by side, NS first."""

    outcome: Result
    maker: Seat | None = None
    alone: tuple[Seat, ...] = ()
    tricks: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)

    @property
    def side(self) -> Side | None:
        """The side that is paid; nobody where nothing is."""
        if self.points == (0, 0):
            return None
        return SIDES[0] if self.points[0] else SIDES[1]

    @property
    def word(self) -> str:
        """The outcome in the words of the table: made, march, lone march, euchred."""
        if self.outcome is not Result.PLAYED:
            return str(self.outcome).replace("_", " ")
        winners = 0 if self.tricks[0] >= _MOST else 1
        if self.maker is not None and self.maker & 1 != winners:
            return "euchred"
        if self.tricks[winners] < TRICKS:
            return "made"
        lone = any(seat & 1 == winners for seat in self.alone)
        return "lone march" if lone else "march"


def points_won(rules: RuleSet, maker: int, alone: int, tricks: tuple[int, int]) -> tuple[int, int]:
    """The points of a deal that was played: one side scores.

    Rule: score.table
    Rule: defend.score
    Shapes: `maker` is a seat or -1, `alone` a bit mask of seats, tricks and points NS first.
    Where several of the euchre's prices apply, the largest counts; so with march and lone march.
    """
    winners = 0 if tricks[0] >= _MOST else 1
    all_five = tricks[winners] == TRICKS
    if maker != NOBODY and maker & 1 != winners:
        won = _euchre_points(rules, winners, alone, all_five=all_five)
    elif not all_five:
        won = rules.points_made
    elif alone & SIDE_MASK[winners]:
        won = max(rules.points_march, rules.points_lone_march)
    else:
        won = rules.points_march
    return (won, 0) if winners == 0 else (0, won)


def _euchre_points(rules: RuleSet, defenders: int, alone: int, *, all_five: bool) -> int:
    prices = [rules.points_euchre]
    if all_five:
        prices.append(rules.points_euchre_all_five)
    if alone & SIDE_MASK[defenders ^ 1]:
        prices.append(rules.points_lone_euchred)
        if alone & SIDE_MASK[defenders] and rules.defend_alone is not _NEVER:
            prices.append(rules.points_lone_defender)
    return max(prices)


def outcome_of(hand: HandState) -> Outcome:
    """The outcome of a deal that is over."""
    if hand.stage != OVER:
        raise InternalError(f"the deal is not over: it is in the phase {hand.phase}")
    if hand.redealt:
        return Outcome(outcome=Result.REDEAL, maker=hand.maker_seat, alone=hand.alone_seats)
    if hand.trump < 0:
        return Outcome(outcome=Result.THROWN_IN)
    return Outcome(
        outcome=Result.PLAYED,
        maker=hand.maker_seat,
        alone=hand.alone_seats,
        tricks=hand.tricks_won,
        points=points_won(hand.rules, hand.maker, hand.alone, hand.tricks_won),
    )


def largest_points(rules: RuleSet) -> int:
    """The most that one deal can pay: what the other side gets for a fault."""
    prices = [rules.points_made, rules.points_march, rules.points_lone_march]
    if rules.trump_making is not TrumpMaking.TURNED_SUIT:
        prices += [rules.points_euchre, rules.points_euchre_all_five, rules.points_lone_euchred]
    if rules.defend_alone is not DefendAlone.NEVER:
        prices.append(rules.points_lone_defender)
    return max(prices)
