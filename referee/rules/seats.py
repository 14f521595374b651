"""The four seats and the two sides (rule book, chapter pack).

Inside, a seat is an int 0..3 clockwise from north, and a side is `seat & 1`: 0 for NS, 1 for EW.
"""

from enum import IntEnum, StrEnum
from typing import Final

from referee.errors import RefereeError

SEAT_WORDS: Final = ("north", "east", "south", "west")
NOBODY: Final = -1
"""Inside the engine only: no seat."""


class UnknownSeatError(RefereeError, ValueError):
    """A word that names no seat."""


class Seat(IntEnum):
    """A place at the table, clockwise.

    Rule: seats.partners-opposite
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def word(self) -> str:
        """The seat as it is written everywhere."""
        return SEAT_WORDS[self]

    @property
    def partner(self) -> "Seat":
        """The seat opposite."""
        return SEATS[self ^ 2]

    @property
    def left(self) -> "Seat":
        """The next seat clockwise."""
        return SEATS[(self + 1) & 3]

    @property
    def side(self) -> "Side":
        """The side the seat plays for."""
        return SIDES[self & 1]


class Side(StrEnum):
    """Two partners."""

    NS = "ns"
    EW = "ew"


SEATS: Final = tuple(Seat)
SIDES: Final = tuple(Side)


def parse_seat(word: str) -> Seat:
    """The seat that a word names.

    >>> parse_seat("south").word
    'south'
    """
    if word not in SEAT_WORDS:
        raise UnknownSeatError(f"no such seat: {word!r} (the seats are {' '.join(SEAT_WORDS)})")
    return SEATS[SEAT_WORDS.index(word)]


def seats_of(mask: int) -> tuple[Seat, ...]:
    """The seats of a bit mask, from north round."""
    return tuple(seat for seat in SEATS if mask >> seat & 1)


def _next_seat(out: int, seat: int) -> int:
    turn = (seat + 1) & 3
    while out >> turn & 1 and turn != seat:
        turn = (turn + 1) & 3
    return turn


NEXT: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(_next_seat(out, seat) for seat in range(4)) for out in range(16)
)
"""`NEXT[seats that sit out][seat]`: the next seat clockwise that plays."""

SIDE_MASK: Final = (0b0101, 0b1010)
"""The two seats of each side as a bit mask."""
