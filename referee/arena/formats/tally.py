"""What each entry has met, won and scored: the account that rounds and standings are made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Final

from referee.arena.formats.entrants import Entrants
from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import Bye, RoundPlayed


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPoints:
    """What a match is worth to who won, drew and lost it.

    Raises:
        FormatError: where winning is worth no more than losing, or drawing lies not between them.

    >>> MatchPoints().win
    Fraction(2, 1)
    """

    win: Fraction = Fraction(2)
    draw: Fraction = Fraction(1)
    loss: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not (self.win >= self.draw >= self.loss >= 0 and self.win > self.loss):
            raise FormatError(
                f"match points of {self.win} for a win, {self.draw} for a draw and {self.loss} for"
                " a loss (a win is worth more than a loss, a draw neither more than a win nor less"
                " than a loss, and nothing less than 0)"
            )


STANDARD: Final = MatchPoints()
"""Two for a win, one for a draw."""


class Result(Enum):
    """How a match came out for one of its entries."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """An encounter as one of its places has it."""

    round: int
    opponents: tuple[int, ...]
    score: Fraction
    boards: int
    result: Result


@dataclass(frozen=True)
class Tally:
    """The account of one place: its encounters in order, and its byes."""

    place: int
    meetings: tuple[Meeting, ...]
    byes: tuple[Bye, ...]

    def count(self, result: Result) -> int:
        """How many matches came out so."""
        return sum(meeting.result is result for meeting in self.meetings)

    @cached_property
    def score(self) -> Fraction:
        """Points per deal, summed over all boards."""
        return sum((meeting.score for meeting in self.meetings), Fraction(0))

    @cached_property
    def boards(self) -> int:
        """How many boards count."""
        return sum(meeting.boards for meeting in self.meetings)

    @property
    def mean(self) -> Fraction:
        """Points per deal; 0 where no board counts."""
        return self.score / self.boards if self.boards else Fraction(0)

    def points(self, worth: MatchPoints) -> Fraction:
        """Match points, byes included."""
        return sum(
            (points_of(meeting, worth) for meeting in self.meetings),
            sum((bye.worth for bye in self.byes), Fraction(0)) * worth.win,
        )

    def times_met(self, place: int) -> int:
        """How often this place has met another."""
        return sum(place in meeting.opponents for meeting in self.meetings)


def points_of(meeting: Meeting, worth: MatchPoints) -> Fraction:
    """The match points of one encounter."""
    match meeting.result:
        case Result.WON:
            return worth.win
        case Result.DRAWN:
            return worth.draw
        case Result.LOST:
            return worth.loss


def tallies(entrants: Entrants, played: Sequence[RoundPlayed]) -> tuple[Tally, ...]:
    """The account of every place, in seeding order; a substitute goes on with its place's.

    >>> from referee.arena.formats.example import history
    >>> field = Entrants(names=("ann", "bob", "cat"))
    >>> ann, bob, cat = tallies(field, history("ann 3/2 bob, cat bye 1/2"))
    >>> ann.points(MatchPoints()), bob.score, cat.points(MatchPoints())
    (Fraction(2, 1), Fraction(-3, 2), Fraction(1, 1))
    """
    meetings: list[list[Meeting]] = [[] for _ in entrants.names]
    byes: list[list[Bye]] = [[] for _ in entrants.names]
    for one in played:
        for bye in one.plan.byes:
            byes[entrants.place(bye.entry)].append(bye)
        for encounter, outcome in one.met:
            places = [entrants.place(name) for name in encounter.entries]
            won = None if outcome.winner is None else entrants.place(outcome.winner)
            for at, place in enumerate(places):
                meetings[place].append(
                    Meeting(
                        round=one.plan.number,
                        opponents=tuple(other for other in places if other != place),
                        score=outcome.scores[at],
                        boards=outcome.boards,
                        result=_result(place, won),
                    )
                )
    return tuple(
        Tally(place, tuple(meetings[place]), tuple(byes[place]))
        for place in range(len(entrants.names))
    )


def _result(place: int, won: int | None) -> Result:
    if won is None:
        return Result.DRAWN
    return Result.WON if won == place else Result.LOST
