#!/usr/bin/env python3
"""A small Euchre engine that answers the conformance suite; copy it, and put your own in its place.

It needs nothing but Python, keeps no state between requests, and shares no code with the suite.
Try it: `euchre-conformance run -t "cmd:python3 adapter.py"`.
"""

import json
import re
import sys
from collections import Counter
from typing import TypedDict

SEATS = ("north", "east", "south", "west")
RANKS = "9TJQKA"
PACK = {rank + suit for suit in "CDHS" for rank in RANKS}
TWIN = {"C": "S", "S": "C", "D": "H", "H": "D"}
WORDS = ["pass", "order", "name", "discard", "alone", "decline", "play", "redeal", "swap", "give"]
FORM = "pass|alone|decline|order( alone)?|name [CDHS]( alone)?|(discard|play) [9TJQKA][CDHS]"
PHASES = {
    "round_one": ("pass", "order"),
    "round_two": ("pass", "name"),
    "discard": ("discard",),
    "alone": ("alone", "decline"),
    "play": ("play",),
}
HELLO: dict[str, object] = {
    "protocol": 1,
    "name": "small-euchre-python",
    "version": "1",
    "language": "python",
    "ops": ["legal", "apply", "view", "replay", "score", "game"],
    "rulesets": ["standard", "quick", "throw-in", "defend-alone", "ontario", "guide"],
    "knobs": {  # besides the named sets: every mixture of these values
        "target": ["any"],
        "first_dealer": ["any"],
        "packets": ["any"],
        "cut": ["any"],
        "points_made": ["any"],
        "points_march": ["any"],
        "points_lone_march": ["any"],
        "points_euchre": ["any"],
        "points_euchre_all_five": ["any"],
        "points_lone_euchred": ["any"],
        "points_lone_defender": ["any"],
        "all_pass": ["stick", "throw_in"],
        "throw_in_dealer": ["left", "same"],
        "order_needs_trump": ["never", "left_counts"],
        "partner_order": ["with_partner", "must_be_alone"],
        "bury_upcard": ["allowed", "forbidden"],
        "alone_who": ["maker", "making_side"],
        "alone_when": ["with_call", "before_lead"],
        "defend_alone": ["never", "vs_loner"],
    },
    "parallel": True,
}


class Cards(TypedDict):
    """A deal as it lies on the table before the first call."""

    dealer: str
    hands: dict[str, list[str]]
    upcard: str


class Played(TypedDict, total=False):
    """A deal and what was done in it."""

    deal: Cards
    actions: list[str]


class Request(Played, total=False):
    """A request, as far as this adapter reads it."""

    id: int
    op: str
    rules: dict[str, str]
    score: dict[str, int]
    action: str
    by: str
    seat: str
    tricks: list[list[str]]
    deals: list[Played]


class NonsenseError(Exception):
    """A request that cannot be: it is answered with `error`."""


def left(seat: str, steps: int = 1) -> str:
    """The seat so many places to the left."""
    return SEATS[(SEATS.index(seat) + steps) % 4]


def around(first: str) -> list[str]:
    """The four seats, clockwise from the first."""
    return [left(first, steps) for steps in range(4)]


def side(seat: str) -> str:
    """The side of a seat."""
    return "ns" if seat in ("north", "south") else "ew"


def other(which: str) -> str:
    """The other side."""
    return "ew" if which == "ns" else "ns"


def suit_of(card: str, trump: str) -> str:
    """The suit that a card counts as: the left bower is a trump."""
    return trump if card == "J" + TWIN[trump] else card[1]


def strength(card: str, trump: str, led: str) -> int:
    """How high a card stands in a trick; what neither follows nor is trump cannot win."""
    if suit_of(card, trump) != trump:
        return RANKS.index(card[0]) if card[1] == led else -1
    if card[0] == "J":
        return 30 if card[1] == trump else 20
    return 10 + RANKS.index(card[0])


