"""House rules on poor hands. L is east, P south, R west, D north."""

from collections.abc import Callable

import pytest

from referee.rules import (
    Hand,
    IllegalActionError,
    Phase,
    Reason,
    Result,
    RuleSet,
    Seat,
    apply,
    card_text,
    cards_of,
    next_dealer,
    outcome_of,
    parse_action,
    parse_card,
    violation,
)
from referee.rules.house import is_ace_no_face, is_farmers_hand

Table = Callable[..., Hand]
Legal = Callable[[Hand], list[str]]

FARMER = "9C TC 9D TD 9H | AC KC QC JC KD | AD QD JD AH KH | QH JH TH 9S TS | AS"
ACE = "AC TC 9D TD 9H | 9C KC QC JC KD | AD QD JD AH KH | QH JH TH 9S TS | AS"
TWO_UNDER = "AC TC 9D TD JH | 9C 9H 9S JC KD | AD QD JD AH KH | QH TS TH KS QC | AS"
PLAIN = "AC TC 9D KD JH | 9C QH QC JC KC | AD QD JD AH KH | 9H TH TS KS 9S | AS"
NO_TRUMP_HELD = "9C TC 9D TD TH | 9H KC QC JC KD | AD QD JD AH KH | QH JH AC 9S TS | KS"


def house(**knobs: str) -> RuleSet:
    return RuleSet.from_map(knobs)


def reason(hand: Hand, text: str) -> Reason | None:
    found = violation(hand, hand.turn, text)
    return None if found is None else found.reason


def held(hand: Hand, seat: Seat) -> list[str]:
    return sorted(map(card_text, cards_of(hand.hands[seat])))


@pytest.mark.parametrize(
    ("cards", "farmers", "ace"),
    [
        ("9C TC 9D TD 9H", True, False),
        ("9C TC 9D TD JH", False, False),
        ("AC TC 9D TD 9H", False, True),
        ("AC AD 9D TD 9H", False, True),
        ("AC KD 9D TD 9H", False, False),
        ("AC BB 9D TD 9H", False, False),
        ("9C TC 9D TD BB", False, False),
        ("8C TC 9D TD 9H", False, False),
        ("AC 7C 8D TD 9H", False, True),
    ],
)
def test_which_hands_the_house_calls_poor(*, cards: str, farmers: bool, ace: bool) -> None:
    bits = sum(1 << parse_card(card) for card in cards.split(" "))
    assert (is_farmers_hand(bits), is_ace_no_face(bits)) == (farmers, ace)


def test_standard_has_no_house_phase(table: Table, legal: Legal) -> None:
    hand = table(FARMER)
    assert hand.phase is Phase.ROUND_ONE
    assert legal(hand) == ["order", "order alone", "pass"]
    assert reason(hand, "redeal") is Reason.WRONG_PHASE
    assert reason(hand, "swap 9C 9D TC") is Reason.WRONG_PHASE


@pytest.mark.parametrize("knob", ["farmers_hand", "ace_no_face"])
def test_a_redeal_ends_the_deal_with_the_same_dealer_and_no_points(table: Table, knob: str) -> None:
    hand = table(
        FARMER if knob == "farmers_hand" else ACE, "redeal", rules=house(**{knob: "redeal"})
    )
    outcome = outcome_of(hand)
    assert (hand.phase, hand.seat_on_turn) == (Phase.OVER, None)
    assert (outcome.outcome, outcome.points, outcome.maker) == (Result.REDEAL, (0, 0), None)
    assert next_dealer(hand.rules, Seat.NORTH, outcome) is Seat.NORTH
    assert reason(hand, "pass") is Reason.HAND_OVER


@pytest.mark.parametrize(
    ("knobs", "deal"),
    [
        ({"farmers_hand": "redeal"}, ACE),
        ({"ace_no_face": "redeal"}, FARMER),
        ({"farmers_hand": "swap_three"}, FARMER),
        ({"going_under": "swap_three"}, FARMER),
    ],
)
def test_a_redeal_is_only_for_the_hand_that_its_knob_names(
    table: Table, knobs: dict[str, str], deal: str
) -> None:
    assert reason(table(deal, rules=house(**knobs)), "redeal") is Reason.NOT_QUALIFIED


def test_every_seat_is_asked_once_from_the_dealers_left_and_may_pass_over_it(
    table: Table, legal: Legal
) -> None:
    hand = table(FARMER, rules=house(farmers_hand="redeal"))
    asked = []
    while hand.phase is Phase.HOUSE:
        asked.append((Seat(hand.turn).word, legal(hand)))
        apply(hand, hand.legal()[0])
    assert asked == [
        ("east", ["pass", "redeal"]),
        ("south", ["pass"]),
        ("west", ["pass"]),
        ("north", ["pass"]),
    ]
    assert (hand.phase, hand.seat_on_turn) == (Phase.ROUND_ONE, Seat.EAST)


def test_the_turned_suit_is_trump_after_the_house_rules(table: Table) -> None:
    rules = RuleSet.from_map(
        {
            "farmers_hand": "redeal",
            "trump_making": "turned_suit",
            "upcard": "stays_out",
            "alone_who": "any_player",
            "alone_when": "before_lead",
        }
    )
    hand = table(FARMER, rules=rules)
    assert (hand.phase, hand.trump_suit) == (Phase.HOUSE, None)
    hand = table(FARMER, "pass, pass, pass, pass", rules=rules)
    assert (hand.phase, hand.trump_suit) == (Phase.ALONE, 3)


