"""OpenSpiel's Euchre as a target: `openspiel:`, an engine by other people.

Where it plays otherwise than the rule sets that it is asked about, it fails; `openspiel.yaml`
states each such case, with the rule and the place in OpenSpiel that it comes from.
It plays single deals: the score of the request is carried through and the deal's points are added
to it, but it knows no target and no next dealer, and none is made up for it.
A seat's view is read from the information state that OpenSpiel gives that seat, and what lies open
on the table from the state.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, int_of, list_of, text_of, texts_of
from conformance.targets.spiel import (
    CARDS,
    SEATS,
    SUITS,
    TURNED_DOWN,
    Deal,
    Dealer,
    Spiel,
    card_of,
    loaded,
    score_of,
    seat_number,
)

BIDS: Final = 8
DEALER_AT: Final = 0
UPCARD_AT: Final = DEALER_AT + len(SEATS)
ALONE_AT: Final = UPCARD_AT + CARDS + BIDS * (len(SUITS) + 1)
HAND_AT: Final = ALONE_AT + 3
"""Where the information state keeps what a seat knows: `InformationStateTensor` in euchre.cc."""

CLAIMS: Final[Record] = {
    "protocol": 1,
    "name": "OpenSpiel euchre",
    "language": "C++",
    "ops": ["legal", "apply", "view", "replay", "score", "perft"],
    "rulesets": ["standard", "throw-in", "defend-alone"],
    "knobs": {
        "all_pass": ["stick", "throw_in"],
        "bury_upcard": ["allowed", "forbidden"],  # it forbids: where allowed matters is stated
        "alone_when": ["with_call", "before_lead"],
        "defend_alone": ["never", "any"],
    },
    "parallel": True,
}


class OpenSpiel:
    """The engine, answering requests."""

    def __init__(self, spiel: Spiel | None = None) -> None:
        self.spiel = loaded() if spiel is None else spiel
        self.dealer = Dealer(self.spiel)
        self.ops: Mapping[str, Callable[[Record], dict[str, Json]]] = {
            "legal": self.legal,
            "apply": self.apply,
            "view": self.view,
            "replay": self.replay,
            "score": self.score,
            "perft": self.perft,
        }

    def answer(self, request: Record) -> dict[str, Json]:
        """The answer to one request."""
        op = text_of(request.get("op"), "op")
        if op == "hello":
            return {**CLAIMS, "version": getattr(self.spiel, "__version__", "")}
        if op not in self.ops:
            return {"unsupported": op}
        try:
            return self.ops[op](request)
        except PositionError as err:
            return {"error": str(err)}

    def legal(self, request: Record) -> dict[str, Json]:
        """Who is on turn, and what is legal."""
        return standing(self.dealer.deal(request))

    def apply(self, request: Record) -> dict[str, Json]:
        """What stands after an action; OpenSpiel gives no reasons for a refusal."""
        deal = self.dealer.deal(request)
        turn = deal.turn or 0
        seat = seat_number(request.get("by", SEATS[turn]), "by")
        text = text_of(request.get("action"), "action")
        allowed = text in deal.forms(seat) and deal.do(text)
        return standing(deal) if allowed else {"refused": True, **standing(deal)}

    def replay(self, request: Record) -> dict[str, Json]:
        """The tricks of a deal, and what OpenSpiel pays for it."""
        deal = self.dealer.deal(request)
        at = 0
        for trick in list_of(request.get("tricks", []), "tricks"):
            for text in texts_of(trick, "a trick"):
                if not deal.do(text):
                    return {"refused": True, "at": at, **standing(deal)}
                at += 1
        _finished(deal)
        points = deal.points()
        before = score_of(request)
        return {
            "winners": [SEATS[trick.winner()] for trick in deal.whole()],
            "outcome": "thrown_in" if deal.state.declarer() < 0 else "played",
            "tricks": deal.tricks(),
            "points": points,
            "score": {which: before[which] + points[which] for which in points},
        }

    def score(self, request: Record) -> dict[str, Json]:
        """What a finished deal is worth."""
        deal = self.dealer.deal(request)
        _finished(deal)
        return {"tricks": deal.tricks(), "points": deal.points()}

    def perft(self, request: Record) -> dict[str, Json]:
        """The tree of OpenSpiel's own legal actions."""
        depth = int_of(request.get("depth", 99), "depth")
        spread = leaves(self.dealer.deal(request), depth)
        return {"leaves": sum(spread.values()), "spread": dict(sorted(spread.items()))}

    def view(self, request: Record) -> dict[str, Json]:
        """What a seat is told."""
        deal = self.dealer.deal(request)
        score = score_of(request)
        if deal.turn is None:
            points = deal.points()
            score = {which: score[which] + points[which] for which in points}
        return {"view": {**seen(deal, seat_number(request.get("seat"), "seat")), "score": score}}


