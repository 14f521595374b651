"""A bot that deals the unseen cards many times over, and picks what is best on average."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from euchre_bot.bots import sensible
from euchre_bot.bots.strong.calling import Caller, Calls
from euchre_bot.bots.strong.cards import SUIT_MASK, SUITS, layout, mask, worth
from euchre_bot.bots.strong.memory import Memory, Shown
from euchre_bot.bots.strong.playout import finished, tricks_of
from euchre_bot.bots.strong.solve import Prices, Solver, Table, moves
from euchre_bot.bots.strong.worlds import Likely, Unknown, anything
from euchre_bot.dealing import SEATS
from euchre_bot.views import View

BUDGET_MS: Final = 50
_MARGIN: Final = 0.25
_CALL_WORLDS: Final = 64
_PLAY_WORLDS: Final = 24
_OPEN_FROM: Final = 2
"""From which trick on worlds are solved with open cards; before, they are played out."""
_CALL_FLOOR: Final = 6
_ALONE_FLOOR: Final = 12
Clock = Callable[[], float]
Judge = Callable[[str, Sequence[int]], int]


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to think: a time a decision, and a number of worlds (0: as many as are useful)."""

    budget_ms: int = BUDGET_MS
    worlds: int = 0
    seed: str = "0"


class Strong:
    """One seat of one match, or of several one after the other."""

    def __init__(self, effort: Effort | None = None, clock: Clock = time.perf_counter) -> None:
        self._effort = effort or Effort()
        self._clock = clock
        self.memory = Memory()

    def start(self, *, match: str, seat: str, rules: Mapping[str, str]) -> None:
        """Take a seat whose rules are told, as in the arena."""
        del match, seat
        self.memory.learn(rules)

    def event(self, event: Mapping[str, object]) -> None:
        """Hear a public event: what others played after us is in no view."""
        self.memory.hear(event)

    def choose(self, view: View, legal: Sequence[str]) -> str:
        """The action that is best on average over worlds that may be."""
        shown = self.memory.look(view)
        end = self._clock() + self._seconds(view)
        usual = sensible.choose(view, legal)
        place = f"{self._effort.seed}/{view['seat']}/{view['deal']}/{view['state_version']}"
        thought = _Thought(
            view=view,
            legal=legal,
            usual=usual,
            shown=shown,
            memory=self.memory,
            rng=Random(place),  # noqa: S311 -- worlds, no secrets
            effort=self._effort,
            late=lambda: self._clock() > end,
        )
        match view["phase"]:
            case "round_one" | "round_two":
                return thought.call()
            case "discard":
                return thought.discard()
            case "play":
                return thought.play()
            case _:
                return usual

    def _seconds(self, view: View) -> float:
        """How long to think: the budget, if no worlds are given, and at most a share of the clock.

        A limit that is not told is taken to be long.
        """
        budget = math.inf if self._effort.worlds else self._effort.budget_ms
        limit = view.get("limit_ms", 0)
        return (min(budget, limit * _MARGIN) if limit > 0 else budget) / 1_000


