"""The two rounds of calling, the pick-up and the discard (chapters calling and discard)."""

from typing import Final

from referee.rules.alone import begin_alone, go_alone, is_limited
from referee.rules.cards import BEST_BOWERS, BIT, NO_TRUMP, PRINTED_SUIT, Card, Suit
from referee.rules.house import asks_before_calling, begin_house
from referee.rules.knobs import (
    AllPass,
    AloneWhen,
    BestBowerTurned,
    BuryUpcard,
    OrderNeedsTrump,
    OrderNeedsTrumpScope,
    PartnerOrder,
    SittingOutDealer,
    TrumpMaking,
    Upcard,
)
from referee.rules.notation import NAME, NAME_ALONE, ORDER, ORDER_ALONE, PASS
from referee.rules.ranking import natural_trumps, trumps
from referee.rules.reasons import Reason
from referee.rules.ruleset import RuleSet
from referee.rules.seats import NOBODY
from referee.rules.state import (
    DEALER_NAMES,
    DISCARD,
    OVER,
    ROUND_ONE,
    ROUND_TWO,
    TAKEN,
    TURNED_DOWN,
    HandState,
)

_ONE_ROUND: Final = TrumpMaking.ONE_ROUND_THEN_DEALER
_TURNED_SUIT: Final = TrumpMaking.TURNED_SUIT
_STICK: Final = AllPass.STICK
_NEVER: Final = OrderNeedsTrump.NEVER
_NATURAL_ONLY: Final = OrderNeedsTrump.NATURAL_ONLY
_MUST_BE_ALONE: Final = PartnerOrder.MUST_BE_ALONE
_BEFORE_LEAD: Final = AloneWhen.BEFORE_LEAD
_STAYS_OUT: Final = Upcard.STAYS_OUT
_LEAVE: Final = SittingOutDealer.LEAVE
_BURY_FORBIDDEN: Final = BuryUpcard.FORBIDDEN
_NAMES_BLIND: Final = BestBowerTurned.DEALER_NAMES_BLIND


def begin_deal(hand: HandState) -> None:
    """Begin with the dealer's blind call, with the house rules, or with the calling.

    Rule: best-bower.turned-up -- the dealer's side are the makers; there is no round one, so no
    house rule comes before it.
    """
    rules = hand.rules
    blind = rules.best_bower_turned is _NAMES_BLIND  # first, since it is seldom so
    if blind and dealer_names_blind(rules, hand.deal.upcard):
        hand.stage = DEALER_NAMES
        hand.turn = hand.dealer
    elif asks_before_calling(rules):
        begin_house(hand)
    elif rules.trump_making is _TURNED_SUIT:
        begin_calling(hand)


def dealer_names_blind(rules: RuleSet, upcard: Card) -> bool:
    """Whether the dealer is to name trump before seeing the cards.

    Rule: best-bower.turned-up
    """
    return rules.best_bower_turned is _NAMES_BLIND and BEST_BOWERS >> upcard & 1 == 1


def begin_calling(hand: HandState) -> None:
    """Open the first round, or make the turned suit trump where nobody calls.

    Rule: round-one.order
    """
    hand.stage = ROUND_ONE
    hand.turn = (hand.dealer + 1) & 3
    if hand.rules.trump_making is _TURNED_SUIT:
        hand.trump = turned_suit(hand)
        begin_alone(hand)


def turned_suit(hand: HandState) -> Suit:
    """The suit that the upcard offers; a turned best bower offers spades.

    Rule: best-bower.turned-up
    """
    return PRINTED_SUIT[hand.deal.upcard]


def is_stuck(hand: HandState) -> bool:
    """Whether the seat on turn is the dealer and may not pass.

    Rule: round-two.stick
    """
    if hand.stage == DEALER_NAMES:
        return True
    return hand.stage == ROUND_TWO and hand.turn == hand.dealer and hand.rules.all_pass is _STICK


def call_reason(hand: HandState, code: int) -> Reason | None:
    """Why a pass, an order or a naming is refused, the first reason that applies."""
    rules = hand.rules
    if code == PASS:
        return Reason.DEALER_STUCK if is_stuck(hand) else None
    if code >= NAME and hand.stage == ROUND_TWO and code & 7 == turned_suit(hand):
        return Reason.SUIT_TURNED_DOWN
    if rules.order_needs_trump is not _NEVER and _lacks_trump(hand, code):
        return Reason.NEEDS_TRUMP
    if code == ORDER:
        if rules.partner_order is _MUST_BE_ALONE and hand.turn == hand.dealer ^ 2:
            return Reason.PARTNER_MUST_GO_ALONE
    elif is_alone_call(code) and (
        rules.alone_when is _BEFORE_LEAD or is_limited(hand, hand.turn & 1)
    ):
        return Reason.ALONE_NOT_ALLOWED
    return None


