"""How much the strong bot gains on the sensible one, in points a deal.

A board is one deck and dealer, played twice: once with the strong bot as north and south, once as
east and west. Half the difference of the two is one observation, so that the luck of the cards
cancels and the interval is over boards. The budget is of the process's own time, so that whoever
else is busy on the machine changes nothing but how long it takes.

python -m benchmarks.strength [--deals N] [--jobs N] [--budget-ms N] [--worlds N]
"""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random
from typing import Final

from rich.progress import Progress

from benchmarks.harness import OUT, table
from euchre_bot.bots import sensible
from euchre_bot.bots.strong import BUDGET_MS, Effort, Strong
from euchre_bot.dealing import SEATS as WORDS
from euchre_bot.views import View
from referee.rules import (
    SEATS,
    Hand,
    RuleSet,
    Seat,
    action_text,
    card_text,
    deal_from_deck,
    outcome_of,
    pack_cards,
    preset,
)
from referee.table.view import hand_view

Choose = Callable[[View, Sequence[str]], str]
Z: Final = 1.96
GAME: Final = "00" * 16
PIECE: Final = 10


@dataclass(frozen=True, slots=True)
class Order:
    """What to measure: boards from the number `first` on."""

    first: int
    boards: int
    rules: str
    effort: Effort
    control: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """What one board gave: half the difference in points, and what the decisions cost."""

    gain: float
    slowest_ms: float
    total_ms: float
    decisions: int


class Timed:
    """A strong bot whose decisions are timed."""

    def __init__(self, order: Order, rules: RuleSet) -> None:
        self.bot = Strong(order.effort, time.process_time)
        self._choose = sensible.choose if order.control else self.bot.choose
        self.bot.event({"kind": "match_open", "match": GAME, "rules": rules.to_map()})
        self.costs: list[float] = []

    def choose(self, view: View, legal: Sequence[str]) -> str:
        """What the bot chooses."""
        start = time.process_time()
        action = self._choose(view, legal)
        if len(legal) > 1:
            self.costs.append(1_000 * (time.process_time() - start))
        return action


def played(order: Order, number: int, strong_side: int) -> tuple[int, list[float]]:
    """The strong side's points of one deal, and the cost of each of its decisions."""
    rules = preset(order.rules)
    rng = Random(f"board/{number}")
    deck = list(pack_cards(rules.pack.value))
    rng.shuffle(deck)
    dealer = SEATS[rng.randrange(4)]
    hand = Hand(rules, deal_from_deck(tuple(deck), rules, dealer))
    bots = {seat: Timed(order, rules) for seat in SEATS if seat & 1 == strong_side}
    for bot in bots.values():
        bot.bot.event({"kind": "deal_open", "deal": number})
        bot.bot.event({"kind": "turn_up", "card": card_text(hand.upcard)})
    version = 0
    while (turn := hand.seat_on_turn) is not None:
        view = asked(hand, turn, number, version)
        choose = bots[turn].choose if turn in bots else sensible.choose
        action = choose(view, view["legal"])
        told = action.partition(" ")[0] if action.startswith("discard") else action
        for bot in bots.values():
            bot.bot.event({"kind": "action", "deal": number, "seat": turn.word, "action": told})
        hand.advance(next(code for code in hand.legal() if action_text(code) == action))
        version += 1
    points = outcome_of(hand).points
    costs = [cost for bot in bots.values() for cost in bot.costs]
    return points[strong_side] - points[1 - strong_side], costs


def asked(hand: Hand, turn: Seat, number: int, version: int) -> View:
    """What a bot is shown, as the client shows it."""
    seen = hand_view(hand, turn, deal=number, score=(0, 0), version=version)
    shown: View = {
        "match": GAME,
        "deal": number,
        "state_version": version,
        "limit_ms": 5_000,
        "seat": turn.word,
        "phase": seen.phase,
        "dealer": seen.dealer.word,
        "hand": list(seen.hand),
        "counts": dict(zip(WORDS, seen.counts, strict=True)),
        "upcard": seen.upcard,
        "upcard_state": seen.upcard_state,
        "alone": [seat.word for seat in seen.alone],
        "out": [seat.word for seat in seen.out],
        "trick": [{"seat": seat.word, "card": card} for seat, card in seen.trick],
        "tricks": {"ns": seen.tricks.ns, "ew": seen.tricks.ew},
        "score": {"ns": 0, "ew": 0},
        "legal": list(seen.legal),
    }
    if seen.trump is not None:
        shown["trump"] = seen.trump
    if seen.maker is not None:
        shown["maker"] = seen.maker.word
    if seen.led is not None:
        shown["led"] = seen.led
    return shown


