from referee.rules import (
    SEATS,
    Claim,
    Finding,
    Hands,
    Holding,
    Makers,
    Pack,
    Penalty,
    RuleSet,
    hand_of,
    makers_from_play,
    pack_cards,
    parse_card,
    parse_cards,
    parse_trump,
    penalty_of,
    renege_price,
    reneges,
)
from referee.rules.irregularities import Laid, Verdict

NORTH, EAST, SOUTH, WEST = SEATS
PACK = hand_of(pack_cards(Pack.E24))
STANDARD = RuleSet()


def trick(text: str) -> Laid:
    words = (play.split(":") for play in text.split())
    return tuple(("nesw".index(seat), parse_card(card)) for seat, card in words)


def found(trump: str, *tricks: str, south: str = "", spare: int = 0) -> list[str]:
    known = Holding(hand_of(parse_cards(south)), spare)
    holdings = (Holding(), Holding(), known, Holding())
    laid = [trick(text) for text in tricks]
    return [
        f"{finding.seat.word} {finding.trick}"
        for finding in reneges(PACK, parse_trump(trump), laid, holdings)
    ]


def verdict(trump: str, *tricks: str, holding: Holding, number: int = 0) -> Verdict:
    holdings = (Holding(), Holding(), holding, Holding())
    laid = [trick(text) for text in tricks]
    return Hands(PACK, parse_trump(trump), laid, holdings).verdict(number, SOUTH)


def test_a_left_bower_played_to_its_printed_suit_is_a_renege_where_that_suit_is_held() -> None:
    assert found("S", "e:AC s:JC", south="JC 9C AD KH QH") == ["south 1"]


def test_the_same_card_without_that_suit_in_hand_is_a_lawful_ruff() -> None:
    assert found("S", "e:AC s:JC", south="JC AD KH QH 9D") == []


def test_the_left_bower_is_no_card_of_its_printed_suit() -> None:
    assert found("S", "e:AC s:9H", south="JC 9H AD KH QH") == []


def test_a_led_left_bower_asks_for_trump() -> None:
    assert found("H", "e:JD s:AD", south="AD 9H KC TC 9S") == ["south 1"]
    assert found("H", "e:JD s:AD", south="AD KC TC 9S QS") == []


def test_a_void_shown_and_then_broken_proves_a_renege_from_the_play_alone() -> None:
    assert found("S", "e:AC s:JC w:QC n:TC", "s:9C w:AH n:KH e:QH") == ["south 1"]


def test_a_void_that_is_never_broken_proves_nothing() -> None:
    assert found("S", "e:AC s:JC w:QC n:TC", "s:9D w:AH n:KH e:QH") == []


def test_the_lead_of_a_suit_never_reneges() -> None:
    assert found("S", "s:9C w:AC n:TC e:QC", south="9C AD KH QH 9D") == []


def test_every_renege_of_a_seat_is_found() -> None:
    tricks = ("e:AC s:AD w:QC n:TC", "e:KC s:KD w:JD n:AH", "e:9D s:9C w:TD n:TH")
    assert found("S", *tricks) == ["south 1", "south 2"]


def test_a_card_that_may_have_been_buried_proves_nothing() -> None:
    assert found("S", "e:AC s:JC", south="JC 9C AD KH QH 9D", spare=1) == []
    assert found("S", "e:AC s:JC", south="JC 9C KC KH QH 9D", spare=1) == ["south 1"]


def test_a_hand_that_is_not_known_leaves_the_question_open() -> None:
    assert verdict("S", "e:AC s:JC", holding=Holding()) is Verdict.OPEN


def test_one_card_of_six_that_is_left_at_the_end_was_the_buried_one() -> None:
    tricks = [f"e:{lead} s:{card}" for lead, card in zip(
        ("AC", "KC", "QC", "AD", "KD"), ("JH", "AH", "KH", "QH", "TH"), strict=True)]  # fmt: skip
    known = Holding(hand_of(parse_cards("JH AH KH QH TH 9C")), spare=1)
    assert verdict("H", *tricks, holding=known) is Verdict.VOID


def test_a_seat_is_void_where_every_card_of_the_suit_is_elsewhere() -> None:
    clubs = hand_of(parse_cards("9C TC QC KC"))
    assert verdict("S", "e:AC s:9D", holding=Holding(elsewhere=clubs)) is Verdict.VOID


def test_a_seat_reneged_where_too_few_other_cards_are_left_for_it() -> None:
    others = [c for c in pack_cards(Pack.E24) if c not in parse_cards("9C TC QC 9D 9H")]
    holding = Holding(elsewhere=hand_of(others) & ~hand_of(parse_cards("AC JD")))
    assert verdict("S", "e:AC s:JD", holding=holding) is Verdict.RENEGED


