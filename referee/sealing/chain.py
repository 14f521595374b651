"""The referee's hash chain: one secret a deal, all fixed before the match opens.

R_N is random; each link is the hash of the one above it; R_0 stands signed in `match_open`.
Deal d uses r = R_{d+1}, whose commitment R_d is public since the close of the deal before, so the
referee has nothing left to choose.
"""

from hashlib import sha256
from typing import Final

from referee.sealing.encode import HASH_SIZE, REF_CHAIN, tagged, u32
from referee.sealing.errors import DealProofError

USUAL_LENGTH = 1024
LONGEST = 1 << 20
EVERY: Final = 16
"""One link of so many is kept; those between are made of it when they are asked for."""
_NUMBER: Final = len(u32(0))


def link_below(match: bytes, k: int, link: bytes) -> bytes:
    """R_{k-1}, made of R_k."""
    return hash_down(match, k, link, to=k - 1)


def hash_down(match: bytes, k: int, link: bytes, *, to: int) -> bytes:
    """R_to, made of R_k by hashing down k - to times."""
    if len(link) != HASH_SIZE:
        raise DealProofError(f"a link of a chain has {HASH_SIZE} bytes, not {len(link)}")
    # A thousand links are hashed for a match: what stands around number and link is encoded once.
    encoded = tagged(REF_CHAIN, match, u32(0), link)
    between = encoded[-HASH_SIZE - _NUMBER : -HASH_SIZE]
    start = encoded[: -HASH_SIZE - 2 * _NUMBER]
    for number in range(k, to, -1):
        link = sha256(start + u32(number) + between + link).digest()
    return link


class Chain:
    """All links of one match's chain, from the tip R_0 to the secret end R_N."""

    __slots__ = ("_kept", "_match", "length")

    def __init__(self, match: bytes, last: bytes, length: int = USUAL_LENGTH) -> None:
        if not 1 <= length <= LONGEST:
            raise DealProofError(f"not a chain length: {length!r} (it is 1 to {LONGEST})")
        if len(last) != HASH_SIZE:
            raise DealProofError(f"the end of a chain has {HASH_SIZE} bytes, not {len(last)}")
        self.length = length
        """N: the number of links above the tip; deals 0 to N - 1 can be sealed."""
        self._match = match
        self._kept = {length: last}
        above = length
        for k in range((length - 1) // EVERY * EVERY, -1, -EVERY):
            self._kept[k] = hash_down(match, above, self._kept[above], to=k)
            above = k

    def _link(self, k: int) -> bytes:
        above = min(self.length, -(-k // EVERY) * EVERY)
        return hash_down(self._match, above, self._kept[above], to=k)

    @property
    def first(self) -> bytes:
        """R_0, which `match_open` publishes."""
        return self._link(0)

    def secret(self, deal: int) -> bytes:
        """R of a deal: R_{deal+1}, secret until the deal closes."""
        if not 0 <= deal < self.length:
            raise DealProofError(
                f"the chain of {self.length} links is used up at deal {deal}: close the match void"
            )
        return self._link(deal + 1)

    def commitment(self, deal: int) -> bytes:
        """R_deal: what the referee is bound to before the deal's seats commit."""
        if not 0 <= deal < self.length:
            raise DealProofError(
                f"the chain of {self.length} links is used up at deal {deal}: close the match void"
            )
        return self._link(deal)
