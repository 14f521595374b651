"""Whether a claim of the remaining tricks holds: every play of every seat is tried out."""

from collections.abc import Sequence

from referee.records.model import Happening
from referee.records.report import Irregularity
from referee.records.tablerules import TableRules
from referee.records.walk import Walk
from referee.rules import Card, Hand, Penalty
from referee.rules.play import TRICKS

_Memo = dict[tuple[object, ...], bool]


def laid_down(
    table: TableRules, happening: Happening, walk: Walk, hand: Hand | None
) -> tuple[list[Irregularity], tuple[int, int] | None]:
    """The ruling on a hand that was laid down, and the tricks of each side where it is granted.

    Rule: claim.laydown -- `hand` is the deal before its first lead, where all of it is known.
    """
    seat = happening.seat
    if seat is None:
        return [], None
    done = [t for t in walk.tricks if t.number < (happening.trick or 0) and t.whole]
    left = TRICKS - len(done)
    number = min(happening.number or 0, left)
    why = _refusal(table, happening, walk, hand, number=number)
    points = 0 if why is None else table.laydown_points
    told = Irregularity(
        rule="claim.laydown",
        what=f"{seat.word} lays down for {number} of {left} tricks",
        trick=happening.trick,
        seat=seat,
        remedy=why or "granted",
        penalty=Penalty(seat.side, points) if points else Penalty(),
    )
    if why is not None:
        return [told], None
    sides = [trick.winner & 1 for trick in done if trick.winner is not None]
    won = [sides.count(0), sides.count(1)]
    won[seat & 1] += number
    won[1 - (seat & 1)] += left - number
    return [told], (won[0], won[1])


def _refusal(
    table: TableRules, happening: Happening, walk: Walk, hand: Hand | None, *, number: int
) -> str | None:
    """Why a laydown is not granted; nothing where it is."""
    if table.laydown == "play_on":
        return "every trick is played out here: the cards lie exposed and the play goes on"
    if table.laydown == "all_agree":
        return None if happening.claimed else "not all agree: the play goes on"
    if hand is None or happening.seat is None:
        return "it cannot be proved, since not every hand is known: the play goes on"
    early = [t for t in walk.tricks if t.number < (happening.trick or 0)]
    cards = [card for t in early for _, card in t.plays if card is not None]
    reached = replayed(hand.copy(), cards)
    if reached is None or not surely_takes(reached, happening.seat & 1, number):
        return "it does not hold against every defense: the play goes on"
    return None


def surely_takes(hand: Hand, side: int, tricks: int) -> bool:
    """Whether a side takes so many of the tricks that are left, with all cards in sight.

    Rule: claim.laydown -- each side plays its best.
    """
    return _takes(hand, side, hand.tricks_won[side] + tricks, {})


def replayed(hand: Hand, plays: Sequence[Card]) -> Hand | None:
    """The hand after lawful plays; nothing where one of them is not lawful."""
    for card in plays:
        if card not in hand.legal():
            return None
        hand.advance(card)
    return hand


def _takes(hand: Hand, side: int, wanted: int, memo: _Memo) -> bool:
    won = hand.tricks_won
    if won[side] >= wanted:
        return True
    if won[1 - side] > TRICKS - wanted:
        return False
    on_table = tuple(hand.plays[-hand.laid :]) if hand.laid else ()
    key = (tuple(hand.hands), hand.turn, on_table, won)
    if key not in memo:
        mine = hand.turn & 1 == side
        memo[key] = not mine
        for code in hand.legal():
            below = hand.copy()
            below.advance(code)
            if _takes(below, side, wanted, memo) == mine:
                memo[key] = mine
                break
    return memo[key]
