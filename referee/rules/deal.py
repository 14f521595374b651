"""From the sealed order of the pack to four hands, and the draw (chapters deal and dealer)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.errors import RefereeError
from referee.rules.cards import (
    BEST_BOWERS,
    BIT,
    HEIGHT,
    HEIGHT_LETTERS,
    JACK_HEIGHT,
    PACK_BITS,
    PACK_SIZE,
    PRINTED_SUIT,
    SPADES,
    Card,
    Cards,
    card_text,
    cards_of,
    cards_text,
    hand_of,
    pack_cards,
)
from referee.rules.cards import CLUBS as _CLUBS
from referee.rules.knobs import FirstDealer, Packets
from referee.rules.ruleset import RuleSet
from referee.rules.seats import SEATS, Seat

HAND_SIZE: Final = 5
UPCARD_POSITION: Final = 20
_FIRST_KITTY: Final = 21


class InvalidDealError(RefereeError, ValueError):
    """Cards that are no deal of the pack."""


class Deal(NamedTuple):
    """One dealing of the pack: the four hands, north first, the upcard and the kitty."""

    dealer: int
    hands: tuple[Cards, Cards, Cards, Cards]
    upcard: Card
    kitty: tuple[Card, ...]


_Places = tuple[int, int, int, int, int]


def _spread(text: str) -> tuple[_Places, _Places, _Places, _Places]:
    """The positions of dealer's left, partner, dealer's right and dealer, from two rounds."""
    first, second = text.split(" / ")
    seats: list[list[int]] = [[], [], [], []]
    place = 0
    for packets in (first, second):
        for seat, size in enumerate(packets.split()):
            seats[seat] += range(place, place + int(size))
            place += int(size)
    left, partner, right, dealer = ((a, b, c, d, e) for a, b, c, d, e in seats)
    return left, partner, right, dealer


_PATTERNS: Final = {
    Packets.THREE_TWO: _spread("3 3 3 3 / 2 2 2 2"),
    Packets.TWO_THREE: _spread("2 2 2 2 / 3 3 3 3"),
    Packets.THREE_TWO_ALTERNATING: _spread("3 2 3 2 / 2 3 2 3"),
    Packets.TWO_THREE_ALTERNATING: _spread("2 3 2 3 / 3 2 3 2"),
    Packets.SINGLE: (
        (0, 4, 8, 12, 16),
        (1, 5, 9, 13, 17),
        (2, 6, 10, 14, 18),
        (3, 7, 11, 15, 19),
    ),
}


def positions(packets: Packets, dealer: int, seat: int) -> tuple[int, ...]:
    """The five positions of the sealed order that a seat is dealt.

    Rule: deal.packets
    Rule: deal.order-left-first

    >>> positions(Packets.THREE_TWO, dealer=3, seat=0)
    (0, 1, 2, 12, 13)
    """
    return _PATTERNS[packets][(seat - dealer - 1) & 3]


def _cards_at(deck: Sequence[Card], places: _Places) -> Cards:
    a, b, c, d, e = places
    return BIT[deck[a]] | BIT[deck[b]] | BIT[deck[c]] | BIT[deck[d]] | BIT[deck[e]]


def deal_from_deck(deck: Sequence[Card], rules: RuleSet, dealer: int) -> Deal:
    """The deal that an ordering of the whole pack gives.

    Rule: pack.upcard-is-21st
    """
    if len(deck) != PACK_SIZE[rules.pack]:
        check_deck(deck, rules)
    left, partner, right, own = _PATTERNS[rules.packets]
    seats = (
        _cards_at(deck, left),
        _cards_at(deck, partner),
        _cards_at(deck, right),
        _cards_at(deck, own),
    )
    upcard = deck[UPCARD_POSITION]
    kitty = tuple(deck[_FIRST_KITTY:])
    whole = seats[0] | seats[1] | seats[2] | seats[3] | BIT[upcard]
    for card in kitty:
        whole |= BIT[card]
    if whole != PACK_BITS[rules.pack]:
        check_deck(deck, rules)
    turn = 3 - dealer
    hands = (seats[turn], seats[turn - 3], seats[turn - 2], seats[turn - 1])
    return Deal(dealer, hands, upcard, kitty)


def check_deck(deck: Sequence[Card], rules: RuleSet) -> None:
    """Refuse what is not an ordering of the whole pack."""
    pack = pack_cards(rules.pack)
    if len(deck) == len(pack) and set(deck) == set(pack):
        return
    if len(deck) != len(pack):
        raise InvalidDealError(
            f"the pack {rules.pack} has {len(pack)} cards, not {len(deck)} (give each card once)"
        )
    _check_cards(deck, rules)


def _check_cards(cards: Sequence[Card], rules: RuleSet) -> None:
    pack = set(pack_cards(rules.pack))
    seen: set[Card] = set()
    for card in cards:
        if card not in pack:
            raise InvalidDealError(
                f"{card_text(card)!r} is not in the pack {rules.pack} (take it out)"
            )
        if card in seen:
            raise InvalidDealError(f"{card_text(card)!r} is there twice (give each card once)")
        seen.add(card)


def deal_from_hands(
    rules: RuleSet,
    dealer: int,
    hands: Mapping[Seat, Sequence[Card]],
    upcard: Card,
    kitty: Sequence[Card] | None = None,
) -> Deal:
    """The deal of four named hands; a kitty that is not given is what is left of the pack."""
    for seat in SEATS:
        if len(hands.get(seat, ())) != HAND_SIZE:
            raise InvalidDealError(
                f"{seat.word} has {len(hands.get(seat, ()))} cards"
                f" {cards_text(hands.get(seat, ()))!r} (deal {HAND_SIZE} to every seat)"
            )
    dealt = [card for seat in SEATS for card in hands[seat]] + [upcard]
    if kitty is None:
        _check_cards(dealt, rules)
        rest = tuple(card for card in pack_cards(rules.pack) if card not in dealt)
    else:
        rest = tuple(kitty)
        check_deck([*dealt, *rest], rules)
    n, e, s, w = (hand_of(hands[seat]) for seat in SEATS)
    return Deal(dealer, (n, e, s, w), upcard, rest)


def check_hand(cards: Sequence[Card], rules: RuleSet, *, most: int = HAND_SIZE) -> None:
    """Refuse cards that cannot be one player's hand: doubled, of another pack, too many."""
    _check_cards(cards, rules)
    if not 1 <= len(cards) <= most:
        raise InvalidDealError(f"a hand has 1 to {most} cards, not {len(cards)}")


