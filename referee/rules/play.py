"""The play of the cards: who leads, what may follow, who takes the trick (chapter play)."""

from typing import Final

from referee.rules.cards import BIT, Card, Cards, Suit
from referee.rules.knobs import BothAloneLead, LonerLead
from referee.rules.ranking import FOLLOW, LEADS
from referee.rules.reasons import Reason
from referee.rules.seats import NEXT, NOBODY, SIDE_MASK
from referee.rules.state import OVER, PLAY, HandState

TRICKS: Final = 5
_LONERS_LEFT: Final = LonerLead.LONERS_LEFT
_DEFENDER: Final = BothAloneLead.DEFENDER


def begin_play(hand: HandState) -> None:
    """Let the first leader lead."""
    hand.stage = PLAY
    hand.size = 4 - hand.out.bit_count()
    hand.to_come = hand.size - 1
    hand.next = NEXT[hand.out]
    hand.first = hand.turn = first_leader(hand)
    hand.options = hand.hands[hand.turn]


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


def playable(cards: Cards, trump: Suit, led: Card | None) -> Cards:
    """The cards of a hand that may be played to a led card, or led.

    Rule: play.follow-suit -- the led suit where it is held, else any card.
    Rule: follow.left-bower-is-trump
    """
    return cards if led is None else cards & FOLLOW[trump][led] or cards


def play_reason(hand: HandState, card: Card) -> Reason | None:
    """Why a card may not be played."""
    if not hand.hands[hand.turn] >> card & 1:
        return Reason.CARD_NOT_HELD
    if not hand.options >> card & 1:
        return Reason.MUST_FOLLOW_SUIT
    return None


def lay(hand: HandState, card: Card) -> None:
    """Lay a card, and turn the trick once everybody who plays has played.

    Rule: play.follow-suit -- the next seat's options: the led suit where it is held, else any.
    Rule: follow.left-bower-is-trump
    Rule: trick.winner
    Rule: trick.leader-next -- the winner leads.
    Rule: alone.trick-size
    Rule: trick.count -- all five are always played, until the winner's hand is empty.
    """
    seat = hand.turn
    hands = hand.hands
    hands[seat] ^= BIT[card]
    hand.plays.append(card)
    follow = hand.follow
    if follow:
        strength = hand.row[card]
        if strength > hand.best:
            hand.best = strength
            hand.best_seat = seat
    else:
        follow, hand.row, hand.best = LEADS[hand.trump][card]
        hand.follow = follow
        hand.best_seat = seat
    to_come = hand.to_come
    if to_come:
        hand.to_come = to_come - 1
        hand.turn = seat = hand.next[seat]
        cards = hands[seat]
        hand.options = cards & follow or cards
    else:
        winner = hand.best_seat
        hand.winners.append(winner)
        hand.to_come = hand.size - 1
        hand.follow = 0
        hand.options = cards = hands[winner]
        if cards:
            hand.turn = winner
        else:
            hand.stage = OVER
            hand.turn = NOBODY
