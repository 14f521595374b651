"""What a record says, whatever format it came in.

A card that the record does not know, or that is none, is `None`; the seat of a play is `None` where
the format leaves it to be worked out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from referee.errors import RefereeError
from referee.rules import Card, Seat, Suit

NO_TRUMP: Final = 4
UNHEARD: Final = "?"
Hand: TypeAlias = tuple[Card | None, ...]


class UnreadableRecordError(RefereeError):
    """Bytes that are no record of a known format."""

    exit_code: ClassVar[int] = 6


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the record that cannot be: where, and what."""

    at: str
    message: str


@dataclass(frozen=True, slots=True)
class Said:
    """A call, or another word spoken before the play; `UNHEARD` where it is not known."""

    words: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A card laid on the table; `text` is what the record says where it names no card."""

    card: Card | None
    seat: Seat | None = None
    text: str = "X"


@dataclass(frozen=True, slots=True)
class TimedClaim:
    """A renege claimed by a seat, and when: `deal`, `closed` or `later`."""

    by: Seat
    against: Seat
    trick: int
    at: str = "deal"


@dataclass(frozen=True, slots=True)
class Happening:
    """An irregularity that the table wrote down: its kind and what is known of it."""

    kind: str
    seat: Seat | None = None
    trick: int | None = None
    card: Card | None = None
    at: str = ""
    number: int | None = None
    claimed: bool = False
    called: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDeal:
    """One deal as it was written down; `dealer` means nothing where `has_dealer` is false."""

    number: int
    dealer: Seat
    has_dealer: bool = True
    upcard: Card | None = None
    hands: tuple[Hand | None, Hand | None, Hand | None, Hand | None] = (None, None, None, None)
    kitty: tuple[Card, ...] | None = None
    said: tuple[Said, ...] = ()
    discard: Card | None = None
    tricks: tuple[tuple[Laid, ...], ...] = ()
    first_lead: Seat | None = None
    trump: Suit | None = None
    maker: Seat | None = None
    alone: tuple[Seat, ...] = ()
    happenings: tuple[Happening, ...] = ()
    claims: tuple[TimedClaim, ...] = ()
    points: tuple[int, int] | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game, or part of one, as it was written down.

    `knobs` are those that the record states, over the preset `rules`.
    `house_said` tells whether the format writes down what is said before round one, `ordered`
    whether the cards of a trick stand in the order they fell.
    """

    format: str
    version: str
    rules: str | None = None
    knobs: Mapping[str, str] = field(default_factory=dict)
    table_rules: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    games: int = 1
    score: tuple[int, int] = (0, 0)
    final_score: tuple[int, int] | None = None
    house_said: bool = True
    ordered: bool = True
    deals: tuple[RecordedDeal, ...] = ()
    problems: tuple[Problem, ...] = ()
