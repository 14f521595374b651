"""Calls of no trump, and the blind call of a dealer who turns the best bower."""

from collections.abc import Callable

import pytest

from referee.rules import (
    NO_TRUMP,
    Hand,
    Phase,
    Reason,
    RuleSet,
    Seat,
    UpcardState,
    apply,
    card_text,
    outcome_of,
    parse_action,
    parse_card,
    strength,
    suit_of,
    violation,
)

Table = Callable[..., Hand]
Legal = Callable[[Hand], list[str]]

DEAL = "JD TD 9S AC KC | AD QD 9C TC QS | 9D AH KH JC AS | TS KD 9H QC JS | QH"
TURNED = "JD TD 9S AC KC | AD QD 9C TC QS | 9D AH KH JC AS | TS KD 9H QC JS | BB"
PASSED = "pass, pass, pass, pass"
NO_TRUMP_PLAYED = RuleSet.from_map({"no_trump": "round_two"})
BLIND = RuleSet.from_map({"pack": "E25J", "best_bower_turned": "dealer_names_blind"})


def reason(hand: Hand, seat: Seat, text: str) -> Reason | None:
    found = violation(hand, seat, text)
    return None if found is None else found.reason


def winner(led: str, *others: str) -> str:
    cards = [parse_card(text) for text in (led, *others)]
    suit = suit_of(cards[0], NO_TRUMP)
    return card_text(max(cards, key=lambda card: strength(card, NO_TRUMP, suit)))


@pytest.mark.parametrize(
    ("trick", "best"),
    [
        ("JC TC AS KD", "JC"),
        ("TC JC QC AS", "QC"),
        ("JC JS AS AD", "JC"),
        ("AS KS JS QS", "AS"),
        ("TS JS 9S AC", "JS"),
        ("9H AC AD AS", "9H"),
        ("2S AC AD AH", "2S"),
        ("9S 2S AD AH", "9S"),
        ("BB 9S AC AD", "9S"),
    ],
)
def test_without_trump_the_highest_card_of_the_led_suit_wins(trick: str, best: str) -> None:
    assert winner(*trick.split(" ")) == best


def test_without_trump_a_jack_follows_its_printed_suit(table: Table, legal: Legal) -> None:
    hand = table(DEAL, PASSED, "name N, play AC, play 9C", rules=NO_TRUMP_PLAYED)
    assert hand.trump_suit == NO_TRUMP
    assert legal(hand) == ["play JC"]
    found = violation(hand, Seat.WEST, "play AS")
    assert found is not None
    assert found.sentence == "AC was led; AS does not follow clubs, and JC does"


def test_no_trump_is_named_in_round_two_alone(table: Table, legal: Legal) -> None:
    hand = table(DEAL, rules=NO_TRUMP_PLAYED)
    assert reason(hand, Seat.EAST, "name N") is Reason.WRONG_PHASE
    hand = table(DEAL, PASSED, rules=NO_TRUMP_PLAYED)
    assert {"name N", "name N alone"} <= set(legal(hand))


def test_no_trump_is_no_action_under_standard(table: Table, legal: Legal) -> None:
    hand = table(DEAL, PASSED)
    assert reason(hand, Seat.EAST, "name N") is Reason.UNKNOWN_ACTION
    assert "name N" not in legal(hand)


def test_a_stuck_dealer_may_name_no_trump(table: Table, legal: Legal) -> None:
    hand = table(DEAL, PASSED, "pass, pass, pass", rules=NO_TRUMP_PLAYED)
    assert "name N" in legal(hand)
    assert "pass" not in legal(hand)


def test_the_trump_test_does_not_bind_a_call_of_no_trump(table: Table, legal: Legal) -> None:
    rules = RuleSet.from_map(
        {
            "no_trump": "round_two",
            "order_needs_trump": "natural_only",
            "order_needs_trump_scope": "every_call",
        }
    )
    hand = table("9H TH AH KH JH | AD QD 9C TC QS | 9D AC KC JC AS | TS KD 9S QC JS | QH",
                 PASSED, rules=rules)  # fmt: skip
    assert legal(hand) == ["name N", "name N alone", "pass"]


