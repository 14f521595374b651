"""The house rules on poor hands: redeals, and swaps with the kitty (rule book, chapter 11).

Before round one every seat is asked in turn from the dealer's left; where a hand may be folded
after trump is made, every seat that plays is asked once more, when all have five cards.
Where the sources are silent:
a farmer's hand is five nines and tens, and no lower card counts as one; an ace without a face is
any number of aces, no king, queen or jack and no best bower; going under needs three nines or tens,
of any ranks, and lays down three of them; the kitty serves one swap a deal, first come;
the maker may fold too; nobody is asked before round one where the dealer names trump blind, since
the dealer has seen no hand that could qualify and no round one follows.
"""

from typing import Final

from referee.rules.cards import (
    ACES,
    BEST_BOWERS,
    BIT,
    FACES,
    NINES_AND_TENS,
    Cards,
    card_list,
    hand_of,
)
from referee.rules.knobs import AceNoFace, FarmersHand, GoingUnder, NoAceNoFaceNoTrump
from referee.rules.notation import PASS, REDEAL, swap_cards, swap_codes
from referee.rules.ranking import trumps
from referee.rules.reasons import Reason
from referee.rules.ruleset import RuleSet
from referee.rules.seats import NOBODY
from referee.rules.state import HOUSE, OVER, SWAPPED, HandState

_FARMERS_NONE: Final = FarmersHand.NONE
_FARMERS_REDEAL: Final = FarmersHand.REDEAL
_FARMERS_SWAP: Final = FarmersHand.SWAP_THREE
_GOING_UNDER: Final = GoingUnder.SWAP_THREE
_NOT_UNDER: Final = GoingUnder.NONE
_ACE_NO_FACE: Final = AceNoFace.REDEAL
_FOLD: Final = NoAceNoFaceNoTrump.REDEAL


def asks_before_calling(rules: RuleSet) -> bool:
    """Whether a house rule gives the seats something to say before round one."""
    return (
        rules.farmers_hand is not _FARMERS_NONE
        or rules.going_under is not _NOT_UNDER
        or rules.ace_no_face is _ACE_NO_FACE
    )


def begin_house(hand: HandState) -> None:
    """Ask the dealer's left whether its hand is to be redealt or swapped."""
    hand.stage = HOUSE
    hand.turn = _next_asked(hand, hand.dealer)


def _next_asked(hand: HandState, seat: int) -> int:
    """The next seat clockwise that does not sit out."""
    turn = (seat + 1) & 3
    while hand.out >> turn & 1:
        turn = (turn + 1) & 3
    return turn


def is_farmers_hand(cards: Cards) -> bool:
    """Whether a hand is nothing but nines and tens.

    Rule: house.farmers-hand
    """
    return not cards & ~NINES_AND_TENS


def is_ace_no_face(cards: Cards) -> bool:
    """Whether a hand has an ace, no king, queen or jack, and no best bower.

    Rule: house.ace-no-face
    """
    return cards & ACES != 0 and not cards & (FACES | BEST_BOWERS)


def may_redeal(hand: HandState) -> bool:
    """Whether the hand of the seat on turn entitles it to a redeal.

    Rule: house.farmers-hand
    Rule: house.ace-no-face
    Rule: house.no-ace-no-face-no-trump
    """
    rules = hand.rules
    cards = hand.hands[hand.turn]
    if hand.trump >= 0:
        return not cards & (ACES | FACES | trumps(hand.trump))
    if rules.farmers_hand is _FARMERS_REDEAL and is_farmers_hand(cards):
        return True
    return rules.ace_no_face is _ACE_NO_FACE and is_ace_no_face(cards)


def swappable(hand: HandState) -> Cards:
    """The cards of which the seat on turn may swap three; none where its hand does not qualify.

    Rule: house.farmers-hand -- the kitty's first three cards serve one swap.
    """
    rules = hand.rules
    cards = hand.hands[hand.turn]
    if hand.trump >= 0 or hand.swapper != NOBODY:
        return 0
    poor = cards & NINES_AND_TENS
    if rules.going_under is _GOING_UNDER:
        return poor if poor.bit_count() >= SWAPPED else 0
    return cards if rules.farmers_hand is _FARMERS_SWAP and poor == cards else 0


def house_reason(hand: HandState, code: int) -> Reason | None:
    """Why a pass, a redeal or a swap is refused.

    Rule: house.not-qualified
    """
    if code == PASS:
        return None
    if code == REDEAL:
        return None if may_redeal(hand) else Reason.NOT_QUALIFIED
    named = hand_of(swap_cards(code))
    if named & ~hand.hands[hand.turn]:
        return Reason.CARD_NOT_HELD
    return Reason.NOT_QUALIFIED if named & ~swappable(hand) else None


def house_codes(hand: HandState) -> list[int]:
    """What the seat on turn may say to a house rule, in rising order."""
    codes = [PASS, REDEAL] if may_redeal(hand) else [PASS]
    return codes + swap_codes(card_list(swappable(hand)))


def house_answer(hand: HandState, code: int) -> bool:
    """Take the answer of the seat on turn; whether the deal goes on and all have been asked."""
    if code == REDEAL:
        hand.redealt = True
        hand.stage = OVER
        hand.turn = NOBODY
        return False
    if code != PASS:
        _swap(hand, hand_of(swap_cards(code)))
    if hand.turn == _last_asked(hand):
        return True
    hand.turn = _next_asked(hand, hand.turn)
    return False


def _last_asked(hand: HandState) -> int:
    """The dealer, or the seat before where the dealer sits out."""
    seat = hand.dealer
    while hand.out >> seat & 1:
        seat = (seat - 1) & 3
    return seat


def _swap(hand: HandState, cards: Cards) -> None:
    """Lay down three cards, face down, for the first three of the kitty."""
    taken = 0
    for card in hand.deal.kitty[:SWAPPED]:
        taken |= BIT[card]
    hand.hands[hand.turn] ^= cards | taken
    hand.gone |= cards
    hand.swapper = hand.turn
