"""The events of a sealed board: the file that binds one deck to all its tables.

A board's events are chained and signed as a match's are. Seats are numbered through all tables,
j = 4 * table + seat; bytes are lower-case hex in the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from referee.sealing.canonical import Json
from referee.sealing.encode import HASH_SIZE, MATCH_SIZE, PROTOCOL
from referee.sealing.errors import UnreadableError
from referee.sealing.fields import Fields
from referee.sealing.keys import SIGNATURE_SIZE
from referee.sealing.packs import LARGEST_PACK, PACKS, SEATS
from referee.sealing.parts import SeatInfo, with_optional

MOST_TABLES: Final = 64
BOARD_OUTCOMES: Final = ("played", "void")
VOID_REASONS: Final = ("INFRA",)
_TABLE: Final = len(SEATS)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOpen:
    """A board: rules, dealer, the seats of all its tables and the link that fixes its secret."""

    kind: ClassVar[str] = "board_open"
    signed: ClassVar[bool] = True
    board: bytes
    rule_set: bytes
    rules: Mapping[str, str]
    pack: str
    dealer: int
    tables: int
    seats: tuple[SeatInfo, ...]
    referee_key: str
    r1: bytes
    opened_at: int

    @property
    def match(self) -> bytes:
        """The id that stands in the place of a match id."""
        return self.board

    @property
    def rated(self) -> bool:
        """A board always is: no fault of a seat throws its deck away."""
        return True

    def seats_of(self, table: int) -> tuple[SeatInfo, ...]:
        """The four seats of one table."""
        return self.seats[_TABLE * table : _TABLE * (table + 1)]

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {
            "board": self.board.hex(),
            "protocol": PROTOCOL,
            "rule_set": self.rule_set.hex(),
            "rules": dict(self.rules),
            "pack": self.pack,
            "dealer": SEATS[self.dealer],
            "tables": self.tables,
            "seats": [seat.fields() for seat in self.seats],
            "referee_key": self.referee_key,
            "r1": self.r1.hex(),
            "opened_at": self.opened_at,
        }

    @classmethod
    def read(cls, f: Fields) -> "BoardOpen":
        """The event in an object."""
        f.word("protocol", (PROTOCOL,))
        tables = f.number("tables", largest=MOST_TABLES)
        return cls(
            board=f.raw("board", MATCH_SIZE),
            rule_set=f.raw("rule_set", HASH_SIZE),
            rules=f.texts("rules"),
            pack=f.word("pack", tuple(PACKS)),
            dealer=f.seat("dealer"),
            tables=tables,
            seats=tuple(SeatInfo.read(seat) for seat in f.objects("seats", exactly=4 * tables)),
            referee_key=f.text("referee_key"),
            r1=f.raw("r1", HASH_SIZE),
            opened_at=f.number("opened_at"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCommit:
    """A seat of a table has committed."""

    kind: ClassVar[str] = "board_commit"
    signed: ClassVar[bool] = False
    j: int
    commit: bytes

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {"j": self.j, "commit": self.commit.hex()}

    @classmethod
    def read(cls, f: Fields) -> "BoardCommit":
        """The event in an object."""
        largest = _TABLE * MOST_TABLES - 1
        return cls(j=f.number("j", largest=largest), commit=f.raw("commit", HASH_SIZE))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCommitSet:
    """All commitments of a board, bound by one hash."""

    kind: ClassVar[str] = "board_commit_set"
    signed: ClassVar[bool] = True
    r_commit: bytes
    commits: tuple[bytes, ...]
    cset: bytes

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {
            "r_commit": self.r_commit.hex(),
            "commits": [commit.hex() for commit in self.commits],
            "cset": self.cset.hex(),
        }

    @classmethod
    def read(cls, f: Fields) -> "BoardCommitSet":
        """The event in an object."""
        return cls(
            r_commit=f.raw("r_commit", HASH_SIZE),
            commits=f.raws("commits", HASH_SIZE),
            cset=f.raw("cset", HASH_SIZE),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRevealSet:
    """All seeds of a board; a declined seat's seed is empty."""

    kind: ClassVar[str] = "board_reveal_set"
    signed: ClassVar[bool] = False
    seeds: tuple[bytes, ...]
    sigs: tuple[bytes, ...]

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {
            "seeds": [seed.hex() for seed in self.seeds],
            "sigs": [sig.hex() for sig in self.sigs],
        }

    @classmethod
    def read(cls, f: Fields) -> "BoardRevealSet":
        """The event in an object."""
        return cls(
            seeds=f.raws("seeds", 0, HASH_SIZE),
            sigs=f.raws("sigs", 0, SIGNATURE_SIZE),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRoot:
    """The sealed deck of a board: one leaf a position and the head of their tree."""

    kind: ClassVar[str] = "deck_root"
    signed: ClassVar[bool] = True
    leaves: tuple[bytes, ...]
    root: bytes

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {"leaves": [leaf.hex() for leaf in self.leaves], "root": self.root.hex()}

    @classmethod
    def read(cls, f: Fields) -> "BoardRoot":
        """The event in an object."""
        return cls(leaves=f.raws("leaves", HASH_SIZE), root=f.raw("root", HASH_SIZE))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardClose:
    """A board is over: its secret, its deck, and the head of each table before its close.

    A void board says why.
    """

    kind: ClassVar[str] = "board_close"
    signed: ClassVar[bool] = True
    outcome: str
    r: bytes
    deck: str
    heads: tuple[bytes, ...]
    reason: str | None = None

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return with_optional(
            {
                "outcome": self.outcome,
                "r": self.r.hex(),
                "deck": self.deck,
                "heads": [head.hex() for head in self.heads],
            },
            reason=self.reason,
        )

    @classmethod
    def read(cls, f: Fields) -> "BoardClose":
        """The event in an object."""
        return cls(
            outcome=f.word("outcome", BOARD_OUTCOMES),
            r=f.raw("r", HASH_SIZE),
            deck=f.text("deck", longest=3 * LARGEST_PACK),
            heads=f.raws("heads", HASH_SIZE),
            reason=f.word("reason", VOID_REASONS) if f.has("reason") else None,
        )


BoardEvent: TypeAlias = (
    BoardOpen | BoardCommit | BoardCommitSet | BoardRevealSet | BoardRoot | BoardClose
)
BOARD_CLASSES: Final[tuple[type[BoardEvent], ...]] = (
    BoardOpen,
    BoardCommit,
    BoardCommitSet,
    BoardRevealSet,
    BoardRoot,
    BoardClose,
)
_BY_KIND: Final[dict[str, type[BoardEvent]]] = {cls.kind: cls for cls in BOARD_CLASSES}
BOARD_KINDS: Final = frozenset(_BY_KIND) - {BoardRoot.kind}
"""The kinds that only a board's file has."""


def read_board_event(kind: str, f: Fields) -> BoardEvent:
    """The event of a kind in its fields, all of which must be known."""
    cls = _BY_KIND.get(kind)
    if cls is None:
        raise UnreadableError(f"unknown kind of event of a board: {kind!r}")
    event = cls.read(f)
    f.end()
    return event
