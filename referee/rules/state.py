"""What is on the table while one deal is called and played.

Ints inside: a seat is 0..3, a set of cards or of seats is a bit mask, -1 is nobody or nothing.
The accessors at the end are the door: they give enums, tuples and `None`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.rules.cards import BIT, Card, Cards, Suit, cards_of
from referee.rules.deal import Deal
from referee.rules.ruleset import RuleSet
from referee.rules.seats import NEXT, NOBODY, SEATS, Seat, seats_of


class Phase(StrEnum):
    """What a deal is waiting for."""

    HOUSE = "house"
    ROUND_ONE = "round_one"
    DISCARD = "discard"
    ROUND_TWO = "round_two"
    DEALER_NAMES = "dealer_names"
    PARTNERS_BEST = "partners_best"
    ALONE = "alone"
    PLAY = "play"
    OVER = "over"


class UpcardState(StrEnum):
    """What has become of the upcard. Rule: round-one.upcard-stays-known."""

    TURNED = "turned"
    TAKEN = "taken"
    TURNED_DOWN = "turned_down"


HOUSE: Final = 0
ROUND_ONE: Final = 1
DISCARD: Final = 2
ROUND_TWO: Final = 3
DEALER_NAMES: Final = 4
PARTNERS_BEST: Final = 5
ALONE: Final = 6
PLAY: Final = 7
OVER: Final = 8
_PHASES: Final = tuple(Phase)

TURNED: Final = 0
TAKEN: Final = 1
TURNED_DOWN: Final = 2
_UPCARD_STATES: Final = tuple(UpcardState)

SWAPPED: Final = 3
"""How many cards are swapped for as many of the kitty."""
NO_ROW: Final = b""


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick: the cards in the order they fell, and who won it."""

    plays: tuple[tuple[Seat, Card], ...]
    winner: Seat


