"""From a key to an order of the pack: one stream byte a step, rejected where it would be biased.

Fisher-Yates from the top; an accepted byte is uniform on a multiple of m, so every step is uniform
and independent, and the steps correspond one to one to the permutations.
"""

from collections.abc import Sequence

from referee.sealing.commit import cut_bytes
from referee.sealing.encode import (
    DECK_SALT,
    DECK_STREAM,
    FIRST_SEAT,
    PREFIX,
    Mac,
    lp,
    mac,
    tagged_hash,
    u32,
)
from referee.sealing.packs import PACKS

_BYTE_VALUES = 256
_BLOCKS_READY = 8
# LIMITS[m]: the largest multiple of m that a byte does not exceed; bytes from it on are rejected.
_LIMITS = (0, *(_BYTE_VALUES - _BYTE_VALUES % m for m in range(1, _BYTE_VALUES + 1)))


def _block_messages(tag: bytes) -> tuple[bytes, ...]:
    return tuple(lp(PREFIX + tag, u32(j)) for j in range(_BLOCKS_READY))


_READY = {DECK_STREAM: _block_messages(DECK_STREAM), FIRST_SEAT: _block_messages(FIRST_SEAT)}


class Stream:
    """The bytes of one purpose under a deck's key, and how many were taken and rejected."""

    __slots__ = ("_block", "_blocks", "_mac", "_tag", "rejected", "taken")

    def __init__(self, key: Mac, tag: bytes = DECK_STREAM) -> None:
        self._mac = key
        self._tag = tag
        self._block = b""
        self._blocks = 0
        self.taken = 0
        self.rejected = 0

    def byte(self) -> int:
        """The next byte of the stream."""
        place = self.taken & 31
        if not place:
            j = self._blocks
            ready = _READY.get(self._tag, ())
            message = ready[j] if j < len(ready) else lp(PREFIX + self._tag, u32(j))
            self._block = self._mac.digest(message)
            self._blocks = j + 1
        self.taken += 1
        return self._block[place]

    def below(self, m: int) -> int:
        """A number from 0 to m - 1, each equally likely; 1 <= m <= 256."""
        limit = _LIMITS[m]
        while True:
            x = self.byte()
            if x < limit:
                return x % m
            self.rejected += 1


def deck_key(cset: bytes, r: bytes, seeds: Sequence[bytes], cut: int | None) -> bytes:
    """The key of a deck: the referee's secret, every seed and the cut, under the commit set.

    The last field is reserved and empty in this version.
    """
    return mac(tagged_hash(DECK_SALT, cset), lp(r, *seeds, cut_bytes(cut), b""))


def permutation(stream: Stream, n: int) -> list[int]:
    """A uniform order of 0 to n - 1."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = stream.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def deal_order(pack: str, order: Sequence[int], cut: int | None) -> tuple[str, ...]:
    """The cards in deal order: the shuffled pack read from the cut on, round to it again."""
    cards = PACKS[pack]
    start = (cut or 0) % len(order)
    return tuple(cards[a] for a in (*order[start:], *order[:start]))


def first_seat(key: Mac) -> int:
    """The seat at which the dealer draw starts, from a stream of its own."""
    return Stream(key, FIRST_SEAT).below(4)
