"""The bytes that are signed outside the transcript, and the ids made of public texts."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.sealing.encode import (
    KEY_ID,
    PRIVATE_DEAL,
    RECEIPT,
    ROSTER,
    RULE_SET,
    SIG_MOVE,
    SIG_REFEREE,
    SIG_REVEAL,
    tagged,
    tagged_hash,
    u32,
)


@dataclass(frozen=True, slots=True)
class Opening:
    """One card with its position and salt: it is checked against the leaf of that position."""

    position: int
    card: str
    salt: bytes


@dataclass(frozen=True, slots=True)
class ReceiptItem:
    """One accepted event: its match, its deal, its number and the chain's head after it."""

    match: bytes
    deal: int
    seq: int
    head: bytes


def referee_bytes(head: bytes) -> bytes:
    """What the referee signs of an event: the head of the chain after it."""
    return tagged(SIG_REFEREE, head)


def reveal_bytes(
    match: bytes, deal: int, seat: int, *, cset: bytes, commit: bytes, head: bytes
) -> bytes:
    """What a seat with a key signs of its reveal; `head` is the head after the commit set."""
    return tagged(SIG_REVEAL, match, u32(deal), u32(seat), cset, commit, head)


def private_deal_bytes(
    match: bytes, deal: int, seat: int, root: bytes, cards: Iterable[Opening]
) -> bytes:
    """What the referee signs of the cards it deals to one seat, in rising position."""
    parts = [
        part for c in cards for part in (u32(c.position), c.card.encode("ascii", "replace"), c.salt)
    ]
    return tagged(PRIVATE_DEAL, match, u32(deal), u32(seat), root, *parts)


def move_bytes(match: bytes, deal: int, seq: int, before: bytes, move: str) -> bytes:
    """What a seat with a key signs of a move; `before` is the head of the chain before it.

    A hidden move is its word and the hex of its commitment, never the card.
    """
    return tagged(SIG_MOVE, match, u32(deal), u32(seq), before, move.encode("ascii", "replace"))


def receipt_bytes(items: Iterable[ReceiptItem]) -> bytes:
    """What the referee signs once for all items accepted in one response."""
    listed = list(items)
    parts = [
        part for item in listed for part in (item.match, u32(item.deal), u32(item.seq), item.head)
    ]
    return tagged(RECEIPT, u32(len(listed)), *parts)


def roster_bytes(name: str, previous: bytes, key: bytes, since_ms: int) -> bytes:
    """What the previous key of a name signs of its successor."""
    return tagged(
        ROSTER, name.encode("ascii", "replace"), previous, key, str(since_ms).encode("ascii")
    )


def key_id(name: str, public: bytes) -> str:
    """Eight hex digits that tell two keys of one name apart."""
    return tagged_hash(KEY_ID, name.encode("ascii", "replace"), public)[:4].hex()


def rule_set_id(knobs: bytes) -> bytes:
    """The id of a rule set: the hash of its whole knob map as canonical JSON bytes."""
    return tagged_hash(RULE_SET, knobs)
