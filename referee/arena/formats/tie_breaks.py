"""Tie-breaks: the words that part entries with equal points, each with a worked example.

All the examples are of one event of three rounds, `example.ROUNDS`:

>>> {name: int(EXAMPLE.points[place]) for place, name in enumerate(FIELD.names)}
{'ann': 4, 'bob': 4, 'cat': 2, 'dan': 2, 'eve': 3}
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from referee.arena.formats.entrants import Entrants
from referee.arena.formats.errors import FormatError
from referee.arena.formats.example import FIELD, ROUNDS
from referee.arena.formats.model import TEAMS, RoundPlayed
from referee.arena.formats.tally import STANDARD, MatchPoints, Result, Tally, points_of, tallies

LEAST_FOR_MEDIAN: Final = 3
"""Median-Buchholz leaves out the best and the worst opponent: below three nothing would be left."""


@dataclass(frozen=True, slots=True)
class Account:
    """What tie-breaks look at: tallies and points by place, and the seed of the lots."""

    names: tuple[str, ...]
    tallies: tuple[Tally, ...]
    points: tuple[Fraction, ...]
    worth: MatchPoints
    seed: str

    @classmethod
    def of(
        cls,
        entrants: Entrants,
        played: Sequence[RoundPlayed],
        *,
        worth: MatchPoints = STANDARD,
        seed: str = "",
    ) -> "Account":
        """The account of an event so far."""
        accounts = tallies(entrants, played)
        points = tuple(tally.points(worth) for tally in accounts)
        return cls(entrants.names, accounts, points, worth, seed)


EXAMPLE: Final = Account.of(FIELD, ROUNDS, seed="1887")
"""The account of the example."""


TieBreak = Callable[[Account, int, Sequence[int]], Fraction]
"""An account, the place, and the places that are tied so far; more is better."""


def worked(tie_break: TieBreak, name: str, *tied: str) -> int:
    """The value of an entry in the example, tied with those named.

    >>> worked(score, "ann")
    2
    """
    places = [FIELD.place(one) for one in (name, *tied)]
    return int(tie_break(EXAMPLE, places[0], places))


def score(event: Account, place: int, _tied: Sequence[int]) -> Fraction:
    """The points per deal, summed over all boards.

    >>> worked(score, "ann"), worked(score, "bob")
    (2, 0)
    """
    return event.tallies[place].score


def wins(event: Account, place: int, _tied: Sequence[int]) -> Fraction:
    """How many encounters were won at the table; a bye is none.

    >>> worked(wins, "ann"), worked(wins, "dan")
    (2, 0)
    """
    return Fraction(event.tallies[place].count(Result.WON))


def head_to_head(event: Account, place: int, tied: Sequence[int]) -> Fraction:
    """The match points from the encounters among those tied, where all of them met equally often.

    Else it parts nobody, and is 0. Bob beat ann; cat and dan did not meet.

    >>> worked(head_to_head, "ann", "bob"), worked(head_to_head, "bob", "ann")
    (0, 2)
    >>> worked(head_to_head, "cat", "dan"), worked(head_to_head, "dan", "cat")
    (0, 0)
    """
    met = {event.tallies[one].times_met(other) for one in tied for other in tied if one != other}
    if len(met) != 1:
        return Fraction(0)
    among = [
        points_of(meeting, event.worth)
        for meeting in event.tallies[place].meetings
        if meeting.opponents[0] in tied
    ]
    return sum(among, Fraction(0))


def _met(event: Account, place: int) -> list[Fraction]:
    """The points of everyone met; a bye counts as an opponent with the entry's own points."""
    own = event.tallies[place]
    met = [event.points[other] for meeting in own.meetings for other in meeting.opponents]
    return met + [event.points[place]] * len(own.byes)


def buchholz(event: Account, place: int, _tied: Sequence[int]) -> Fraction:
    """The sum of the points of everyone met; a bye counts as somebody with the entry's own points.

    Ann met dan (2), bob (4) and cat (2); dan met ann (4) and had two byes with 2 points himself.

    >>> worked(buchholz, "ann"), worked(buchholz, "dan")
    (8, 8)
    """
    return sum(_met(event, place), Fraction(0))