class Deal:
    """One deal, from the first call to the last trick, and the score before it."""

    def __init__(self, rules: dict[str, str], cards: Cards, score: dict[str, int]) -> None:
        self.rules = rules
        self.before = score
        self.dealer = cards["dealer"]
        self.upcard = cards["upcard"]
        self.hands = {seat: list(cards["hands"][seat]) for seat in SEATS}
        self.phase = "round_one"
        self.turn = left(self.dealer)
        self.passes = 0
        self.trump = ""
        self.maker = ""
        self.alone: list[str] = []
        self.declined: list[str] = []
        self.trick: list[tuple[str, str]] = []
        self.winners: list[str] = []
        dealt = [self.upcard, *(card for hand in self.hands.values() for card in hand)]
        if any(len(hand) != 5 for hand in self.hands.values()):
            raise NonsenseError("each seat must hold five cards")
        if len(PACK.intersection(dealt)) != len(dealt):
            raise NonsenseError("a card stands twice, or is not of the pack")

    def out(self) -> list[str]:
        """The seats that sit out: the partners of those who play alone."""
        return [left(seat, 2) for seat in self.alone]

    def lone(self, which: str) -> bool:
        """Whether a side plays alone."""
        return any(side(seat) == which for seat in self.alone)

    def legal(self) -> list[str]:
        """Every action that the seat on turn may take."""
        names = [f"name {suit}" for suit in "CDHS"]
        match self.phase:
            case "round_one":
                asked = ["pass", "order", "order alone"]
            case "round_two":
                asked = ["pass", *names, *(f"{name} alone" for name in names)]
            case "alone":
                asked = ["alone", "decline"]
            case _:
                asked = [f"{self.phase} {card}" for card in self.hands[self.turn]]
        return [action for action in asked if not self.violation(self.turn, action)]

    def violation(self, seat: str, action: str) -> str:
        """Why an action is refused, or nothing: the one place that says no."""
        if self.game_over():
            return "GAME_OVER"
        if self.phase == "over":
            return "HAND_OVER"
        if seat != self.turn:
            return "SITTING_OUT" if seat in self.out() else "NOT_YOUR_TURN"
        word, *rest = action.split(" ")
        if word not in WORDS:
            return "UNKNOWN_ACTION"
        if word not in PHASES[self.phase]:
            return self.misplaced(seat) if word == "alone" else "WRONG_PHASE"
        if not re.fullmatch(FORM, action):
            return "UNKNOWN_ACTION"
        if word in ("play", "discard"):
            return self.card_violation(word, rest[0])
        return self.call_violation(seat, word, rest)

    def card_violation(self, word: str, card: str) -> str:
        """Why the seat on turn may not play or bury a card."""
        hand = self.hands[self.turn]
        if card not in hand:
            return "CARD_NOT_HELD"
        if word == "discard":
            forbidden = self.rules["bury_upcard"] == "forbidden" and card == self.upcard
            return "DISCARD_UPCARD_FORBIDDEN" if forbidden else ""
        if not self.trick:
            return ""
        led = suit_of(self.trick[0][1], self.trump)
        able = any(suit_of(held, self.trump) == led for held in hand)
        return "MUST_FOLLOW_SUIT" if able and suit_of(card, self.trump) != led else ""

    def call_violation(self, seat: str, word: str, rest: list[str]) -> str:
        """Why trump may not be called so, or a pass not made."""
        turned = self.upcard[1]
        if word == "name" and rest[0] == turned:
            return "SUIT_TURNED_DOWN"
        if word == "pass" and self.phase == "round_two" and seat == self.dealer:
            return "DEALER_STUCK" if self.rules["all_pass"] == "stick" else ""
        if word == "order" and seat != self.dealer:
            trumps = [card for card in self.hands[seat] if suit_of(card, turned) == turned]
            if self.rules["order_needs_trump"] == "left_counts" and not trumps:
                return "NEEDS_TRUMP"
            bound = self.rules["partner_order"] == "must_be_alone" and seat == left(self.dealer, 2)
            if bound and not rest:
                return "PARTNER_MUST_GO_ALONE"
        late = self.rules["alone_when"] == "before_lead"
        return "ALONE_NOT_ALLOWED" if late and "alone" in rest else ""

    def misplaced(self, seat: str) -> str:
        """Why `alone` is refused outside its phase."""
        if not self.trump:
            return "WRONG_PHASE"
        if side(seat) == side(self.maker):
            barred = self.rules["alone_who"] == "maker" and seat != self.maker
            return "ALONE_NOT_ALLOWED" if barred else "ALONE_TOO_LATE"
        if self.rules["defend_alone"] == "never":
            return "DEFEND_ALONE_OFF"
        return "ALONE_TOO_LATE" if self.lone(side(self.maker)) else "DEFEND_ALONE_NO_LONER"

    def apply(self, action: str) -> None:
        """Take a legal action of the seat on turn."""
        seat = self.turn
        word, *rest = action.split(" ")
        match word:
            case "pass":
                self.passes += 1
                self.turn = left(seat)
                if self.passes == 4:
                    self.phase = "round_two"
                elif self.passes == 8:
                    self.phase = "over"
                return
            case "order" | "name":
                self.maker = seat
                self.trump = self.upcard[1] if word == "order" else rest[0]
                if "alone" in rest:
                    self.alone.append(seat)
                if word == "order":
                    self.hands[self.dealer].append(self.upcard)
                    self.phase, self.turn = "discard", self.dealer
                    return
            case "discard":
                self.hands[seat].remove(rest[0])
            case "alone":
                self.alone.append(seat)
            case "decline":
                self.declined.append(seat)
            case _:
                self.play(seat, rest[0])
                return
        self.ask_alone()

    def ask_alone(self) -> None:
        """Ask the next seat whether it goes alone; with nobody left to ask, play begins."""
        makers = side(self.maker)
        asked: list[str] = []
        if self.rules["alone_when"] == "before_lead" and not self.lone(makers):
            both = self.rules["alone_who"] == "making_side"
            asked = [self.maker, left(self.maker, 2)] if both else [self.maker]
        elif self.rules["defend_alone"] == "vs_loner" and self.lone(makers):
            free = not self.lone(other(makers))
            asked = [seat for seat in around(left(self.dealer)) if free and side(seat) != makers]
        asked = [seat for seat in asked if seat not in self.declined]
        if asked:
            self.phase, self.turn = "alone", asked[0]
        else:
            self.phase, self.turn = "play", self.playing(left(self.dealer))

    def playing(self, seat: str) -> str:
        """The seat itself, or the next one round that does not sit out."""
        return next(who for who in around(seat) if who not in self.out())

    def play(self, seat: str, card: str) -> None:
        """Play a card; the last of a trick decides it, the last of the deal ends it."""
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.turn = self.playing(left(seat))
        if len(self.trick) == 4 - len(self.alone):
            led = suit_of(self.trick[0][1], self.trump)
            best = max(self.trick, key=lambda laid: strength(laid[1], self.trump, led))
            self.turn = best[0]
            self.winners.append(self.turn)
            self.trick = []
        if len(self.winners) == 5:
            self.phase = "over"

    def tricks(self) -> dict[str, int]:
        """The tricks that each side has taken."""
        taken = Counter(side(seat) for seat in self.winners)
        return {"ns": taken["ns"], "ew": taken["ew"]}

    def points(self) -> dict[str, int]:
        """The points of the deal; where several prices apply, the largest counts."""
        paid = {"ns": 0, "ew": 0}
        if not self.maker or self.phase != "over":
            return paid
        makers = side(self.maker)
        took = self.tricks()[makers]
        prices = {
            "made": 3 <= took < 5,
            "march": took == 5,
            "lone_march": took == 5 and self.lone(makers),
            "euchre": took < 3,
            "euchre_all_five": took == 0,
            "lone_euchred": took < 3 and self.lone(makers),
            "lone_defender": took < 3 and self.lone(other(makers)),
        }
        due = [int(self.rules[f"points_{name}"]) for name, applies in prices.items() if applies]
        paid[makers if took >= 3 else other(makers)] = max(due)
        return paid

    def score(self) -> dict[str, int]:
        """The score, this deal included."""
        points = self.points()
        return {which: self.before[which] + points[which] for which in points}

    def game_over(self) -> bool:
        """Whether a side has reached the target."""
        return max(self.score().values()) >= int(self.rules["target"])

    def next_dealer(self) -> str:
        """Who deals next."""
        again = not self.maker and self.rules["throw_in_dealer"] == "same"
        return self.dealer if again else left(self.dealer)

    def standing(self) -> dict[str, object]:
        """Who is on turn, in which phase, and what is legal."""
        if self.phase == "over" or self.game_over():
            return {"phase": "over", "legal": [], "closed": True}
        return {"turn": self.turn, "phase": self.phase, "legal": self.legal()}

    def view(self, seat: str) -> dict[str, object]:
        """What one seat may see; what has no meaning yet is absent."""
        now = self.standing()
        called = "taken" if self.maker else "turned"
        seen: dict[str, object] = {
            "seat": seat,
            "dealer": self.dealer,
            "hand": self.hands[seat],
            "counts": {who: len(hand) for who, hand in self.hands.items()},
            "upcard": self.upcard,
            "upcard_state": "turned_down" if self.passes >= 4 else called,
            "score": self.score(),
            **now,
            "legal": now["legal"] if seat == self.turn else [],
        }
        if self.maker:
            seen |= {"trump": self.trump, "maker": self.maker}
            seen |= {"alone": self.alone, "out": self.out()}
        if self.maker and self.phase in ("play", "over"):
            seen["trick"] = [{"seat": who, "card": card} for who, card in self.trick]
            seen["tricks"] = self.tricks()
        if self.trick:
            seen["led"] = self.trick[0][1]
        return seen

    def result(self) -> dict[str, object]:
        """How the deal ended."""
        if self.phase != "over":
            raise NonsenseError("the deal is not over")
        ended: dict[str, object] = {
            "winners": self.winners,
            "outcome": "played" if self.maker else "thrown_in",
            "tricks": self.tricks(),
            "points": self.points(),
            "score": self.score(),
        }
        return ended if self.game_over() else {**ended, "next_dealer": self.next_dealer()}


