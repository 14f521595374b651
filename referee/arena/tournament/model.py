"""What the parts of a tournament hand to each other: boards to play, and how they came out.

Entries go by their names. Seats are numbers, 0 north to 3 west; ids are lower-case hex. Points are
those of the rule set; a score `x` is points per deal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from referee.sealing.parts import Pair

TEAM_TABLES: Final = 2
PLAYER_TABLES: Final = 6

Seating: TypeAlias = "tuple[str, str, str, str]"
"""The entries at one table, north to west."""


@dataclass(frozen=True, slots=True, order=True)
class BoardKey:
    """One try at one board: numbers from 1, but an encounter's, which is its place in the round."""

    round: int
    encounter: int
    board: int
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class TableFault:
    """A fault that was counted at a table: whose, in which seat, and its kind (`TIMEOUT` …)."""

    table: int
    seat: int
    entry: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlayed:
    """A board that was opened, as its files have it.

    `points` has a pair a table, and is empty where the board is `void`, which says why. `stopped`
    is the deal's outcome at each table, as deal_close names it.
    """

    key: BoardKey
    id: str
    matches: tuple[str, ...]
    dealer: int
    seatings: tuple[Seating, ...]
    outcomes: tuple[str, ...] = ()
    points: tuple[Pair, ...] = ()
    faults: tuple[TableFault, ...] = ()
    void: str = ""

    @property
    def scores(self) -> Mapping[str, Fraction]:
        """Points per deal of every entry at the board; they sum to 0. Nothing of a void one.

        Two tables with the sides exchanged give each team (d0 - d1) / 2; six give each player the
        mean of its side's difference.
        """
        if self.void:
            return {}
        total: dict[str, Fraction] = {}
        for seating, pair in zip(self.seatings, self.points, strict=True):
            for name in dict.fromkeys(seating):
                own = seating.index(name) & 1
                difference = (pair.ns - pair.ew) * (-1 if own else 1)
                total[name] = total.get(name, Fraction(0)) + difference
        return {name: value / len(self.seatings) for name, value in total.items()}


def team_seatings(first: str, second: str) -> tuple[Seating, ...]:
    """The two tables of a board between two teams: the sides are exchanged."""
    return (first, second, first, second), (second, first, second, first)


def player_seatings(players: Seating) -> tuple[Seating, ...]:
    """The six tables of a board among four players: each partnership, in both directions.

    >>> [seats[0] + seats[2] for seats in player_seatings(("a", "b", "c", "d"))]
    ['ac', 'bd', 'ab', 'cd', 'ad', 'bc']
    """
    a, b, c, d = players
    tables: list[Seating] = []
    for north, east, south, west in ((a, b, c, d), (a, c, b, d), (a, b, d, c)):
        tables += [(north, east, south, west), (east, south, west, north)]
    return tuple(tables)
