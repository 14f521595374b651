"""What can be asked about a deal, the short questions before the long ones."""

from collections.abc import Iterator
from random import Random

from conformance.generate.played import Played
from conformance.jsontypes import Json, Record
from conformance.oracle import Hand
from conformance.oracle.answer import hand_of
from conformance.oracle.cards import SEATS, clockwise, left, suit_of, winner

METHODS = ("black_jack", "any_jack", "draw_low", "draw_high")
PACKETS = ("3-2", "2-3", "3-2-3-2", "2-3-2-3", "single")
SAID = 3
TRICKS = 5
FOLLOWS = 0.75


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
    yield from _records(chance, deal, common)
    yield {"op": "score", **table, "actions": whole}
    yield {"op": "replay", **table, "actions": whole, "tricks": []}
    yield {
        "op": "game",
        **common,
        "score": table["score"],
        "deals": [{"deal": deal.deal, "actions": whole}],
    }


def _records(chance: Random, deal: Played, common: Record) -> Iterator[dict[str, Json]]:
    """Records of the deal played with little regard to suit, with hands and without, and claims."""
    calls = [action for action in deal.actions if not action.startswith("play ")]
    hand = hand_of(deal.rules, deal.deal, calls)
    if hand.phase != "play" or hand.trump is None or hand.turn is None:
        return
    tricks = _careless(chance, hand)
    claims: list[Json] = [
        {"by": by, "against": left(by), "trick": chance.randint(1, len(tricks))}
        for by in chance.sample(SEATS, chance.randint(0, 2))
    ]
    cut = tricks[: chance.randint(1, len(tricks))]
    for kept in (tricks, cut, [*cut[:-1], cut[-1][: chance.randint(1, len(cut[-1]))]]):
        bare: dict[str, Json] = {"trump": hand.trump, "tricks": kept}
        known: dict[str, Json] = {"tricks": kept}
        said: list[Json] = [*calls]
        seats = [trick[n].split(" ")[0] for trick in kept for n in range(len(trick))]
        claimed: list[Json] = [
            *claims,
            {"by": left(seats[-1]), "against": seats[-1], "trick": len(kept)},
            {"by": left(seats[0]), "against": seats[0], "trick": 1},
        ]
        yield {"op": "adjudicate", **common, "record": bare, "claims": claimed}
        yield {
            "op": "adjudicate",
            **common,
            "deal": deal.deal,
            "actions": said,
            "record": known,
            "claims": claimed,
        }


def _careless(chance: Random, hand: Hand) -> list[list[str]]:
    """Five tricks in which everybody plays what comes to hand, following three times of four."""
    held = {seat: sorted(cards) for seat, cards in hand.hands.items()}
    trump, leader = hand.trump or "", hand.turn or SEATS[0]
    tricks: list[list[str]] = []
    while len(tricks) < TRICKS:
        laid: list[tuple[str, str]] = []
        for seat in [seat for seat in clockwise(leader) if seat not in hand.out()]:
            suits = [suit_of(laid[0][1], trump)] if laid and chance.random() < FOLLOWS else []
            fits = [card for card in held[seat] if suit_of(card, trump) in suits]
            card = chance.choice(fits or held[seat])
            held[seat].remove(card)
            laid.append((seat, card))
        tricks.append([f"{seat} {card}" for seat, card in laid])
        leader = winner(laid, trump)
    return tricks


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