def is_alone_call(code: int) -> bool:
    """Whether a call says alone."""
    return code == ORDER_ALONE or code >= NAME_ALONE


def _lacks_trump(hand: HandState, code: int) -> bool:
    """Whether the trump test binds the seat on turn, and it fails.

    Rule: round-one.void-order -- five cards are tested, never the upcard; a stuck dealer is free,
    and so is a call of no trump, for which no hand holds one.
    """
    suit = code & 7 if code >= NAME else turned_suit(hand)
    if suit == NO_TRUMP:
        return False
    is_dealer = hand.turn == hand.dealer
    match hand.rules.order_needs_trump_scope:
        case OrderNeedsTrumpScope.ORDERING_SEATS:
            bound = hand.stage == ROUND_ONE and not is_dealer
        case OrderNeedsTrumpScope.DEALER_ONLY:
            bound = hand.stage == ROUND_ONE and is_dealer
        case OrderNeedsTrumpScope.ROUND_ONE_ALL:
            bound = hand.stage == ROUND_ONE
        case OrderNeedsTrumpScope.EVERY_CALL:
            bound = not is_stuck(hand)
    natural = hand.rules.order_needs_trump is _NATURAL_ONLY
    counted = natural_trumps(suit) if natural else trumps(suit)
    return bound and not hand.hands[hand.turn] & counted


def call(hand: HandState, code: int) -> None:
    """Take a pass, an order or a naming of the seat on turn."""
    if code == PASS:
        _pass(hand)
        return
    hand.maker = hand.turn
    if is_alone_call(code):
        go_alone(hand, hand.turn)
    if code < NAME:
        hand.trump = turned_suit(hand)
        _take_upcard(hand)
    else:
        is_blind = hand.names_blind
        hand.trump = code & 7
        (_take_upcard if is_blind else begin_alone)(hand)


def _pass(hand: HandState) -> None:
    """Pass the turn to the left; the dealer's pass ends the round.

    Rule: round-two.order
    Rule: round-two.throw-in
    """
    if hand.turn != hand.dealer:
        hand.turn = (hand.turn + 1) & 3
    elif hand.stage == ROUND_TWO:
        hand.stage = OVER
        hand.turn = NOBODY
    else:
        hand.turned = TURNED_DOWN
        if hand.rules.trump_making is _ONE_ROUND:
            hand.stage = DEALER_NAMES
        else:
            hand.stage = ROUND_TWO
            hand.turn = (hand.dealer + 1) & 3


def _take_upcard(hand: HandState) -> None:
    """Give the dealer the upcard and the turn to bury a card, unless it stays on the table.

    Rule: discard.dealer-takes-upcard
    Rule: discard.dealer-sits-out
    """
    rules = hand.rules
    dealer = hand.dealer
    is_out = hand.out >> dealer & 1
    if rules.upcard is _STAYS_OUT or (is_out and rules.sitting_out_dealer is _LEAVE):
        begin_alone(hand)
        return
    hand.hands[dealer] |= BIT[hand.deal.upcard]
    hand.turned = TAKEN
    hand.stage = DISCARD
    hand.turn = dealer


def discard_reason(hand: HandState, card: Card) -> Reason | None:
    """Why a card may not be buried.

    Rule: discard.any-of-six
    Rule: discard.may-be-upcard
    """
    if not hand.hands[hand.turn] >> card & 1:
        return Reason.CARD_NOT_HELD
    is_pick_up = not hand.gave
    if is_pick_up and card == hand.deal.upcard and hand.rules.bury_upcard is _BURY_FORBIDDEN:
        return Reason.DISCARD_UPCARD_FORBIDDEN
    return None


def bury(hand: HandState, card: Card) -> None:
    """Bury one of six cards: the dealer's after the pick-up, the loner's after the exchange.

    Rule: discard.before-play
    Rule: alone.partners-best
    """
    hand.hands[hand.turn] ^= BIT[card]
    if hand.gave:
        hand.gone |= BIT[card]
    else:
        hand.discard = card
    begin_alone(hand)