@dataclass(slots=True)
class _Thought:
    """One decision."""

    view: View
    legal: Sequence[str]
    usual: str
    shown: Shown
    memory: Memory
    rng: Random
    effort: Effort
    late: Callable[[], bool]

    def call(self) -> str:
        """Call or pass."""
        caller = Caller(self.view, self.memory)
        hand = list(self.view["hand"])
        if self.view["phase"] == "round_one" and caller.me == caller.dealer:
            hand.append(self.view.get("upcard", ""))
        suits = {trump: worth(mask(hand, trump)) for trump in SUITS}
        asked = [
            action
            for action in self.legal
            if action == "pass" or self._hopeful(action, caller.up, suits)
        ]
        if not asked or not self.view.get("upcard"):
            return self.usual
        if len(asked) == 1:
            return asked[0]
        return self._best(asked, caller.value, "N", _CALL_WORLDS, caller.likely)

    def _hopeful(self, action: str, up: str, suits: Mapping[str, int]) -> bool:
        """Whether a call is worth playing out; whoever is stuck looks at every suit."""
        suit = action.split(" ")[1] if action.startswith("name ") else up
        stuck = "pass" not in self.legal and not action.endswith("alone")
        floor = 0 if stuck else _ALONE_FLOOR if action.endswith("alone") else _CALL_FLOOR
        return suits.get(suit, -1) >= floor

    def discard(self) -> str:
        """Put one of six cards away."""
        trump = self.view.get("trump", "N")
        bits = layout(trump)
        me, maker = SEATS.index(self.view["seat"]), self._maker()
        caller = Caller(self.view, self.memory)
        prices = caller.prices(alone=bool(self.view["alone"])).by_tricks
        out = sum(1 << SEATS.index(seat) for seat in self.view["out"])
        sign = -1 if (maker ^ me) & 1 else 1

        def judge(action: str, hands: Sequence[int]) -> int:
            after = list(hands)
            after[me] ^= bits[action.split(" ")[1]]
            return sign * prices[tricks_of(after, (me + 1) % 4, maker, out)]

        if out >> me & 1:
            return self.usual
        return self._best(self.legal, judge, trump, _CALL_WORLDS // 2)

    def _maker(self) -> int:
        return SEATS.index(self.view.get("maker", self.view["seat"]))

    def play(self) -> str:
        """Play a card."""
        trump = self.view.get("trump", "N")
        bits, me, maker = layout(trump), SEATS.index(self.view["seat"]), self._maker()
        table = self._table(bits, me, maker)
        prices = self._prices(maker)
        by_card = {bits[action.split(" ")[1]]: action for action in self.legal}
        if prices.settled(table.made, table.lost):
            return self.usual
        tried = moves(sum(by_card), self._others(bits) | table.best, table.best, table.led,
                      helped=False)  # fmt: skip
        usual = bits[self.usual.split(" ")[1]]
        suit = SUIT_MASK[usual.bit_length() - 1]
        equal = min(card for card in tried if card >= usual and card & suit)
        asked = [self.usual, *(by_card[card] for card in tried if card != equal)]
        if len(asked) == 1:
            return self.usual
        judge = self._card_judge(table, prices, maker)
        calls = Calls.of(self.view, self.shown, trump)
        likely = anything if calls is None else calls.likely
        return self._best(asked, judge, trump, _PLAY_WORLDS, likely)

    def _card_judge(self, table: Table, prices: Prices, maker: int) -> Judge:
        """Our points in a world after a card of ours."""
        bits, me = layout(self.view.get("trump", "N")), table.turn
        solver = Solver(prices, maker, table.out)
        sign = -1 if (maker ^ me) & 1 else 1

        def judge(action: str, hands: Sequence[int]) -> int:
            after = table.after(hands, me, bits[action.split(" ")[1]], maker)
            if table.made + table.lost < _OPEN_FROM:
                return sign * prices.by_tricks[finished(after, maker)]
            return sign * solver.value(after)

        return judge

    def _others(self, bits: Mapping[str, int]) -> int:
        """The cards that others may still hold."""
        card = self.memory.dealers_card(self.view, self.shown)
        unseen = self.memory.unseen(self.shown)
        return sum(bits[each] for each in ([*unseen, card] if card else unseen))

    def _prices(self, maker: int) -> Prices:
        if "maker" not in self.view:  # the turned suit is trump, and three tricks score for anyone
            return Prices((-2, -1, -1, 1, 1, 2))
        seats = {SEATS.index(seat) for seat in self.view["alone"]}
        alone = any(not (seat ^ maker) & 1 for seat in seats)
        return Caller(self.view, self.memory).prices(alone=alone)

    def _table(self, bits: Mapping[str, int], me: int, maker: int) -> Table:
        """The trick on the table, without the hands."""
        tricks = self.view["tricks"]
        won = (tricks["ns"], tricks["ew"])
        out = sum(1 << SEATS.index(seat) for seat in self.view["out"])
        table = Table(hands=[], out=out, turn=me, made=won[maker & 1], lost=won[~maker & 1])
        for played in self.view["trick"]:
            table.lay(SEATS.index(played["seat"]), bits[played["card"]])
        return table

    def _best(
        self, asked: Sequence[str], judge: Judge, trump: str, worlds: int, likely: Likely = anything
    ) -> str:
        """The action with the best average over whole worlds; of equal ones the first."""
        unknown = Unknown.of(self.view, self.memory, self.shown, trump)
        totals = dict.fromkeys(asked, 0)
        for _ in range(self.effort.worlds or worlds):
            hands = unknown.world(self.rng, likely)
            points = {}
            for action in asked:
                points[action] = judge(action, hands)
                if self.late():
                    return max(asked, key=lambda action: totals[action])
            for action, value in points.items():
                totals[action] += value
        return max(asked, key=lambda action: totals[action])
