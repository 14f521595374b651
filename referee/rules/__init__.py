"""The rule book of partnership Euchre as code.

A module is a chapter. What other packages use is named here; ints inside, enums at the door:
a card, an action and a seat on turn are ints, and `card_text`, `action_text` and `Seat` name them.
"""

from referee.rules.cards import (
    SUIT_LETTERS,
    SUIT_WORDS,
    Card,
    Cards,
    InvalidCardError,
    Pack,
    Suit,
    UnknownPackError,
    card_text,
    cards_of,
    cards_text,
    hand_of,
    pack_cards,
    parse_card,
    parse_cards,
    parse_suit,
)
from referee.rules.deal import (
    Deal,
    Draw,
    InvalidDealError,
    check_deal,
    check_deck,
    check_hand,
    deal_from_deck,
    deal_from_hands,
    draw_dealer,
    positions,
)
from referee.rules.explain import follow_sentence
from referee.rules.game import Game, GameOverError, next_dealer
from referee.rules.hand import (
    Hand,
    IllegalActionError,
    apply,
    fallback_action,
    legal_actions,
    violation,
)
from referee.rules.knobs import KNOBS, FirstDealer, Knob, Packets
from referee.rules.notation import ACTION_TEXTS, action_text, parse_action
from referee.rules.play import playable
from referee.rules.presets import PRESETS, preset
from referee.rules.ranking import strength, suit_of
from referee.rules.reasons import RULE_OF, Reason, Violation
from referee.rules.ruleset import CLASHES, RuleSet, RuleSetError
from referee.rules.ruling import ruling
from referee.rules.scoring import (
    Outcome,
    Result,
    fault_outcome,
    largest_points,
    outcome_of,
    points_won,
)
from referee.rules.seats import SEATS, SIDES, Seat, Side, UnknownSeatError, parse_seat
from referee.rules.state import Phase, Trick, UpcardState

__all__ = [
    "ACTION_TEXTS",
    "CLASHES",
    "KNOBS",
    "PRESETS",
    "RULE_OF",
    "SEATS",
    "SIDES",
    "SUIT_LETTERS",
    "SUIT_WORDS",
    "Card",
    "Cards",
    "Deal",
    "Draw",
    "FirstDealer",
    "Game",
    "GameOverError",
    "Hand",
    "IllegalActionError",
    "InvalidCardError",
    "InvalidDealError",
    "Knob",
    "Outcome",
    "Pack",
    "Packets",
    "Phase",
    "Reason",
    "Result",
    "RuleSet",
    "RuleSetError",
    "Seat",
    "Side",
    "Suit",
    "Trick",
    "UnknownPackError",
    "UnknownSeatError",
    "UpcardState",
    "Violation",
    "action_text",
    "apply",
    "card_text",
    "cards_of",
    "cards_text",
    "check_deal",
    "check_deck",
    "check_hand",
    "deal_from_deck",
    "deal_from_hands",
    "draw_dealer",
    "fallback_action",
    "fault_outcome",
    "follow_sentence",
    "hand_of",
    "largest_points",
    "legal_actions",
    "next_dealer",
    "outcome_of",
    "pack_cards",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_seat",
    "parse_suit",
    "playable",
    "points_won",
    "positions",
    "preset",
    "ruling",
    "strength",
    "suit_of",
    "violation",
]
