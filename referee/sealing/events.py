"""The events of a match as the transcript writes them: one class a kind, with its fields.

Seats and sides are numbers here and words in the file; bytes are lower-case hex in the file.
`fields` of an event is what `transcript.event_bytes` writes; `closing.read_event` is its inverse.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from referee.sealing.canonical import Json
from referee.sealing.chain import LONGEST
from referee.sealing.encode import HASH_SIZE, MATCH_SIZE, PROTOCOL
from referee.sealing.fields import Fields
from referee.sealing.keys import SIGNATURE_SIZE
from referee.sealing.packs import LARGEST_PACK, PACKS, SEATS
from referee.sealing.parts import (
    FALLBACKS,
    Pair,
    Policy,
    SeatInfo,
    deal_number,
    seat_word,
    with_optional,
)

CARDS: Final = tuple(sorted({card for pack in PACKS.values() for card in pack}))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOpen:
    """The match: rules, seats, the referee's key and the tip of its chain.

    A table of a board says where it stands, and `score` is its running game's, absent at 0-0.
    """

    kind: ClassVar[str] = "match_open"
    signed: ClassVar[bool] = True
    match: bytes
    rule_set: bytes
    rules: Mapping[str, str]
    pack: str
    seats: tuple[SeatInfo, ...]
    referee_key: str
    chain: int
    r0: bytes
    policy: Policy
    opened_at: int
    board: bytes | None = None
    table: int | None = None
    root: bytes | None = None
    score: Pair | None = None

    @property
    def rated(self) -> bool:
        """Whether its results count."""
        return self.policy.rated

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        running: dict[str, Json] = {} if self.score is None else {"score": self.score.fields()}
        return with_optional(
            {
                **running,
                "match": self.match.hex(),
                "protocol": PROTOCOL,
                "rule_set": self.rule_set.hex(),
                "rules": dict(self.rules),
                "pack": self.pack,
                "seats": [seat.fields() for seat in self.seats],
                "referee_key": self.referee_key,
                "chain": self.chain,
                "r0": self.r0.hex(),
                "policy": self.policy.fields(),
                "opened_at": self.opened_at,
            },
            board=self.board,
            table=self.table,
            root=self.root,
        )

    @classmethod
    def read(cls, f: Fields) -> "MatchOpen":
        """The event in an object."""
        f.word("protocol", (PROTOCOL,))
        return cls(
            match=f.raw("match", MATCH_SIZE),
            rule_set=f.raw("rule_set", HASH_SIZE),
            rules=f.texts("rules"),
            pack=f.word("pack", tuple(PACKS)),
            seats=tuple(SeatInfo.read(seat) for seat in f.objects("seats", exactly=4)),
            referee_key=f.text("referee_key"),
            chain=f.number("chain", largest=LONGEST),
            r0=f.raw("r0", HASH_SIZE),
            policy=Policy.read(f.object("policy")),
            opened_at=f.number("opened_at"),
            board=f.raw("board", MATCH_SIZE) if f.has("board") else None,
            table=f.number("table") if f.has("table") else None,
            root=f.raw("root", HASH_SIZE) if f.has("root") else None,
            score=Pair.read(f.object("score")) if f.has("score") else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DealOpen:
    """A deal begins: its number, its dealer, who cuts."""

    kind: ClassVar[str] = "deal_open"
    signed: ClassVar[bool] = False
    deal: int
    dealer: int | None = None
    cutter: int | None = None

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return with_optional(
            {"deal": self.deal}, dealer=seat_word(self.dealer), cutter=seat_word(self.cutter)
        )

    @classmethod
    def read(cls, f: Fields) -> "DealOpen":
        """The event in an object."""
        return cls(
            deal=deal_number(f),
            dealer=f.seat("dealer") if f.has("dealer") else None,
            cutter=f.seat("cutter") if f.has("cutter") else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCommit:
    """A seat has committed."""

    kind: ClassVar[str] = "seat_commit"
    signed: ClassVar[bool] = False
    deal: int
    seat: int
    commit: bytes

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {"deal": self.deal, "seat": SEATS[self.seat], "commit": self.commit.hex()}

    @classmethod
    def read(cls, f: Fields) -> "SeatCommit":
        """The event in an object."""
        return cls(deal=deal_number(f), seat=f.seat("seat"), commit=f.raw("commit", HASH_SIZE))


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitSet:
    """All commitments of a deal, bound by one hash."""

    kind: ClassVar[str] = "commit_set"
    signed: ClassVar[bool] = True
    deal: int
    r_commit: bytes
    commits: tuple[bytes, ...]
    cset: bytes

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {
            "deal": self.deal,
            "r_commit": self.r_commit.hex(),
            "commits": [commit.hex() for commit in self.commits],
            "cset": self.cset.hex(),
        }

    @classmethod
    def read(cls, f: Fields) -> "CommitSet":
        """The event in an object."""
        return cls(
            deal=deal_number(f),
            r_commit=f.raw("r_commit", HASH_SIZE),
            commits=f.raws("commits", HASH_SIZE, exactly=4),
            cset=f.raw("cset", HASH_SIZE),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealSet:
    """All seeds of a deal, and the cut; a declined seat's seed is empty."""

    kind: ClassVar[str] = "reveal_set"
    signed: ClassVar[bool] = False
    deal: int
    seeds: tuple[bytes, ...]
    sigs: tuple[bytes, ...] = (b"", b"", b"", b"")
    cut: int | None = None

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return with_optional(
            {
                "deal": self.deal,
                "seeds": [seed.hex() for seed in self.seeds],
                "sigs": [sig.hex() for sig in self.sigs],
            },
            cut=self.cut,
        )

    @classmethod
    def read(cls, f: Fields) -> "RevealSet":
        """The event in an object."""
        return cls(
            deal=deal_number(f),
            seeds=f.raws("seeds", 0, HASH_SIZE, exactly=4),
            sigs=f.raws("sigs", 0, SIGNATURE_SIZE, exactly=4),
            cut=f.number("cut", largest=255) if f.has("cut") else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRoot:
    """The sealed deck: one leaf a position and the head of their tree."""

    kind: ClassVar[str] = "deck_root"
    signed: ClassVar[bool] = True
    deal: int
    leaves: tuple[bytes, ...]
    root: bytes

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {
            "deal": self.deal,
            "leaves": [leaf.hex() for leaf in self.leaves],
            "root": self.root.hex(),
        }

    @classmethod
    def read(cls, f: Fields) -> "DeckRoot":
        """The event in an object."""
        return cls(
            deal=deal_number(f), leaves=f.raws("leaves", HASH_SIZE), root=f.raw("root", HASH_SIZE)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A card turned for everybody: its position, its text and its salt."""

    position: int
    card: str
    salt: bytes

    def fields(self) -> Mapping[str, Json]:
        """The card as the file writes it."""
        return {"position": self.position, "card": self.card, "salt": self.salt.hex()}

    @classmethod
    def read(cls, f: Fields) -> "Turned":
        """The card in the fields of an object."""
        return cls(
            position=f.number("position", largest=LARGEST_PACK - 1),
            card=f.word("card", CARDS),
            salt=f.raw("salt", HASH_SIZE),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerDrawn:
    """The cards turned for the first deal, and who deals it."""

    kind: ClassVar[str] = "dealer_draw"
    signed: ClassVar[bool] = False
    deal: int
    start: int
    turned: tuple[Turned, ...]
    dealer: int

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {
            "deal": self.deal,
            "start": SEATS[self.start],
            "turned": [card.fields() for card in self.turned],
            "dealer": SEATS[self.dealer],
        }

    @classmethod
    def read(cls, f: Fields) -> "DealerDrawn":
        """The event in an object."""
        turned = []
        for item in f.objects("turned"):
            turned.append(Turned.read(item))
            item.end()
        return cls(
            deal=deal_number(f),
            start=f.seat("start"),
            turned=tuple(turned),
            dealer=f.seat("dealer"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUp:
    """The upcard is turned."""

    kind: ClassVar[str] = "turn_up"
    signed: ClassVar[bool] = False
    deal: int
    turned: Turned

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return {"deal": self.deal, **self.turned.fields()}

    @classmethod
    def read(cls, f: Fields) -> "TurnUp":
        """The event in an object."""
        return cls(deal=deal_number(f), turned=Turned.read(f))


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTaken:
    """An accepted action; a hidden one is its word alone, beside its commitment."""

    kind: ClassVar[str] = "action"
    signed: ClassVar[bool] = False
    deal: int
    seat: int
    action: str
    used_ms: int
    commit: bytes | None = None
    seat_sig: bytes | None = None
    fallback: str | None = None

    @property
    def move(self) -> str:
        """The text a signing seat signs."""
        return self.action if self.commit is None else f"{self.action} {self.commit.hex()}"

    def fields(self) -> Mapping[str, Json]:
        """All fields but kind, seq and prev."""
        return with_optional(
            {
                "deal": self.deal,
                "seat": SEATS[self.seat],
                "action": self.action,
                "used_ms": self.used_ms,
            },
            commit=self.commit,
            seat_sig=self.seat_sig,
            fallback=self.fallback,
        )

    @classmethod
    def read(cls, f: Fields) -> "ActionTaken":
        """The event in an object."""
        return cls(
            deal=deal_number(f),
            seat=f.seat("seat"),
            action=f.text("action", shortest=1, longest=48),
            used_ms=f.number("used_ms"),
            commit=f.raw("commit", HASH_SIZE) if f.has("commit") else None,
            seat_sig=f.raw("seat_sig", SIGNATURE_SIZE) if f.has("seat_sig") else None,
            fallback=f.word("fallback", FALLBACKS) if f.has("fallback") else None,
        )