def standing(deal: Deal) -> dict[str, Json]:
    """Who is on turn, in which phase, and what is legal."""
    if deal.turn is None:
        return {"phase": "over", "legal": [], "closed": True}
    return {
        "turn": SEATS[deal.turn],
        "phase": deal.phase,
        "legal": sorted(deal.forms(deal.turn)),
    }


def _finished(deal: Deal) -> None:
    if deal.turn is not None:
        raise PositionError("the deal is not finished")


def leaves(deal: Deal, depth: int) -> Counter[str]:
    """How many ways to play on end in each result, down to a depth."""
    spread: Counter[str] = Counter()
    _grow(deal, depth, spread)
    return spread


def _grow(deal: Deal, depth: int, spread: Counter[str]) -> None:
    if deal.turn is None:
        spread[_result(deal)] += 1
    elif depth == 0:
        spread["open/none/0"] += 1
    else:
        for text, number in deal.forms(deal.turn).items():
            below = deal.copy()
            below.say(text, number)
            _grow(below, depth - 1, spread)


def _result(deal: Deal) -> str:
    points = deal.points()
    paid = next((which for which in points if points[which]), "none")
    outcome = "thrown_in" if deal.state.declarer() < 0 else "played"
    return f"{outcome}/{paid}/{points.get(paid, 0)}"


def seen(deal: Deal, seat: int) -> dict[str, Json]:
    """The view of a seat, its score apart."""
    state = deal.state
    told = state.information_state_tensor(seat)
    held = Counter(holder for holder in state.card_holder() if holder is not None)
    view: dict[str, Json] = {
        "seat": SEATS[seat],
        "phase": deal.phase,
        "dealer": SEATS[_bits(told, DEALER_AT, len(SEATS))[0]],
        "hand": [card_of(number) for number in _bits(told, HAND_AT, CARDS)],
        "counts": {word: held[number] for number, word in enumerate(SEATS)},
        "upcard": card_of(_bits(told, UPCARD_AT, CARDS)[0]),
        "upcard_state": _upcard_state(deal),
        "legal": sorted(deal.forms(seat)),
    }
    if deal.turn is not None:
        view["turn"] = SEATS[deal.turn]
    if state.declarer() >= 0:
        view |= _made(deal, told)
    return view


def _bits(told: Sequence[float], start: int, length: int) -> list[int]:
    """Which of a row of bits are set."""
    return [place for place in range(length) if told[start + place]]


def _upcard_state(deal: Deal) -> str:
    if deal.state.num_passes() >= TURNED_DOWN:
        return "turned_down"
    return "turned" if deal.state.declarer() < 0 else "taken"


def _made(deal: Deal, told: Sequence[float]) -> dict[str, Json]:
    """What a view holds once trump is made."""
    maker = deal.state.declarer()
    asked = (maker, maker + 1, maker + 3)
    alone = [asked[place] % 4 for place in _bits(told, ALONE_AT, len(asked))]
    view: dict[str, Json] = {
        "maker": SEATS[maker],
        "trump": SUITS[deal.state.trump_suit()],
        "alone": [SEATS[seat] for seat in alone],
        "out": [SEATS[(seat + 2) % 4] for seat in alone],
    }
    if deal.phase in ("play", "over"):
        laid, whole = deal.laid(), deal.whole()
        view["trick"] = []
        view["tricks"] = deal.tricks()
        if len(laid) > len(whole):
            view |= _on_the_table(deal)
    return view


def _on_the_table(deal: Deal) -> dict[str, Json]:
    """The trick that is being played."""
    trick = deal.laid()[-1]
    cards = [card_of(number) for number in trick.cards()]
    playing = deal.state.active_players()
    round_the_table = [(trick.leader() + step) % 4 for step in range(len(SEATS))]
    seats = [SEATS[seat] for seat in round_the_table if playing[seat]]
    laid: list[Json] = [
        {"seat": seat, "card": card} for seat, card in zip(seats, cards, strict=False)
    ]
    return {"led": cards[0], "trick": laid}
