"""Rounds that are known before play: round robin, and gauntlet."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.arena.formats.entrants import ByeRule, Entrants, check_even, several
from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import (
    TEAMS,
    Bye,
    Encounter,
    RoundPlan,
    RoundPlayed,
    check_history,
)

Meeting = tuple[int, int]
"""Two places, in the order of their seats."""

MOST_LAPS: Final = 1000


def circle(places: int) -> tuple[tuple[Meeting, ...], ...]:
    """The rounds in which everybody meets everybody once, by the circle method.

    The last place stays where it is and the others go round it. With an odd number of places the
    one who would meet it sits out. The first of a pair is north-south at the first table; each
    place is first in half of its meetings, as nearly as can be.

    >>> circle(4)
    (((0, 3), (1, 2)), ((3, 1), (2, 0)), ((2, 3), (0, 1)))
    >>> circle(3)
    (((1, 2),), ((2, 0),), ((0, 1),))
    """
    round_about = places + places % 2 - 1
    rounds: list[tuple[Meeting, ...]] = []
    for number in range(round_about):
        fixed = number if number % 2 else round_about
        pairs = [(number, round_about) if fixed == round_about else (round_about, number)]
        pairs += [
            ((number + step) % round_about, (number - step) % round_about)
            for step in range(1, (round_about + 1) // 2)
        ]
        rounds.append(tuple(pair for pair in pairs if max(pair) < places))
    return tuple(rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobin:
    """Everybody meets everybody, `laps` times; the seats are exchanged from lap to lap.

    Two who may not meet both sit out the round in which they would.

    Raises:
        FormatError: fewer than two entries, an odd field or a forbidden pair without a bye rule.

    """

    entrants: Entrants
    byes: ByeRule
    laps: int = 1
    _lap: tuple[tuple[Meeting, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_laps(self.laps)
        if len(self.entrants.names) < TEAMS:
            raise FormatError(
                f"only {self.entrants.names[0]!r} is entered (a round robin needs two entries)"
            )
        check_even(self.entrants, self.byes)
        _check_pairs(self.entrants, self.byes)
        object.__setattr__(self, "_lap", circle(len(self.entrants.names)))

    @property
    def size(self) -> int:
        """Two teams meet."""
        return TEAMS

    def rounds(self) -> int:
        """One fewer than the entries, or as many where they are odd, a lap."""
        return len(self._lap) * self.laps

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """The round after those played; the results do not matter."""
        number = check_history(played)
        if number > self.rounds() or len(self.entrants.present(number)) < TEAMS:
            return None
        lap, turn = divmod(number - 1, len(self._lap))
        meetings = self._lap[turn]
        if lap % 2:
            meetings = tuple((other, one) for one, other in meetings)
        told = f"round robin, lap {lap + 1} of {self.laps}" if self.laps > 1 else "round robin"
        return arranged(self.entrants, self.byes, number, meetings, told, all_play=True)

    def ranking(self, played: Sequence[RoundPlayed]) -> None:
        """The standings decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauntlet:
    """Each challenger meets each of the others, `laps` times; the others do not meet.

    Who is not called on in a round has no bye: only the challengers are measured.

    Raises:
        FormatError: no challenger, nobody to meet, a challenger twice or one who is not entered.

    """

    entrants: Entrants
    byes: ByeRule
    challengers: tuple[str, ...]
    laps: int = 1
    _lap: tuple[tuple[Meeting, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_laps(self.laps)
        if not self.challengers:
            raise FormatError("a gauntlet without a challenger (name at least one of the entries)")
        first = [self.entrants.place(name) for name in self.challengers]
        if len(set(first)) != len(first):
            told = ", ".join(self.challengers)
            raise FormatError(f"a challenger twice: {told} (name each once)")
        others = [place for place in range(len(self.entrants.names)) if place not in first]
        if not others:
            raise FormatError(
                f"every entry is a challenger: {', '.join(self.challengers)}"
                " (enter somebody for them to meet)"
            )
        _check_pairs(self.entrants, self.byes, set(first))
        object.__setattr__(self, "_lap", _calls(first, others))

    @property
    def size(self) -> int:
        """Two teams meet."""
        return TEAMS

    def rounds(self) -> int:
        """As many as there are challengers or others, whichever are more, a lap."""
        return len(self._lap) * self.laps

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """The round after those played; the results do not matter."""
        number = check_history(played)
        if number > self.rounds():
            return None
        lap, turn = divmod(number - 1, len(self._lap))
        meetings = self._lap[turn]
        if lap % 2:
            meetings = tuple((other, one) for one, other in meetings)
        told = f"gauntlet, lap {lap + 1} of {self.laps}" if self.laps > 1 else "gauntlet"
        return arranged(
            self.entrants, self.byes, number, meetings, told, all_play=False, only=self._first
        )

    @property
    def _first(self) -> frozenset[int]:
        return frozenset(self.entrants.place(name) for name in self.challengers)

    def ranking(self, played: Sequence[RoundPlayed]) -> None:
        """The standings decide."""


def _calls(first: Sequence[int], others: Sequence[int]) -> tuple[tuple[Meeting, ...], ...]:
    """The rounds of a gauntlet: the shorter row goes along the longer."""
    longest = max(len(first), len(others))
    rounds: list[tuple[Meeting, ...]] = []
    for turn in range(longest):
        if len(first) <= len(others):
            pairs = [(one, others[(at + turn) % longest]) for at, one in enumerate(first)]
        else:
            pairs = [(first[(at + turn) % longest], other) for at, other in enumerate(others)]
        rounds.append(tuple(pairs))
    return tuple(rounds)


def _check_laps(laps: int) -> None:
    if not 1 <= laps <= MOST_LAPS:
        raise FormatError(f"{laps} laps (from 1 to {MOST_LAPS})")


def _check_pairs(entrants: Entrants, byes: ByeRule, first: set[int] | None = None) -> None:
    """Refuse a forbidden pair that is due to meet, where nothing says what sitting out is worth."""
    for pair in entrants.apart:
        due = first is None or len(first & set(pair)) == 1
        if due and byes.worth is None:
            told = several([entrants.names[place] for place in pair])
            raise FormatError(
                f"{told} may not meet, so that they sit out the round in which they would, and"
                " there is no rule for byes (say what sitting out is worth, as byes: half)"
            )


def arranged(
    entrants: Entrants,
    byes: ByeRule,
    number: int,
    meetings: Sequence[Meeting],
    told: str,
    *,
    all_play: bool,
    only: frozenset[int] | None = None,
) -> RoundPlan:
    """The round of these meetings: without who has left, and without pairs that may not meet.

    Who is left without an opponent has a bye; so has who is in no meeting where `all_play`. `only`
    are the places that may have a bye, where not all may.
    """
    encounters: list[Encounter] = []
    out: dict[int, str] = {}
    for pair in meetings:
        here = [place for place in pair if entrants.holder(place, number) is not None]
        names = tuple(entrants.name(place, number) for place in here)
        if len(here) == TEAMS and entrants.may_meet(*pair):
            encounters.append(Encounter(entries=names, reason=told))
        elif len(here) == TEAMS:
            out |= {
                here[0]: f"may not meet {names[1]!r}",
                here[1]: f"may not meet {names[0]!r}",
            }
        elif here:
            gone = next(place for place in pair if place not in here)
            out[here[0]] = f"{entrants.last_holder(gone, number)!r} has withdrawn"
    if all_play:
        busy = {place for pair in meetings for place in pair}
        idle = [place for place in entrants.present(number) if place not in busy]
        out |= dict.fromkeys(idle, "an odd field: everybody sits out once a lap")
    sit_out = [
        Bye(entry=entrants.name(place, number), reason=out[place], worth=byes.value)
        for place in sorted(out)
        if only is None or place in only
    ]
    return RoundPlan(number=number, encounters=tuple(encounters), byes=tuple(sit_out))
