"""A match told to people: one line a deal, and the result."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from referee.rules import parse_action
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.events import ActionTaken, DealerDrawn, DealOpen, TurnUp
from referee.sealing.packs import SEATS, SIDES
from referee.sealing.parts import Pair
from referee.sealing.verdict import Totals
from referee.table.events import PublicEvent

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "N": "no trump"}


@dataclass(slots=True)
class Account:
    """Listens to the events of a match and tells each deal when it is closed.

    `last` is the score of the game at hand, as the last closed deal left it.
    """

    last: Pair | None = None
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
                self.last = event.score
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


def counts_games(rules: Mapping[str, str]) -> bool:
    """Whether the score of a match under these knobs is one of games, not of points."""
    return rules.get("deals", "none") == "none"


def score_words(winner: int | None, score: Pair, *, games: bool, last: Pair | None = None) -> str:
    """Who won a match and by how much, the winner's count first.

    `last` is told where games are counted: the points of the last of them.

    >>> score_words(1, Pair(0, 1), games=True, last=Pair(7, 10))
    'ew wins 1-0 in games, the last one ns 7 ew 10'
    >>> score_words(None, Pair(6, 6), games=False)
    'nobody wins, ns 6 ew 6 in points'
    """
    unit = "games" if games else "points"
    if winner is None:
        told = f"nobody wins, {_named(score)} in {unit}"
    else:
        ours, theirs = (score.ew, score.ns) if winner else (score.ns, score.ew)
        told = f"{SIDES[winner]} wins {ours}-{theirs} in {unit}"
    return f"{told}, the last one {_named(last)}" if games and last is not None else told


def _named(pair: Pair) -> str:
    return f"ns {pair.ns} ew {pair.ew}"


def result_line(closed: MatchClose, *, games: bool, last: Pair | None) -> str:
    """The end of the match in one line; `last` as `score_words` has it."""
    by = "" if closed.by is None else f" by {SEATS[closed.by]}"
    told = score_words(closed.winner, closed.score, games=games, last=last)
    return f"{closed.outcome}{by}: {told}, after {closed.deals} deal{'s' * (closed.deals != 1)}"


def verified_words(totals: Totals) -> str:
    """How many of the deals are verified; the dealer draw is sealed as a deal is, and is none.

    >>> verified_words(Totals(deals=3, verified=3, draws=1))
    '2 of 2 deals, and the dealer draw'
    """
    count = totals.deals - totals.draws
    deals = f"{totals.verified - totals.draws} of {count} deal{'s' * (count != 1)}"
    return f"{deals}, and the dealer draw" if totals.draws else deals
