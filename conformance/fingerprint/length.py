"""How many deals a game of a target has, where it plays a fixed number of them."""

from collections.abc import Callable, Mapping
from random import Random

from conformance.fingerprint.bracket import Toward, sought
from conformance.generate import Played, played
from conformance.jsontypes import Json, Record
from conformance.oracle.answer import hand_of

SEED = 2
SEATS = 4
Answer = Callable[[Record], Record | None]


def deals_of_a_game(answer: Answer, rules: Mapping[str, str], span: tuple[int, int]) -> int | None:
    """The number of deals after which the target's game is over; none if no number fits.

    A game that is not over has a next dealer, and one with a deal too many is an error.
    """
    low, high = span
    around = list(_around({**rules, "deals": str(high)}))
    ends: list[int] = []

    def look(count: int) -> Toward:
        reply = answer(_game(around, count))
        if reply is None or "error" in reply:
            return Toward.DOWN
        if reply.get("dealer") not in (None, "none"):
            return Toward.UP
        ends.append(count)
        return Toward.HERE

    sought(look, low, high)
    return ends[0] if ends else None


def _around(rules: Mapping[str, str]) -> list[Played]:
    """Deals that follow each other, until the first dealer deals again."""
    chance = Random(SEED)  # noqa: S311 -- the same deals each time
    first = played(chance, "march", "standard", rules)
    found = [first]
    while len(found) < SEATS:
        hand = hand_of(rules, found[-1].deal, found[-1].actions)
        wanted = hand.next_dealer()
        deal = played(chance, "march", "standard", rules)
        while deal.deal["dealer"] != wanted:
            deal = played(chance, "march", "standard", rules)
        found.append(deal)
    return found


def _game(around: list[Played], count: int) -> Record:
    deals: list[Json] = []
    for number in range(count):
        one = around[number % len(around)]
        deals.append({"deal": one.deal, "actions": list(one.actions)})
    return {
        "op": "game",
        "ruleset": "standard",
        "rules": around[0].rules,
        "score": {"ns": 0, "ew": 0},
        "deals": deals,
    }
