"""Progressive: who has won moves on, as a table says; the movement is data, since events differ.

Tables are numbered from 1, the head table; places at a table from 1, in the order of its seats; who
waits sits on the bench, table 0. A movement says where each goes who came in at a rank at a table.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from referee.arena.formats.entrants import ByeRule, Entrants, several
from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import (
    PLAYERS,
    TEAMS,
    Bye,
    Encounter,
    Outcome,
    RoundPlan,
    RoundPlayed,
    check_history,
)

BENCH: Final = 0
MOST_ROUNDS: Final = 10_000
SPOT: Final = re.compile(r"(bench|[1-9][0-9]{0,3})\.([1-9][0-9]{0,3})")

Spot = tuple[int, int]
"""A table and a place at it, or a rank that was reached at it."""


def told(spot: Spot) -> str:
    """A spot as it is written.

    >>> told((2, 1)), told((0, 1))
    ('2.1', 'bench.1')
    """
    table, place = spot
    return f"{table or 'bench'}.{place}"


def spot_of(text: str) -> Spot:
    """The spot that is written as table, dot, place.

    >>> spot_of("2.1"), spot_of("bench.1")
    ((2, 1), (0, 1))

    Raises:
        FormatError: where it is not written so.

    """
    found = SPOT.fullmatch(text)
    if found is None:
        raise FormatError(
            f"not a place at a table: {text!r} (write table, dot, place, as 2.1 or bench.1)"
        )
    table, place = found.groups()
    return (BENCH if table == "bench" else int(table)), int(place)


@dataclass(frozen=True, slots=True)
class Hall:
    """The tables of a field, and how many wait.

    >>> Hall.of(9, 2)
    Hall(size=2, tables=4, bench=1)
    """

    size: int
    tables: int
    bench: int

    @classmethod
    def of(cls, entries: int, size: int) -> "Hall":
        """As many full tables as there can be."""
        return cls(size, entries // size, entries % size)

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Every place, the head table's first, the bench's last."""
        seats = [
            (table, place)
            for table in range(1, self.tables + 1)
            for place in range(1, self.size + 1)
        ]
        return (*seats, *((BENCH, place) for place in range(1, self.bench + 1)))


Movement = Mapping[Spot, Spot]
"""Where each goes: from table and rank to table and place."""


def movement_of(written: Mapping[str, str], hall: Hall) -> Movement:
    """The movement that is written as `table.rank: table.place`, every place once.

    >>> hall = Hall.of(4, 2)
    >>> written = {"1.1": "1.1", "1.2": "2.1", "2.1": "1.2", "2.2": "2.2"}
    >>> movement_of(written, hall)[1, 2]
    (2, 1)

    Raises:
        FormatError: a place that the hall has not, is left by nobody, or filled not once.

    """
    goes: dict[Spot, Spot] = {}
    for source, target in written.items():
        start, end = spot_of(source), spot_of(target)
        if start in goes:
            raise FormatError(f"{told(start)} moves twice (write each rank once)")
        goes[start] = end
    return check_movement(goes, hall)


def check_movement(goes: Movement, hall: Hall) -> Movement:
    """The movement, if everybody goes somewhere and every place is filled once.

    Raises:
        FormatError: naming the place.

    """
    spots = hall.spots
    has = f"the hall has {hall.tables} tables of {hall.size} and a bench of {hall.bench}"
    for spot in (*goes, *goes.values()):
        if spot not in spots:
            raise FormatError(f"the movement names {told(spot)}, and {has} (leave it out)")
    filled: dict[Spot, Spot] = {}
    for start, end in goes.items():
        if end in filled:
            raise FormatError(
                f"{told(filled[end])} and {told(start)} both move to {told(end)}"
                " (fill every place once)"
            )
        filled[end] = start
    missing = [spot for spot in spots if spot not in goes]
    if missing:
        empty = next(spot for spot in spots if spot not in filled)
        raise FormatError(
            f"the movement does not say where {told(missing[0])} goes, and nobody moves to"
            f" {told(empty)} ({has}: fill every place once)"
        )
    return MappingProxyType(dict(goes))


