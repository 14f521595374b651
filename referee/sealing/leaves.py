"""One salted leaf a position, and the tree head over them (RFC 6962, section 2.1).

The leaves are published before any card is opened: a card can be checked alone, and a card that is
never opened cannot be guessed, since its salt is unknown.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256

from referee.sealing.encode import LEAF, LEAF_SALT, PREFIX, Mac, lp, u32
from referee.sealing.errors import DealProofError
from referee.sealing.packs import LARGEST_PACK, PACKS

_SALT_MESSAGES = tuple(lp(PREFIX + LEAF_SALT, u32(p)) for p in range(LARGEST_PACK))
# A leaf's bytes are lp(tag, match, deal, position, card, salt): all but the salt is known ahead.
_POSITIONS = tuple(u32(4) + u32(p) for p in range(LARGEST_PACK))
_SALT_LENGTH = u32(32)
_CARD_PIECES = {
    card: u32(2) + card.encode("ascii") + _SALT_LENGTH for pack in PACKS.values() for card in pack
}
_NODE = sha256(b"\x01")
_LEAF_START = b"\x00" + u32(6) + u32(len(PREFIX + LEAF)) + PREFIX + LEAF


def salt(key: Mac, position: int) -> bytes:
    """The salt of one position."""
    return key.digest(_SALT_MESSAGES[position])


def salts(key: Mac, n: int) -> tuple[bytes, ...]:
    """The salts of positions 0 to n - 1."""
    return tuple(key.digests(_SALT_MESSAGES[:n]))


def leaf(match: bytes, deal: int, position: int, card: str, salt: bytes) -> bytes:
    """The leaf of one card: what its opening is checked against."""
    return sha256(
        b"\x00" + lp(PREFIX + LEAF, match, u32(deal), u32(position), card.encode("ascii"), salt)
    ).digest()


def leaves(
    match: bytes, deal: int, cards: Sequence[str], salts: Sequence[bytes]
) -> tuple[bytes, ...]:
    """The leaves of a whole deck; equal to `leaf` of each position, and quicker."""
    start = sha256(_LEAF_START + u32(len(match)) + match + u32(4) + u32(deal))
    found = []
    for position, card, salt in zip(_POSITIONS, cards, salts, strict=False):
        state = start.copy()
        state.update(position + _CARD_PIECES[card] + salt)
        found.append(state.digest())
    return tuple(found)


def tree_head(hashes: Sequence[bytes]) -> bytes:
    """The tree head over leaves; an odd one goes up alone, it is never doubled.

    Pairing level by level gives the tree of RFC 6962, which splits at the largest power of two
    below the number of leaves.
    """
    if not hashes:
        raise DealProofError("a tree has at least one leaf")
    return _tree_head(tuple(hashes))


@lru_cache(maxsize=16)
def _tree_head(hashes: tuple[bytes, ...]) -> bytes:
    """The head over leaves; a deal's are asked for when they are published and at its close."""
    level = list(hashes)
    while len(level) > 1:
        above = []
        for left, right in zip(level[::2], level[1::2], strict=False):
            state = _NODE.copy()
            state.update(left + right)
            above.append(state.digest())
        if len(level) & 1:
            above.append(level[-1])
        level = above
    return level[0]