def test_a_deal_without_trump_is_scored_as_any_other(table: Table) -> None:
    hand = table(DEAL, PASSED, "name N alone", rules=NO_TRUMP_PLAYED)
    while hand.turn >= 0:
        apply(hand, hand.legal()[0])
    outcome = outcome_of(hand)
    assert (outcome.maker, outcome.alone) == (Seat.EAST, (Seat.EAST,))
    assert sum(outcome.tricks) == 5


def test_a_turned_best_bower_makes_spades_the_suit_offered(table: Table, legal: Legal) -> None:
    hand = table(TURNED, rules=RuleSet.from_map({"pack": "E25J"}))
    assert hand.phase is Phase.ROUND_ONE
    assert table(TURNED, "order", rules=hand.rules).trump_suit == 3
    assert "name S" not in legal(table(TURNED, PASSED, rules=hand.rules))


def test_a_dealer_who_turns_the_best_bower_names_any_suit_unseen(
    table: Table, legal: Legal
) -> None:
    hand = table(TURNED, rules=BLIND)
    assert (hand.phase, hand.seat_on_turn) == (Phase.DEALER_NAMES, Seat.NORTH)
    assert legal(hand) == sorted(f"name {suit}{more}" for suit in "CDHS" for more in ("", " alone"))
    assert reason(hand, Seat.NORTH, "pass") is Reason.DEALER_STUCK
    assert reason(hand, Seat.EAST, "pass") is Reason.NOT_YOUR_TURN
    assert [hand.seen_by(seat).bit_count() for seat in Seat] == [0, 5, 5, 5]


def test_after_the_blind_call_the_dealer_sees_the_hand_takes_the_bower_and_discards(
    table: Table, legal: Legal
) -> None:
    hand = table(TURNED, "name H", rules=BLIND)
    assert (hand.phase, hand.seat_on_turn) == (Phase.DISCARD, Seat.NORTH)
    assert (hand.maker_seat, hand.upcard_state) == (Seat.NORTH, UpcardState.TAKEN)
    assert hand.seen_by(Seat.NORTH).bit_count() == 6
    assert "discard BB" in legal(hand)
    assert table(TURNED, "name H, discard TS", rules=BLIND).seat_on_turn is Seat.EAST


def test_another_upcard_is_called_in_two_rounds_under_the_blind_rule(table: Table) -> None:
    assert table(DEAL, rules=BLIND).phase is Phase.ROUND_ONE


def test_no_house_rule_is_asked_where_the_dealer_names_blind(table: Table) -> None:
    rules = RuleSet.from_map({**BLIND.to_map(), "farmers_hand": "redeal"})
    assert table(TURNED, rules=rules).phase is Phase.DEALER_NAMES
    assert table(DEAL, rules=rules).phase is Phase.HOUSE


def test_a_best_bower_that_stays_out_is_not_taken_after_the_blind_call(table: Table) -> None:
    rules = RuleSet.from_map({**BLIND.to_map(), "upcard": "stays_out"})
    hand = table(TURNED, "name H", rules=rules)
    assert (hand.phase, hand.upcard_state) == (Phase.PLAY, UpcardState.TURNED)


@pytest.mark.parametrize(
    ("pack", "kitty"), [("E24", 3), ("E25", 4), ("E28", 7), ("E32", 11), ("E25J", 4), ("E33J", 12)]
)
def test_the_kitty_of_each_pack_is_what_is_left_of_it(table: Table, pack: str, kitty: int) -> None:
    hand = table(DEAL, rules=RuleSet.from_map({"pack": pack}))
    assert len(hand.kitty) == kitty
    code = parse_action("play 7C")
    assert code is not None
    expected = Reason.WRONG_PHASE
    assert reason(hand, Seat.EAST, "play 7C") is expected
    played = table(DEAL, "order, discard TS", rules=hand.rules)
    in_pack = pack in {"E32", "E33J"}
    expected = Reason.CARD_NOT_HELD if in_pack else Reason.UNKNOWN_ACTION
    assert reason(played, Seat.EAST, "play 7C") is expected


def test_a_rule_set_whose_records_are_adjudicated_refuses_in_play_all_the_same(
    table: Table,
) -> None:
    rules = RuleSet.from_map({"enforcement": "table"})
    hand = table(DEAL, "order, discard TS, play JD", rules=rules)
    assert reason(hand, Seat.SOUTH, "play AD") is None
    assert reason(
        table(DEAL, "order, discard TS, play AC", rules=rules), Seat.SOUTH, "play AD"
    ) is (Reason.MUST_FOLLOW_SUIT)
