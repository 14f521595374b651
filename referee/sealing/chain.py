"""The referee's hash chain: one secret a deal, all fixed before the match opens.

R_N is random; each link is the hash of the one above it; R_0 stands signed in `match_open`.
Deal d uses r = R_{d+1}, whose commitment R_d is public since the close of the deal before, so the
referee has nothing left to choose.
"""

from referee.sealing.encode import HASH_SIZE, REF_CHAIN, tagged_hash, u32
from referee.sealing.errors import DealProofError

USUAL_LENGTH = 1024
LONGEST = 1 << 20


def link_below(match: bytes, k: int, link: bytes) -> bytes:
    """R_{k-1}, made of R_k."""
    return tagged_hash(REF_CHAIN, match, u32(k), link)


def hash_down(match: bytes, k: int, link: bytes, *, to: int) -> bytes:
    """R_to, made of R_k by hashing down k - to times."""
    for number in range(k, to, -1):
        link = link_below(match, number, link)
    return link


class Chain:
    """All links of one match's chain, from the tip R_0 to the secret end R_N."""

    __slots__ = ("_links",)

    def __init__(self, match: bytes, last: bytes, length: int = USUAL_LENGTH) -> None:
        if not 1 <= length <= LONGEST:
            raise DealProofError(f"not a chain length: {length!r} (it is 1 to {LONGEST})")
        if len(last) != HASH_SIZE:
            raise DealProofError(f"the end of a chain has {HASH_SIZE} bytes, not {len(last)}")
        links = [last]
        for k in range(length, 0, -1):
            links.append(link_below(match, k, links[-1]))
        self._links = tuple(reversed(links))

    @property
    def length(self) -> int:
        """N: the number of links above the tip; deals 0 to N - 1 can be sealed."""
        return len(self._links) - 1

    @property
    def first(self) -> bytes:
        """R_0, which `match_open` publishes."""
        return self._links[0]

    def secret(self, deal: int) -> bytes:
        """R of a deal: R_{deal+1}, secret until the deal closes."""
        if not 0 <= deal < self.length:
            raise DealProofError(
                f"the chain of {self.length} links is used up at deal {deal}: close the match void"
            )
        return self._links[deal + 1]

    def commitment(self, deal: int) -> bytes:
        """R_deal: what the referee is bound to before the deal's seats commit."""
        if not 0 <= deal < self.length:
            raise DealProofError(
                f"the chain of {self.length} links is used up at deal {deal}: close the match void"
            )
        return self._links[deal]
