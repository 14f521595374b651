"""Two bots that are always there: one plays by chance, one plays sensibly.

Both decide as clients/SENSIBLE.md has it, so that they do in every language what they do here.
They are given what a bot over stdio is given, words and lists.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final

from referee.arena.players import JSON
from referee.rules import (
    NO_TRUMP,
    SEATS,
    SUIT_LETTERS,
    TRUMP_LETTERS,
    Suit,
    parse_card,
    parse_seat,
    strength,
    suit_of,
)

_RANKS: Final = "789TJQKA"
_ACE: Final = 7
_TRUMP: Final = 20
_BOWERS: Final = {20: 38, 21: 39, 22: 40}
"""The height of the left, the right and the best bower, by `strength`."""
_LEFT: Final = 38
_CALL: Final = 11
_NAME: Final = 10
_ALONE: Final = 18
_LAST: Final = 3


class Random:
    """Any legal action, the same one for the same match and moment."""

    instant: ClassVar[bool] = True

    def __init__(self) -> None:
        self._place = ""

    def start(self, *, match: str, seat: str, rules: Mapping[str, str]) -> None:
        """Take a seat."""
        del rules
        self._place = f"{match}/{{}}/{seat}"

    def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The legal action that a hash picks."""
        version = view.get("state_version")
        seq = version + 1 if isinstance(version, int) else 0
        digest = hashlib.sha256(f"0/{self._place.format(seq)}".encode("ascii", "replace")).digest()
        return sorted(legal)[int.from_bytes(digest[:4], "big") % len(legal)]


class Sensible:
    """Counts its trumps before it calls, leads high, wins cheaply and throws its lowest card."""

    instant: ClassVar[bool] = True

    def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """A sound action for the phase; where that is none of the legal ones, the first of them."""
        wanted = _wanted(view, legal)
        return wanted if wanted in legal else min(legal)


def _wanted(view: Mapping[str, JSON], legal: Sequence[str]) -> str:
    hand, trump = _words(view, "hand"), _trump(view)
    cards = [action.split()[1] for action in legal if " " in action]
    match view.get("phase"):
        case "house":
            return "redeal"
        case "round_one":
            return _round_one(view, hand, legal)
        case "round_two" | "dealer_names":
            return _round_two(hand, legal)
        case "partners_best":
            return f"give {max(cards, key=lambda card: (_height(card, trump), card))}"
        case "discard":
            return f"discard {_weakest(cards, hand, trump)}"
        case "alone":
            strong = "alone" in legal and _worth(hand, trump) >= _ALONE
            return "alone" if strong else "decline"
        case "play":
            follows = _words(view, "trick", "card")
            return f"play {(_follow if follows else _lead)(view, cards, hand, trump)}"
        case _:
            return ""


def _words(view: Mapping[str, JSON], key: str, inner: str = "") -> list[str]:
    """A list of texts of a view, or one text of each thing in a list."""
    found = view.get(key)
    listed = found if isinstance(found, Sequence) and not isinstance(found, str) else ()
    texts = (item.get(inner) if isinstance(item, Mapping) else item for item in listed)
    return [text for text in texts if isinstance(text, str)]


def _word(view: Mapping[str, JSON], key: str) -> str:
    found = view.get(key)
    return found if isinstance(found, str) else ""


def _trump(view: Mapping[str, JSON]) -> Suit | None:
    word = _word(view, "trump")
    return TRUMP_LETTERS.index(word) if word else None


def _suit(card: str, trump: Suit | None) -> Suit:
    return suit_of(parse_card(card), trump)


def _height(card: str, trump: Suit | None) -> int:
    """How high a card stands: any trump above any plain card; within a suit as at the table."""
    if trump in (None, NO_TRUMP) or _suit(card, trump) != trump:
        return _RANKS.find(card[0])
    own = strength(parse_card(card), trump, trump)
    return _BOWERS.get(own, _TRUMP + _RANKS.find(card[0]))


