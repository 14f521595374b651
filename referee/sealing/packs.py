"""The packs in the order in which the seal numbers their cards, and the words for seats."""

from typing import Final


def _pack(ranks: str, *extra: str) -> tuple[str, ...]:
    return (*(rank + suit for suit in "CDHS" for rank in ranks), *extra)


PACKS: Final[dict[str, tuple[str, ...]]] = {
    "E24": _pack("9TJQKA"),
    "E25": _pack("9TJQKA", "2S"),
    "E28": _pack("89TJQKA"),
    "E32": _pack("789TJQKA"),
    "E25J": _pack("9TJQKA", "BB"),
    "E33J": _pack("789TJQKA", "BB"),
}
LARGEST_PACK: Final = 33
UPCARD_POSITION: Final = 20
SWAP_POSITIONS: Final = (21, 22, 23)
"""Where the cards of the kitty lie that a swap takes."""

SEATS: Final = ("north", "east", "south", "west")
SEAT_NUMBERS: Final = {word: number for number, word in enumerate(SEATS)}
SIDES: Final = ("ns", "ew")


def side_of(seat: int) -> int:
    """The side a seat plays for: 0 north and south, 1 east and west."""
    return seat & 1
