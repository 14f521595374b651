"""A deal of some kind, played to its end by the oracle."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from conformance.generate.kinds import HAND, KINDS, UPCARD, Deck
from conformance.jsontypes import Json, Record
from conformance.oracle.answer import hand_of
from conformance.oracle.cards import SEATS, pack


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A finished deal: the rules, the cards, every action, and the whole pack as shuffled."""

    ruleset: str
    rules: Mapping[str, str]
    deal: Record
    actions: tuple[str, ...]
    deck: tuple[str, ...]


def played(chance: Random, kind: str, ruleset: str, rules: Mapping[str, str]) -> Played:
    """One deal of a kind, arranged and played by chance."""
    bias = KINDS[kind]
    deck: Deck = list(pack(rules["pack"]))
    chance.shuffle(deck)
    whole = tuple(deck)
    dealer = chance.choice(SEATS)
    bias.arrange(chance, deck, dealer)
    deal: dict[str, Json] = {
        "dealer": dealer,
        "hands": {seat: deck[n * HAND : (n + 1) * HAND] for n, seat in enumerate(SEATS)},
        "upcard": deck[UPCARD],
        "kitty": deck[UPCARD + 1 :],
    }
    hand = hand_of(rules, deal, ())
    actions: list[str] = []
    while hand.turn is not None:
        actions.append(bias.choose(chance, hand, sorted(hand.legal())))
        hand.apply(actions[-1])
    return Played(ruleset=ruleset, rules=rules, deal=deal, actions=tuple(actions), deck=whole)