def check_deal(deal: Deal, rules: RuleSet) -> None:
    """Refuse a deal that is not made of the whole pack."""
    hands = {seat: cards_of(deal.hands[seat]) for seat in SEATS}
    deal_from_hands(rules, deal.dealer, hands, deal.upcard, deal.kitty)


@dataclass(frozen=True, slots=True)
class Draw:
    """The draw for the deal: who deals, and the positions that were turned, in order."""

    dealer: Seat
    turned: tuple[int, ...]


def draw_dealer(deck: Sequence[Card], method: FirstDealer, start: int) -> Draw:
    """The first dealer, drawn from an ordering of the pack, the first card to the start seat.

    Rule: dealer.first

    >>> from referee.rules.cards import parse_cards
    >>> draw_dealer(parse_cards("9H QD JH TC AS KC JS AC"), FirstDealer.BLACK_JACK, 0)
    Draw(dealer=<Seat.SOUTH: 2>, turned=(0, 1, 2, 3, 4, 5, 6))
    """
    match method:
        case FirstDealer.AGREED:
            return Draw(SEATS[start], ())
        case FirstDealer.BLACK_JACK:
            return _first_jack(deck, start, (_CLUBS, SPADES))
        case FirstDealer.ANY_JACK:
            return _first_jack(deck, start, (0, 1, 2, 3))
        case FirstDealer.DRAW_LOW | FirstDealer.DRAW_HIGH:
            return _draw(deck, start, highest=method is FirstDealer.DRAW_HIGH)


def _first_jack(deck: Sequence[Card], start: int, suits: tuple[int, ...]) -> Draw:
    for place, card in enumerate(deck):
        if HEIGHT[card] == JACK_HEIGHT and PRINTED_SUIT[card] in suits:
            return Draw(SEATS[(start + place) & 3], tuple(range(place + 1)))
    raise InvalidDealError(
        f"no jack that counts in {cards_text(deck)!r} (draw from an ordering of the whole pack)"
    )


def _draw_rank(card: Card) -> int:
    """The rank of a card in a draw: the ace is lowest, in a draw for high too."""
    return (HEIGHT[card] + 1) % len(HEIGHT_LETTERS)


def _draw(deck: Sequence[Card], start: int, *, highest: bool) -> Draw:
    """One card to each seat; those who tie draw again, and the first of them where cards run out.

    The best bowers have no rank here: they are turned and passed over.
    """
    tied = [(start + n) & 3 for n in range(4)]
    place = 0
    while True:
        drawn: list[tuple[int, int]] = []
        for seat in tied:
            while place < len(deck) and BEST_BOWERS >> deck[place] & 1:
                place += 1
            if place == len(deck):
                return Draw(SEATS[tied[0]], tuple(range(place)))
            drawn.append((_draw_rank(deck[place]), seat))
            place += 1
        ranks = [rank for rank, _ in drawn]
        best = max(ranks) if highest else min(ranks)
        tied = [seat for rank, seat in drawn if rank == best]
        if len(tied) == 1:
            return Draw(SEATS[tied[0]], tuple(range(place)))
