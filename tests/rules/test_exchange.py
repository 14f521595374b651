"""The loner's exchange, and the scores that bar a loner. L is east, P south, R west, D north."""

from collections.abc import Callable

import pytest

from referee.rules import (
    Hand,
    Phase,
    Reason,
    RuleSet,
    Seat,
    apply,
    card_text,
    cards_of,
    deal_from_hands,
    parse_action,
    parse_card,
    parse_cards,
    violation,
)

Table = Callable[..., Hand]
Legal = Callable[[Hand], list[str]]

DEAL = "JD TD 9S AC KC | AD QD 9C TC QS | 9D AH KH JC AS | TS KD 9H QC JS | QH"


def rules_with(**knobs: str) -> RuleSet:
    return RuleSet.from_map(knobs)


BEST = rules_with(partners_best="one_card")


def held(hand: Hand, seat: Seat) -> list[str]:
    return sorted(map(card_text, cards_of(hand.hands[seat])))


def reason(hand: Hand, seat: Seat, text: str) -> Reason | None:
    found = violation(hand, seat, text)
    return None if found is None else found.reason


def test_no_card_is_given_under_standard(table: Table) -> None:
    hand = table(DEAL, "pass, pass, order alone, discard TS")
    assert hand.phase is Phase.PLAY
    assert reason(hand, hand.seat_on_turn or Seat.EAST, "give JD") is Reason.WRONG_PHASE


def test_the_partner_gives_the_loner_a_card_after_the_dealers_discard(
    table: Table, legal: Legal
) -> None:
    hand = table(DEAL, "order alone, discard TS", rules=BEST)
    assert (hand.phase, hand.seat_on_turn) == (Phase.PARTNERS_BEST, Seat.WEST)
    assert legal(hand) == ["give 9D", "give AH", "give AS", "give JC", "give KH"]
    assert reason(hand, Seat.WEST, "give JD") is Reason.CARD_NOT_HELD
    assert reason(hand, Seat.EAST, "give JD") is Reason.NOT_YOUR_TURN
    assert reason(hand, Seat.WEST, "play AH") is Reason.WRONG_PHASE


def test_the_loner_puts_away_one_of_six_and_the_partner_is_left_with_four(
    table: Table, legal: Legal
) -> None:
    hand = table(DEAL, "order alone, discard TS, give AH", rules=BEST)
    assert (hand.phase, hand.seat_on_turn) == (Phase.DISCARD, Seat.EAST)
    assert len(legal(hand)) == 6
    assert reason(hand, Seat.EAST, "play AH") is Reason.WRONG_PHASE
    hand = table(DEAL, "order alone, discard TS, give AH, discard 9S", rules=BEST)
    assert (hand.phase, hand.seat_on_turn) == (Phase.PLAY, Seat.EAST)
    assert held(hand, Seat.EAST) == ["AC", "AH", "JD", "KC", "TD"]
    assert hand.counts == (5, 5, 5, 4)
    assert sorted(map(card_text, hand.buried)) == ["9S", "TS"]


def test_the_loner_may_put_away_the_card_just_given(table: Table) -> None:
    hand = table(DEAL, "order alone, discard TS, give AH, discard AH", rules=BEST)
    assert held(hand, Seat.EAST) == ["9S", "AC", "JD", "KC", "TD"]


def test_a_dealer_who_sits_out_exchanges_before_giving(table: Table, legal: Legal) -> None:
    hand = table(DEAL, "pass, order alone, discard TS", rules=BEST)
    assert (hand.phase, hand.seat_on_turn) == (Phase.PARTNERS_BEST, Seat.NORTH)
    assert "give QH" in legal(hand)


def test_a_lone_dealer_may_put_the_upcard_away_in_the_exchange_though_not_bury_it(
    table: Table, legal: Legal
) -> None:
    rules = rules_with(partners_best="one_card", bury_upcard="forbidden")
    hand = table(DEAL, "pass, pass, pass, order alone", rules=rules)
    assert "discard QH" not in legal(hand)
    hand = table(DEAL, "pass, pass, pass, order alone, discard TS, give AD", rules=rules)
    assert "discard QH" in legal(hand)