def up_and_down(hall: Hall) -> Movement:
    """The usual movement: the upper half of a table goes up, the lower half stays.

    At the head table the upper half stays and the lower half goes to the last table. Whoever
    comes takes the first places, whoever stays the last, so that partners change. Who waits comes
    in for the last of the last table.

    >>> {told(start): told(end) for start, end in up_and_down(Hall.of(5, 2)).items()}
    {'1.1': '1.2', '1.2': '2.1', '2.1': '1.1', '2.2': 'bench.1', 'bench.1': '2.2'}
    """
    half, last = hall.size // 2, hall.tables
    goes: dict[Spot, Spot] = {}
    for table in range(1, last + 1):
        for rank in range(1, half + 1):
            up, down = (table, rank), (table, half + rank)
            if last == 1:
                goes |= {up: up, down: down}
            elif table == 1:
                goes |= {up: (1, half + rank), down: (last, rank)}
            else:
                goes |= {up: (table - 1, rank), down: (table, half + rank)}
    leaving = [(last, rank) for rank in range(hall.size, half, -1)]
    leaving += [(1, rank) for rank in range(hall.size, 0, -1) if (1, rank) not in leaving]
    for place, start in zip(range(1, hall.bench + 1), leaving, strict=False):
        goes[BENCH, place] = goes[start]
        goes[start] = (BENCH, place)
    return check_movement(goes, hall)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressive:
    """Teams or players that move between tables by their results, over `length` rounds.

    At a table of two the winner ranks first, at a table of four who scored more; of equals who
    sits in the earlier place. Who has withdrawn ranks last, and who would sit with an empty place
    sits out.

    Raises:
        FormatError: fewer than a table, nobody to wait by rule, a pair that may not meet, a
            movement that is none.

    """

    entrants: Entrants
    byes: ByeRule
    length: int
    size: int = TEAMS
    movement: Movement | None = None
    _hall: Hall = field(init=False, repr=False, compare=False)
    _goes: Movement = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        entries = len(self.entrants.names)
        if self.size not in {TEAMS, PLAYERS}:
            raise FormatError(f"tables of {self.size} (of {TEAMS} teams or {PLAYERS} players)")
        if entries < self.size:
            raise FormatError(f"{entries} entries do not fill a table of {self.size} (enter more)")
        if not 1 <= self.length <= MOST_ROUNDS:
            raise FormatError(f"{self.length} rounds (from 1 to {MOST_ROUNDS})")
        hall = Hall.of(entries, self.size)
        if hall.bench and self.byes.worth is None:
            raise FormatError(
                f"{entries} entries leave {hall.bench} waiting at tables of {self.size}, and there"
                " is no rule for byes (say what sitting out is worth, as byes: half)"
            )
        for pair in self.entrants.apart:
            names = several([self.entrants.names[place] for place in pair])
            raise FormatError(
                f"{names} may not meet, and the results say who meets in a progressive event"
                " (take the pair out, or choose another format)"
            )
        goes = up_and_down(hall) if self.movement is None else check_movement(self.movement, hall)
        object.__setattr__(self, "_hall", hall)
        object.__setattr__(self, "_goes", goes)

    def rounds(self) -> int:
        """As many as were asked for."""
        return self.length

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """The round after those played; None after the last, or where no table can be filled."""
        number = check_history(played)
        if number > self.length or len(self.entrants.present(number)) < self.size:
            return None
        sits = dict(zip(self._hall.spots, range(len(self.entrants.names)), strict=True))
        came: dict[int, Spot] = {}
        for one in played:
            came = self._ranks(sits, one)
            sits = {self._goes[spot]: place for place, spot in came.items()}
        return self._plan(sits, came, number)

    def _ranks(self, sits: Mapping[Spot, int], played: RoundPlayed) -> dict[int, Spot]:
        """The rank at its table that each place has reached in a round."""
        outcomes = {encounter.label: (encounter, outcome) for encounter, outcome in played.met}
        number = played.plan.number
        came: dict[int, Spot] = {}
        for table in range(1, self._hall.tables + 1):
            seats = [sits[table, place] for place in range(1, self._hall.size + 1)]
            seats.sort(key=lambda place: self.entrants.holder(place, number) is None)
            if f"table {table}" in outcomes:
                encounter, outcome = outcomes[f"table {table}"]
                names = [self.entrants.name(place, number) for place in seats]
                if names != [*encounter.entries]:
                    raise FormatError(
                        f"round {number}, table {table}: {several(encounter.entries)} sat where"
                        f" {several(names)} were due (give the rounds as they were paired)"
                    )
                seats = [seats[at] for at in _by_result(encounter, outcome)]
            came |= {place: (table, rank) for rank, place in enumerate(seats, 1)}
        return came | {place: spot for spot, place in sits.items() if spot[0] == BENCH}

    def _plan(self, sits: Mapping[Spot, int], came: Mapping[int, Spot], number: int) -> RoundPlan:
        encounters: list[Encounter] = []
        out: dict[int, str] = {}
        for table in range(1, self._hall.tables + 1):
            seats = [sits[table, place] for place in range(1, self._hall.size + 1)]
            here = [place for place in seats if self.entrants.holder(place, number) is not None]
            if len(here) < len(seats):
                gone = [self.entrants.last_holder(p, number) for p in seats if p not in here]
                out |= dict.fromkeys(here, f"table {table}: {several(gone)} withdrawn")
                continue
            encounters.append(
                Encounter(
                    entries=tuple(self.entrants.name(place, number) for place in seats),
                    reason=", ".join(_whence(came.get(place), place) for place in seats),
                    label=f"table {table}",
                )
            )
        for place in range(1, self._hall.bench + 1):
            waits = sits[BENCH, place]
            if self.entrants.holder(waits, number) is not None:
                out[waits] = f"on the bench: {_whence(came.get(waits), waits)}"
        byes = tuple(
            Bye(entry=self.entrants.name(place, number), reason=reason, worth=self.byes.value)
            for place, reason in sorted(out.items())
        )
        return RoundPlan(number=number, encounters=tuple(encounters), byes=byes)

    def ranking(self, played: Sequence[RoundPlayed]) -> None:
        """The standings decide."""


def _whence(came: Spot | None, place: int) -> str:
    """Where an entry comes from, in words."""
    if came is None:
        return f"seed {place + 1}"
    table, rank = came
    return "from the bench" if table == BENCH else f"place {rank} at table {table}"


def _by_result(encounter: Encounter, outcome: Outcome) -> list[int]:
    """The seats of an encounter, the best first; of equals the earlier."""

    def key(at: int) -> tuple[bool, Fraction]:
        won = len(encounter.entries) == TEAMS and encounter.entries[at] == outcome.winner
        return not won, -outcome.scores[at]

    return sorted(range(len(encounter.entries)), key=key)
