"""Which hands the house rules are for (chapter house).

Silent in the pages and decided here: nines and tens are meant as the cards say, also in a pack
with lower ranks; an ace without a face is any number of aces and no best bower; going under takes
nines and tens of any mixture; the kitty serves one swap a deal; the cards put away are nines and
tens; a hand without ace, face and trump may be folded once the dealer has five cards again.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from conformance.oracle.cards import BEST, FACES, LOW_RANKS, suit_of

HAND_SIZE = 5
SWAPPED = 3

BEFORE_CALLING = ("farmers_hand", "going_under", "ace_no_face")
"""The knobs that ask every seat a question before round one."""


def low(card: str) -> bool:
    """Whether a card is a nine or a ten."""
    return card[0] in LOW_RANKS


def may_redeal(rules: Mapping[str, str], cards: Collection[str]) -> bool:
    """Whether a hand may ask for a new deal before round one."""
    farmer = rules["farmers_hand"] == "redeal" and all(low(card) for card in cards)
    aces = [card for card in cards if card[0] == "A"]
    better = [card for card in cards if card[0] in FACES or card in BEST]
    return farmer or (rules["ace_no_face"] == "redeal" and bool(aces) and not better)


def may_swap(rules: Mapping[str, str], cards: Collection[str]) -> bool:
    """Whether a hand may be bettered out of the kitty."""
    lows = [card for card in cards if low(card)]
    farmer = rules["farmers_hand"] == "swap_three" and len(lows) == HAND_SIZE
    return farmer or (rules["going_under"] == "swap_three" and len(lows) >= SWAPPED)


def swaps(cards: Collection[str]) -> list[str]:
    """Every swap of three of these cards, each in the one way it is written."""
    return ["swap " + " ".join(three) for three in combinations(written(cards), SWAPPED)]


def written(cards: Collection[str]) -> list[str]:
    """Cards in the order in which a swap names them: as text is sorted."""
    return sorted(cards)


def is_swap(words: Sequence[str], pack: Collection[str]) -> bool:
    """Whether these words are a swap, rightly written."""
    cards = list(words[1:])
    return (
        len(cards) == SWAPPED
        and len(set(cards)) == SWAPPED
        and all(card in pack for card in cards)
        and cards == written(cards)
    )


def hopeless(cards: Collection[str], trump: str) -> bool:
    """Whether a hand has no ace, no face card and no trump."""
    return all(card[0] not in "AKQJ" and suit_of(card, trump) != trump for card in cards)
