"""The pack and its notation (rule book, chapter pack).

A card is a small int and a set of cards is an int with one bit a card.
The 24 cards are `suit * 6 + rank`; the best bowers, the eights and the sevens come after them.
Only two ASCII characters, rank then suit, name a card: `JH`, `TD`, `2S`; the joker is `BB`.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeAlias

from referee.errors import RefereeError

Card: TypeAlias = int
Suit: TypeAlias = int
Cards: TypeAlias = int
"""A set of cards, bit n for card n."""

CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3
SUIT_LETTERS: Final = "CDHS"
SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
NO_TRUMP: Final = 4
"""Stands in the place of a suit where a deal is played without trump."""
TRUMP_LETTERS: Final = SUIT_LETTERS + "N"

TWO_OF_SPADES: Final = 24
JOKER: Final = 25
BEST_BOWERS: Final = (1 << TWO_OF_SPADES) | (1 << JOKER)

HEIGHT_LETTERS: Final = "789TJQKA"
JACK_HEIGHT: Final = 4

CARD_TEXTS: Final = (
    *(rank + suit for suit in SUIT_LETTERS for rank in "9TJQKA"),
    "2S",
    "BB",
    *("8" + suit for suit in SUIT_LETTERS),
    *("7" + suit for suit in SUIT_LETTERS),
)
CARD_COUNT: Final = len(CARD_TEXTS)
_CARD_OF: Final = {text: card for card, text in enumerate(CARD_TEXTS)}
BIT: Final = tuple(1 << card for card in range(CARD_COUNT))
"""A card as a set: looked up, since that is twice as fast as to shift."""

PRINTED_SUIT: Final = tuple(
    SPADES if text == "BB" else SUIT_LETTERS.index(text[1]) for text in CARD_TEXTS
)
HEIGHT: Final = tuple(
    -1 if text in ("2S", "BB") else HEIGHT_LETTERS.index(text[0]) for text in CARD_TEXTS
)
"""Place of a rank in a plain suit, 7 lowest and ace highest; -1 for the best bowers."""

NINES_AND_TENS: Final[Cards] = sum(
    1 << card for card, text in enumerate(CARD_TEXTS) if text[0] in "9T"
)
FACES: Final[Cards] = sum(1 << card for card, text in enumerate(CARD_TEXTS) if text[0] in "JQK")
ACES: Final[Cards] = sum(1 << card for card, text in enumerate(CARD_TEXTS) if text[0] == "A")


class InvalidCardError(RefereeError, ValueError):
    """Text that names no card."""


class UnknownPackError(RefereeError, ValueError):
    """A pack id that nobody knows."""


class Pack(StrEnum):
    """Which cards are used."""

    E24 = "E24"
    E25 = "E25"
    E28 = "E28"
    E32 = "E32"
    E25J = "E25J"
    E33J = "E33J"


def _by_suit(ranks: str) -> tuple[Card, ...]:
    return tuple(_CARD_OF[rank + suit] for suit in SUIT_LETTERS for rank in ranks)


_PACKS: Final[dict[str, tuple[Card, ...]]] = {
    "E24": _by_suit("9TJQKA"),
    "E25": (*_by_suit("9TJQKA"), TWO_OF_SPADES),
    "E28": _by_suit("89TJQKA"),
    "E32": _by_suit("789TJQKA"),
    "E25J": (*_by_suit("9TJQKA"), JOKER),
    "E33J": (*_by_suit("789TJQKA"), JOKER),
}


def pack_cards(pack: str) -> tuple[Card, ...]:
    """The cards of a pack in the order that the sealed shuffle starts from.

    Rule: pack.24

    >>> [card_text(card) for card in pack_cards("E25")[-3:]]
    ['KS', 'AS', '2S']
    """
    cards = _PACKS.get(str(pack))
    if cards is None:
        raise UnknownPackError(f"no such pack: {pack!r} (the packs are {' '.join(_PACKS)})")
    return cards


def parse_trump(letter: str) -> Suit:
    """The trump that a letter names; `N` where there is none.

    >>> parse_trump("N") == NO_TRUMP
    True
    """
    if len(letter) != 1 or letter not in TRUMP_LETTERS:
        raise InvalidCardError(f"no such trump: {letter[:40]!r} (write one of C D H S N)")
    return TRUMP_LETTERS.index(letter)


def parse_card(text: str) -> Card:
    """The card that two characters name.

    >>> card_text(parse_card("TD"))
    'TD'
    """
    card = _CARD_OF.get(text)
    if card is None:
        raise InvalidCardError(
            f"not a card of the pack: {text[:40]!r} (write rank then suit, as JH or TD)"
        )
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a line such as `JD TD 9S`, parted by single spaces; none for an empty line."""
    return tuple(map(parse_card, text.split(" "))) if text else ()


def card_text(card: Card) -> str:
    """The two characters of a card."""
    return CARD_TEXTS[card]


def cards_text(cards: Iterable[Card]) -> str:
    """A line such as `JD TD 9S`."""
    return " ".join(map(card_text, cards))


def hand_of(cards: Iterable[Card]) -> Cards:
    """The set of the given cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def _slice_table(first: Card) -> tuple[tuple[Card, ...], ...]:
    """For every set of the twelve cards from `first`, those cards in rising order."""
    table: list[tuple[Card, ...]] = [()]
    for card in range(first, first + 12):
        table += [(*cards, card) for cards in table]
    return tuple(table)


_LOW: Final = _slice_table(0)
_MIDDLE: Final = _slice_table(12)
_HIGH: Final = _slice_table(24)


PACK_BITS: Final = {pack: hand_of(_PACKS[pack]) for pack in Pack}
"""The cards of each pack as a set."""
PACK_SIZE: Final = {pack: len(_PACKS[pack]) for pack in Pack}


def card_list(bits: Cards) -> list[Card]:
    """The cards of a set in rising order, as a new list."""
    cards = [*_LOW[bits & 4095], *_MIDDLE[bits >> 12 & 4095]]
    if bits >> 24:
        cards += _HIGH[bits >> 24]
    return cards


def cards_of(bits: Cards) -> tuple[Card, ...]:
    """The cards of a set in rising order.

    >>> cards_text(cards_of(hand_of(parse_cards("KD 9C"))))
    '9C KD'
    """
    return tuple(card_list(bits))
