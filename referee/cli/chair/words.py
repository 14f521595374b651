"""What a person types, read as an action: notation, a bare card, a suit or a number."""

import re
from collections.abc import Sequence
from typing import Final

from referee.rules import (
    SUIT_LETTERS,
    SUIT_WORDS,
    TRUMP_LETTERS,
    InvalidCardError,
    card_text,
    parse_action,
    parse_card,
)

_DRAWN: Final = str.maketrans({"♣": "C", "♦": "D", "♥": "H", "♠": "S", "\ufe0f": None})
_SHORT: Final = {
    "p": "pass",
    "o": "order",
    "order up": "order",
    "pick up": "order",
    "pick it up": "order",
    "assist": "order",
    "oa": "order alone",
    "order up alone": "order alone",
    "pick up alone": "order alone",
    "d": "decline",
}
_SUITS: Final = {
    **{letter: letter for letter in TRUMP_LETTERS},
    **{word.upper(): letter for word, letter in zip(SUIT_WORDS, SUIT_LETTERS, strict=True)},
    **{word.upper()[:-1]: letter for word, letter in zip(SUIT_WORDS, SUIT_LETTERS, strict=True)},
    "NO TRUMP": "N",
    "NOTRUMP": "N",
}
_RANKS: Final = {
    "SEVEN": "7",
    "EIGHT": "8",
    "NINE": "9",
    "TEN": "T",
    "10": "T",
    "JACK": "J",
    "QUEEN": "Q",
    "KING": "K",
    "ACE": "A",
    "TWO": "2",
}
_CARD_VERBS: Final = {"play": "play", "discard": "discard", "partners_best": "give"}
_MOST_DIGITS: Final = 3


def read_action(typed: str, *, phase: str, legal: Sequence[str]) -> str | None:
    """The action that was typed, legal or not; None where the words are no action.

    >>> read_action("10 hearts", phase="play", legal=["play TH"])
    'play TH'
    >>> read_action("2", phase="round_one", legal=["pass", "order"])
    'order'
    """
    words = " ".join(typed.translate(_DRAWN).split())
    if words.isdecimal() and words.isascii() and len(words) <= _MOST_DIGITS:
        number = int(words)
        return legal[number - 1] if 0 < number <= len(legal) else None
    lower = words.lower()
    lower = _SHORT.get(lower, lower)
    verb, _space, rest = lower.partition(" ")
    for text in (lower, _named(verb, rest), _carded(verb, rest), _bare(lower, phase)):
        if text is not None and parse_action(text) is not None:
            return text
    return None


def _named(verb: str, rest: str) -> str | None:
    """`name hearts alone`, in whatever case."""
    return _suit(rest) if verb in {"name", "call"} else None


def _suit(words: str) -> str | None:
    suit, alone = re.fullmatch(r"(.*?)((?: alone)?)", words.lower(), re.DOTALL).groups()  # type: ignore[union-attr]
    letter = _SUITS.get(suit.strip().upper())
    return None if letter is None else f"name {letter}{alone}"


def _carded(verb: str, rest: str) -> str | None:
    """`play jd`, `swap 9c 9d tc`: a verb and its cards, the cards in the order of notation."""
    if verb not in {"play", "discard", "give", "swap"}:
        return None
    cards = [_card(rest)] if verb != "swap" else sorted(_card(card) or "" for card in rest.split())
    return f"{verb} {' '.join(card or '?' for card in cards)}"


def _bare(words: str, phase: str) -> str | None:
    """A card where one is to be played, a suit where one is to be named."""
    if phase in {"round_two", "dealer_names"}:
        return _suit(words)
    verb, card = _CARD_VERBS.get(phase), _card(words)
    return None if verb is None or card is None else f"{verb} {card}"


def _card(words: str) -> str | None:
    """A card in notation: `jd`, `10h`, `ten of hearts` and `queen spades` too."""
    text = words.upper().replace(" OF ", " ")
    rank, _space, suit = text.partition(" ")
    if suit:
        text = _RANKS.get(rank, rank) + _SUITS.get(suit, suit)
    elif text.startswith("10"):
        text = "T" + text[2:]
    try:
        return card_text(parse_card(text))
    except InvalidCardError:
        return "BB" if text == "JOKER" else None
