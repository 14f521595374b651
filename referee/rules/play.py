"""The play of the cards: who leads, what may follow, who takes the trick (chapters 6 and 7)."""

from typing import Final

from referee.rules.cards import Card, Cards
from referee.rules.knobs import BothAloneLead, LonerLead
from referee.rules.ranking import FOLLOW, STRENGTH
from referee.rules.reasons import Reason
from referee.rules.seats import NEXT, NOBODY, SIDE_MASK
from referee.rules.state import ANY_CARD, OVER, PLAY, HandState

TRICKS: Final = 5
_LONERS_LEFT: Final = LonerLead.LONERS_LEFT
_DEFENDER: Final = BothAloneLead.DEFENDER


def begin_play(hand: HandState) -> None:
    """Let the first leader lead."""
    hand.stage = PLAY
    hand.size = 4 - hand.out.bit_count()
    hand.turn = first_leader(hand)


def first_leader(hand: HandState) -> int:
    """Who leads to the first trick: the dealer's left, or the next seat round that plays.

    Rule: lead.first
    """
    after = hand.dealer
    if hand.alone:
        lone = hand.alone.bit_count()
        if lone == 1 and hand.rules.loner_lead is _LONERS_LEFT:
            after = hand.alone.bit_length() - 1
        elif lone != 1 and hand.rules.both_alone_lead is _DEFENDER and hand.maker != NOBODY:
            return (hand.alone & SIDE_MASK[(hand.maker & 1) ^ 1]).bit_length() - 1
    return NEXT[hand.out][after]


def playable(hand: HandState) -> Cards:
    """The cards that the seat on turn may play.

    Rule: play.follow-suit -- the led suit where it is held, else any card.
    Rule: follow.left-bower-is-trump
    """
    cards = hand.hands[hand.turn]
    return cards & hand.follow or cards


def play_reason(hand: HandState, card: Card) -> Reason | None:
    """Why a card may not be played."""
    if not hand.hands[hand.turn] >> card & 1:
        return Reason.CARD_NOT_HELD
    if not playable(hand) >> card & 1:
        return Reason.MUST_FOLLOW_SUIT
    return None


def lay(hand: HandState, card: Card) -> None:
    """Lay a card, and turn the trick once everybody who plays has played.

    Rule: trick.winner
    Rule: trick.leader-next -- the winner leads.
    Rule: alone.trick-size
    """
    seat = hand.turn
    hand.hands[seat] ^= 1 << card
    hand.plays.append(card)
    if not hand.laid:
        hand.leaders.append(seat)
        hand.follow = FOLLOW[hand.trump][card]
        hand.row = row = STRENGTH[hand.trump][card]
        hand.best = row[card]
        hand.best_seat = seat
    else:
        strength = hand.row[card]
        if strength > hand.best:
            hand.best = strength
            hand.best_seat = seat
    hand.laid += 1
    if hand.laid < hand.size:
        hand.turn = NEXT[hand.out][seat]
    else:
        _turn_trick(hand)


def _turn_trick(hand: HandState) -> None:
    """Give the trick to its winner; all five are always played.

    Rule: trick.count
    """
    winner = hand.best_seat
    hand.winners.append(winner)
    hand.won[winner & 1] += 1
    hand.laid = 0
    hand.follow = ANY_CARD
    if len(hand.winners) == TRICKS:
        hand.stage = OVER
        hand.turn = NOBODY
    else:
        hand.turn = winner
