"""The sealed deal, from seeds to deck: the arithmetic every party repeats.

Bytes in, bytes out; no clock, no chance, no I/O.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from euchre_bot.errors import DealProofError

PREFIX: Final = b"euchre-sealed/v1/"
PROTOCOL: Final = "euchre-sealed/v1"
SEED_BYTES: Final = 32

_E24: Final = tuple(rank + suit for suit in "CDHS" for rank in "9TJQKA")
_E32: Final = tuple(rank + suit for suit in "CDHS" for rank in "789TJQKA")
PACKS: Final = {
    "E24": _E24,
    "E25": (*_E24, "2S"),
    "E28": tuple(rank + suit for suit in "CDHS" for rank in "89TJQKA"),
    "E32": _E32,
    "E25J": (*_E24, "BB"),
    "E33J": (*_E32, "BB"),
}


def u32(number: int) -> bytes:
    """A number as four bytes, big endian; the referee may name none that needs more."""
    if number >> 32:
        raise DealProofError(f"the number {number} is more than the seal can hold")
    return number.to_bytes(4, "big")


def lp(*parts: bytes) -> bytes:
    """The parts, counted and each preceded by its length, so that no two lists collide.

    >>> lp(b"ab", b"").hex()
    '0000000200000002616200000000'
    """
    return u32(len(parts)) + b"".join(u32(len(part)) + part for part in parts)


def tagged_hash(tag: str, *parts: bytes) -> bytes:
    """SHA-256 of the parts under a tag that no other use shares."""
    return hashlib.sha256(lp(PREFIX + tag.encode("ascii"), *parts)).digest()


def _mac(key: bytes, tag: str, *parts: bytes) -> bytes:
    return hmac.digest(key, lp(PREFIX + tag.encode("ascii"), *parts), "sha256")


def chain_step(match: bytes, index: int, value: bytes) -> bytes:
    """R of `index` - 1, from R of `index`."""
    return tagged_hash("ref-chain", match, u32(index), value)


def chain_descend(match: bytes, value: bytes, *, start: int, end: int) -> bytes:
    """R of `end`, from `value` which claims to be R of `start`; `start` is not below `end`."""
    for index in range(start, end, -1):
        value = chain_step(match, index, value)
    return value


def seat_seed(secret: bytes, match: bytes, deal: int) -> bytes:
    """The seed that the holder of `secret` gives to a deal."""
    return _mac(secret, "seat-seed", match, u32(deal))


def cut_bytes(cut: int | None) -> bytes:
    """The cut as it is hashed: one byte, or none where nothing is cut."""
    return b"" if cut is None else bytes([cut])


def seat_commit(match: bytes, deal: int, seat: int, seed: bytes, cut: int | None) -> bytes:
    """A seat's commitment to its seed, and to the cut where it is the cutter."""
    return tagged_hash("seat-commit", match, u32(deal), u32(seat), seed, cut_bytes(cut))


def commit_set(
    match: bytes, deal: int, pack: str, r_commit: bytes, commits: Sequence[bytes]
) -> bytes:
    """The hash of all that a deal's deck depends on, before anything is revealed."""
    return tagged_hash("commit-set", match, u32(deal), pack.encode("ascii"), r_commit, *commits)


def deck_key(cset: bytes, r: bytes, seeds: Sequence[bytes], cut: int | None) -> bytes:
    """The key from which the deck, its salts and the first seat come."""
    salt = tagged_hash("deck-salt", cset)
    return hmac.digest(salt, lp(r, *seeds, cut_bytes(cut), b""), "sha256")


def stream(key: bytes, tag: str) -> Iterator[int]:
    """The bytes of a key's stream, without end."""
    block = 0
    while True:
        yield from _mac(key, tag, u32(block))
        block += 1


def below(source: Iterator[int], bound: int) -> int:
    """A number below `bound`, each equally likely; `bound` is 1 to 256."""
    limit = 256 - 256 % bound
    for value in source:
        if value < limit:
            return value % bound
    raise ValueError("the stream has ended")