def median_buchholz(event: Account, place: int, _tied: Sequence[int]) -> Fraction:
    """Buchholz without the best and the worst of those met; 0 before the third round.

    Of ann's 2, 4 and 2 remains a 2; of cat's bob (4), eve (3) and ann (4) a 4.

    >>> worked(median_buchholz, "ann"), worked(median_buchholz, "cat")
    (2, 4)
    """
    met = sorted(_met(event, place))
    return sum(met[1:-1], Fraction(0)) if len(met) >= LEAST_FOR_MEDIAN else Fraction(0)


def sonneborn_berger(event: Account, place: int, _tied: Sequence[int]) -> Fraction:
    """The points of those beaten, and half the points of those drawn with.

    A bye counts as somebody with the entry's own points, as far as it is worth a match: ann beat
    dan (2) and cat (2); dan has two halves of his own 2.

    >>> worked(sonneborn_berger, "ann"), worked(sonneborn_berger, "dan")
    (4, 2)
    """
    own = event.tallies[place]
    share = {Result.WON: Fraction(1), Result.DRAWN: Fraction(1, 2), Result.LOST: Fraction(0)}
    total = sum((bye.worth for bye in own.byes), Fraction(0)) * event.points[place]
    for meeting in own.meetings:
        total += share[meeting.result] * sum(event.points[other] for other in meeting.opponents)
    return total


def opponents_score(event: Account, place: int, _tied: Sequence[int]) -> Fraction:
    """The points per deal of everyone met, summed as often as met; a bye adds nothing.

    Ann met dan (-2), bob (0) and cat (1).

    >>> worked(opponents_score, "ann")
    -1
    """
    return sum(
        (
            event.tallies[other].score
            for meeting in event.tallies[place].meetings
            for other in meeting.opponents
        ),
        Fraction(0),
    )


def lots(event: Account, place: int, _tied: Sequence[int]) -> Fraction:
    """A lot: the first 48 bits of the SHA-256 of the event's seed and the entered name.

    Anyone can draw it again; nobody who names the seed before the event knows whom it will favour.

    >>> sorted(FIELD.names, key=lambda name: worked(lots, name), reverse=True)
    ['dan', 'cat', 'bob', 'eve', 'ann']
    """
    told = f"{len(event.seed)}:{event.seed}{event.names[place]}".encode()
    return Fraction(int.from_bytes(hashlib.sha256(told).digest()[:6]))


TIE_BREAKS: Final[Mapping[str, TieBreak]] = MappingProxyType(
    {
        "score": score,
        "head_to_head": head_to_head,
        "buchholz": buchholz,
        "median_buchholz": median_buchholz,
        "sonneborn_berger": sonneborn_berger,
        "wins": wins,
        "opponents_score": opponents_score,
        "lots": lots,
    }
)

FOR_PLAYERS: Final = ("score", "wins", "opponents_score", "lots")
"""The words that mean something where four players meet; the others count matches of two."""


def check_words(words: Sequence[str], *, size: int, seed: str) -> None:
    """Refuse words that are none, stand twice, or mean nothing in this event.

    Raises:
        FormatError: naming the word, and the words that exist.

    """
    known = tuple(TIE_BREAKS) if size == TEAMS else FOR_PLAYERS
    for at, word in enumerate(words):
        if word not in TIE_BREAKS:
            raise FormatError(f"not a tie-break: {word!r} (the words: {', '.join(known)})")
        if word not in known:
            raise FormatError(
                f"the tie-break {word!r} counts matches between two, and four players meet here"
                f" (the words: {', '.join(known)})"
            )
        if word in words[:at]:
            raise FormatError(
                f"the tie-break {word!r} stands twice (name each once; the words:"
                f" {', '.join(known)})"
            )
        if word == "lots" and not seed:
            raise FormatError("lots are to be drawn and there is no seed (give the event a seed)")
