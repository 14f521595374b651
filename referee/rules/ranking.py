"""Which suit a card counts as, and which card beats which (chapter rank).

`suit_of` and `strength` are the only statement of these rules.
The tables that the engine looks up are computed from them when the module is imported.

Without trump (`NO_TRUMP`) there are no bowers: a jack ranks between queen and ten of its printed
suit, and the best bower, which counts as a spade wherever no suit is trump, is the lowest spade.
No source says what a best bower is worth then.
"""

from typing import Final

from referee.rules.cards import (
    BEST_BOWERS,
    CARD_COUNT,
    HEIGHT,
    JACK_HEIGHT,
    NO_TRUMP,
    PRINTED_SUIT,
    Card,
    Cards,
    Suit,
    hand_of,
)

_IN_LED_SUIT: Final = 2
_IN_TRUMP: Final = 10
_LEFT: Final = 20
_RIGHT: Final = 21
_BEST: Final = 22


def same_color(suit: Suit) -> Suit:
    """The other suit of a suit's color: clubs and spades, diamonds and hearts."""
    return 3 - suit


def is_best_bower(card: Card) -> bool:
    """Whether a card is the joker or the two of spades.

    Rule: best-bower.rank
    """
    return BEST_BOWERS >> card & 1 == 1


def is_right_bower(card: Card, trump: Suit) -> bool:
    """Whether a card is the jack of trump.

    Rule: rank.trump
    """
    return HEIGHT[card] == JACK_HEIGHT and PRINTED_SUIT[card] == trump


def is_left_bower(card: Card, trump: Suit) -> bool:
    """Whether a card is the other jack of trump's color.

    Rule: rank.left-by-suit
    """
    return HEIGHT[card] == JACK_HEIGHT and PRINTED_SUIT[card] == same_color(trump)


def suit_of(card: Card, trump: Suit | None) -> Suit:
    """The suit a card counts as once trump is made; its printed suit before.

    Rule: follow.left-bower-is-trump -- the left bower counts as a trump for every purpose.
    Rule: best-bower.rank -- so does the best bower; without trump it counts as a spade.
    Rule: bid.no-trump -- then every jack counts as its printed suit.

    >>> from referee.rules.cards import HEARTS, parse_card
    >>> suit_of(parse_card("JD"), trump=HEARTS) == HEARTS
    True
    """
    if trump in (None, NO_TRUMP):
        return PRINTED_SUIT[card]
    if is_best_bower(card) or is_left_bower(card, trump):
        return trump
    return PRINTED_SUIT[card]


def strength(card: Card, trump: Suit, led: Suit) -> int:
    """How a card ranks in a trick: the greatest wins, and 0 never does.

    Rule: rank.trump -- best bower, right, left, then ace down.
    Rule: rank.green-suits -- in a plain suit the jack stands between queen and ten.
    Rule: trick.winner -- the highest trump, else the highest card of the led suit.
    Rule: bid.no-trump -- without trump, the highest card of the led suit.
    """
    if is_best_bower(card) and trump != NO_TRUMP:
        return _BEST
    if is_right_bower(card, trump):
        return _RIGHT
    if is_left_bower(card, trump):
        return _LEFT
    if PRINTED_SUIT[card] == trump:
        return _IN_TRUMP + HEIGHT[card]
    if PRINTED_SUIT[card] == led:
        return _IN_LED_SUIT + HEIGHT[card]
    return 0


def _cards_of_suit(suit: Suit, trump: Suit) -> Cards:
    return hand_of(card for card in range(CARD_COUNT) if suit_of(card, trump) == suit)


_BY_SUIT: Final = tuple(
    tuple(_cards_of_suit(suit, trump) for suit in range(4)) for trump in range(5)
)

FOLLOW: Final[tuple[tuple[Cards, ...], ...]] = tuple(
    tuple(_BY_SUIT[trump][suit_of(led, trump)] for led in range(CARD_COUNT)) for trump in range(5)
)
"""`FOLLOW[trump][led card]`: every card that follows it."""

STRENGTH: Final[tuple[tuple[bytes, ...], ...]] = tuple(
    tuple(
        bytes(strength(card, trump, suit_of(led, trump)) for card in range(CARD_COUNT))
        for led in range(CARD_COUNT)
    )
    for trump in range(5)
)
"""`STRENGTH[trump][led card][card]`: how a card ranks in a trick."""

LEADS: Final[tuple[tuple[tuple[Cards, bytes, int], ...], ...]] = tuple(
    tuple(
        (follow, row, row[led])
        for led, (follow, row) in enumerate(zip(FOLLOW[trump], STRENGTH[trump], strict=True))
    )
    for trump in range(5)
)
"""`LEADS[trump][led card]`: what follows it, how each card ranks, and how it ranks itself."""


def trumps(trump: Suit) -> Cards:
    """Every card that counts as a trump; none where there is no trump."""
    return 0 if trump == NO_TRUMP else _BY_SUIT[trump][trump]


def natural_trumps(trump: Suit) -> Cards:
    """The trumps without the left bower.

    Rule: round-one.void-order -- the best bower counts under every form of the test.
    """
    return hand_of(
        card
        for card in range(CARD_COUNT)
        if suit_of(card, trump) == trump and not is_left_bower(card, trump)
    )
