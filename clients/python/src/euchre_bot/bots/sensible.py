"""A bot that plays as a careful beginner would: count trumps, lead aces, win cheaply.

Its decisions are those of clients/SENSIBLE.md, the same in every language.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from euchre_bot.dealing import SEATS
from euchre_bot.run import run
from euchre_bot.views import View

_RANKS: Final = "789TJQKA"
_ACE: Final = 7
_SUITS: Final = "CDHS"
_COLOR_MATE: Final = {"C": "S", "S": "C", "D": "H", "H": "D"}
_BEST_BOWERS: Final = ("2S", "BB")
_CALL: Final = 11
_NAME: Final = 10
_ALONE: Final = 18
_LAST: Final = 3
_TRUMP: Final = 20
_LEFT: Final = 38
_RIGHT: Final = 39
_BEST: Final = 40


def suit_of(card: str, trump: str | None) -> str:
    """The suit that a card counts as."""
    if trump in _COLOR_MATE and (card in _BEST_BOWERS or card == f"J{_COLOR_MATE[trump]}"):
        return trump
    return "S" if card in _BEST_BOWERS else card[1]


def height(card: str, trump: str | None) -> int:
    """How high a card stands: any trump above any plain card; within a suit as at the table."""
    if suit_of(card, trump) != trump:
        return _RANKS.find(card[0])
    if card in _BEST_BOWERS:
        return _BEST
    if card[0] == "J":
        return _RIGHT if card[1] == trump else _LEFT
    return _TRUMP + _RANKS.index(card[0])


def worth(hand: Iterable[str], trump: str) -> int:
    """What a hand is worth under a trump suit, in half trumps."""
    value = 0
    suits = set()
    for card in hand:
        suits.add(suit_of(card, trump))
        high = height(card, trump)
        if high >= _RIGHT:
            value += 6
        elif high == _LEFT:
            value += 5
        elif high >= _TRUMP:
            value += 3 if card[0] in "AK" else 2
        elif card[0] == "A":
            value += 2
    return value + len(_SUITS) - len(suits)


def _partner(seat: str) -> str:
    return SEATS[(SEATS.index(seat) + 2) % 4]


def _weakest(cards: Sequence[str], hand: Sequence[str], trump: str | None) -> str:
    """The card that is missed least: plain and low, from a short suit."""

    def cost(card: str) -> tuple[bool, bool, int, int, str]:
        suit = suit_of(card, trump)
        length = sum(suit_of(other, trump) == suit for other in hand)
        return (suit == trump, card[0] == "A", length, height(card, trump), card)

    return min(cards, key=cost)


def _call(view: View, legal: Sequence[str], word: str, value: int, floor: int) -> str:
    alone = f"{word} alone"
    if value >= _ALONE and alone in legal:
        return alone
    if value >= floor and (word in legal or alone in legal):
        return word if word in legal else alone
    return "pass" if "pass" in legal else _first(view, legal)


def _first(_view: View, legal: Sequence[str]) -> str:
    return min(legal)


def _round_one(view: View, legal: Sequence[str]) -> str:
    upcard = view.get("upcard", "")
    trump = suit_of(upcard, None) if upcard else ""
    hand = list(view["hand"])
    value = 0
    if view["dealer"] == view["seat"]:
        hand.append(upcard)
        hand.remove(_weakest(hand, hand, trump))
    elif view["dealer"] == _partner(view["seat"]):
        value += 1
    else:
        value -= 2
    return _call(view, legal, "order", value + worth(hand, trump), _CALL)


def _round_two(view: View, legal: Sequence[str]) -> str:
    suits = sorted({word.split()[1] for word in legal if word.startswith("name ")} & {*_SUITS})
    if not suits:
        return "order" if "order" in legal else _first(view, legal)
    value, best = max((worth(view["hand"], suit), suit) for suit in suits)
    floor = _NAME if "pass" in legal else 0
    return _call(view, legal, f"name {best}", value, floor)


def _discard(view: View, legal: Sequence[str]) -> str:
    cards = [word.split()[1] for word in legal if word.startswith("discard ")]
    return f"discard {_weakest(cards, view['hand'], view.get('trump'))}"


def _house(view: View, legal: Sequence[str]) -> str:
    return "redeal" if "redeal" in legal else _first(view, legal)


def _give(view: View, legal: Sequence[str]) -> str:
    trump = view.get("trump")
    cards = [word.split()[1] for word in legal if word.startswith("give ")]
    return f"give {max(cards, key=lambda card: (height(card, trump), card))}"


def _alone(view: View, legal: Sequence[str]) -> str:
    trump = view.get("trump", "")
    strong = worth(view["hand"], trump) >= _ALONE
    return "alone" if strong and "alone" in legal else "decline"


def _lead(view: View, cards: Sequence[str], trump: str | None) -> str:
    mine = (view["seat"], _partner(view["seat"]))
    trumps = [card for card in cards if trump and suit_of(card, trump) == trump]
    plain = [card for card in cards if card not in trumps]
    best = max(cards, key=lambda card: (height(card, trump), card))
    if view.get("maker") in mine and len(trumps) > 1 and height(best, trump) >= _LEFT:
        return best
    aces = sorted(card for card in plain if card[0] == "A")
    if aces:
        return aces[0]
    return _weakest(cards, view["hand"], trump)


def _follow(view: View, cards: Sequence[str], trump: str | None) -> str:
    led = suit_of(view.get("led", ""), trump)

    def power(card: str) -> int:
        return height(card, trump) if suit_of(card, trump) in (led, trump) else -1

    top = max(view["trick"], key=lambda played: power(played["card"]))
    last = len(view["trick"]) + len(view["out"]) == _LAST
    ours = top["seat"] == _partner(view["seat"])
    winners = sorted(
        (card for card in cards if power(card) > power(top["card"])),
        key=lambda card: (power(card), card),
    )
    if not winners or (ours and (last or power(top["card"]) >= _ACE)):
        return _weakest(cards, view["hand"], trump)
    return winners[0] if last or suit_of(winners[0], trump) == trump else winners[-1]


def _play(view: View, legal: Sequence[str]) -> str:
    cards = [word.split()[1] for word in legal if word.startswith("play ")]
    pick = _follow if view["trick"] else _lead
    return f"play {pick(view, cards, view.get('trump'))}"


_BY_PHASE: Final[dict[str, Callable[[View, Sequence[str]], str]]] = {
    "house": _house,
    "partners_best": _give,
    "round_one": _round_one,
    "round_two": _round_two,
    "dealer_names": _round_two,
    "discard": _discard,
    "alone": _alone,
    "play": _play,
}


def choose(view: View, legal: Sequence[str]) -> str:
    """A sound action for the phase; where the phase is new to us, the first legal one."""
    wanted = _BY_PHASE.get(view["phase"], _first)(view, legal)
    return wanted if wanted in legal else min(legal)


if __name__ == "__main__":
    run(choose, name="sensible")
