"""The shared vectors of the two sample bots: positions of real deals, and what each bot does there.

`python -m tests.vectors.decisions` writes `clients/vectors/decisions-v1.json`; a test holds the
file equal to what is made here. The positions are views that a referee sends, under every preset
and under rule sets that bend them, with bots that choose by chance, so that rare ones come up too.
The answers are those of the Python client; clients/SENSIBLE.md says what they follow from, and
every other client and the arena's own bots are held to them.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Final

from euchre_bot.bots import random, sensible
from euchre_bot.views import View
from referee.rules import (
    Hand,
    RuleSet,
    Seat,
    deal_from_deck,
    pack_cards,
    parse_action,
)
from referee.table.view import hand_view
from tests.property.both import random_rules, repeatable, rulesets

FILE: Final = Path(__file__).parents[2] / "clients" / "vectors" / "decisions-v1.json"
FORMAT: Final = "euchre-decision-vectors/1"
NOTE: Final = (
    "Each case is a view, whose legal actions are those to choose from, and the action that the bot"
    " takes; random has a seed too. clients/SENSIBLE.md says how both decide."
)
DEALS: Final = 1_500
EACH: Final = 3
"""Positions of one kind."""
RANDOMS: Final = 40
SEEDS: Final = ("0", "1", "another seed")
SCORES: Final = ((0, 0), (8, 3), (4, 8), (9, 9))
Kind = tuple[str | int | bool, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A position, and what a bot does in it; the seed is that of the bot that plays by chance."""

    bot: str
    view: View
    action: str
    seed: str = ""


def positions() -> Iterator[View]:
    """What seats on turn are shown, in deals of many rule sets, with play good and bad."""
    known = rulesets()
    presets = list(known.maps.values())
    for number in range(DEALS):
        chance = repeatable(f"decisions {number}")
        rules = RuleSet.from_map(
            random_rules(known, chance) if number % 2 else presets[number // 2 % len(presets)]
        )
        deck = list(pack_cards(rules.pack))
        chance.shuffle(deck)
        hand = Hand(rules, deal_from_deck(deck, rules, number % 4), chance.choice(SCORES))
        match = chance.randbytes(16).hex()
        yield from _deal(hand, match, number + 1, chance)


def _deal(hand: Hand, match: str, deal: int, chance: Random) -> Iterator[View]:
    version = 7
    while (turn := hand.seat_on_turn) is not None:
        shown = _view(hand, turn, match=match, deal=deal, version=version)
        yield shown
        words = shown["legal"]
        played = sensible.choose(shown, words) if chance.random() < 0.6 else chance.choice(words)
        code = parse_action(played)
        if code is None:
            raise AssertionError(played)
        hand.advance(code)
        version += 1


def _view(hand: Hand, turn: Seat, *, match: str, deal: int, version: int) -> View:
    """The view as a bot of the Python client is given it."""
    found = hand_view(hand, turn, deal=deal, score=(0, 0), version=version)
    view: View = {
        "match": match,
        "deal": deal,
        "state_version": version,
        "limit_ms": 5_000,
        "seat": turn.word,
        "phase": found.phase,
        "dealer": found.dealer.word,
        "hand": list(found.hand),
        "counts": {Seat(seat).word: count for seat, count in enumerate(found.counts)},
        "alone": [seat.word for seat in found.alone],
        "out": [seat.word for seat in found.out],
        "trick": [{"seat": seat.word, "card": card} for seat, card in found.trick],
        "tricks": {"ns": found.tricks.ns, "ew": found.tricks.ew},
        "score": {"ns": 0, "ew": 0},
        "legal": list(found.legal),
        "turn": turn.word,
    }
    if found.upcard:
        view["upcard"] = found.upcard
        view["upcard_state"] = found.upcard_state
    if found.trump is not None:
        view["trump"] = found.trump
    if found.maker is not None:
        view["maker"] = found.maker.word
    if found.led is not None:
        view["led"] = found.led
    return view


def kind_of(view: View, action: str) -> Kind:
    """What makes a position like another: the phase, who we are in it, and what came of it."""
    word, *rest = action.split()
    trump = view.get("trump")
    tail: Kind = (word, rest[-1:] == ["alone"], trump == "N", "pass" in view["legal"])
    side = {view["seat"], _across(view["seat"])}
    relation: Kind = (view["dealer"] == view["seat"], view["dealer"] in side)
    if view["phase"] != "play":
        best = any(card in view["hand"] for card in ("2S", "BB"))
        return (view["phase"], *tail, *relation, best, len(view["hand"]))
    card = rest[0]
    trumped = sensible.suit_of(card, trump) == trump
    fitting = sum(
        sensible.suit_of(played["card"], trump) == trump or played["seat"] in side
        for played in view["trick"]
    )
    choices = min(len(view["legal"]), 3)
    maker = view.get("maker") in side
    return ("play", *tail, len(view["trick"]), len(view["out"]), trumped, fitting, choices, maker)


def _across(seat: str) -> str:
    return {"north": "south", "south": "north", "east": "west", "west": "east"}[seat]


def cases() -> list[Case]:
    """Every case: first those of the bot that plays sensibly, then those of the other."""
    kept: Counter[Kind] = Counter()
    found: list[Case] = []
    spare: list[View] = []
    for view in positions():
        if len(view["legal"]) == 1:
            continue
        action = sensible.choose(view, view["legal"])
        kind = kind_of(view, action)
        if kept[kind] < EACH:
            kept[kind] += 1
            found.append(Case("sensible", view, action))
        elif len(spare) < RANDOMS:
            spare.append(view)
    for number, view in enumerate(spare):
        seed = SEEDS[number % len(SEEDS)]
        action = random.chooser(seed)(view, view["legal"])
        found.append(Case("random", view, action, seed))
    return found


def document() -> str:
    """The file's text: a case a line."""
    head = json.dumps({"format": FORMAT, "note": NOTE})[:-1]
    shown = ({name: part for name, part in asdict(case).items() if part} for case in cases())
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in shown)
    return f'{head}, "cases": [\n{lines}\n]}}\n'


def read(bot: str) -> list[Case]:
    """The cases of one bot in the file."""
    found = [Case(**case) for case in json.loads(FILE.read_text("ascii"))["cases"]]
    return [case for case in found if case.bot == bot]


if __name__ == "__main__":
    FILE.write_text(document(), encoding="ascii")
