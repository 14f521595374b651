"""Notation for arranging tests of the rules."""

from collections.abc import Callable

import pytest

from referee.rules import (
    Deal,
    Hand,
    RuleSet,
    Seat,
    action_text,
    apply,
    deal_from_hands,
    parse_action,
    parse_card,
    parse_cards,
    preset,
)

Table = Callable[..., Hand]


def make_deal(text: str, rules: RuleSet, dealer: Seat) -> Deal:
    """The deal of a line `L hand | P hand | R hand | D hand | upcard`.

    L is the dealer's left, P the dealer's partner, R the dealer's right, D the dealer.
    """
    *cards, up = text.split(" | ")
    seat, hands = dealer, {}
    for hand in cards:
        seat = seat.left
        hands[seat] = parse_cards(hand)
    return deal_from_hands(rules, dealer, hands, parse_card(up))


def make_table(
    text: str,
    *actions: str,
    rules: RuleSet | str = "standard",
    dealer: Seat = Seat.NORTH,
) -> Hand:
    """The hand of a deal after the given actions; an argument may hold several, by commas."""
    chosen = preset(rules) if isinstance(rules, str) else rules
    hand = Hand(chosen, make_deal(text, chosen, dealer))
    for action in ", ".join(actions).split(", ") if actions else ():
        code = parse_action(action)
        assert code is not None, action
        apply(hand, code)
    return hand


def legal_texts(hand: Hand) -> list[str]:
    """The legal actions in words, in the order of the alphabet."""
    return sorted(map(action_text, hand.legal()))


@pytest.fixture
def table() -> Table:
    """The hand of a deal after the given actions."""
    return make_table


@pytest.fixture
def legal() -> Callable[[Hand], list[str]]:
    """The legal actions of a hand in words, in the order of the alphabet."""
    return legal_texts
