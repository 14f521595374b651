"""What happens in a match: public events, which the transcript holds, and private ones.

The public events are those of the seal (`referee.sealing`). Private ones are rows of the journal
alone, which later public events reveal. Folding both with `evolve` gives the state.
Seats are numbers, cards their two characters, hashes and seeds bytes, times milliseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, TypeAlias

from referee.sealing.boardevents import MOST_TABLES
from referee.sealing.canonical import Json
from referee.sealing.closing import ZERO, Attempt, Fault
from referee.sealing.closing import Event as PublicEvent
from referee.sealing.encode import HASH_SIZE, MATCH_SIZE
from referee.sealing.fields import Fields
from referee.sealing.packs import LARGEST_PACK, SEATS
from referee.sealing.parts import Pair, Policy, SeatInfo, deal_number, seat_word, with_optional

Fallback = Literal["TIMEOUT", "DISCONNECT", "CRASH"]
Why = Literal["ILLEGAL", "DISCONNECT", "CRASH", "START_FAIL", "INFRA"]
FALLBACKS: Final[tuple[Fallback, ...]] = ("TIMEOUT", "DISCONNECT", "CRASH")
WHYS: Final[tuple[Why, ...]] = ("ILLEGAL", "DISCONNECT", "CRASH", "START_FAIL", "INFRA")


def plus(a: Pair, b: Pair) -> Pair:
    """The sum, side by side."""
    return Pair(a.ns + b.ns, a.ew + b.ew)


def for_side(side: int, count: int) -> Pair:
    """`count` for north-south (0) or east-west (1), nothing for the other."""
    return Pair(0, count) if side else Pair(count, 0)


def of_seat(pair: Pair, seat: int) -> int:
    """The number of the side that a seat is on."""
    return pair.ew if seat & 1 else pair.ns


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table of a sealed board stands: its board, its number there, the key of its deck.

    The key is secret until the board is closed; from then on anybody can compute it. `score` is
    that of the game that goes on at the table, from board to board.
    """

    board: bytes
    table: int
    key: bytes = field(repr=False)
    score: Pair = ZERO


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCreated:
    """What was asked for, the end of the referee's chain, and who may come in.

    `tokens` are SHA-256 of the tokens: the four seats', then the one for watching. `by` is the
    operator who asked, absent where none needs a name. The token of an `invited` seat is nobody's:
    its own comes with an invitation code (`SeatJoined`). A `public` match stands in the lobby.
    `secret` is the end of the whole chain, or of so many `links` once the match is closed.
    A table of a sealed board has its `place`, no tokens, and R_1 of its board for a secret.
    """

    kind: ClassVar[str] = "created"
    match: bytes
    rule_set: str
    rules: Mapping[str, str]
    policy: Policy
    first_dealer: int | None
    chain: int
    secret: bytes
    referee_key: str
    tokens: tuple[bytes, ...]
    created_at: int
    by: str = ""
    invited: tuple[int, ...] = ()
    public: bool = False
    links: int | None = None
    place: Place | None = None

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        place = self.place
        doors: dict[str, Json] = {
            "by": self.by,
            "invited": list(self.invited),
            "public": self.public,
        }
        running: dict[str, Json] = {}
        if place is not None and place.score != ZERO:
            running["score"] = place.score.fields()
        return with_optional(
            {
                **running,
                **{name: value for name, value in doors.items() if value},
                "match": self.match.hex(),
                "rule_set": self.rule_set,
                "rules": dict(self.rules),
                "policy": self.policy.fields(),
                "chain": self.chain,
                "secret": self.secret.hex(),
                "referee_key": self.referee_key,
                "tokens": [token.hex() for token in self.tokens],
                "created_at": self.created_at,
            },
            first_dealer=seat_word(self.first_dealer),
            links=self.links,
            board=None if place is None else place.board,
            table=None if place is None else place.table,
            deck_key=None if place is None else place.key,
        )

    @classmethod
    def read(cls, f: Fields) -> "MatchCreated":
        """The event in an object."""
        return cls(
            match=f.raw("match", MATCH_SIZE),
            rule_set=f.text("rule_set"),
            rules=f.texts("rules"),
            policy=Policy.read(f.object("policy")),
            first_dealer=f.seat("first_dealer") if f.has("first_dealer") else None,
            chain=f.number("chain"),
            secret=f.raw("secret", HASH_SIZE),
            referee_key=f.text("referee_key"),
            tokens=f.raws("tokens", HASH_SIZE),
            created_at=f.number("created_at"),
            by=f.text("by") if f.has("by") else "",
            invited=f.numbers("invited", largest=len(SEATS) - 1) if f.has("invited") else (),
            public=f.flag("public") if f.has("public") else False,
            links=f.number("links") if f.has("links") else None,
            place=_place(f) if f.has("board") else None,
        )


