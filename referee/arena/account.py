"""A match told to people: one line a deal, and the result."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from referee.rules import parse_action
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.events import ActionTaken, DealerDrawn, DealOpen, TurnUp
from referee.sealing.packs import SEATS, SIDES
from referee.sealing.parts import Pair
from referee.table.events import PublicEvent

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "N": "no trump"}


@dataclass(slots=True)
class Account:
    """Listens to the events of a match and tells each deal when it is closed."""

    dealer: str = ""
    upcard: str = ""
    call: str = ""

    def hear(self, event: PublicEvent) -> str | None:
        """The line of a deal that this event closes."""
        match event:
            case DealOpen():
                self.dealer = "" if event.dealer is None else SEATS[event.dealer]
                self.upcard = self.call = ""
            case TurnUp():
                self.upcard = event.turned.card
            case ActionTaken():
                self._hear_action(event)
            case DealerDrawn():
                return f"  0 the draw: {SEATS[event.dealer]} deals first"
            case DealClose() if event.outcome != "draw":
                return self._deal(event)
            case _:
                pass
        return None

    def _hear_action(self, event: ActionTaken) -> None:
        word = event.action.split(" ")[0]
        if word in {"order", "name", "alone"} and parse_action(event.action) is not None:
            trump = event.action.split(" ")[1] if word == "name" else self.upcard[-1:]
            said = f"{SEATS[event.seat]} {'orders' if word == 'order' else 'names'}"
            self.call = f"{self.call}, {SEATS[event.seat]} alone" if word == "alone" else said
            if word != "alone":
                self.call += f" {SUITS.get(trump, trump)}"
                self.call += " alone" if event.action.endswith("alone") else ""

    def _deal(self, event: DealClose) -> str:
        head = f"{event.deal:>3} {self.dealer:<5} {self.upcard or '--'}"
        return f"{head}  {self.call or 'no call':<27} {_result(event):<22} {_pair(event.score):>5}"


def _pair(pair: Pair) -> str:
    return f"{pair.ns}-{pair.ew}"


def _result(event: DealClose) -> str:
    counted = Counter(f"{SEATS[fault.seat]} {fault.why}" for fault in event.faults)
    faults = ", ".join(f"{fault} x{n}" if n > 1 else fault for fault, n in counted.items())
    side = "ns" if event.points.ns else "ew"
    paid = max(event.points.ns, event.points.ew)
    told = event.outcome.replace("_", " ")
    if event.outcome == "played":
        told = f"tricks {_pair(event.tricks)}"
    told += f", {side} +{paid}" if paid else ", nobody scores"
    return f"{told} ({faults})" if faults else told


def result_line(closed: MatchClose) -> str:
    """The end of the match in one line."""
    score = _pair(closed.score)
    by = "" if closed.by is None else f" by {SEATS[closed.by]}"
    winner = "nobody wins" if closed.winner is None else f"{SIDES[closed.winner]} wins"
    return f"{closed.outcome}{by}: {winner} {score} after {closed.deals} deals"


def last_score(events: Iterable[PublicEvent]) -> Pair:
    """The running game's score as the last closed deal left it."""
    score = Pair(0, 0)
    for event in events:
        if isinstance(event, DealClose) and event.outcome != "draw":
            score = event.score
    return score
