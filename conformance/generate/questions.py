"""What can be asked about a deal, the short questions before the long ones."""

from collections.abc import Iterator
from random import Random

from conformance.generate.played import Played
from conformance.jsontypes import Json, Record
from conformance.oracle.answer import hand_of
from conformance.oracle.cards import SEATS

METHODS = ("black_jack", "any_jack", "draw_low", "draw_high")
PACKETS = ("3-2", "2-3", "3-2-3-2", "2-3-2-3", "single")
SAID = 3


def questions(chance: Random, deal: Played) -> Iterator[dict[str, Json]]:
    """Every request about one deal."""
    common: dict[str, Json] = {"ruleset": deal.ruleset, "rules": deal.rules}
    yield from _before_the_deal(chance, deal, common)
    table = {**common, "deal": deal.deal, "score": _score(chance, deal)}
    for count in range(len(deal.actions) + 1):
        said: list[Json] = list(deal.actions[:count])
        yield {"op": "legal", **table, "actions": said}
        yield {"op": "view", **table, "actions": said, "seat": chance.choice(SEATS)}
        for by, action in _attempts(chance, deal, count):
            yield {"op": "apply", **table, "actions": said, "action": action, "by": by}
    whole: list[Json] = list(deal.actions)
    yield {"op": "score", **table, "actions": whole}
    yield {"op": "replay", **table, "actions": whole, "tricks": []}
    yield {
        "op": "game",
        **common,
        "score": table["score"],
        "deals": [{"deal": deal.deal, "actions": whole}],
    }


def _score(chance: Random, deal: Played) -> dict[str, Json]:
    """A score before the deal, often close to the target."""
    target = int(deal.rules["target"])
    near = [max(0, target - n) for n in (1, 2, 3, 4)]
    ns, ew = (chance.choice([0, *near]) for _ in range(2))
    return {"ns": ns, "ew": ew}


def _attempts(chance: Random, deal: Played, count: int) -> Iterator[tuple[str, str]]:
    """A few things that somebody may try to do, most of them not allowed."""
    hand = hand_of(deal.rules, deal.deal, deal.actions[:count])
    on_turn = hand.turn or SEATS[0]
    sayable = sorted(hand.forms()) if hand.turn is not None else ["pass"]
    held = [
        f"{word} {card}" for word in ("play", "discard") for card in sorted(hand.hands[on_turn])
    ]
    words = ["pass", "order", "order alone", "alone", "decline", "name H", "redeal", "Pass"]
    for _ in range(SAID):
        yield on_turn, chance.choice(chance.choice((sayable, held or sayable, words)))
    yield chance.choice(SEATS), chance.choice(sayable)


def _before_the_deal(chance: Random, deal: Played, common: Record) -> Iterator[dict[str, Json]]:
    """Draws and dealings of the shuffled pack."""
    for method in METHODS:
        deck = list(deal.deck)
        if chance.random() < 1 / 2:
            deck.sort(key=lambda card: card[0] == "J" and card[1] in "CS")
        yield {
            "op": "draw",
            **common,
            "deck": [*deck],
            "start": chance.choice(SEATS),
            "method": method,
        }
    yield {
        "op": "deck",
        **common,
        "deck": list(deal.deck),
        "packets": chance.choice(PACKETS),
        "dealer": chance.choice(SEATS),
    }
