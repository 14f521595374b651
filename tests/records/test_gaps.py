"""Records with a hole in them: what is named, what is still judged, and what stays open."""

import pytest

from referee.records import JudgedDeal
from referee.rules import parse_card
from tests.records.support import CALLED, F1, F2, F3, HANDS, judged, only

TH = parse_card("TH")
NAMELESS = F1.replace(" up TH", "")
NO_CALLS = F1.replace(CALLED, "")
NO_HANDS = F1.replace(HANDS, "")


def told(deal: JudgedDeal) -> list[str]:
    return [item.what for item in deal.irregularities]


def without(text: str, *starts: str) -> str:
    return "".join(f"{line}\n" for line in text.splitlines() if not line.startswith(starts))


def test_an_upcard_that_is_not_written_down_is_proved_by_the_sixth_card_of_the_dealer() -> None:
    deal = only(judged(NAMELESS))
    assert (deal.upcard, deal.trump, deal.points, told(deal)) == (TH, "H", (0, 2), [])
    assert deal.open == (
        "the upcard is not written down: west took TH, and was not dealt it",
        "trump is not written down: west took TH",
    )


@pytest.mark.parametrize("text", [without(NAMELESS, "hand"), without(NAMELESS, "hand west")])
def test_an_upcard_that_nothing_proves_leaves_trump_open_and_nobody_accused(text: str) -> None:
    deal = only(judged(text))
    assert told(deal) == []
    assert deal.upcard is None


def test_trump_is_unknown_where_neither_upcard_nor_hands_are_written_down() -> None:
    deal = only(judged(without(NAMELESS, "hand")))
    assert (deal.trump, deal.outcome) == (None, "unfinished")
    assert deal.open[0] == "the upcard is not known, and with it trump"


def test_an_unknown_upcard_accuses_nobody_of_naming_the_suit_that_was_turned_down() -> None:
    for suit in "CDHS":
        text = F2.replace(" up TH", "").replace("name C alone", f"name {suit} alone")
        rules = [item.rule for item in only(judged(text)).irregularities]
        assert "round-two.not-turned-suit" not in rules


def test_an_unknown_upcard_accuses_nobody_of_ordering_without_a_trump() -> None:
    text = F3.replace(" up TH", "").replace("pass order alone", "order")
    rules = [item.rule for item in only(judged(text)).irregularities]
    assert "round-one.void-order" not in rules


def test_an_upcard_that_is_no_card_is_as_good_as_unknown() -> None:
    deal = only(judged(F1.replace("up TH", "up ZZ")))
    assert (deal.trump, told(deal)) == ("H", [])
    assert "not a card of the pack: 'ZZ'" in deal.problems[0].message


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("trick JD AH KH JH", "trick ZZ AH KH JH"),
        ("trick JD AH KH JH", "trick X AH KH JH"),
        ("trick JD AH KH JH", "trick JD AH KH"),
        ("trick JD AH KH JH", "trick JD AH JH"),
        ("trick QH 9H QD TD", "trick QH QD TD"),
        ("trick QH 9H QD TD", "trick 9H QD TD"),
        ("pass pass pass order", "pass pas pass order"),
        ("pass pass pass order", "pass name Z pass order"),
        ("pass pass pass order", "pass ? pass order"),
        ("deal 1 dealer west up TH", "deal 1 up TH"),
        ("deal 1 dealer west up TH", "deal 1 dealer wset up TH"),
        ("deal 1 dealer west up TH", "deal one west up TH"),
        ("trick JD", "trick east: JD"),
        ("hand east AH QD 9S AC QC", "hand east AH QD 9S AC JD"),
        ("hand south KH TD", "hand south TH TD"),
    ],
)
def test_a_gap_costs_no_more_than_itself(was: str, now: str) -> None:
    deal = only(judged(F1.replace(was, now)))
    assert {item.rule for item in deal.irregularities} <= {"trick.count"}
    assert all(None not in {seat for seat, _ in trick.plays} for trick in deal.tricks)
    assert (deal.dealer, deal.trump, deal.maker, deal.points) == (3, "H", 3, (0, 2))


def test_a_card_of_another_pack_accuses_nobody_of_the_renege_that_it_may_hide() -> None:
    deal = only(judged(F1.replace("trick JD AH KH JH", "trick 7D AH KH JH")))
    assert told(deal) == ["north plays 7D, which is not in the pack E24"]
    assert deal.points == (0, 2)


