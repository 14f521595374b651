"""Two bots that are always there: one plays by chance, one plays sensibly."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from referee.arena.players import JSON
from referee.rules import SUIT_LETTERS, TRUMP_LETTERS, Suit, parse_card, strength, suit_of

_CALL: Final = 4.0
_ALONE: Final = 7.5
_LOWEST_BOWER: Final = 20  # of `strength`
_ACES: Final = tuple(parse_card(f"A{letter}") for letter in SUIT_LETTERS)


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
        """A sound action for the phase."""
        match view.get("phase"):
            case "round_one" | "round_two" | "dealer_names":
                return _call(view, legal)
            case "alone":
                trump = _suit(view.get("trump"))
                strong = trump is not None and _worth(_cards(view, "hand"), trump) >= _ALONE
                return "alone" if strong and "alone" in legal else min(legal, key=_declines)
            case "discard" | "play":
                return _card(view, legal)
            case "house":
                return max(legal, key=_helps)
            case "partners_best":
                return max(legal, key=lambda action: _power(view, action))
            case _:
                return min(legal)


def _helps(action: str) -> tuple[bool, bool, str]:
    """A poor hand is dealt again where it may be, else swapped."""
    return action == "redeal", action.startswith("swap"), action


def _power(view: Mapping[str, JSON], action: str) -> int:
    """How a card ranks when it is led."""
    trump = _suit(view.get("trump"))
    card = parse_card(action.split()[1])
    return 0 if trump is None else strength(card, trump, suit_of(card, trump))


def _declines(action: str) -> tuple[bool, str]:
    return action not in ("decline", "pass"), action


def _suit(text: JSON) -> Suit | None:
    known = isinstance(text, str) and len(text) == 1 and text in TRUMP_LETTERS
    return TRUMP_LETTERS.index(text) if known and isinstance(text, str) else None


def _cards(view: Mapping[str, JSON], key: str) -> list[int]:
    held = view.get(key)
    words = held if isinstance(held, Sequence) and not isinstance(held, str) else ()
    return [parse_card(word) for word in words if isinstance(word, str)]


def _worth(hand: Sequence[int], trump: Suit) -> float:
    worth = 0.0
    for card in hand:
        if suit_of(card, trump) == trump:
            worth += 2.5 if strength(card, trump, trump) >= _LOWEST_BOWER else 1.0
        elif card in _ACES:
            worth += 1.0
    return worth


def _call(view: Mapping[str, JSON], legal: Sequence[str]) -> str:
    hand = _cards(view, "hand")
    upcard = view.get("upcard")
    turned = suit_of(parse_card(upcard), None) if isinstance(upcard, str) else None
    rated: list[tuple[float, str]] = []
    for action in legal:
        words = action.split()
        trump = turned if words[0] == "order" else _suit(words[1] if len(words) > 1 else None)
        if words[0] == "pass" or trump is None:
            worth = _CALL if words[0] == "pass" else -1.0
        else:
            worth = _worth(hand, trump)
            if words[-1] == "alone":
                worth = worth + 1.0 if worth >= _ALONE else worth - 1.0
        rated.append((worth, action))
    return max(rated)[1]


def _card(view: Mapping[str, JSON], legal: Sequence[str]) -> str:
    trump = _suit(view.get("trump"))
    held = [(parse_card(action.split()[1]), action) for action in legal if " " in action]
    if trump is None or not held:
        return min(legal)
    led_text = view.get("led")
    led = suit_of(parse_card(led_text), trump) if isinstance(led_text, str) else None

    def power(card: int) -> int:
        return strength(card, trump, suit_of(card, trump) if led is None else led)

    def cost(item: tuple[int, str]) -> tuple[bool, int, str]:
        own = suit_of(item[0], trump)
        return own == trump, strength(item[0], trump, own), item[1]

    if view.get("phase") == "discard":
        return min(held, key=cost)[1]
    if led is None:
        return max(held, key=lambda item: (power(item[0]), item[1]))[1]
    best, ours = _top(view, power)
    winners = [item for item in held if power(item[0]) > best]
    if ours or not winners:
        return min(held, key=cost)[1]
    return min(winners, key=cost)[1]


def _top(view: Mapping[str, JSON], power: Callable[[int], int]) -> tuple[int, bool]:
    """How high the trick stands, and whether for our side."""
    trick, own = view.get("trick"), view.get("seat")
    best, seat = -1, own
    for played in trick if isinstance(trick, Sequence) else ():
        if isinstance(played, Mapping) and isinstance(card := played.get("card"), str):
            height = power(parse_card(card))
            if height > best:
                best, seat = height, played.get("seat")
    return best, _side(seat) == _side(own)


def _side(seat: JSON) -> bool:
    return seat in ("north", "south")