def test_a_claimed_renege_costs_two_points() -> None:
    finding = Finding(1, SOUTH, parse_card("JC"))
    claim = Claim(EAST, SOUTH, 1)
    assert penalty_of(STANDARD, [finding], [claim], Makers()) == Penalty(SOUTH.side, 2)


def test_a_renege_that_nobody_claims_costs_nothing() -> None:
    assert penalty_of(STANDARD, [Finding(1, SOUTH, 0)], [], Makers()) == Penalty()


def test_a_claim_must_name_the_trick() -> None:
    assert (
        penalty_of(STANDARD, [Finding(1, SOUTH, 0)], [Claim(EAST, SOUTH, 2)], Makers()).points == 0
    )


def test_equal_reneges_by_both_sides_cancel() -> None:
    findings = [Finding(1, SOUTH, 0), Finding(2, EAST, 1)]
    claims = [Claim(EAST, SOUTH, 1), Claim(SOUTH, EAST, 2)]
    assert penalty_of(STANDARD, findings, claims, Makers()) == Penalty()


def test_the_side_with_more_claimed_reneges_pays_once() -> None:
    findings = [Finding(1, SOUTH, 0), Finding(2, EAST, 1), Finding(3, WEST, 2)]
    claims = [Claim(EAST, SOUTH, 1), Claim(SOUTH, EAST, 2), Claim(SOUTH, WEST, 3)]
    assert penalty_of(STANDARD, findings, claims, Makers()) == Penalty(EAST.side, 2)


def test_a_renege_claimed_by_both_defenders_counts_once() -> None:
    findings = [Finding(1, SOUTH, 0), Finding(2, EAST, 1)]
    claims = [Claim(EAST, SOUTH, 1), Claim(WEST, SOUTH, 1), Claim(SOUTH, EAST, 2)]
    assert penalty_of(STANDARD, findings, claims, Makers()) == Penalty()


def test_a_defender_who_reneges_against_a_lone_maker_costs_four() -> None:
    assert renege_price(STANDARD, Makers(EAST, 1 << EAST), 0) == 4


def test_the_partner_may_be_the_lone_hand_of_the_making_side() -> None:
    assert renege_price(STANDARD, Makers(EAST, 1 << WEST), 0) == 4


def test_a_renege_by_the_lone_side_costs_two() -> None:
    rules = RuleSet(renege_by_lone_side=3)
    assert renege_price(rules, Makers(EAST, 1 << EAST), 1) == 3


def test_a_lone_defender_changes_nothing() -> None:
    rules = RuleSet(renege_points=1)
    assert renege_price(rules, Makers(EAST, 1 << NORTH), 0) == 1
    assert renege_price(rules, Makers(EAST, 1 << NORTH), 1) == 1


def test_a_false_claim_is_paid_by_the_side_that_made_it() -> None:
    rules = RuleSet(renege_false_claim=1)
    assert penalty_of(rules, [], [Claim(EAST, SOUTH, 1)], Makers()) == Penalty(EAST.side, 1)


def test_a_false_claim_costs_nothing_where_another_was_right() -> None:
    rules = RuleSet(renege_false_claim=1)
    claims = [Claim(EAST, SOUTH, 1), Claim(EAST, SOUTH, 3)]
    penalty = penalty_of(rules, [Finding(1, SOUTH, 0)], claims, Makers())
    assert penalty == Penalty(SOUTH.side, 2)


def test_a_false_claim_costs_nothing_in_standard() -> None:
    assert penalty_of(STANDARD, [], [Claim(EAST, SOUTH, 1)], Makers()) == Penalty()


def test_a_seat_that_never_plays_leaves_its_partner_alone_and_the_maker() -> None:
    tricks = [trick("e:AC s:KC w:9C"), trick("e:AD s:KD w:9D")]
    assert makers_from_play(STANDARD, tricks) == Makers(SOUTH, 1 << SOUTH)


def test_an_unfinished_only_trick_shows_nobody_alone() -> None:
    assert makers_from_play(STANDARD, [trick("e:AC s:JC")]) == Makers()


def test_a_lone_seat_need_not_be_the_maker_where_a_defender_may_go_alone_first() -> None:
    rules = RuleSet.from_map({"alone_who": "any_player", "alone_when": "before_lead"})
    tricks = [trick("e:AC s:KC w:9C"), trick("e:AD s:KD w:9D")]
    assert makers_from_play(rules, tricks).maker == -1
