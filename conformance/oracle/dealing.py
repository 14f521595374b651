"""Dealing the pack, and drawing for the first deal (chapters deal and dealer)."""

from collections.abc import Sequence

from conformance.errors import PositionError
from conformance.jsontypes import Json
from conformance.oracle.cards import BEST, SEATS, clockwise, left

PLANS = {
    "3-2": ([3, 3, 3, 3], [2, 2, 2, 2]),
    "2-3": ([2, 2, 2, 2], [3, 3, 3, 3]),
    "3-2-3-2": ([3, 2, 3, 2], [2, 3, 2, 3]),
    "2-3-2-3": ([2, 3, 2, 3], [3, 2, 3, 2]),
    "single": ([1, 1, 1, 1],) * 5,
}
LOW_TO_HIGH = "A789TJQK"


def deal_cards(deck: Sequence[str], packets: str, dealer: str) -> dict[str, Json]:
    """The hands, the upcard and the kitty that a deck gives."""
    if packets not in PLANS:
        raise PositionError(f"not a way to deal: {packets!r}")
    if dealer not in SEATS:
        raise PositionError(f"not a seat: {dealer!r}")
    hands: dict[str, list[str]] = {seat: [] for seat in SEATS}
    rest = list(deck)
    for around in PLANS[packets]:
        for seat, count in zip(clockwise(left(dealer)), around, strict=True):
            hands[seat] += rest[:count]
            rest = rest[count:]
    return {"hands": {**hands}, "upcard": rest[0], "kitty": rest[1:]}


def draw_dealer(deck: Sequence[str], method: str, start: str) -> dict[str, Json]:
    """Who deals first, and how many cards were turned to find out."""
    if start not in SEATS:
        raise PositionError(f"not a seat: {start!r}")
    if method == "agreed":
        return {"dealer": start, "turned": 0}
    if method in ("black_jack", "any_jack"):
        return _first_jack(deck, "CS" if method == "black_jack" else "CDHS", start)
    if method in ("draw_low", "draw_high"):
        return _drawn(deck, start, highest=method == "draw_high")
    raise PositionError(f"not a way to find the first dealer: {method!r}")


def _first_jack(deck: Sequence[str], suits: str, start: str) -> dict[str, Json]:
    seat = start
    for turned, card in enumerate(deck, start=1):
        if card[0] == "J" and card[1] in suits:
            return {"dealer": seat, "turned": turned}
        seat = left(seat)
    raise PositionError("no jack in the deck")


def _drawn(deck: Sequence[str], start: str, *, highest: bool) -> dict[str, Json]:
    tied = clockwise(start)
    rest = list(deck)
    while len(tied) > 1:
        heights: dict[str, int] = {}
        for seat in tied:
            while rest and rest[0] in BEST:
                rest.pop(0)
            if not rest:
                return {"dealer": tied[0], "turned": len(deck)}
            heights[seat] = LOW_TO_HIGH.index(rest.pop(0)[0])
        wins = max(heights.values()) if highest else min(heights.values())
        tied = [seat for seat in tied if heights[seat] == wins]
    return {"dealer": tied[0], "turned": len(deck) - len(rest)}
