"""Going alone, for the makers and for the defenders (rule book, chapter alone)."""

from typing import Final

from referee.rules.exchange import begin_giving, giver
from referee.rules.house import begin_house
from referee.rules.knobs import (
    AloneWhen,
    AloneWho,
    DefendAlone,
    DefendAlonePoll,
    LonerLimit,
    NoAceNoFaceNoTrump,
)
from referee.rules.notation import ALONE as SAY_ALONE
from referee.rules.play import begin_play
from referee.rules.reasons import Reason
from referee.rules.seats import NOBODY, SIDE_MASK
from referee.rules.state import ALONE, HandState

_MAKING_SIDE: Final = AloneWho.MAKING_SIDE
_MAKER: Final = AloneWho.MAKER
_ANY_PLAYER: Final = AloneWho.ANY_PLAYER
_BEFORE_LEAD: Final = AloneWhen.BEFORE_LEAD
_WITH_CALL: Final = AloneWhen.WITH_CALL
_NEVER: Final = DefendAlone.NEVER
_VS_LONER: Final = DefendAlone.VS_LONER
_MAKERS_LEFT: Final = DefendAlonePoll.MAKERS_LEFT
_FOLD: Final = NoAceNoFaceNoTrump.REDEAL
_NO_LIMIT: Final = LonerLimit.NONE
_LIMITED: Final = (8, 9)
_EVERYBODY: Final = 0b1111


def go_alone(hand: HandState, seat: int) -> None:
    """Let a seat play alone: the partner sits out.

    Rule: alone.partner-out
    """
    hand.alone |= 1 << seat
    hand.out |= 1 << (seat ^ 2)


def begin_alone(hand: HandState) -> None:
    """Go on once trump is made and the dealer has five cards, or after each later step.

    A poor hand may be folded, the loner gets the partner's card, whoever may still go alone is
    asked; where none of these is left, the play begins.

    Rule: alone.when
    Rule: house.no-ace-no-face-no-trump
    Rule: alone.partners-best
    """
    if hand.rules.no_ace_no_face_no_trump is _FOLD and not hand.fold_asked:
        hand.fold_asked = True
        begin_house(hand)
        return
    if hand.alone:
        seat = giver(hand)
        if seat != NOBODY:
            begin_giving(hand, seat)
            return
    seat = seat_to_ask(hand)
    if seat == NOBODY:
        begin_play(hand)
    else:
        hand.stage = ALONE
        hand.turn = seat


def answer(hand: HandState, code: int) -> None:
    """Take the answer of the seat on turn, which is asked once."""
    hand.asked |= 1 << hand.turn
    if code == SAY_ALONE:
        go_alone(hand, hand.turn)
    begin_alone(hand)


def seat_to_ask(hand: HandState) -> int:
    """Who is asked next: the maker first, then the others in turn from the dealer's left.

    Rule: defend.alone -- where only defenders are left, `defend_alone_poll` says where it starts.
    """
    seats = may_go_alone(hand)
    if seats:
        seats &= ~hand.asked
    if not seats:
        return NOBODY
    after = hand.dealer
    if hand.maker != NOBODY:
        if seats >> hand.maker & 1:
            return hand.maker
        only_defenders = not seats & SIDE_MASK[hand.maker & 1]
        if only_defenders and hand.rules.defend_alone_poll is _MAKERS_LEFT:
            after = hand.maker
    turn = (after + 1) & 3
    while not seats >> turn & 1:
        turn = (turn + 1) & 3
    return turn


def may_go_alone(hand: HandState) -> int:
    """The seats that the rules let go alone as things stand; one that did bars the partner.

    Rule: alone.who
    Rule: defend.alone
    """
    rules = hand.rules
    if rules.alone_when is _WITH_CALL and rules.defend_alone is _NEVER:
        return 0
    if rules.alone_who is _ANY_PLAYER:
        seats = _EVERYBODY
    else:
        makers = SIDE_MASK[hand.maker & 1]
        seats = 0
        if rules.alone_when is _BEFORE_LEAD:
            seats = makers if rules.alone_who is _MAKING_SIDE else 1 << hand.maker
        if defenders_may(hand):
            seats |= _EVERYBODY ^ makers
    for side, mask in enumerate(SIDE_MASK):
        if hand.alone & mask or is_limited(hand, side):
            seats &= ~mask
    return seats


def is_limited(hand: HandState, side: int) -> bool:
    """Whether a side's score keeps it from going alone, in attack and in defense.

    Rule: alone.restrict-at-8-9 -- eight or nine points, whatever the target.
    """
    return hand.rules.loner_limit is not _NO_LIMIT and hand.score[side] in _LIMITED


def defenders_may(hand: HandState) -> bool:
    """Whether a defender may go alone as things stand.

    Rule: defend.alone
    """
    knob = hand.rules.defend_alone
    if knob is _NEVER:
        return False
    return knob is not _VS_LONER or hand.alone & SIDE_MASK[hand.maker & 1] != 0


def alone_outside_reason(hand: HandState) -> Reason:
    """Why a bare `alone` is refused outside its phase."""
    rules = hand.rules
    if hand.trump < 0:
        return Reason.WRONG_PHASE
    if rules.alone_who is _ANY_PLAYER or hand.turn == hand.maker:
        return Reason.ALONE_TOO_LATE
    if hand.turn & 1 == hand.maker & 1:
        only_maker = rules.alone_who is _MAKER
        return Reason.ALONE_NOT_ALLOWED if only_maker else Reason.ALONE_TOO_LATE
    if rules.defend_alone is _NEVER:
        return Reason.DEFEND_ALONE_OFF
    return Reason.ALONE_TOO_LATE if defenders_may(hand) else Reason.DEFEND_ALONE_NO_LONER
