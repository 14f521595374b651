"""The best that a world is worth when all cards lie open: alpha-beta over bits."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from euchre_bot.bots.strong.cards import SUIT_MASK, TRUMP_LOW, TRUMP_MASK

TRICKS: Final = 5
_NOBODY: Final = -1
_FAR: Final = 1 << 20


def _after(seat: int, out: int) -> int:
    """The next seat that plays."""
    later = ((seat + step) % 4 for step in range(1, 4))
    return next((each for each in later if not out >> each & 1), seat)


NEXT: Final = tuple(tuple(_after(seat, out) for seat in range(4)) for out in range(16))
"""`NEXT[out][seat]`: who plays after a seat, where a set of seats sits out."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What the makers' side gets by its tricks, 0 to 5."""

    by_tricks: tuple[int, int, int, int, int, int]

    @classmethod
    def of(cls, *, made: int, march: int, euchre: int, swept: int) -> "Prices":
        """The prices of one call; a euchre is lost points."""
        return cls((-swept, -euchre, -euchre, made, made, march))

    def settled(self, made: int, lost: int) -> bool:
        """Whether the tricks to come change nothing."""
        return self.by_tricks[made] == self.by_tricks[TRICKS - lost]


@dataclass(slots=True)
class Table:
    """A trick in a world whose cards all lie open."""

    hands: list[int]
    out: int
    turn: int
    made: int = 0
    lost: int = 0
    laid: int = 0
    led: int = 0
    best: int = 0
    best_seat: int = _NOBODY

    def lay(self, seat: int, card: int) -> None:
        """A seat lays a card."""
        if not self.laid:
            self.led = SUIT_MASK[card.bit_length() - 1]
        if not self.laid or (card > self.best and (card & self.led or card >= TRUMP_LOW)):
            self.best, self.best_seat = card, seat
        self.laid += 1

    def after(self, hands: Sequence[int], seat: int, card: int, maker: int) -> "Table":
        """This table in a world, once a seat has laid a card of its hand."""
        table = replace(self, hands=[*hands])
        table.hands[seat] ^= card
        table.lay(seat, card)
        if table.laid < 4 - self.out.bit_count():
            table.turn = NEXT[self.out][seat]
            return table
        ours = not (table.best_seat ^ maker) & 1
        return Table(
            hands=table.hands,
            out=self.out,
            turn=table.best_seat,
            made=self.made + ours,
            lost=self.lost + (not ours),
        )


@dataclass(slots=True)
class Solver:
    """Solves tables at fixed prices."""

    prices: Prices
    makers: int
    out: int
    hands: list[int] = field(default_factory=list)
    _seats: int = 4
    _next: tuple[int, ...] = NEXT[0]
    _known: dict[tuple[int, int, int, int, int, int], tuple[int, int]] = field(default_factory=dict)

    def value(self, table: Table) -> int:
        """The makers' points with best play by all."""
        self.hands = list(table.hands)
        self._seats = 4 - self.out.bit_count()
        self._next = NEXT[self.out]
        self._known = {}
        if not table.laid:
            return self._trick(table.turn, table.made, table.lost, -_FAR, _FAR)
        return self._card(
            table.turn, table.laid, table.led, table.best, table.best_seat,
            table.made, table.lost, -_FAR, _FAR,
        )  # fmt: skip

    def _trick(self, leader: int, made: int, lost: int, low: int, high: int) -> int:
        """The value before a trick."""
        prices = self.prices.by_tricks
        least, most = prices[made], prices[TRICKS - lost]
        if least == most or made + lost == TRICKS:
            return least
        hands = self.hands
        key = (hands[0], hands[1], hands[2], hands[3], leader, made)
        floor, ceiling = self._known.get(key, (-_FAR, _FAR))
        if floor >= high or floor == ceiling:
            return floor
        if ceiling <= low:
            return ceiling
        low, high = max(low, floor), min(high, ceiling)
        value = self._card(leader, 0, 0, 0, _NOBODY, made, lost, low, high)
        if value <= low:
            ceiling = value
        elif value >= high:
            floor = value
        else:
            floor = ceiling = value
        self._known[key] = floor, ceiling
        return value

    def _card(  # noqa: PLR0917 -- the innermost call: keywords would cost a fifth of the time
        self, seat: int, laid: int, led: int, best: int, best_seat: int,
        made: int, lost: int, low: int, high: int,
    ) -> int:  # fmt: skip
        """The value with a seat to play to a trick of which some cards lie."""
        hands = self.hands
        hand = hands[seat]
        legal = hand & led or hand if laid else hand
        ours = not (seat ^ self.makers) & 1
        last = laid + 1 == self._seats
        others = (hands[0] | hands[1] | hands[2] | hands[3]) & ~hand | best
        value = -_FAR if ours else _FAR
        for card in moves(legal, others, best, led, helped=laid > 0 and best_seat == seat ^ 2):
            hands[seat] = hand ^ card
            if not laid:
                new_led, new_best, winner = SUIT_MASK[card.bit_length() - 1], card, seat
            elif card > best and (card & led or card >= TRUMP_LOW):
                new_led, new_best, winner = led, card, seat
            else:
                new_led, new_best, winner = led, best, best_seat
            if not last:
                found = self._card(
                    self._next[seat], laid + 1, new_led, new_best, winner, made, lost, low, high
                )
            elif (winner ^ self.makers) & 1:
                found = self._trick(winner, made, lost + 1, low, high)
            else:
                found = self._trick(winner, made + 1, lost, low, high)
            if ours:
                if found > value:
                    value = found
                    low = max(low, found)
            elif found < value:
                value = found
                high = min(high, found)
            if low >= high:
                break
        hands[seat] = hand
        return value


def moves(legal: int, others: int, best: int, led: int, *, helped: bool) -> list[int]:
    """The cards worth trying, one of each run of equals: winners from the top, else from below."""
    if not legal & (legal - 1):
        return [legal]
    cards: list[int] = []
    before = 0
    rest = legal
    while rest:
        card = 1 << rest.bit_length() - 1
        rest ^= card
        same = before and SUIT_MASK[before.bit_length() - 1] & card
        if not same or (before - card) & others:
            cards.append(card)
        before = card
    if helped or (best and not _beats(legal, best, led)):
        cards.reverse()
    return cards


def _beats(legal: int, best: int, led: int) -> int:
    """The cards that take the trick from the best one."""
    return legal & (led | TRUMP_MASK) & ~(2 * best - 1)
