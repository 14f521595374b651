"""Cards as bits: for each trump a layout in which a higher card of a suit is a higher bit.

A layout has five regions of twelve bits: clubs, diamonds, hearts, spades, and trumps on top.
A hand is an int; any trump is above any plain card, and within a suit the higher card is higher.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from euchre_bot.bots.sensible import height, suit_of

WIDTH: Final = 12
TRUMP: Final = 4
SUITS: Final = "CDHS"
TRUMPS: Final = "CDHSN"
REGION: Final = (1 << WIDTH) - 1
PLAIN_ACE: Final = 7
KING: Final = 7
"""Where the ace of a plain suit and the king of trumps stand in their regions."""
LEFT: Final = 9
RIGHT: Final = 10
_HEIGHTS: Final = {38: LEFT, 39: RIGHT, 40: 11}
_PACK_RANKS: Final = {"E24": "9TJQKA", "E25": "9TJQKA", "E25J": "9TJQKA", "E28": "89TJQKA"}
_EXTRA: Final = {"E25": ("2S",), "E25J": ("BB",), "E33J": ("BB",)}
ALL_CARDS: Final = (*(rank + suit for suit in SUITS for rank in "789TJQKA"), "2S", "BB")

REGIONS: Final = tuple(REGION << WIDTH * suit for suit in range(5))
SUIT_MASK: Final = tuple(REGIONS[bit // WIDTH] for bit in range(5 * WIDTH))
"""For a bit's number, every card of its suit."""
TRUMP_MASK: Final = REGIONS[TRUMP]
TRUMP_LOW: Final = 1 << WIDTH * TRUMP


def pack_of(name: str) -> tuple[str, ...]:
    """The cards of a pack that a rule set names."""
    ranks = _PACK_RANKS.get(name, "789TJQKA")
    return (*(rank + suit for suit in SUITS for rank in ranks), *_EXTRA.get(name, ()))


def smallest_pack(seen: Iterable[str]) -> tuple[str, ...]:
    """The smallest pack that holds these cards, where nobody has told which it is."""
    cards = set(seen)
    ranks = "9TJQKA"
    if any(card[0] == "8" for card in cards):
        ranks = "8" + ranks
    if any(card[0] == "7" for card in cards):
        ranks = "789TJQKA"
    extra = sorted(cards & {"2S", "BB"})
    return (*(rank + suit for suit in SUITS for rank in ranks), *extra)


def _place(card: str, trump: str) -> int:
    own = suit_of(card, trump)
    high = height(card, trump)
    if own == trump:
        return WIDTH * TRUMP + _HEIGHTS.get(high, high - 19)
    return WIDTH * SUITS.index(own) + max(high, -1) + 1


@cache
def layout(trump: str) -> dict[str, int]:
    """For each card its bit under a trump, which is a suit's letter or N."""
    return {card: 1 << _place(card, trump) for card in ALL_CARDS}


def mask(cards: Iterable[str], trump: str) -> int:
    """A set of cards under a trump."""
    bits = layout(trump)
    total = 0
    for card in cards:
        total |= bits[card]
    return total


def worth(hand: int) -> int:
    """What a hand is worth under its layout's trump, in half trumps, as the sensible bot counts."""
    trumps = hand >> WIDTH * TRUMP
    value = 2 * trumps.bit_count() + 4 * (trumps >> RIGHT).bit_count()
    value += 3 * (trumps >> LEFT & 1) + (trumps >> KING & 3).bit_count()
    suits = 1 if trumps else 0
    for suit in range(4):
        held = hand >> WIDTH * suit & REGION
        if held:
            suits += 1
            value += 2 * (held >> PLAIN_ACE + 1 & 1)
    return value + 4 - suits