def test_calls_that_are_missing_leave_the_maker_open_while_the_play_tells_trump() -> None:
    deal = only(judged(NO_CALLS))
    assert (deal.trump, deal.maker, told(deal)) == ("H", None, [])
    assert deal.tricks_won == (0, 5)
    assert (deal.outcome, deal.word) == (
        "unfinished",
        "not scored, since nobody knows who made trump",
    )


def test_trump_that_nobody_wrote_down_is_the_one_suit_that_agrees_with_who_leads() -> None:
    text = without(NO_CALLS, "hand").replace("trick ", "trick west: ")
    deal = only(judged(text.replace("trick west: JD", "trick north: JD")))
    assert (deal.trump, told(deal)) == ("H", [])
    assert "trump is not written down: only H agrees with who leads" in deal.open


def test_calls_play_and_hands_that_are_missing_leave_all_of_it_open() -> None:
    deal = only(judged(without(NO_CALLS, "hand")))
    assert (deal.trump, told(deal)) == (None, [])
    assert "what made trump is not known" in deal.open


@pytest.mark.parametrize("stated", ["trump H\nmaker west\n", "trump H\n"])
def test_trump_of_the_turned_suit_proves_that_the_upcard_was_taken(stated: str) -> None:
    deal = only(judged(NO_CALLS + stated))
    assert (deal.trump, told(deal), deal.tricks_won) == ("H", [], (0, 5))


def test_the_turned_suit_named_in_round_one_is_taken_as_an_order() -> None:
    deal = only(judged(F1.replace("pass pass pass order", "pass pass pass name H")))
    assert [item.rule for item in deal.irregularities] == ["action.phase"]
    assert deal.points == (0, 2)


def test_a_discard_that_is_not_held_accuses_no_other_card() -> None:
    deal = only(judged(F1.replace("discard 9D", "discard 9C")))
    assert told(deal) == ["west buries 9C: west does not hold 9C"]
    assert deal.points == (0, 2)


def test_a_dealer_that_nothing_tells_is_said_to_be_unknown() -> None:
    deal = only(judged(without(F1, "hand").replace("dealer west ", "")))
    assert (deal.dealer, told(deal)) == (None, [])
    assert deal.open[0].startswith("who dealt is not known")
    assert "who dealt is not known (name it)" in deal.problems[-1].message


def test_a_dealer_is_not_taken_from_a_first_lead_where_somebody_may_sit_out() -> None:
    assert only(judged(F2.replace("dealer west ", ""))).dealer is None


def test_a_spoilt_deal_line_keeps_its_upcard_and_its_number() -> None:
    deal = only(judged(F1.replace("deal 1 dealer west up TH", "deal 7 dealt-by west up TH")))
    assert (deal.number, deal.upcard, deal.dealer) == (7, TH, 3)


def test_two_deals_with_one_number_are_noticed() -> None:
    deals = judged(F1 + F1.replace("dealer west", "dealer north")).deals
    assert [p.message for p in deals[1].problems] == [
        "two deals have the number 1 (write each deal once): both are counted"
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("exposed_card by=south card=AH trick=1", "AH is in the hand of east, not of south"),
        ("exposed_card by=south card=TD trick=9", "there is no trick 9"),
        ("exposed_card by=south card=TD trick=0", "there is no trick 0"),
        ("exposed_card by=south card=KH trick=3", "KH was played to trick 1, before trick 3"),
        ("lead_out_of_turn by=east card=JD trick=1", "JD is in the hand of north, not of east"),
        ("correction by=south card=QC trick=1", "QC is in the hand of east, not of south"),
        ("laydown by=west trick=7 number=4", "there is no trick 7"),
    ],
)
def test_what_cannot_have_happened_is_named_and_not_judged(line: str, message: str) -> None:
    deal = only(judged(F1 + line))
    assert (told(deal), deal.points) == ([], (0, 2))
    assert message in deal.problems[0].message


def test_a_discard_is_told_and_proved_by_the_play_where_it_is_not_written_down() -> None:
    for text in (F1, without(F1, "discard")):
        judgement = judged(text)
        assert only(judgement).discard == parse_card("9D")
        assert "  west buries 9D" in judgement.lines()
    assert only(judged(without(F1, "discard", "hand west"))).discard is None