def shuffled(key: bytes, size: int) -> list[int]:
    """The permutation that a key gives to `size` cards."""
    source = stream(key, "deck-stream")
    order = list(range(size))
    for i in range(size - 1, 0, -1):
        j = below(source, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def first_seat(key: bytes) -> int:
    """The seat that is given the first card of the dealer draw."""
    return below(stream(key, "first-seat"), 4)


def leaf(match: bytes, deal: int, position: int, card: str, salt: bytes) -> bytes:
    """The salted leaf of one card at one position."""
    body = lp(
        PREFIX + b"leaf", match, u32(deal), u32(position), card.encode("ascii", "replace"), salt
    )
    return hashlib.sha256(b"\x00" + body).digest()


def leaf_salt(key: bytes, position: int) -> bytes:
    """The salt of the leaf at a position."""
    return _mac(key, "leaf-salt", u32(position))


def tree_head(leaves: Sequence[bytes]) -> bytes:
    """The RFC 6962 tree head over leaves that are hashed already; there is at least one."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    both = tree_head(leaves[:split]) + tree_head(leaves[split:])
    return hashlib.sha256(b"\x01" + both).digest()


@dataclass(frozen=True, slots=True)
class SealedDeck:
    """A deck in deal order with the leaves that sealed it."""

    cards: tuple[str, ...]
    salts: tuple[bytes, ...]
    leaves: tuple[bytes, ...]
    root: bytes
    first_seat: int


def sealed_deck(
    *,
    match: bytes,
    deal: int,
    pack: str,
    r: bytes,
    cset: bytes,
    seeds: Sequence[bytes],
    cut: int | None,
) -> SealedDeck:
    """The deck of a deal, from everything that was revealed."""
    faces = PACKS[pack]
    size = len(faces)
    key = deck_key(cset, r, seeds, cut)
    order = shuffled(key, size)
    cards = tuple(faces[order[(p + (cut or 0)) % size]] for p in range(size))
    salts = tuple(leaf_salt(key, p) for p in range(size))
    leaves = tuple(leaf(match, deal, p, cards[p], salts[p]) for p in range(size))
    return SealedDeck(cards, salts, leaves, tree_head(leaves), first_seat(key))


def hidden_move(match: bytes, deal: int, seat: int, position: int, blind: bytes) -> bytes:
    """The commitment of a discard that stays face down."""
    return tagged_hash("hidden-move", match, u32(deal), u32(seat), u32(position), blind)


def hidden_moves(
    match: bytes, deal: int, seat: int, positions: Sequence[int], blinds: Sequence[bytes]
) -> bytes:
    """The commitment of one or more cards that stay face down, in rising position."""
    pairs = [part for p, b in zip(positions, blinds, strict=True) for part in (u32(p), b)]
    return tagged_hash("hidden-move", match, u32(deal), u32(seat), *pairs)


def private_deal_bytes(
    match: bytes,
    deal: int,
    seat: int,
    root: bytes,
    cards: Sequence[tuple[int, str, bytes]],
) -> bytes:
    """What the referee signs when it gives a seat its cards: (position, card, salt) each."""
    parts = [
        part for p, card, salt in cards for part in (u32(p), card.encode("ascii", "replace"), salt)
    ]
    return lp(PREFIX + b"private-deal", match, u32(deal), u32(seat), root, *parts)


def event_head(previous: bytes, event: bytes) -> bytes:
    """The head of the event chain once `event` has been appended."""
    return tagged_hash("event", previous, event)


def referee_signed_bytes(head: bytes) -> bytes:
    """What the referee signs for the event that made `head`."""
    return lp(PREFIX + b"sig/referee", head)


def reveal_signed_bytes(
    match: bytes, deal: int, seat: int, *, cset: bytes, commit: bytes, head: bytes
) -> bytes:
    """What a signing seat signs of its reveal; `head` is the head after commit_set."""
    return lp(PREFIX + b"sig/seat/reveal", match, u32(deal), u32(seat), cset, commit, head)


def move_signed_bytes(match: bytes, deal: int, seq: int, before: bytes, move: str) -> bytes:
    """What a signing seat signs of a move; `before` is the head that it follows.

    A hidden move is its word and the hex of its commitment.
    """
    text = move.encode("ascii", "replace")
    return lp(PREFIX + b"sig/seat/move", match, u32(deal), u32(seq), before, text)


def receipt_bytes(items: Sequence[tuple[bytes, int, int, bytes]]) -> bytes:
    """What the referee signs for what it has accepted: (match, deal, seq, head) each."""
    parts = [part for match, d, n, head in items for part in (match, u32(d), u32(n), head)]
    return lp(PREFIX + b"receipt", u32(len(items)), *parts)
