"""A bot that plays as a careful beginner would: count trumps, lead aces, win cheaply."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from euchre_bot.dealing import SEATS
from euchre_bot.run import run
from euchre_bot.views import View

_RANKS: Final = "789TJQKA"
_COLOR_MATE: Final = {"C": "S", "S": "C", "D": "H", "H": "D"}
_CALL: Final = 5.5
_NAME: Final = 5.0
_ALONE: Final = 9.0
_LAST: Final = 3
_TRUMP: Final = 20
_LEFT: Final = 38
_RIGHT: Final = 39
_BEST: Final = 40


def suit_of(card: str, trump: str | None) -> str:
    """The suit that a card counts as."""
    if trump and (card in ("2S", "BB") or card == "J" + _COLOR_MATE.get(trump, "-")):
        return trump
    return card[1]


def strength(card: str, trump: str | None) -> int:
    """How high a card stands: any trump above any plain card; within a suit as at the table."""
    if trump and suit_of(card, trump) == trump:
        if card in ("2S", "BB"):
            return _BEST
        if card[0] == "J":
            return _RIGHT if card[1] == trump else _LEFT
        return _TRUMP + _RANKS.index(card[0])
    return _RANKS.find(card[0])


def hand_value(hand: Iterable[str], trump: str) -> float:
    """What a hand is worth under a trump suit, in trumps."""
    value = 0.0
    suits = set()
    for card in hand:
        suits.add(suit_of(card, trump))
        power = strength(card, trump)
        if power >= _RIGHT:
            value += 3.0
        elif power == _LEFT:
            value += 2.5
        elif power >= _TRUMP:
            value += 1.5 if card[0] in "AK" else 1.0
        elif card[0] == "A":
            value += 1.0
    return value + 0.5 * (4 - len(suits))


def _partner(seat: str) -> str:
    return SEATS[(SEATS.index(seat) + 2) % 4]


def _weakest(cards: Sequence[str], hand: Sequence[str], trump: str | None) -> str:
    """The card that is missed least: plain and low, from a short suit."""

    def cost(card: str) -> tuple[bool, bool, int, int, str]:
        suit = suit_of(card, trump)
        length = sum(suit_of(other, trump) == suit for other in hand)
        return (suit == trump, card[0] == "A", length, strength(card, trump), card)

    return min(cards, key=cost)


def _call(view: View, legal: Sequence[str], word: str, value: float, floor: float) -> str:
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
    trump = "S" if upcard in ("2S", "BB") else upcard[1:]
    hand = list(view["hand"])
    value = 0.0
    if view["dealer"] == view["seat"]:
        hand.append(upcard)
        hand.remove(_weakest(hand, hand, trump))
    elif view["dealer"] == _partner(view["seat"]):
        value += 0.5
    else:
        value -= 1.0
    return _call(view, legal, "order", value + hand_value(hand, trump), _CALL)


def _round_two(view: View, legal: Sequence[str]) -> str:
    suits = sorted({word.split()[1] for word in legal if word.startswith("name ")} & {*_COLOR_MATE})
    if not suits:
        return "order" if "order" in legal else _first(view, legal)
    value, best = max((hand_value(view["hand"], suit), suit) for suit in suits)
    floor = _NAME if "pass" in legal else 0.0
    return _call(view, legal, f"name {best}", value, floor)


def _discard(view: View, legal: Sequence[str]) -> str:
    cards = [word.split()[1] for word in legal if word.startswith("discard ")]
    return f"discard {_weakest(cards, view['hand'], view.get('trump'))}"


def _alone(view: View, legal: Sequence[str]) -> str:
    trump = view.get("trump", "")
    strong = hand_value(view["hand"], trump) >= _ALONE
    return "alone" if strong and "alone" in legal else "decline"


def _lead(view: View, cards: Sequence[str], trump: str | None) -> str:
    mine = (view["seat"], _partner(view["seat"]))
    trumps = [card for card in cards if trump and suit_of(card, trump) == trump]
    plain = [card for card in cards if card not in trumps]
    best = max(cards, key=lambda card: (strength(card, trump), card))
    if view.get("maker") in mine and len(trumps) > 1 and strength(best, trump) >= _LEFT:
        return best
    aces = sorted(card for card in plain if card[0] == "A")
    if aces:
        return aces[0]
    return _weakest(cards, view["hand"], trump)


def _follow(view: View, cards: Sequence[str], trump: str | None) -> str:
    led = suit_of(view.get("led", ""), trump)

    def power(card: str) -> int:
        return strength(card, trump) if suit_of(card, trump) in (led, trump) else -1

    top = max(view["trick"], key=lambda played: power(played["card"]))
    last = len(view["trick"]) + len(view["out"]) == _LAST
    ours = top["seat"] == _partner(view["seat"])
    winners = sorted(
        (card for card in cards if power(card) > power(top["card"])),
        key=lambda card: (power(card), card),
    )
    if not winners or (ours and (last or power(top["card"]) >= _RANKS.index("A"))):
        return _weakest(cards, view["hand"], trump)
    return winners[0] if last or suit_of(winners[0], trump) == trump else winners[-1]


def _play(view: View, legal: Sequence[str]) -> str:
    cards = [word.split()[1] for word in legal if word.startswith("play ")]
    pick = _follow if view["trick"] else _lead
    return f"play {pick(view, cards, view.get('trump'))}"


_BY_PHASE: Final[dict[str, Callable[[View, Sequence[str]], str]]] = {
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
