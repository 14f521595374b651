"""What a call is worth: worlds in which it is made, beside the same worlds in which it is not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from euchre_bot.bots.strong.cards import SUITS, layout, worth
from euchre_bot.bots.strong.memory import Memory, Shown
from euchre_bot.bots.strong.playout import lowest, tricks_of
from euchre_bot.bots.strong.solve import Prices
from euchre_bot.bots.strong.worlds import turned
from euchre_bot.dealing import SEATS
from euchre_bot.views import View

ORDER_FLOOR: Final = 11
NAME_FLOOR: Final = 10
_PARTNER: Final = 1
_OPPONENT: Final = -2
_LENIENT: Final = 1


@dataclass(slots=True)
class Caller:
    """Weighs calls in worlds that are given in the bits of the layout without trump."""

    view: View
    memory: Memory
    me: int = field(init=False)
    dealer: int = field(init=False)
    up: str = field(init=False)
    _into: dict[str, dict[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        """Read the seats and the layouts once."""
        self.me = SEATS.index(self.view["seat"])
        self.dealer = SEATS.index(self.view["dealer"])
        upcard = self.view.get("upcard", "")
        self.up = "S" if upcard in {"BB", "2S"} else upcard[1:]
        bits = layout("N")
        self._into = {
            trump: {bits[card]: bit for card, bit in layout(trump).items()} for trump in SUITS
        }

    def prices(self, *, alone: bool) -> Prices:
        """What the makers get, by their tricks."""
        price = self.memory.price
        march = "points_lone_march" if alone else "points_march"
        euchre = "points_lone_euchred" if alone else "points_euchre"
        return Prices.of(
            made=price("points_made"),
            march=price(march),
            euchre=price(euchre),
            swept=max(price(euchre), price("points_euchre_all_five")),
        )

    def called(
        self, hands: Sequence[int], maker: int, trump: str, *, takes: bool, alone: bool = False
    ) -> int:
        """Our points where a seat makes trump; `takes`: the dealer takes the upcard."""
        made = turned(hands, self._into[trump])
        if takes:
            card = layout(trump)[self.view["upcard"]]
            six = made[self.dealer] | card
            made[self.dealer] = six ^ lowest(six, six)
        out = 1 << (maker ^ 2) if alone else 0
        tricks = tricks_of(made, (self.dealer + 1) % 4, maker, out)
        points = self.prices(alone=alone).by_tricks[tricks]
        return -points if (maker ^ self.me) & 1 else points

    def passed(self, hands: Sequence[int]) -> int:
        """Our points where we pass, and everybody calls by a rule of thumb after us."""
        first = (self.dealer + 1) % 4
        if self.view["phase"] == "round_one":
            for step in range((self.me - first) % 4 + 1, 4):
                seat = (first + step) % 4
                if self.orders(hands, seat):
                    return self.called(hands, seat, self.up, takes=True)
            return self._second_round(hands, 0)
        return self._second_round(hands, (self.me - first) % 4 + 1)

    def orders(self, hands: Sequence[int], seat: int) -> bool:
        """Whether a seat would have the upcard's suit made trump."""
        hand = turned([hands[seat]], self._into[self.up])[0]
        value = 0
        if seat == self.dealer:
            six = hand | layout(self.up)[self.view["upcard"]]
            hand = six ^ lowest(six, six)
        else:
            value = _PARTNER if seat == self.dealer ^ 2 else _OPPONENT
        return value + worth(hand) >= ORDER_FLOOR

    def _second_round(self, hands: Sequence[int], step: int) -> int:
        first = (self.dealer + 1) % 4
        for seat in ((first + later) % 4 for later in range(step, 4)):
            value, trump = self.best_suit(hands[seat])
            stuck = seat == self.dealer and self.memory.rules.get("all_pass") != "throw_in"
            if value >= NAME_FLOOR or stuck:
                return self.called(hands, seat, trump, takes=False)
        return 0

    def best_suit(self, hand: int) -> tuple[int, str]:
        """The suit that a seat would name, and what its hand is worth there."""
        return max(
            (worth(turned([hand], self._into[trump])[0]), trump)
            for trump in SUITS
            if trump != self.up
        )

    def likely(self, hands: Sequence[int]) -> bool:
        """Whether those who passed before us would have passed with these hands."""
        first = (self.dealer + 1) % 4
        before = 4 if self.view["phase"] != "round_one" else (self.me - first) % 4
        seats = ((first + step) % 4 for step in range(before))
        return not any(self.orders(hands, seat) for seat in seats if seat != self.me)

    def value(self, action: str, hands: Sequence[int]) -> int:
        """Our points in a world after an action."""
        verb, _space, rest = action.partition(" ")
        alone = action.endswith("alone")
        if verb == "order":
            stays = self.memory.rules.get("upcard") == "stays_out"
            return self.called(hands, self.me, self.up, takes=not stays, alone=alone)
        if verb == "name":
            return self.called(hands, self.me, rest[:1], takes=False, alone=alone)
        return self.passed(hands)


@dataclass(slots=True)
class Calls:
    """What the calls of a deal say about the hands, once trump is made."""

    maker: int
    dealer: int
    me: int
    ordered: bool
    stuck: bool
    played: tuple[int, int, int, int]

    @classmethod
    def of(cls, view: View, shown: Shown, trump: str) -> "Calls | None":
        """What was called; None where nobody made trump, or without a trump suit."""
        if "maker" not in view or trump not in SUITS:
            return None
        maker, dealer = SEATS.index(view["maker"]), SEATS.index(view["dealer"])
        ordered = view.get("upcard_state") != "turned_down"
        played = [0, 0, 0, 0]
        for card, seat in shown.plays.items():
            played[SEATS.index(seat)] |= layout(trump)[card]
        n, e, s, w = played
        stuck = maker == dealer and not ordered
        return cls(maker, dealer, SEATS.index(view["seat"]), ordered, stuck, (n, e, s, w))

    def likely(self, hands: Sequence[int]) -> bool:
        """Whether the maker would have called with these hands, and those before have passed."""
        if self.maker != self.me and not self.stuck:
            floor = self._floor(self.maker) if self.ordered else NAME_FLOOR
            if worth(hands[self.maker] | self.played[self.maker]) < floor - _LENIENT:
                return False
        if not self.ordered:
            return True
        first = (self.dealer + 1) % 4
        before = ((first + step) % 4 for step in range((self.maker - first) % 4))
        return not any(
            worth(hands[seat] | self.played[seat]) >= self._floor(seat)
            for seat in before
            if seat != self.me
        )

    def _floor(self, seat: int) -> int:
        if seat == self.dealer:
            return ORDER_FLOOR
        return ORDER_FLOOR - (_PARTNER if seat == self.dealer ^ 2 else _OPPONENT)
