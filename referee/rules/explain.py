"""The plain sentence that goes with a refusal."""

from typing import Final

from referee.rules.calling import turned_suit
from referee.rules.cards import (
    NO_TRUMP,
    SUIT_WORDS,
    Card,
    Cards,
    Suit,
    card_text,
    cards_of,
    cards_text,
)
from referee.rules.notation import action_cards, parse_action
from referee.rules.play import playable
from referee.rules.ranking import is_best_bower, is_left_bower, suit_of
from referee.rules.reasons import Reason
from referee.rules.seats import SEATS
from referee.rules.state import HandState

_SENTENCES: Final[dict[Reason, str]] = {
    Reason.GAME_OVER: "the game is over",
    Reason.HAND_OVER: "the deal is over",
    Reason.SITTING_OUT: "{seat} sits out, since the partner plays alone",
    Reason.NOT_YOUR_TURN: "it is the turn of {turn}, not of {seat}",
    Reason.UNKNOWN_ACTION: "{action!r} is no action at this table",
    Reason.WRONG_PHASE: "{action!r} is no action of the phase {phase}",
    Reason.CARD_NOT_HELD: "{seat} does not hold {card}",
    Reason.DISCARD_UPCARD_FORBIDDEN: "the card just taken may not be buried here",
    Reason.SUIT_TURNED_DOWN: "{suit} were turned down and may not be named",
    Reason.DEALER_STUCK: "the dealer is stuck and must name a suit",
    Reason.NEEDS_TRUMP: "a call here needs a trump in hand, and {seat} holds none",
    Reason.PARTNER_MUST_GO_ALONE: "the dealer's partner may only order alone here",
    Reason.ALONE_NOT_ALLOWED: "{seat} may not go alone here in this way",
    Reason.ALONE_TOO_LATE: "the moment to go alone has passed",
    Reason.DEFEND_ALONE_OFF: "nobody defends alone under these rules",
    Reason.DEFEND_ALONE_NO_LONER: "a defender goes alone only against a lone maker",
    Reason.NOT_QUALIFIED: "the hand of {seat} does not qualify",
}
_SHOWN: Final = 48


def sentence(hand: HandState, seat: int, text: str, reason: Reason) -> str:
    """One plain sentence for the seat that was refused, and for that seat alone."""
    code = parse_action(text)
    named = () if code is None else action_cards(code)
    card = next(
        (card for card in named if not hand.hands[seat] >> card & 1), named[0] if named else None
    )
    if reason is Reason.MUST_FOLLOW_SUIT and hand.led is not None and card is not None:
        return follow_sentence(hand.hands[seat], hand.trump, hand.led, card)
    return _SENTENCES[reason].format(
        action=text[:_SHOWN],
        card="that card" if card is None else card_text(card),
        phase=hand.phase,
        seat=SEATS[seat].word,
        suit=SUIT_WORDS[turned_suit(hand)],
        turn=SEATS[hand.turn].word,
    )


def follow_sentence(cards: Cards, trump: Suit, led: Card, card: Card) -> str:
    """Why a card of a hand may not be played to the led one.

    Rule: play.follow-suit
    Rule: follow.left-bower-is-trump
    """
    due = cards_text(cards_of(playable(cards, trump, led))).replace(" ", " or ")
    suit = SUIT_WORDS[suit_of(led, trump)]
    lead = card_text(led) + _counted(led, trump)
    other = card_text(card) + _counted(card, trump)
    return f"{lead} was led; {other} does not follow {suit}, and {due} does"


def _counted(card: Card, trump: Suit) -> str:
    """A reminder, for a card that counts as another suit than it shows."""
    if trump == NO_TRUMP:
        return " (which counts as a spade)" if is_best_bower(card) else ""
    if is_left_bower(card, trump):
        return f" (the left bower, so {SUIT_WORDS[trump]})"
    if is_best_bower(card):
        return f" (the best bower, so {SUIT_WORDS[trump]})"
    return ""