def test_the_exchange_comes_before_a_defender_is_asked(table: Table) -> None:
    rules = rules_with(partners_best="one_card", defend_alone="vs_loner")
    hand = table(DEAL, "order alone, discard TS, give AH, discard 9S", rules=rules)
    assert (hand.phase, hand.seat_on_turn) == (Phase.ALONE, Seat.SOUTH)
    hand = table(DEAL, "order alone, discard TS, give AH, discard 9S, alone", rules=rules)
    assert hand.phase is Phase.PLAY
    assert hand.counts == (5, 5, 5, 4)


def test_a_loner_who_says_so_before_the_lead_gets_the_card_at_once(table: Table) -> None:
    rules = rules_with(partners_best="one_card", alone_when="before_lead")
    hand = table(DEAL, "order, discard TS, alone", rules=rules)
    assert (hand.phase, hand.seat_on_turn) == (Phase.PARTNERS_BEST, Seat.WEST)
    assert table(DEAL, "order, discard TS, decline", rules=rules).phase is Phase.PLAY


def test_any_lone_player_gets_a_card_where_nobody_makes_trump(table: Table) -> None:
    rules = rules_with(
        partners_best="one_card",
        trump_making="turned_suit",
        upcard="stays_out",
        alone_who="any_player",
        alone_when="before_lead",
    )
    hand = table(DEAL, "alone, give AH, discard 9S, alone, give JS, discard 9C", rules=rules)
    assert hand.phase is Phase.PLAY
    assert hand.counts == (4, 5, 5, 4)


def at_score(ns: int, ew: int, *actions: str, **knobs: str) -> Hand:
    rules = rules_with(loner_limit="eight_or_nine", **knobs)
    *hands, upcard = DEAL.split(" | ")
    seats = (Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH)
    given = dict(zip(seats, map(parse_cards, hands), strict=True))
    deal = deal_from_hands(rules, Seat.NORTH, given, parse_card(upcard))
    hand = Hand(rules, deal, (ns, ew))
    for action in actions:
        code = parse_action(action)
        assert code is not None
        apply(hand, code)
    return hand


@pytest.mark.parametrize(
    ("ew", "barred"), [(0, False), (7, False), (8, True), (9, True), (10, False)]
)
def test_a_side_with_eight_or_nine_points_does_not_go_alone(*, ew: int, barred: bool) -> None:
    hand = at_score(0, ew, target="15")
    expected = Reason.ALONE_NOT_ALLOWED if barred else None
    assert reason(hand, Seat.EAST, "order alone") is expected
    assert reason(hand, Seat.EAST, "order") is None


def test_the_other_sides_score_bars_nobody(legal: Legal) -> None:
    assert "order alone" in legal(at_score(9, 0))


def test_no_score_bars_a_loner_under_standard(table: Table, legal: Legal) -> None:
    twin = table(DEAL)
    hand = Hand(twin.rules, twin.deal, (9, 9))
    assert "order alone" in legal(hand)


def test_in_round_two_the_limit_binds_every_suit(legal: Legal) -> None:
    hand = at_score(9, 8, "pass", "pass", "pass", "pass")
    assert legal(hand) == ["name C", "name D", "name S", "pass"]


def test_a_limited_side_is_not_asked_before_the_lead() -> None:
    hand = at_score(0, 8, "order", "discard TS", alone_when="before_lead")
    assert hand.phase is Phase.PLAY
    hand = at_score(8, 0, "order", "discard TS", alone_when="before_lead")
    assert hand.phase is Phase.ALONE


def test_a_limited_side_does_not_defend_alone() -> None:
    knobs = {"defend_alone": "vs_loner"}
    assert at_score(8, 0, "order alone", "discard TS", **knobs).phase is Phase.PLAY
    assert at_score(7, 0, "order alone", "discard TS", **knobs).phase is Phase.ALONE


def test_a_partner_who_must_go_alone_and_may_not_can_only_pass(legal: Legal) -> None:
    hand = at_score(8, 0, "pass", partner_order="must_be_alone")
    assert legal(hand) == ["pass"]
    assert reason(hand, Seat.SOUTH, "order") is Reason.PARTNER_MUST_GO_ALONE
    assert reason(hand, Seat.SOUTH, "order alone") is Reason.ALONE_NOT_ALLOWED
