#!/usr/bin/env python3
"""A whole adapter: it answers `legal` for the rule set standard, from the view alone.

It shares no code with anything else here, so that it can be copied and changed.
Try it: `euchre-conformance run -t "cmd:python3 adapter.py"`.
"""

import json
import sys
from typing import TypedDict

SUITS = "CDHS"
TWIN = {"C": "S", "S": "C", "D": "H", "H": "D"}
HELLO: dict[str, object] = {
    "protocol": 1,
    "name": "example-adapter",
    "version": "1",
    "language": "python",
    "ops": ["legal"],
    "rulesets": ["standard", "quick", "throw-in"],
    "knobs": {"target": ["any"], "all_pass": ["stick", "throw_in"]},
    "parallel": True,
}


class View(TypedDict, total=False):
    """What the seat on turn sees, as far as this adapter reads it."""

    phase: str
    turn: str
    dealer: str
    upcard: str
    hand: list[str]
    trump: str
    led: str


class Request(TypedDict, total=False):
    """A request, as far as this adapter reads it."""

    id: int
    op: str
    rules: dict[str, str]
    view: View


def suit_of(card: str, trump: str) -> str:
    """The suit that a card counts as: the left bower is a trump."""
    return trump if card == "J" + TWIN[trump] else card[1]


def playable(hand: list[str], led: str | None, trump: str) -> list[str]:
    """The cards that follow, or all of them."""
    if led is None:
        return hand
    follows = [card for card in hand if suit_of(card, trump) == suit_of(led, trump)]
    return follows or hand


def legal(view: View, *, may_throw_in: bool) -> list[str]:
    """Every action of the seat on turn."""
    hand = view["hand"]
    match view["phase"]:
        case "round_one":
            return ["pass", "order", "order alone"]
        case "round_two":
            names = [f"name {suit}" for suit in SUITS if suit != view["upcard"][1]]
            stuck = view["turn"] == view["dealer"] and not may_throw_in
            passing = [] if stuck else ["pass"]
            return [*passing, *names, *(f"{name} alone" for name in names)]
        case "discard":
            return [f"discard {card}" for card in hand]
        case _:
            cards = playable(hand, view.get("led"), view["trump"])
            return [f"play {card}" for card in cards]


def answer(request: Request) -> dict[str, object]:
    """The answer to one request."""
    if request["op"] == "hello":
        return HELLO
    if request["op"] != "legal":
        return {"unsupported": request["op"]}
    view = request.get("view")
    if view is None:  # the deal is over: nobody is on turn
        return {"phase": "over", "legal": [], "closed": True}
    found = legal(view, may_throw_in=request["rules"]["all_pass"].startswith("throw"))
    return {"turn": view["turn"], "phase": view["phase"], "legal": found}


def main() -> None:
    """Answer a line with a line, and flush."""
    for line in sys.stdin:
        request: Request = json.loads(line)
        reply = {"id": request["id"], **answer(request)}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