def _worth(hand: Iterable[str], trump: Suit | None) -> int:
    """What a hand is worth under a trump suit, in half trumps."""
    value = 0
    suits = set()
    for card in hand:
        suits.add(_suit(card, trump))
        height = _height(card, trump)
        if height > _LEFT:
            value += 6
        elif height == _LEFT:
            value += 5
        elif height >= _TRUMP:
            value += 3 if card[0] in "AK" else 2
        elif height == _ACE:
            value += 2
    return value + len(SUIT_LETTERS) - len(suits)


def _weakest(cards: Sequence[str], hand: Sequence[str], trump: Suit | None) -> str:
    """The card that is missed least: plain and low, from a short suit."""

    def cost(card: str) -> tuple[bool, bool, int, int, str]:
        suit = _suit(card, trump)
        length = sum(_suit(other, trump) == suit for other in hand)
        return (suit == trump, card[0] == "A", length, _height(card, trump), card)

    return min(cards, key=cost)


def _call(legal: Sequence[str], word: str, value: int, floor: int) -> str:
    alone = f"{word} alone"
    if value >= _ALONE and alone in legal:
        return alone
    if value >= floor and (word in legal or alone in legal):
        return word if word in legal else alone
    return "pass"


def _round_one(view: Mapping[str, JSON], hand: list[str], legal: Sequence[str]) -> str:
    upcard, dealer = _word(view, "upcard"), _word(view, "dealer")
    trump = _suit(upcard, None)
    value = 0
    if dealer == _word(view, "seat"):
        held = [*hand, upcard]
        held.remove(_weakest(held, held, trump))
        hand = held
    else:
        value = 1 if dealer == _partner(view) else -2
    return _call(legal, "order", value + _worth(hand, trump), _CALL)


def _round_two(hand: Sequence[str], legal: Sequence[str]) -> str:
    named = {action.split()[1] for action in legal if action.startswith("name ")}
    suits = [number for number, letter in enumerate(SUIT_LETTERS) if letter in named]
    if not suits:
        return "order"
    value, best = max((_worth(hand, suit), suit) for suit in suits)
    return _call(legal, f"name {SUIT_LETTERS[best]}", value, _NAME if "pass" in legal else 0)


def _partner(view: Mapping[str, JSON]) -> str:
    return SEATS[parse_seat(_word(view, "seat")) ^ 2].word


def _lead(
    view: Mapping[str, JSON], cards: Sequence[str], hand: Sequence[str], trump: Suit | None
) -> str:
    trumps = [card for card in cards if _suit(card, trump) == trump]
    best = max(cards, key=lambda card: (_height(card, trump), card))
    ours = _word(view, "maker") in (_word(view, "seat"), _partner(view))
    if ours and len(trumps) > 1 and _height(best, trump) >= _LEFT:
        return best
    aces = sorted(card for card in cards if card[0] == "A" and card not in trumps)
    return aces[0] if aces else _weakest(cards, hand, trump)


def _follow(
    view: Mapping[str, JSON], cards: Sequence[str], hand: Sequence[str], trump: Suit | None
) -> str:
    led = _suit(_word(view, "led"), trump)

    def power(card: str) -> int:
        return _height(card, trump) if _suit(card, trump) in (led, trump) else -1

    trick = list(zip(_words(view, "trick", "seat"), _words(view, "trick", "card"), strict=True))
    seat, top = max(trick, key=lambda played: power(played[1]))
    last = len(trick) + len(_words(view, "out")) == _LAST
    winners = sorted(
        (card for card in cards if power(card) > power(top)), key=lambda card: (power(card), card)
    )
    if not winners or (seat == _partner(view) and (last or power(top) >= _ACE)):
        return _weakest(cards, hand, trump)
    return winners[0] if last or _suit(winners[0], trump) == trump else winners[-1]