def test_a_farmer_swaps_any_three_of_five_for_the_kitty(table: Table, legal: Legal) -> None:
    rules = house(farmers_hand="swap_three")
    hand = table(FARMER, rules=rules)
    assert len(legal(hand)) == 11
    hand = table(FARMER, "swap 9C 9D TC", rules=rules)
    assert held(hand, Seat.EAST) == ["9H", "JS", "KS", "QS", "TD"]
    assert sorted(map(card_text, hand.buried)) == ["9C", "9D", "TC"]
    assert hand.kitty == ()
    assert hand.counts == (5, 5, 5, 5)
    assert hand.seat_on_turn is Seat.SOUTH


def test_going_under_lays_down_three_nines_or_tens_of_any_ranks(table: Table, legal: Legal) -> None:
    hand = table(TWO_UNDER, rules=house(going_under="swap_three"))
    assert legal(hand) == ["pass", "swap 9D TC TD"]
    assert reason(hand, "swap 9D AC TC") is Reason.NOT_QUALIFIED
    assert reason(hand, "swap 9C 9D TC") is Reason.CARD_NOT_HELD
    assert reason(hand, "swap TC TD 9D") is Reason.UNKNOWN_ACTION
    assert reason(hand, "swap 9D TC") is Reason.UNKNOWN_ACTION
    assert reason(hand, "swap 8C 9D TC") is Reason.UNKNOWN_ACTION


def test_the_kitty_serves_one_swap_a_deal(table: Table, legal: Legal) -> None:
    rules = house(going_under="swap_three")
    assert "swap 9C 9H 9S" in legal(table(TWO_UNDER, "pass", rules=rules))
    hand = table(TWO_UNDER, "swap 9D TC TD", rules=rules)
    assert legal(hand) == ["pass"]
    assert reason(hand, "swap 9C 9H 9S") is Reason.NOT_QUALIFIED


def test_a_swap_in_a_larger_pack_takes_the_first_three_of_the_kitty(table: Table) -> None:
    rules = house(going_under="swap_three", pack="E32")
    hand = table(TWO_UNDER, rules=rules)
    first = hand.kitty[:3]
    apply(hand, hand.legal()[1])
    assert all(hand.hands[Seat.EAST] >> card & 1 for card in first)
    assert len(hand.kitty) == 8


def test_three_nines_or_tens_do_not_go_under_where_only_farmers_swap(table: Table) -> None:
    hand = table(TWO_UNDER, rules=house(farmers_hand="swap_three"))
    assert reason(hand, "swap 9D TC TD") is Reason.NOT_QUALIFIED


def test_two_nines_do_not_qualify(table: Table, legal: Legal) -> None:
    hand = table(PLAIN, rules=house(going_under="swap_three", ace_no_face="redeal"))
    assert legal(hand) == ["pass"]


def test_a_hand_without_ace_face_and_trump_may_be_folded_once_all_have_five(
    table: Table, legal: Legal
) -> None:
    rules = house(no_ace_no_face_no_trump="redeal")
    hand = table(NO_TRUMP_HELD, rules=rules)
    assert hand.phase is Phase.ROUND_ONE
    hand = table(NO_TRUMP_HELD, "pass, order, discard 9S", rules=rules)
    assert (hand.phase, hand.seat_on_turn) == (Phase.HOUSE, Seat.EAST)
    assert legal(hand) == ["pass", "redeal"]
    outcome = outcome_of(table(NO_TRUMP_HELD, "pass, order, discard 9S, redeal", rules=rules))
    assert (outcome.outcome, outcome.maker, outcome.tricks) == (Result.REDEAL, Seat.SOUTH, (0, 0))


def test_nobody_folds_under_standard(table: Table) -> None:
    assert table(NO_TRUMP_HELD, "pass, order, discard 9S").phase is Phase.PLAY


@pytest.mark.parametrize("call", ["pass, order", "pass, pass, pass, pass, name C"])
def test_a_hand_with_a_trump_is_not_folded(table: Table, call: str) -> None:
    rules = house(no_ace_no_face_no_trump="redeal")
    bury = ", discard 9S" if "order" in call else ""
    hand = table(NO_TRUMP_HELD, call + bury, rules=rules)
    asked = {}
    while hand.phase is Phase.HOUSE:
        asked[Seat(hand.turn).word] = len(hand.legal())
        apply(hand, hand.legal()[0])
    assert asked["east"] == (2 if "order" in call else 1)
    assert [asked[seat] for seat in ("south", "west", "north")] == [1, 1, 1]
    assert hand.phase is Phase.PLAY


def test_who_sits_out_is_not_asked_to_fold(table: Table) -> None:
    rules = house(no_ace_no_face_no_trump="redeal")
    hand = table(NO_TRUMP_HELD, "pass, order alone, discard 9S", rules=rules)
    asked = []
    while hand.phase is Phase.HOUSE:
        asked.append(hand.turn)
        apply(hand, hand.legal()[0])
    assert asked == [Seat.EAST, Seat.SOUTH, Seat.WEST]


def test_an_action_that_does_not_qualify_says_why(table: Table) -> None:
    hand = table(PLAIN, rules=house(farmers_hand="redeal"))
    code = parse_action("redeal")
    assert code is not None
    with pytest.raises(IllegalActionError, match=r"does not qualify \(house.not-qualified\)"):
        apply(hand, code)
