"""The loner's exchange with the partner: one card for one card (rule book, chapter 5).

After the dealer's discard the partner who sits out gives the loner one card face down, the best as
the partner sees it, and the loner puts one of six away, also face down.
Where the sources are silent: only a loner of the making side gets a card, or any lone player where
nobody makes trump; it is given as soon as the loner is known, before a defender is asked; the loner
may put away any card, the one just given and the upcard too.
"""

from typing import Final

from referee.rules.cards import BIT, Card
from referee.rules.knobs import PartnersBest
from referee.rules.reasons import Reason
from referee.rules.seats import NOBODY, SIDE_MASK
from referee.rules.state import DISCARD, PARTNERS_BEST, HandState

_ONE_CARD: Final = PartnersBest.ONE_CARD


def giver(hand: HandState) -> int:
    """The seat that owes a loner a card; nobody where none does.

    Rule: alone.partners-best
    """
    if hand.rules.partners_best is not _ONE_CARD:
        return NOBODY
    loners = hand.alone
    if hand.maker != NOBODY:
        loners &= SIDE_MASK[hand.maker & 1]
    for seat in range(4):
        if loners >> seat & 1 and not hand.gave >> (seat ^ 2) & 1:
            return seat ^ 2
    return NOBODY


def begin_giving(hand: HandState, seat: int) -> None:
    """Let the loner's partner choose a card."""
    hand.stage = PARTNERS_BEST
    hand.turn = seat


def give_reason(hand: HandState, card: Card) -> Reason | None:
    """Why a card may not be given."""
    return None if hand.hands[hand.turn] >> card & 1 else Reason.CARD_NOT_HELD


def give(hand: HandState, card: Card) -> None:
    """Hand the loner a card, and the turn to put one away."""
    seat = hand.turn
    loner = seat ^ 2
    hand.hands[seat] ^= BIT[card]
    hand.hands[loner] |= BIT[card]
    hand.gave |= 1 << seat
    hand.stage = DISCARD
    hand.turn = loner
