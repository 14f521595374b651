"""Who is dealt which positions, who cuts, who wins the dealer draw, and what a seat may hide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

SEATS: Final = ("north", "east", "south", "west")
UPCARD_POSITION: Final = 20
SWAP_POSITIONS: Final = (21, 22, 23)
HIDDEN_MOVES: Final = ("discard", "give", "swap")

# From the dealer's left: how many cards each seat gets in the first and the second time round.
_PACKETS: Final[Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    "3-2": ((3, 3, 3, 3), (2, 2, 2, 2)),
    "2-3": ((2, 2, 2, 2), (3, 3, 3, 3)),
    "3-2-3-2": ((3, 2, 3, 2), (2, 3, 2, 3)),
    "2-3-2-3": ((2, 3, 2, 3), (3, 2, 3, 2)),
}


def positions(packets: str, dealer: int, seat: int) -> tuple[int, ...]:
    """The five places in the deal order that are a seat's, rising.

    Rule: deal.packets -- the pattern starts at the dealer's left.

    >>> positions("3-2", dealer=3, seat=0)
    (0, 1, 2, 12, 13)
    """
    turn = (seat - dealer - 1) % 4
    if packets == "single":
        return tuple(range(turn, UPCARD_POSITION, 4))
    held: list[int] = []
    start = 0
    for packet in _PACKETS[packets]:
        begin = start + sum(packet[:turn])
        held.extend(range(begin, begin + packet[turn]))
        start += sum(packet)
    return tuple(held)


def known_packets(packets: str) -> bool:
    """Whether the pattern is one of the five."""
    return packets == "single" or packets in _PACKETS


def cutter_seat(cut: str, dealer: int) -> int | None:
    """Who cuts, where anybody does."""
    match cut:
        case "dealers_right":
            return (dealer + 3) % 4
        case "dealers_left":
            return (dealer + 1) % 4
        case _:
            return None


def drawn_dealer(deck: Sequence[str], method: str, start: int) -> int:
    """Who deals first, by the cards turned from the top of the draw's own deck.

    Rule: deal.first-dealer -- a jack, or the lowest or highest card, by the knob.
    """
    match method:
        case "black_jack":
            return _first_card(deck, ("JC", "JS"), start)
        case "any_jack":
            return _first_card(deck, ("JC", "JD", "JH", "JS"), start)
        case "draw_low":
            return _extreme_card(deck, start, sign=1)
        case "draw_high":
            return _extreme_card(deck, start, sign=-1)
        case _:
            return start


def _first_card(deck: Sequence[str], stops: tuple[str, ...], start: int) -> int:
    place = next(p for p, card in enumerate(deck) if card in stops)
    return (start + place) % 4


def _extreme_card(deck: Sequence[str], start: int, *, sign: int) -> int:
    ranks = iter("A789TJQK".index(card[0]) for card in deck if card not in ("2S", "BB"))
    tied = [(start + step) % 4 for step in range(4)]
    while len(tied) > 1:
        drawn: list[tuple[int, int]] = []
        for seat in tied:
            rank = next(ranks, None)
            if rank is None:
                return tied[0]
            drawn.append((sign * rank, seat))
        best = min(drawn)[0]
        tied = [seat for value, seat in drawn if value == best]
    return tied[0]


@dataclass(frozen=True, slots=True)
class Hidden:
    """The commitment of a seat to cards that it keeps face down."""

    seat: int
    word: str
    commit: bytes

    def may_open(self, places: Sequence[int], cards: int) -> bool:
        """Whether cards at these positions may be what it kept face down."""
        count = len(SWAP_POSITIONS) if self.word == "swap" else 1
        rising = all(a < b for a, b in pairwise(places))
        return len(places) == count and rising and places[-1] < cards
