"""The events that close a deal and a match, and the reading of an event by its kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from referee.sealing.boardevents import BOARD_KINDS
from referee.sealing.canonical import Json
from referee.sealing.encode import HASH_SIZE
from referee.sealing.errors import UnreadableError
from referee.sealing.events import (
    ActionTaken,
    CommitSet,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    MatchOpen,
    RevealSet,
    SeatCommit,
    TurnUp,
)
from referee.sealing.fields import Fields
from referee.sealing.keys import SIGNATURE_SIZE
from referee.sealing.packs import LARGEST_PACK, SEATS, SIDES
from referee.sealing.parts import (
    DEAL_OUTCOMES,
    FAULTS,
    MATCH_OUTCOMES,
    Pair,
    deal_number,
    seat_word,
    with_optional,
)

ZERO: Final = Pair(0, 0)


@dataclass(frozen=True, slots=True)
class Fault:
    """A counted fault of a seat."""

    seat: int
    why: str

    def fields(self) -> Mapping[str, Json]:
        """The fault as the file writes it."""
        return {"seat": SEATS[self.seat], "why": self.why}

    @classmethod
    def read(cls, f: Fields) -> "Fault":
        """The fault in an object."""
        fault = cls(f.seat("seat"), f.word("why", FAULTS))
        f.end()
        return fault


@dataclass(frozen=True, slots=True)
class HiddenOpening:
    """What a hidden move was: the number of its event, its positions and its blinds."""

    seq: int
    positions: tuple[int, ...]
    blinds: tuple[bytes, ...]

    def fields(self) -> Mapping[str, Json]:
        """The opening as the file writes it."""
        return {
            "seq": self.seq,
            "positions": list(self.positions),
            "blinds": [blind.hex() for blind in self.blinds],
        }

    @classmethod
    def read(cls, f: Fields) -> "HiddenOpening":
        """The opening in an object."""
        seq = f.number("seq")
        positions = f.numbers("positions", largest=LARGEST_PACK - 1)
        blinds = f.raws("blinds", HASH_SIZE, exactly=len(positions))
        f.end()
        return cls(seq, positions, blinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A refused action: after which event, by whom, and why it was refused."""

    after: int
    seat: int
    action: str
    reason: str
    seat_sig: bytes | None = None

    @property
    def place(self) -> tuple[int, int, str]:
        """What a signing seat signs of it, within its deal."""
        return self.after, self.seat, self.action

    def fields(self) -> Mapping[str, Json]:
        """The attempt as the file writes it."""
        return with_optional(
            {
                "after": self.after,
                "seat": SEATS[self.seat],
                "action": self.action,
                "reason": self.reason,
            },
            seat_sig=self.seat_sig,
        )

    @classmethod
    def read(cls, f: Fields) -> "Attempt":
        """The attempt in an object."""
        attempt = cls(
            after=f.number("after"),
            seat=f.seat("seat"),
            action=f.text("action", shortest=1, longest=48),
            reason=f.text("reason", longest=48),
            seat_sig=f.raw("seat_sig", SIGNATURE_SIZE) if f.has("seat_sig") else None,
        )
        f.end()
        return attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class DealClose:
    """A deal is over: its result, its secret r, its deck and everything that was hidden in it.

    At a table of a board it has neither r nor deck: both stand in board_close.
    """

    kind: ClassVar[str] = "deal_close"
    signed: ClassVar[bool] = True
    deal: int
    outcome: str
    r: bytes | None = None
    maker: int | None = None
    alone: tuple[int, ...] = ()
    tricks: Pair = ZERO
    points: Pair = ZERO
    score: Pair = ZERO
    faults: tuple[Fault, ...] = ()
    deck: str | None = None
    openings: tuple[HiddenOpening, ...] = ()
    attempts: tuple[Attempt, ...] = ()

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return with_optional(
            {
                "deal": self.deal,
                "outcome": self.outcome,
                "alone": [SEATS[seat] for seat in self.alone],
                "tricks": self.tricks.fields(),
                "points": self.points.fields(),
                "score": self.score.fields(),
                "faults": [fault.fields() for fault in self.faults],
                "openings": [opening.fields() for opening in self.openings],
                "attempts": [attempt.fields() for attempt in self.attempts],
            },
            maker=seat_word(self.maker),
            r=self.r,
            deck=self.deck,
        )

    @classmethod
    def read(cls, f: Fields) -> "DealClose":
        """The event in an object."""
        alone: list[int] = []
        for item in f.items("alone"):
            if not isinstance(item, str) or item not in SEATS:
                raise f.fault("alone", item, f"one of {', '.join(SEATS)}")
            alone.append(SEATS.index(item))
        return cls(
            deal=deal_number(f),
            outcome=f.word("outcome", DEAL_OUTCOMES),
            maker=f.seat("maker") if f.has("maker") else None,
            alone=tuple(alone),
            tricks=Pair.read(f.object("tricks")),
            points=Pair.read(f.object("points")),
            score=Pair.read(f.object("score")),
            faults=tuple(Fault.read(item) for item in f.objects("faults")),
            r=f.raw("r", HASH_SIZE) if f.has("r") else None,
            deck=f.text("deck", longest=3 * LARGEST_PACK) if f.has("deck") else None,
            openings=tuple(HiddenOpening.read(item) for item in f.objects("openings")),
            attempts=tuple(Attempt.read(item) for item in f.objects("attempts")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchClose:
    """A match is over."""

    kind: ClassVar[str] = "match_close"
    signed: ClassVar[bool] = True
    outcome: str
    score: Pair
    deals: int
    by: int | None = None
    winner: int | None = None

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return with_optional(
            {"outcome": self.outcome, "score": self.score.fields(), "deals": self.deals},
            by=seat_word(self.by),
            winner=None if self.winner is None else SIDES[self.winner],
        )

    @classmethod
    def read(cls, f: Fields) -> "MatchClose":
        """The event in an object."""
        return cls(
            outcome=f.word("outcome", MATCH_OUTCOMES),
            by=f.seat("by") if f.has("by") else None,
            winner=f.side("winner") if f.has("winner") else None,
            score=Pair.read(f.object("score")),
            deals=f.number("deals"),
        )


Event: TypeAlias = (
    MatchOpen
    | DealOpen
    | SeatCommit
    | CommitSet
    | RevealSet
    | DeckRoot
    | DealerDrawn
    | TurnUp
    | ActionTaken
    | DealClose
    | MatchClose
)
EVENT_CLASSES: Final[tuple[type[Event], ...]] = (
    MatchOpen,
    DealOpen,
    SeatCommit,
    CommitSet,
    RevealSet,
    DeckRoot,
    DealerDrawn,
    TurnUp,
    ActionTaken,
    DealClose,
    MatchClose,
)
_BY_KIND: Final[dict[str, type[Event]]] = {cls.kind: cls for cls in EVENT_CLASSES}


def read_event(kind: str, f: Fields) -> Event:
    """The event of a kind in its fields, all of which must be known."""
    cls = _BY_KIND.get(kind)
    if cls is None and kind in BOARD_KINDS:
        raise UnreadableError(
            f"an event of a sealed board: {kind!r} (verify the board with its tables' files)"
        )
    if cls is None:
        raise UnreadableError(f"unknown kind of event: {kind!r}")
    event = cls.read(f)
    f.end()
    return event
