"""The words of an action and the int that stands for it inside (rule book, chapter action).

An action is written in words that a program can split on single spaces: `pass`, `order alone`,
`name H`, `discard 9C`, `play JD`.
Its code is `verb * 64 + argument`; a swap, which names three cards, has a range of its own.
A swap has one form only: its cards stand in the order of their texts, as in `swap 9C 9D TC`.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from referee.rules.cards import CARD_COUNT, CARD_TEXTS, TRUMP_LETTERS, Card, parse_cards
from referee.rules.cards import InvalidCardError as _InvalidCardError

VERB_WORDS: Final = (
    "play",
    "discard",
    "give",
    "pass",
    "order",
    "name",
    "alone",
    "decline",
    "redeal",
    "swap",
)
V_PLAY: Final = 0
V_DISCARD: Final = 1
V_GIVE: Final = 2
V_PASS: Final = 3
V_ORDER: Final = 4
V_NAME: Final = 5
V_ALONE: Final = 6
V_DECLINE: Final = 7
V_REDEAL: Final = 8
V_SWAP: Final = 9
VERB_OF: Final = {word: verb for verb, word in enumerate(VERB_WORDS)}

PLAY: Final = V_PLAY << 6
DISCARD: Final = V_DISCARD << 6
GIVE: Final = V_GIVE << 6
PASS: Final = V_PASS << 6
ORDER: Final = V_ORDER << 6
ORDER_ALONE: Final = ORDER + 1
NAME: Final = V_NAME << 6
NAME_ALONE: Final = NAME + 8
ALONE: Final = V_ALONE << 6
DECLINE: Final = V_DECLINE << 6
REDEAL: Final = V_REDEAL << 6
SWAP: Final = 1 << 18


def _texts() -> dict[int, str]:
    texts = {
        PASS: "pass",
        ORDER: "order",
        ORDER_ALONE: "order alone",
        ALONE: "alone",
        DECLINE: "decline",
        REDEAL: "redeal",
    }
    for suit, letter in enumerate(TRUMP_LETTERS):
        texts[NAME + suit] = f"name {letter}"
        texts[NAME_ALONE + suit] = f"name {letter} alone"
    for card, text in enumerate(CARD_TEXTS):
        texts[PLAY + card] = f"play {text}"
        texts[DISCARD + card] = f"discard {text}"
        texts[GIVE + card] = f"give {text}"
    return texts


ACTION_TEXTS: Final[dict[int, str]] = _texts()
"""Every action but the swaps, by its code."""
_CODES: Final = {text: code for code, text in ACTION_TEXTS.items()}


def is_action(code: int) -> bool:
    """Whether a number stands for an action, of whatever pack."""
    if code < SWAP:
        return code in ACTION_TEXTS
    cards = swap_cards(code)
    return code < 2 * SWAP and max(cards) < CARD_COUNT and _in_order(cards)


def verb_of(code: int) -> int:
    """The verb of a code, also of one that stands for no action."""
    return V_SWAP if code >= SWAP else code >> 6


def swap_cards(code: int) -> tuple[Card, Card, Card]:
    """The three cards of a swap."""
    return code >> 12 & 63, code >> 6 & 63, code & 63


def action_cards(code: int) -> tuple[Card, ...]:
    """The cards that an action names."""
    if code >= SWAP:
        return swap_cards(code)
    return (code & 63,) if code < PASS else ()


def action_text(code: int) -> str:
    """The words of an action.

    >>> action_text(ORDER_ALONE)
    'order alone'
    """
    if code >= SWAP:
        return "swap " + " ".join(CARD_TEXTS[card] for card in swap_cards(code))
    return ACTION_TEXTS[code]


def parse_action(text: str) -> int | None:
    """The code of an action, or nothing where the words are no action.

    >>> parse_action("play JD") == parse_action("play  JD")
    False
    """
    code = _CODES.get(text)
    if code is None and text.startswith("swap "):
        return _parse_swap(text.removeprefix("swap "))
    return code


def uncovered(word: str, cards: Iterable[str]) -> str:
    """The words of a hidden move whose cards have been opened, in whatever order.

    >>> uncovered("swap", ["TC", "9C", "9D"])
    'swap 9C 9D TC'
    """
    return " ".join([word, *sorted(cards)])


def _parse_swap(text: str) -> int | None:
    try:
        cards = parse_cards(text)
    except _InvalidCardError:
        return None
    if len(cards) != 3 or not _in_order(cards):  # noqa: PLR2004 -- a swap is of three cards
        return None
    return SWAP | cards[0] << 12 | cards[1] << 6 | cards[2]


def _in_order(cards: tuple[Card, ...]) -> bool:
    texts = [CARD_TEXTS[card] for card in cards]
    return texts == sorted(set(texts))


def swap_codes(cards: Iterable[Card]) -> list[int]:
    """The codes of every swap of three of the given cards, in rising order."""
    ordered = sorted(cards, key=CARD_TEXTS.__getitem__)
    return sorted(SWAP | a << 12 | b << 6 | c for a, b, c in combinations(ordered, 3))
