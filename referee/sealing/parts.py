"""What events are made of: a pair of numbers, a seat, a policy, and the words they may use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.sealing.canonical import Json
from referee.sealing.chain import LONGEST
from referee.sealing.fields import Fields
from referee.sealing.packs import SEATS

LEVELS: Final = ("plays", "seeds", "checks", "signs")
SEED_BY: Final = ("seat", "host")
FALLBACKS: Final = ("TIMEOUT", "DISCONNECT", "CRASH")
FAULTS: Final = (
    "ILLEGAL",
    "MALFORMED",
    *FALLBACKS,
    "START_FAIL",
    "WITHHELD",
    "INFRA",
)
DEAL_OUTCOMES: Final = ("played", "thrown_in", "redeal", "fault", "renege", "void", "draw")
MATCH_OUTCOMES: Final = ("finished", "forfeit", "aborted", "void")
CARDS_MOVED: Final = {"discard": 1, "swap": 3, "give": 1}
HIDDEN_MOVES: Final = tuple(CARDS_MOVED)
_LARGEST_DEAL: Final = LONGEST


def deal_number(f: Fields) -> int:
    """The number of a deal."""
    return f.number("deal", largest=_LARGEST_DEAL)


def seat_word(seat: int | None) -> str | None:
    """The word of a seat, or nothing for nobody."""
    return None if seat is None else SEATS[seat]


def with_optional(fields: dict[str, Json], **optional: bytes | int | str | None) -> dict[str, Json]:
    """The fields, and those of the optional ones that are there."""
    for name, value in optional.items():
        if value is not None:
            fields[name] = value.hex() if isinstance(value, bytes) else value
    return fields


@dataclass(frozen=True, slots=True)
class Pair:
    """A number for each side."""

    ns: int
    ew: int

    def fields(self) -> Mapping[str, Json]:
        """The pair as the file writes it."""
        return {"ns": self.ns, "ew": self.ew}

    @classmethod
    def read(cls, f: Fields) -> "Pair":
        """The pair in an object."""
        pair = cls(f.number("ns"), f.number("ew"))
        f.end()
        return pair


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatInfo:
    """Who sits in a seat, what its client does for the seal, and who draws its seeds.

    Level `plays` is a declined seat: it sends no seed. A bot whose seeds the host draws has level
    `seeds`, drawn by `host`.
    """

    name: str
    level: str
    seed_by: str
    key: str | None = None

    @property
    def declined(self) -> bool:
        """Whether the seat takes no part in the seal."""
        return self.level == "plays"

    @property
    def weakness(self) -> str | None:
        """What of this seat rests on trust in the host, or None."""
        if self.declined:
            return "has declined"
        if self.seed_by == "host":
            return "had its seeds drawn by the host"
        return None if self.level == "signs" else "does not sign"

    def fields(self) -> Mapping[str, Json]:
        """The seat as `match_open` writes it."""
        return with_optional(
            {"name": self.name, "level": self.level, "seed_by": self.seed_by}, key=self.key
        )

    @classmethod
    def read(cls, f: Fields) -> "SeatInfo":
        """The seat in an object."""
        info = cls(
            name=f.text("name", longest=64),
            level=f.word("level", LEVELS),
            seed_by=f.word("seed_by", SEED_BY),
            key=f.text("key") if f.has("key") else None,
        )
        f.end()
        return info


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a match costs those who fail it, and its clocks; times are milliseconds."""

    rated: bool
    games: int
    illegal_limit: int
    timeout_limit: int
    withheld_limit: int
    move_ms: int
    bank_ms: int
    increment_ms: int
    start_ms: int
    commit_ms: int
    reveal_ms: int
    grace_ms: int

    def fields(self) -> Mapping[str, Json]:
        """The policy as `match_open` writes it."""
        return {
            "rated": self.rated,
            "games": self.games,
            "illegal_limit": self.illegal_limit,
            "timeout_limit": self.timeout_limit,
            "withheld_limit": self.withheld_limit,
            "move_ms": self.move_ms,
            "bank_ms": self.bank_ms,
            "increment_ms": self.increment_ms,
            "start_ms": self.start_ms,
            "commit_ms": self.commit_ms,
            "reveal_ms": self.reveal_ms,
            "grace_ms": self.grace_ms,
        }

    @classmethod
    def read(cls, f: Fields) -> "Policy":
        """The policy in an object."""
        policy = cls(
            rated=f.flag("rated"),
            games=f.number("games"),
            illegal_limit=f.number("illegal_limit"),
            timeout_limit=f.number("timeout_limit"),
            withheld_limit=f.number("withheld_limit"),
            move_ms=f.number("move_ms"),
            bank_ms=f.number("bank_ms"),
            increment_ms=f.number("increment_ms"),
            start_ms=f.number("start_ms"),
            commit_ms=f.number("commit_ms"),
            reveal_ms=f.number("reveal_ms"),
            grace_ms=f.number("grace_ms"),
        )
        f.end()
        return policy
