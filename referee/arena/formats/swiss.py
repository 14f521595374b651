"""Swiss: a fixed number of rounds, each against somebody with as many points, and somebody new.

A round is the best of all pairings by these costs, the first before all others:

1. who sits out though others may meet: nobody twice before everybody once;
2. meetings of two who have met, as often as they have met;
3. who sits out: the lowest of those who have sat out least;
4. differences in points, squared and summed;
5. floats: who met somebody with more (or fewer) points last time does not again;
6. within equal points the upper half meets the lower, in order (the best the middle one, and so
   on); across points, the nearest.

What then still weighs the same is parted by a hash of the round and the places, so that there is
one best pairing, and any machine finds it. As many play as can; pairs that may not meet are never
paired.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import lcm
from typing import Final

from referee.arena.formats.entrants import ByeRule, Entrants, check_even, several
from referee.arena.formats.errors import FormatError
from referee.arena.formats.matching import Edge, check_extra, in_order, most_pairs
from referee.arena.formats.model import (
    TEAMS,
    Bye,
    Encounter,
    RoundPlan,
    RoundPlayed,
    check_history,
)
from referee.arena.formats.tally import STANDARD, MatchPoints, tallies

MOST_ROUNDS: Final = 1000
LOT_BYTES: Final = 8


def usual_rounds(entries: int) -> int:
    """The rounds after which one unbeaten entry is left, were nothing drawn.

    >>> usual_rounds(16), usual_rounds(17), usual_rounds(2)
    (4, 5, 1)
    """
    return max(1, (entries - 1).bit_length())


@dataclass(frozen=True, slots=True, kw_only=True)
class Swiss:
    """The Swiss system over `length` rounds; where nobody new is left, a pair meets again.

    Raises:
        SwissExtraError: the library is missing.
        FormatError: fewer than two entries, an odd field without a bye rule, pairs that may not
            meet of whom one would always sit out.

    """

    entrants: Entrants
    byes: ByeRule
    length: int
    worth: MatchPoints = STANDARD

    def __post_init__(self) -> None:
        check_extra()
        names = self.entrants.names
        if len(names) < TEAMS:
            raise FormatError(f"only {names[0]!r} is entered (a Swiss needs two entries)")
        if not 1 <= self.length <= MOST_ROUNDS:
            raise FormatError(f"{self.length} rounds (from 1 to {MOST_ROUNDS})")
        check_even(self.entrants, self.byes)
        _check_possible(self.entrants)

    @property
    def size(self) -> int:
        """Two teams meet."""
        return TEAMS

    def rounds(self) -> int:
        """As many as were asked for."""
        return self.length

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """The round after those played; None after the last, or where fewer than two are left."""
        number = check_history(played)
        if number > self.length:
            return None
        present = self.entrants.present(number)
        if len(present) < TEAMS:
            return None
        table = _Table(self, number, played, present)
        pairs = most_pairs(table.weights())
        if not pairs:
            return None
        busy = {place for pair in pairs for place in pair}
        idle = [place for place in table.ranked if place not in busy]
        return RoundPlan(
            number=number,
            encounters=tuple(table.encounter(pair) for pair in table.ordered(pairs)),
            byes=tuple(table.bye(place, idle) for place in idle),
        )

    def ranking(self, played: Sequence[RoundPlayed]) -> None:
        """The standings decide."""


def _check_possible(entrants: Entrants) -> None:
    """Refuse forbidden pairs that would keep more than one from playing at all."""
    if not entrants.apart:  # a large field takes minutes to be matched
        return
    places = range(len(entrants.names))
    allowed = {pair: 0 for pair in combinations(places, TEAMS) if entrants.may_meet(*pair)}
    busy = {place for pair in most_pairs(allowed) for place in pair}
    idle = [place for place in places if place not in busy]
    if len(idle) > len(places) % TEAMS:
        told = "; ".join(
            several([entrants.names[one], entrants.names[other]])
            for one, other in entrants.apart
            if one in idle or other in idle
        )
        raise FormatError(
            f"not everybody can play while these may not meet: {told}"
            " (take a pair out of the forbidden ones, or enter others)"
        )


class _Table:
    """The field before a round: who has what, and what each pair would cost."""

    def __init__(
        self, swiss: Swiss, number: int, played: Sequence[RoundPlayed], present: Sequence[int]
    ) -> None:
        self.entrants = swiss.entrants
        self.number = number
        self.byes = swiss.byes
        self.tallies = tallies(swiss.entrants, played)
        self.points = [tally.points(swiss.worth) for tally in self.tallies]
        self.ranked = sorted(present, key=lambda place: (-self.points[place], place))
        self.rank = {place: at for at, place in enumerate(self.ranked)}
        scale = lcm(*(points.denominator for points in self.points))
        self.units = [int(points * scale) for points in self.points]
        self.equals = {
            place: sum(self.points[other] == self.points[place] for other in self.ranked)
            for place in self.ranked
        }
        self.floated = _floats(swiss, played)

    def weights(self) -> Mapping[Edge, int]:
        """What each pair that may meet weighs."""
        pairs = [
            (min(pair), max(pair))
            for pair in combinations(self.ranked, TEAMS)
            if self.entrants.may_meet(*pair)
        ]
        return in_order({pair: self._gains(*pair) for pair in pairs}, len(self.ranked))

    def _gains(self, one: int, other: int) -> tuple[int, ...]:
        """What a pair saves, less what it costs, in the order of the module's list."""
        upper, lower = sorted((one, other), key=self.rank.__getitem__)
        apart = self.rank[lower] - self.rank[upper]
        step = self.units[upper] - self.units[lower]
        again = (self.floated[upper] > 0) + (self.floated[lower] < 0) if step else 0
        middle = 0 if step else self.equals[upper] // 2
        return (
            len(self.tallies[one].byes) + len(self.tallies[other].byes),
            -self.tallies[one].times_met(other),
            2 * len(self.ranked) - self.rank[one] - self.rank[other],
            -(step**2),
            -again,
            -((apart - middle) ** 2),
            -self._lot(one, other),
        )

    def _lot(self, one: int, other: int) -> int:
        told = f"{self.number} {one} {other}".encode()
        return int.from_bytes(hashlib.sha256(told).digest()[:LOT_BYTES])

    def ordered(self, pairs: Sequence[Edge]) -> list[Edge]:
        """The pairs from the top of the field down, the better entry first."""
        turned = [tuple(sorted(pair, key=self.rank.__getitem__)) for pair in pairs]
        return sorted(
            ((upper, lower) for upper, lower in turned), key=lambda pair: self.rank[pair[0]]
        )

    def encounter(self, pair: Edge) -> Encounter:
        """A pair as an encounter, in words why."""
        upper, lower = pair
        mine, theirs = self.points[upper], self.points[lower]
        told = f"{mine} points each" if mine == theirs else f"{mine} against {theirs} points"
        met = [
            str(meeting.round)
            for meeting in self.tallies[upper].meetings
            if lower in meeting.opponents
        ]
        if met:
            rounds = f"round{'s' if len(met) > 1 else ''} {', '.join(met)}"
            told += f", met in {rounds}: not everybody could meet somebody new"
        else:
            told += ", not met before"
        names = (self.entrants.name(upper, self.number), self.entrants.name(lower, self.number))
        return Encounter(entries=names, reason=told)

    def bye(self, place: int, idle: Sequence[int]) -> Bye:
        """Who sits out, in words why; `idle` are all who do."""
        least = min(len(self.tallies[other].byes) for other in self.ranked)
        lowest = [other for other in self.ranked if len(self.tallies[other].byes) == least][-1]
        if len(idle) > len(self.ranked) % TEAMS:
            told = "nobody is left whom it may meet"
        elif place == lowest:
            told = "an odd field: the lowest of those who have sat out least"
        else:
            told = "an odd field: so that fewer meet again or may not meet"
        return Bye(entry=self.entrants.name(place, self.number), reason=told, worth=self.byes.value)


def _floats(swiss: Swiss, played: Sequence[RoundPlayed]) -> Mapping[int, int]:
    """Whom each place met in the last round: 1 somebody with fewer points, -1 with more, else 0."""
    floated = dict.fromkeys(range(len(swiss.entrants.names)), 0)
    if not played:
        return floated
    before = [tally.points(swiss.worth) for tally in tallies(swiss.entrants, played[:-1])]
    for encounter in played[-1].plan.encounters:
        one, other = (swiss.entrants.place(name) for name in encounter.entries)
        if before[one] != before[other]:
            floated[one] = 1 if before[one] > before[other] else -1
            floated[other] = -floated[one]
    return floated
