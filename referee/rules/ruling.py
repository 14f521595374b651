"""The one predicate that says no, and the sentence that goes with it.

`first_reason` is the whole law of refusals; the legal actions are those it finds nothing against.
"""

from typing import Final

from referee.rules.alone import alone_outside_reason
from referee.rules.calling import call_reason, discard_reason
from referee.rules.cards import NO_TRUMP, card_list, pack_cards
from referee.rules.exchange import give_reason
from referee.rules.explain import sentence
from referee.rules.house import house_codes, house_reason
from referee.rules.knobs import NoTrump
from referee.rules.notation import (
    ACTION_TEXTS,
    ALONE,
    DECLINE,
    DISCARD,
    GIVE,
    NAME,
    NAME_ALONE,
    ORDER,
    ORDER_ALONE,
    PASS,
    V_ALONE,
    V_DECLINE,
    V_DISCARD,
    V_GIVE,
    V_NAME,
    V_ORDER,
    V_PASS,
    V_PLAY,
    V_REDEAL,
    V_SWAP,
    VERB_OF,
    VERB_WORDS,
    action_cards,
    action_text,
    is_action,
    parse_action,
    verb_of,
)
from referee.rules.play import play_reason
from referee.rules.reasons import Reason, Violation
from referee.rules.state import ALONE as ALONE_PHASE
from referee.rules.state import DISCARD as DISCARD_PHASE
from referee.rules.state import HOUSE, OVER, PARTNERS_BEST, ROUND_TWO, HandState

PHASE_VERBS: Final = (
    (V_PASS, V_REDEAL, V_SWAP),  # house
    (V_PASS, V_ORDER),  # round one
    (V_DISCARD,),
    (V_PASS, V_NAME),  # round two
    (V_PASS, V_NAME),  # the dealer names: a pass is the word of a stuck dealer
    (V_GIVE,),
    (V_ALONE, V_DECLINE),
    (V_PLAY,),
    (),
)
"""The verbs of each phase."""

_NO_TRUMP_CALLS: Final = frozenset({NAME + NO_TRUMP, NAME_ALONE + NO_TRUMP})
PHASE_CODES: Final = tuple(
    frozenset(code for code in ACTION_TEXTS if verb_of(code) in verbs) - _NO_TRUMP_CALLS
    for verbs in PHASE_VERBS
)
"""The codes of each phase, of every pack, but for no trump, which has a knob of its own."""

_NAMES: Final = tuple(NAME + suit for suit in range(4))
_NAMES_ALONE: Final = tuple(NAME_ALONE + suit for suit in range(4))
_CALLS: Final[tuple[tuple[int, ...], ...]] = (
    (),
    (PASS, ORDER, ORDER_ALONE),
    (),
    (PASS, *_NAMES, *_NAMES_ALONE),
    (PASS, *_NAMES, *_NAMES_ALONE),
)
"""What can be called at all in each phase of calling."""
_CALLS_WITH_NO_TRUMP: Final = tuple(sorted({*_CALLS[ROUND_TWO], *_NO_TRUMP_CALLS}))
_NO_TRUMP_NEVER: Final = NoTrump.NEVER


def legal_calls(hand: HandState) -> list[int]:
    """The codes of every legal action outside the play of the cards, in rising order."""
    stage = hand.stage
    if stage == DISCARD_PHASE:
        return [
            DISCARD + card
            for card in card_list(hand.hands[hand.turn])
            if discard_reason(hand, card) is None
        ]
    if stage == ALONE_PHASE:
        return [ALONE, DECLINE]
    if stage == OVER:
        return []
    if stage == HOUSE:
        return house_codes(hand)
    if stage == PARTNERS_BEST:
        return [GIVE + card for card in card_list(hand.hands[hand.turn])]
    calls = _CALLS_WITH_NO_TRUMP if _names_no_trump(hand) else _CALLS[stage]
    return [code for code in calls if call_reason(hand, code) is None]


def _names_no_trump(hand: HandState) -> bool:
    """Whether no trump may be named now.

    Rule: bid.no-trump -- in round two alone.
    """
    return hand.rules.no_trump is not _NO_TRUMP_NEVER and hand.stage == ROUND_TWO


def turn_reason(hand: HandState, seat: int) -> Reason | None:
    """Why a seat may not act at all now."""
    if hand.stage == OVER:
        return Reason.HAND_OVER
    if seat == hand.turn:
        return None
    return Reason.SITTING_OUT if hand.out >> seat & 1 else Reason.NOT_YOUR_TURN


def _bury_reason(hand: HandState, code: int) -> Reason | None:
    return discard_reason(hand, code - DISCARD)


def _give_reason(hand: HandState, code: int) -> Reason | None:
    return give_reason(hand, code - GIVE)


def _no_reason(_hand: HandState, _code: int) -> None:
    """Alone or not: who is asked may say either."""


REASONS: Final = (
    house_reason,
    call_reason,
    _bury_reason,
    call_reason,
    call_reason,
    _give_reason,
    _no_reason,
    play_reason,
)
"""What says, in each phase, why an action that is well formed is against the rules."""


def first_reason(hand: HandState, seat: int, verb: int, code: int | None) -> Reason | None:
    """The first reason to refuse an action; a code of `None` is a known verb in a wrong form."""
    reason = turn_reason(hand, seat)
    if reason is not None:
        return reason
    if not 0 <= verb < len(VERB_WORDS):
        return Reason.UNKNOWN_ACTION
    if verb not in PHASE_VERBS[hand.stage]:
        return alone_outside_reason(hand) if code == ALONE else Reason.WRONG_PHASE
    if code is None or not _is_known_here(hand, code):
        return Reason.UNKNOWN_ACTION
    return REASONS[hand.stage](hand, code)


def _is_known_here(hand: HandState, code: int) -> bool:
    """Whether a code is an action at this table: of this pack, and no trump only where played."""
    if not is_action(code) or (code in _NO_TRUMP_CALLS and not _names_no_trump(hand)):
        return False
    cards = action_cards(code)
    return not cards or all(card in pack_cards(hand.rules.pack) for card in cards)


def code_violation(hand: HandState, seat: int, code: int) -> Violation | None:
    """What is wrong with an action, or nothing where it is legal."""
    reason = first_reason(hand, seat, verb_of(code), code)
    if reason is None:
        return None
    text = action_text(code) if is_action(code) else str(code)
    return Violation(reason, sentence(hand, seat, text, reason))


def ruling(hand: HandState, seat: int, text: str) -> Violation | int:
    """The ruling on the words of a seat: the code of a legal action, or what is wrong with them."""
    verb = VERB_OF.get(text.split(" ", 1)[0], -1)
    code = parse_action(text)
    reason = first_reason(hand, seat, verb, code)
    if reason is None and code is not None:
        return code
    found = reason or Reason.UNKNOWN_ACTION
    return Violation(found, sentence(hand, seat, text, found))
