"""Histories written in a line, for examples and tests."""

from fractions import Fraction
from typing import Final

from referee.arena.formats.entrants import Entrants
from referee.arena.formats.model import Bye, Encounter, Outcome, RoundPlan, RoundPlayed

BYE: Final = "bye"


def history(*rounds: str) -> tuple[RoundPlayed, ...]:
    """Rounds as `ann 3/2 bob, cat bye 1/2`: ann scored 3/2 against bob; cat's bye was half a match.

    Who scored more has won; the boards are one an encounter.

    >>> history("ann 1 bob", "bob 0 ann")[1].outcomes
    (Outcome(scores=(Fraction(0, 1), Fraction(0, 1)), boards=1, winner=None),)
    """
    return tuple(_round(number, text) for number, text in enumerate(rounds, 1))


def _round(number: int, text: str) -> RoundPlayed:
    encounters: list[Encounter] = []
    outcomes: list[Outcome] = []
    byes: list[Bye] = []
    for part in text.split(","):
        first, middle, last = part.split()
        if middle == BYE:
            byes.append(Bye(entry=first, reason="an odd field", worth=Fraction(last)))
            continue
        score = Fraction(middle)
        winner = None if not score else first if score > 0 else last
        encounters.append(Encounter(entries=(first, last), reason="an example"))
        outcomes.append(Outcome(scores=(score, -score), boards=1, winner=winner))
    plan = RoundPlan(number=number, encounters=tuple(encounters), byes=tuple(byes))
    return RoundPlayed(plan, tuple(outcomes))


FIELD: Final = Entrants(names=("ann", "bob", "cat", "dan", "eve"))
"""The entries of the event that the tie-breaks are shown with."""

ROUNDS: Final = history(
    "ann 2 dan, bob 1 cat, eve bye 1/2",
    "ann -1 bob, cat 3 eve, dan bye 1/2",
    "bob -2 eve, ann 1 cat, dan bye 1/2",
)
"""Its three rounds."""
