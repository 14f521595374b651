"""Ways to deal and to play that lead into the rare branches of the rules."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from conformance.oracle import Hand
from conformance.oracle.cards import SEATS, TWIN, left, suit_of

Deck = list[str]
"""Five cards for each seat from north round, the upcard, the kitty."""
HAND = 5
UPCARD = 20
OFTEN = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A bias: how the deck is arranged after the shuffle, and what the seat on turn says."""

    text: str
    arrange: Callable[[Random, Deck, str], None]
    choose: Callable[[Random, Hand, Sequence[str]], str]
    needs: Mapping[str, tuple[str, ...]]


def _as_dealt(chance: Random, deck: Deck, dealer: str) -> None:
    """No arrangement: the deck as it was shuffled."""


def _any(chance: Random, _: Hand, legal: Sequence[str]) -> str:
    return chance.choice(legal)


def _eager(words: str) -> Callable[[Random, Hand, Sequence[str]], str]:
    """Say what ends in one of some words where it may be said."""

    def choose(chance: Random, _: Hand, legal: Sequence[str]) -> str:
        wanted = [
            text
            for text in legal
            if text.split(" ")[-1] in words.split() and chance.random() < OFTEN
        ]
        return chance.choice(wanted or legal)

    return choose


def _defends(chance: Random, hand: Hand, legal: Sequence[str]) -> str:
    """Let a maker go alone in half of the deals, and every defender who may."""
    if hand.phase == "alone":
        return "alone" if chance.random() < OFTEN else "decline"
    lone = [text for text in legal if text.endswith(" alone")]
    plain = [text for text in legal if not text.endswith("alone")]
    return chance.choice(lone if lone and chance.random() < OFTEN / 2 else plain)


def _strong(chance: Random, hand: Hand, legal: Sequence[str]) -> str:
    """Play the highest trump held: so marches and lone marches are made."""
    if hand.phase != "play" or hand.trump is None:
        return _eager("alone order")(chance, hand, legal)
    trump = hand.trump

    def height(text: str) -> int:
        card = text.split(" ")[1]
        return (suit_of(card, trump) == trump) * 20 + (card[0] == "J") * 9 + "9TQKA".find(card[0])

    return max(legal, key=height)


def _place(deck: Deck, card: str, place: int) -> None:
    if card in deck:
        old = deck.index(card)
        deck[old], deck[place] = deck[place], deck[old]


def _first_place(seat: str) -> int:
    return SEATS.index(seat) * HAND


def _left_bower(chance: Random, deck: Deck, dealer: str) -> None:
    """Eldest holds the left bower of the turned suit, the next seat cards of its printed suit."""
    eldest = left(dealer)
    upcard = chance.choice([card for card in deck if card[1] in "CDHS" and card[0] not in "2BJ"])
    _place(deck, upcard, UPCARD)
    _place(deck, "J" + TWIN[upcard[1]], _first_place(eldest))
    for n, rank in enumerate("A9"):
        _place(deck, rank + TWIN[upcard[1]], _first_place(left(eldest)) + n)


def _leads_left(chance: Random, hand: Hand, legal: Sequence[str]) -> str:
    """Order at once, and lead the left bower."""
    if hand.phase == "play" and not hand.trick and hand.trump is not None:
        bower = f"play J{TWIN[hand.trump]}"
        if bower in legal:
            return bower
    wanted = [text for text in legal if text == "order"]
    return chance.choice(wanted or legal)


def _trumps(chance: Random, deck: Deck, _dealer: str) -> None:
    """One seat holds the bowers and the ace of the turned suit."""
    suit = deck[UPCARD][1] if deck[UPCARD][1] in TWIN else "S"
    first = _first_place(chance.choice(SEATS))
    for n, card in enumerate(("J" + suit, "J" + TWIN[suit], "A" + suit, "K" + suit)):
        if deck[UPCARD] != card:
            _place(deck, card, first + n)


def _low(chance: Random, deck: Deck, _dealer: str) -> None:
    """One seat holds nines and tens only, or no card above the ten but an ace."""
    first = _first_place(chance.choice(SEATS))
    low = [card for card in deck if card[0] in "789T"]
    chance.shuffle(low)
    for n, card in enumerate(low[:HAND]):
        _place(deck, card, first + n)
    if chance.random() < 1 / 2:
        _place(deck, "A" + chance.choice("CDHS"), first)


def _turned_best(_: Random, deck: Deck, _dealer: str) -> None:
    """The best bower is turned up, where the pack has one."""
    for card in ("2S", "BB"):
        _place(deck, card, UPCARD)


def _held_best(_: Random, deck: Deck, dealer: str) -> None:
    """Eldest holds the best bower, where the pack has one."""
    for card in ("2S", "BB"):
        _place(deck, card, _first_place(left(dealer)))


def _turned_jack(chance: Random, deck: Deck, _dealer: str) -> None:
    """A jack is turned up."""
    _place(deck, "J" + chance.choice("CDHS"), UPCARD)


def _house(chance: Random, _: Hand, legal: Sequence[str]) -> str:
    """Use a house rule where the hand qualifies."""
    wanted = [text for text in legal if text.split(" ")[0] in ("redeal", "swap", "give")]
    return chance.choice(wanted if wanted and chance.random() < OFTEN else legal)


_ANY: Final[Mapping[str, tuple[str, ...]]] = {}
KINDS: Final[Mapping[str, Kind]] = {
    "random": Kind(text="Anything.", arrange=_as_dealt, choose=_any, needs=_ANY),
    "loner": Kind(text="Players go alone.", arrange=_as_dealt, choose=_eager("alone"), needs=_ANY),
    "march": Kind(
        text="One hand is strong enough for all five.", arrange=_trumps, choose=_strong, needs=_ANY
    ),
    "stuck": Kind(
        text="Everybody passes until the dealer may not.",
        arrange=_as_dealt,
        choose=_eager("pass"),
        needs={"all_pass": ("stick",)},
    ),
    "throw-in": Kind(
        text="Everybody passes twice.",
        arrange=_as_dealt,
        choose=_eager("pass"),
        needs={"all_pass": ("throw_in",)},
    ),
    "defend-alone": Kind(
        text="A defender goes alone.", arrange=_as_dealt, choose=_defends, needs=_ANY
    ),
    "house": Kind(
        text="A hand qualifies for a house rule.", arrange=_low, choose=_house, needs=_ANY
    ),
    "left-lead": Kind(
        text="The left bower is led.", arrange=_left_bower, choose=_leads_left, needs=_ANY
    ),
    "best-turned": Kind(
        text="The best bower is turned up.", arrange=_turned_best, choose=_any, needs=_ANY
    ),
    "best-held": Kind(
        text="The best bower is played.", arrange=_held_best, choose=_any, needs=_ANY
    ),
    "jack-turned": Kind(text="A jack is turned up.", arrange=_turned_jack, choose=_any, needs=_ANY),
}
"""Every kind of deal that can be asked for."""