def _place(f: Fields) -> Place:
    return Place(
        f.raw("board", MATCH_SIZE),
        f.number("table", largest=MOST_TABLES - 1),
        f.raw("deck_key", HASH_SIZE),
        Pair.read(f.object("score")) if f.has("score") else ZERO,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatJoined:
    """An invitation was taken up: the SHA-256 of the token that it gave. The code is used."""

    kind: ClassVar[str] = "joined"
    seat: int
    token: bytes

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return {"seat": SEATS[self.seat], "token": self.token.hex()}

    @classmethod
    def read(cls, f: Fields) -> "SeatJoined":
        """The event in an object."""
        return cls(seat=f.seat("seat"), token=f.raw("token", HASH_SIZE))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken:
    """A seat's first Hello."""

    kind: ClassVar[str] = "seated"
    seat: int
    info: SeatInfo

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return {"seat": SEATS[self.seat], "info": self.info.fields()}

    @classmethod
    def read(cls, f: Fields) -> "SeatTaken":
        """The event in an object."""
        return cls(seat=f.seat("seat"), info=SeatInfo.read(f.object("info")))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedShown:
    """A seat's seed, private until reveal_set."""

    kind: ClassVar[str] = "seed"
    deal: int
    seat: int
    seed: bytes
    cut: int | None = None
    sig: bytes = b""

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return with_optional(
            {"deal": self.deal, "seat": SEATS[self.seat], "seed": self.seed.hex()},
            cut=self.cut,
            sig=self.sig or None,
        )

    @classmethod
    def read(cls, f: Fields) -> "SeedShown":
        """The event in an object."""
        return cls(
            deal=deal_number(f),
            seat=f.seat("seat"),
            seed=f.raw("seed", HASH_SIZE),
            cut=f.number("cut") if f.has("cut") else None,
            sig=f.raw("sig", 64) if f.has("sig") else b"",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CardHidden:
    """Which positions the next hidden move is of, with their blinds; private until deal_close.

    `drawn` says that the referee drew the blinds, and tells them to the seat.
    """

    kind: ClassVar[str] = "hidden"
    deal: int
    seat: int
    positions: tuple[int, ...]
    blinds: tuple[bytes, ...]
    drawn: bool = False

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return {
            "deal": self.deal,
            "seat": SEATS[self.seat],
            "positions": list(self.positions),
            "blinds": [blind.hex() for blind in self.blinds],
            "drawn": self.drawn,
        }

    @classmethod
    def read(cls, f: Fields) -> "CardHidden":
        """The event in an object."""
        return cls(
            deal=deal_number(f),
            seat=f.seat("seat"),
            positions=f.numbers("positions", largest=LARGEST_PACK - 1),
            blinds=f.raws("blinds", HASH_SIZE),
            drawn=f.flag("drawn"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRefused:
    """An illegal attempt, private until deal_close."""

    kind: ClassVar[str] = "attempt"
    deal: int
    attempt: Attempt

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return {"deal": self.deal, "attempt": self.attempt.fields()}

    @classmethod
    def read(cls, f: Fields) -> "AttemptRefused":
        """The event in an object."""
        return cls(deal=deal_number(f), attempt=Attempt.read(f.object("attempt")))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDropped:
    """The match ends before it opened: there is no transcript."""

    kind: ClassVar[str] = "dropped"
    why: str

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return {"why": self.why}

    @classmethod
    def read(cls, f: Fields) -> "MatchDropped":
        """The event in an object."""
        return cls(why=f.text("why"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SideLeft:
    """A seat has given up its table of a board: the deal stops, and waits for the board's close."""

    kind: ClassVar[str] = "left"
    seat: int
    why: str

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return {"seat": SEATS[self.seat], "why": self.why}

    @classmethod
    def read(cls, f: Fields) -> "SideLeft":
        """The event in an object."""
        return cls(seat=f.seat("seat"), why=f.word("why", WHYS))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOver:
    """The board of a table is closed: what was played there counts, or is `void`."""

    kind: ClassVar[str] = "board_over"
    void: bool

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind."""
        return {"void": self.void}

    @classmethod
    def read(cls, f: Fields) -> "BoardOver":
        """The event in an object."""
        return cls(void=f.flag("void"))


PrivateEvent: TypeAlias = (
    MatchCreated
    | SeatJoined
    | SeatTaken
    | SeedShown
    | CardHidden
    | AttemptRefused
    | MatchDropped
    | SideLeft
    | BoardOver
)
Event: TypeAlias = PublicEvent | PrivateEvent
PRIVATE_CLASSES: Final[tuple[type[PrivateEvent], ...]] = (
    MatchCreated,
    SeatJoined,
    SeatTaken,
    SeedShown,
    CardHidden,
    AttemptRefused,
    MatchDropped,
    SideLeft,
    BoardOver,
)

__all__ = [
    "FALLBACKS",
    "PRIVATE_CLASSES",
    "WHYS",
    "AttemptRefused",
    "BoardOver",
    "CardHidden",
    "Event",
    "Fallback",
    "Fault",
    "MatchCreated",
    "MatchDropped",
    "Place",
    "PrivateEvent",
    "PublicEvent",
    "SeatJoined",
    "SeatTaken",
    "SeedShown",
    "SideLeft",
    "Why",
    "for_side",
    "of_seat",
    "plus",
]