def position(rules: dict[str, str], played: Played, score: dict[str, int]) -> Deal:
    """A deal after its actions."""
    deal = Deal(rules, played["deal"], score)
    for number, action in enumerate(played.get("actions", [])):
        reason = deal.violation(deal.turn, action)
        if reason:
            raise NonsenseError(f"action {number}, {action!r}: {reason}")
        deal.apply(action)
    return deal


def replay(deal: Deal, actions: list[str]) -> dict[str, object]:
    """The end of the deal, or the first action that is refused."""
    for at, action in enumerate(actions):
        reason = deal.violation(deal.turn, action)
        if reason:
            return {"refused": reason, "at": at, **deal.standing()}
        deal.apply(action)
    return deal.result()


def game(rules: dict[str, str], deals: list[Played], score: dict[str, int]) -> dict[str, object]:
    """Deal after deal, until a side reaches the target."""
    scores: list[dict[str, int]] = []
    dealer = deals[0]["deal"]["dealer"]
    over = False
    for played in deals:
        if over or played["deal"]["dealer"] != dealer:
            raise NonsenseError("a deal after the end of the game, or by the wrong dealer")
        deal = position(rules, played, score)
        deal.result()
        score, dealer, over = deal.score(), deal.next_dealer(), deal.game_over()
        scores.append(score)
    if over:
        return {"scores": scores, "winner": max(score, key=lambda which: score[which])}
    return {"scores": scores, "dealer": dealer}


def answer(request: Request) -> dict[str, object]:
    """The answer to one request."""
    op = request["op"]
    if op == "hello":
        return HELLO
    if op not in ("legal", "apply", "view", "replay", "score", "game"):
        return {"unsupported": op}
    score = request.get("score", {"ns": 0, "ew": 0})
    if op == "game":
        return game(request["rules"], request["deals"], score)
    deal = position(request["rules"], request, score)
    match op:
        case "apply":
            reason = deal.violation(request.get("by", deal.turn), request["action"])
            if reason:
                return {"refused": reason, **deal.standing()}
            deal.apply(request["action"])
            return deal.standing()
        case "view":
            return {"view": deal.view(request["seat"])}
        case "replay":
            return replay(deal, [action for trick in request["tricks"] for action in trick])
        case "score":
            return deal.result()
        case _:
            return deal.standing()


def main() -> None:
    """Answer each line with a line, and flush it."""
    for line in sys.stdin:
        request: Request = json.loads(line)
        try:
            reply = answer(request)
        except NonsenseError as err:
            reply = {"error": str(err)}
        sys.stdout.write(json.dumps({"id": request["id"], **reply}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