def measure(order: Order) -> list[Board]:
    """The boards of an order."""
    boards = []
    for number in range(order.first, order.first + order.boards):
        first, costs = played(order, number, 0)
        second, more = played(order, number, 1)
        costs += more
        gain = (first + second) / 2
        boards.append(Board(gain, max(costs, default=0.0), sum(costs), len(costs)))
    return boards


def orders(flags: argparse.Namespace) -> Iterator[Order]:
    """The boards in pieces that processes take one after the other."""
    effort = Effort(budget_ms=flags.budget_ms, worlds=flags.worlds, seed=flags.seed)
    for first in range(0, flags.deals, PIECE):
        count = min(PIECE, flags.deals - first)
        yield Order(flags.first + first, count, flags.rules, effort, control=flags.control)


def all_boards(flags: argparse.Namespace) -> list[Board]:
    """Every board, played by so many processes."""
    boards: list[Board] = []
    with (
        ProcessPoolExecutor(flags.jobs, mp_context=get_context("spawn")) as pool,
        Progress(disable=not sys.stderr.isatty(), transient=True) as shown,
    ):
        task = shown.add_task("boards", total=flags.deals)
        for piece in pool.map(measure, orders(flags)):
            boards += piece
            shown.advance(task, len(piece))
    return boards


def figures_of(boards: Sequence[Board]) -> dict[str, float]:
    """The mean and its interval of 95 %, and what decisions cost."""
    gains = [board.gain for board in boards]
    mean = statistics.fmean(gains)
    half = Z * statistics.stdev(gains) / math.sqrt(len(gains))
    decisions = sum(board.decisions for board in boards)
    slowest = sorted(board.slowest_ms for board in boards)
    return {
        "boards": len(boards),
        "points a deal": mean,
        "low": mean - half,
        "high": mean + half,
        "mean ms a decision": sum(board.total_ms for board in boards) / max(1, decisions),
        "slowest ms of a board, 99 % of boards": slowest[int(0.99 * (len(slowest) - 1))],
    }


def main() -> None:
    """Measure and tell; exit 1 where the interval does not lie above 0."""
    flags = parsed()
    started = time.perf_counter()
    figures = figures_of(all_boards(flags))
    figures["minutes"] = (time.perf_counter() - started) / 60
    table([(name, f"{value:,.3f}") for name, value in figures.items()])
    OUT.mkdir(exist_ok=True)
    text = json.dumps({**vars(flags), **figures}, indent=2) + "\n"
    (OUT / "strength.json").write_text(text, encoding="ascii")
    if figures["low"] <= 0:
        raise SystemExit("the strong bot is not shown to be stronger: the interval holds 0")


def parsed() -> argparse.Namespace:
    """The flags."""
    parser = argparse.ArgumentParser(description="Strong against sensible, sides exchanged.")
    add = parser.add_argument
    add("--deals", type=int, default=2_000, help="how many boards, each played twice")
    add("--first", type=int, default=0, help="the number of the first board")
    add("--jobs", type=int, default=2, help="how many processes")
    add("--rules", default="standard", help="a rule set by name")
    add("--budget-ms", type=int, default=BUDGET_MS, help="the time a decision")
    add("--worlds", type=int, default=0, help="worlds a decision (0: the bot's own number)")
    add("--seed", default="0", help="another seed deals other worlds")
    add("--control", action="store_true", help="the sensible bot against itself, which gains 0")
    return parser.parse_args()


if __name__ == "__main__":
    main()