class HandState:
    """The play of one deal, as plain data; `Hand` adds the moves."""

    __slots__ = (
        "alone",
        "asked",
        "best",
        "best_seat",
        "deal",
        "dealer",
        "discard",
        "first",
        "fold_asked",
        "follow",
        "gave",
        "gone",
        "hands",
        "maker",
        "next",
        "options",
        "out",
        "plays",
        "redealt",
        "row",
        "rules",
        "score",
        "size",
        "stage",
        "swapper",
        "to_come",
        "trump",
        "turn",
        "turned",
        "winners",
    )

    def __init__(self, rules: RuleSet, deal: Deal, score: tuple[int, int] = (0, 0)) -> None:
        self.rules: RuleSet = rules
        self.deal: Deal = deal
        self.score: tuple[int, int] = score
        self.dealer: int = deal.dealer
        self.stage: int = ROUND_ONE
        self.turn: int = (deal.dealer + 1) & 3
        self.turned: int = TURNED
        self.trump: Suit = -1
        self.maker: int = NOBODY
        self.alone: int = 0
        self.out: int = 0
        self.asked: int = 0
        self.hands: list[Cards] = list(deal.hands)
        self.discard: Card = -1
        self.gone: Cards = 0
        self.gave: int = 0
        self.swapper: int = NOBODY
        self.fold_asked: bool = False
        self.redealt: bool = False
        self.plays: list[Card] = []
        self.winners: list[int] = []
        self.size: int = 4
        self.to_come: int = 3
        self.first: int = NOBODY
        self.next: tuple[int, ...] = NEXT[0]
        self.options: Cards = 0
        self.follow: Cards = 0
        self.row: bytes = NO_ROW
        self.best: int = 0
        self.best_seat: int = NOBODY

    def key(self) -> tuple[object, ...]:
        """Everything that tells this state from another of the same rules and deal."""
        return (
            *(self.stage, self.turn, self.turned, self.trump, self.maker),
            *(self.alone, self.out, self.asked, self.discard, self.score),
            *(self.gone, self.gave, self.swapper, self.fold_asked, self.redealt),
            *(tuple(self.hands), tuple(self.plays), tuple(self.winners)),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandState):
            return NotImplemented
        return self.rules == other.rules and self.deal == other.deal and self.key() == other.key()

    __hash__ = None  # type: ignore[assignment]  # a hand changes, so it is no key

    @property
    def phase(self) -> Phase:
        """What the deal is waiting for."""
        return _PHASES[self.stage]

    @property
    def seat_on_turn(self) -> Seat | None:
        """Who is to act; nobody once the deal is over."""
        return SEATS[self.turn] if self.turn >= 0 else None

    @property
    def upcard(self) -> Card:
        """The card that was turned after the deal."""
        return self.deal.upcard

    @property
    def upcard_state(self) -> UpcardState:
        """Whether it lies turned, was taken by the dealer, or was turned down."""
        return _UPCARD_STATES[self.turned]

    @property
    def trump_suit(self) -> Suit | None:
        """Trump, once it is made; `NO_TRUMP` where there is none in this deal."""
        return self.trump if self.trump >= 0 else None

    @property
    def maker_seat(self) -> Seat | None:
        """Who made trump; nobody before, and nobody at all where the turned suit is trump."""
        return SEATS[self.maker] if self.maker >= 0 else None

    @property
    def alone_seats(self) -> tuple[Seat, ...]:
        """Who plays alone."""
        return seats_of(self.alone)

    @property
    def out_seats(self) -> tuple[Seat, ...]:
        """Who sits out."""
        return seats_of(self.out)

    @property
    def discarded(self) -> Card | None:
        """The card the dealer buried."""
        return self.discard if self.discard >= 0 else None

    @property
    def buried(self) -> tuple[Card, ...]:
        """Every card that lies face down after a discard, a swap or an exchange with the loner."""
        return cards_of(self.gone | (BIT[self.discard] if self.discard >= 0 else 0))

    @property
    def kitty(self) -> tuple[Card, ...]:
        """The cards of the kitty that nobody has taken."""
        return self.deal.kitty if self.swapper < 0 else self.deal.kitty[SWAPPED:]

    @property
    def names_blind(self) -> bool:
        """Whether the dealer is to name trump before seeing the cards.

        Rule: best-bower.turned-up
        """
        return self.stage == DEALER_NAMES and self.turned == TURNED

    def seen_by(self, seat: int) -> Cards:
        """What a seat has seen of its own hand: nothing while it names trump blind.

        Rule: view.own-only
        """
        return 0 if seat == self.dealer and self.names_blind else self.hands[seat]

    @property
    def laid(self) -> int:
        """How many cards of the trick are on the table."""
        return len(self.plays) - self.size * len(self.winners)

    @property
    def led(self) -> Card | None:
        """The card that was led to the trick on the table."""
        return self.plays[self.size * len(self.winners)] if self.laid else None

    @property
    def trick(self) -> tuple[tuple[Seat, Card], ...]:
        """The cards of the trick on the table, in the order they fell."""
        leader = self.winners[-1] if self.winners else self.first
        return self._plays(leader, self.plays[self.size * len(self.winners) :])

    @property
    def past_tricks(self) -> tuple[Trick, ...]:
        """The finished tricks of the deal."""
        tricks: list[Trick] = []
        leader = self.first
        for n, winner in enumerate(self.winners):
            cards = self.plays[n * self.size : (n + 1) * self.size]
            tricks.append(Trick(self._plays(leader, cards), SEATS[winner]))
            leader = winner
        return tuple(tricks)

    @property
    def tricks_won(self) -> tuple[int, int]:
        """The tricks of each side, NS first."""
        ew = sum(winner & 1 for winner in self.winners)
        return len(self.winners) - ew, ew

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """How many cards each seat holds."""
        n, e, s, w = (cards.bit_count() for cards in self.hands)
        return n, e, s, w

    def _plays(self, leader: int, cards: list[Card]) -> tuple[tuple[Seat, Card], ...]:
        seat = leader
        plays: list[tuple[Seat, Card]] = []
        for card in cards:
            plays.append((SEATS[seat], card))
            seat = self.next[seat]
        return tuple(plays)
