"""The one encoder of everything that is hashed, and the tags that keep its uses apart.

Nothing hashed for a deal is JSON or protobuf: a list of byte strings becomes one byte string by
writing how many there are and how long each is, so that no two lists give the same bytes.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

PROTOCOL: Final = "euchre-sealed/v1"
PREFIX: Final = b"euchre-sealed/v1/"
HASH_SIZE: Final = 32
MATCH_SIZE: Final = 16
LARGEST_U32: Final = 2**32 - 1

REF_CHAIN: Final = b"ref-chain"
SEAT_COMMIT: Final = b"seat-commit"
COMMIT_SET: Final = b"commit-set"
DECK_SALT: Final = b"deck-salt"
DECK_STREAM: Final = b"deck-stream"
FIRST_SEAT: Final = b"first-seat"
LEAF_SALT: Final = b"leaf-salt"
LEAF: Final = b"leaf"
PRIVATE_DEAL: Final = b"private-deal"
HIDDEN_MOVE: Final = b"hidden-move"
EVENT: Final = b"event"
KEY_ID: Final = b"key-id"
RULE_SET: Final = b"rule-set"
SEAT_SEED: Final = b"seat-seed"
SIG_REFEREE: Final = b"sig/referee"
SIG_REVEAL: Final = b"sig/seat/reveal"
SIG_MOVE: Final = b"sig/seat/move"
RECEIPT: Final = b"receipt"
ROSTER: Final = b"roster"

TAGS: Final = (
    REF_CHAIN,
    SEAT_COMMIT,
    COMMIT_SET,
    DECK_SALT,
    DECK_STREAM,
    FIRST_SEAT,
    LEAF_SALT,
    LEAF,
    PRIVATE_DEAL,
    HIDDEN_MOVE,
    EVENT,
    KEY_ID,
    RULE_SET,
    SEAT_SEED,
    SIG_REFEREE,
    SIG_REVEAL,
    SIG_MOVE,
    RECEIPT,
    ROSTER,
)


def u32(number: int) -> bytes:
    """Four bytes, the highest first.

    >>> u32(258).hex()
    '00000102'
    """
    return number.to_bytes(4, "big")


_LENGTHS: Final = tuple(map(u32, range(256)))


def lp(*parts: bytes) -> bytes:
    """The parts with their count and their lengths before them: injective.

    >>> lp(b"ab", b"").hex()
    '0000000200000002616200000000'
    """
    pieces = [u32(len(parts))]
    for part in parts:
        size = len(part)
        pieces.append(_LENGTHS[size] if size < len(_LENGTHS) else u32(size))
        pieces.append(part)
    return b"".join(pieces)


def tagged(tag: bytes, *parts: bytes) -> bytes:
    """The parts behind their tag: the bytes that are hashed or signed."""
    return lp(PREFIX + tag, *parts)


def tagged_hash(tag: bytes, *parts: bytes) -> bytes:
    """SHA-256 of the parts behind their tag."""
    return sha256(lp(PREFIX + tag, *parts)).digest()


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 of one message under one key."""
    return hmac.digest(key, message, "sha256")


_INNER: Final = bytes(x ^ 0x36 for x in range(256))
_OUTER: Final = bytes(x ^ 0x5C for x in range(256))
_BLOCK: Final = 64


class Mac:
    """HMAC-SHA256 under one key of many messages: the two padded states are made once and copied.

    A deck asks some fifty messages of one key; building the states each time would cost more
    than all the rest of its seal.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        block = (sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
        self._inner = sha256(block.translate(_INNER))
        self._outer = sha256(block.translate(_OUTER))

    def digests(self, messages: Iterable[bytes]) -> list[bytes]:
        """The 32 bytes of each of many messages."""
        inner_state, outer_state = self._inner, self._outer
        found = []
        for message in messages:
            inner = inner_state.copy()
            inner.update(message)
            outer = outer_state.copy()
            outer.update(inner.digest())
            found.append(outer.digest())
        return found

    def digest(self, message: bytes) -> bytes:
        """The 32 bytes of one message."""
        inner = self._inner.copy()
        inner.update(message)
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()
