"""Who deals first: the cards that deal 0 turns, on card texts (rule book, chapter 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.sealing.errors import DealProofError

METHODS = ("black_jack", "any_jack", "draw_low", "draw_high", "agreed")
_BLACK_JACKS = frozenset({"JC", "JS"})
_JACKS = frozenset({"JC", "JS", "JH", "JD"})
_PASSED_OVER = frozenset({"2S", "BB"})
_HEIGHT = {rank: height for height, rank in enumerate("A789TJQK")}


@dataclass(frozen=True, slots=True)
class DealerDraw:
    """The positions turned, from 0 without a gap, and the seat that deals first.

    A card passed over (`2S`, `BB`) has been turned, and counts among them.
    """

    turned: tuple[int, ...]
    dealer: int


def dealer_draw(deck: Sequence[str], method: str, start: int) -> DealerDraw:
    """The draw for the first deal on a deck, beginning at a seat.

    Rule: deal.first-dealer -- a jack is turned, or each seat draws a card, ace lowest; `agreed`
    without a name turns no card and the start seat deals.

    >>> dealer_draw("TH QD JS AC".split(), "black_jack", 2)
    DealerDraw(turned=(0, 1, 2), dealer=0)
    """
    match method:
        case "agreed":
            return DealerDraw((), start)
        case "black_jack":
            return _first_jack(deck, _BLACK_JACKS, start)
        case "any_jack":
            return _first_jack(deck, _JACKS, start)
        case "draw_low" | "draw_high":
            return _drawn(deck, start, high=method == "draw_high")
        case _:
            raise DealProofError(f"not a way to find the first dealer: {method!r}")


def _first_jack(deck: Sequence[str], jacks: frozenset[str], start: int) -> DealerDraw:
    for position, card in enumerate(deck):
        if card in jacks:
            return DealerDraw(tuple(range(position + 1)), (start + position) % 4)
    raise DealProofError("no jack in this deck: deal from a whole pack")


def _drawn(deck: Sequence[str], start: int, *, high: bool) -> DealerDraw:
    """One card to each seat, then one more to each of the tied seats, until one is left."""
    seats = [(start + k) % 4 for k in range(4)]
    position = 0
    while len(seats) > 1:
        heights: list[int] = []
        while len(heights) < len(seats) and position < len(deck):
            card = deck[position]
            position += 1
            if card not in _PASSED_OVER:
                heights.append(_HEIGHT[card[0]])
        if len(heights) < len(seats):
            break
        best = max(heights) if high else min(heights)
        seats = [seat for seat, height in zip(seats, heights, strict=True) if height == best]
    return DealerDraw(tuple(range(position)), seats[0])
