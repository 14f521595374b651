"""Which positions of the deck a seat is dealt, by the words that `rules` has for packets."""

from itertools import accumulate
from typing import Final

SWAP_POSITIONS: Final = (21, 22, 23)
_SIZES: Final = {
    "3-2": (3, 3, 3, 3, 2, 2, 2, 2),
    "2-3": (2, 2, 2, 2, 3, 3, 3, 3),
    "3-2-3-2": (3, 2, 3, 2, 2, 3, 2, 3),
    "2-3-2-3": (2, 3, 2, 3, 3, 2, 3, 2),
    "single": (1,) * 20,
}


def dealt_positions(packets: str, dealer: int, seat: int) -> tuple[int, ...]:
    """The five positions of a seat; none where the packets are unknown.

    Rule: deal.packets

    >>> dealt_positions("3-2", dealer=3, seat=0)
    (0, 1, 2, 12, 13)
    """
    sizes = _SIZES.get(packets, ())
    starts = accumulate(sizes, initial=0)
    mine = list(zip(starts, sizes, strict=False))[(seat - dealer - 1) % 4 :: 4]
    return tuple(place for start, size in mine for place in range(start, start + size))
