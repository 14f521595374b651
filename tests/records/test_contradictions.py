"""Records that contradict themselves: each contradiction is named, and the rest is judged."""

import json

import pytest

from referee.records import UnreadableRecordError, judge, read_record
from referee.records.plain import MAX_LINES
from tests.records.support import CALLED, F1, HANDS, PLAY, found, judged, only

LONE_PLAY = """\
trick JD KH JH
trick QH 9H TD
trick TH AD JS
trick AS KC TS
trick KS TC 9C
"""
DEALT = "deal 1 dealer west up TH\n" + HANDS
LONE = DEALT + CALLED + LONE_PLAY


def problems(text: str) -> list[str]:
    judgement = judged(text)
    every = [*judgement.problems, *(item for deal in judgement.deals for item in deal.problems)]
    return [f"{item.at}: {item.message}" for item in every]


@pytest.mark.parametrize(
    ("said", "rule"),
    [("west alone", "alone.when west"), ("east alone", "alone.who east"),
     ("south alone", "defend.alone south")],
)  # fmt: skip
def test_alone_said_after_the_calls_breaks_the_rule_of_the_seat_that_said_it(
    said: str, rule: str
) -> None:
    assert found(DEALT + CALLED.replace("order", f"order, {said}")) == [rule]


def test_a_loner_whom_the_calls_do_not_make_one_is_named_and_scored_as_played() -> None:
    assert found(LONE + "alone west\n") == ["alone.when west"]
    assert only(judged(LONE + "alone west\n")).word == "lone march"


def test_a_loner_who_may_still_say_so_before_the_lead_is_lawful() -> None:
    judgement = judged("rules guide\n" + LONE + "alone west\n")
    assert judgement.exit == 0, judgement.lines()
    assert only(judgement).points == (0, 4)


def test_a_call_that_was_not_heard_leaves_open_whether_it_said_alone() -> None:
    assert found(LONE.replace("pass pass pass order", "? pass pass order") + "alone west\n") == []


@pytest.mark.parametrize(
    ("rules", "calls"),
    [("defend-alone", CALLED), ("standard", "trump H\nmaker west\n")],
)
def test_a_stated_lone_defender_is_held_against_the_rules(rules: str, calls: str) -> None:
    assert found(f"rules {rules}\n{DEALT}{calls}alone north\n") == ["defend.alone north"]


def test_a_stated_lone_maker_is_lawful_where_no_calls_are_written_down() -> None:
    assert found(f"{DEALT}trump H\nmaker west\nalone west\ndiscard 9D\n{LONE_PLAY}") == []


def test_partners_who_are_both_stated_to_be_alone_are_named() -> None:
    text = f"rules winnipeg\n{DEALT}alone east\nalone west\n"
    assert problems(text) == [
        "deal 1: east and west are partners, and only one can be alone (alone.partner-out)"
    ]


def test_a_stated_maker_who_is_not_the_caller_is_named() -> None:
    assert problems(F1 + "maker north\n") == [
        (
            "deal 1: the maker that is stated is not the one that the calls make:"
            " north, and the calls make west"
        )
    ]


def test_a_discard_where_no_upcard_was_taken_is_named() -> None:
    text = DEALT + "calls pass pass pass pass name C\ndiscard 9D\n"
    assert problems(text) == [
        (
            "deal 1: 9D is written down as discarded, and no upcard was taken"
            " (discard.dealer-takes-upcard)"
        )
    ]


@pytest.mark.parametrize(
    ("line", "what"),
    [("hand north JD AD 9H KC 9S", "hand north"), ("discard KS", "discard"), ("score 9-9", "score"),
     ("points 2-0", "points"), ("kitty KD QS JC", "kitty"), ("maker north", "maker"),
     ("trump S", "trump"), ("final 2-0", "final")],
)  # fmt: skip
def test_what_is_said_twice_is_named_and_the_first_counts(line: str, what: str) -> None:
    once = "final 0-2\nscore 0-0\n" + F1 + "points 0-2\nkitty QS KD JC\nmaker west\ntrump H\n"
    first = once.splitlines().index(next(row for row in once.splitlines() if row.startswith(what)))
    assert judged(once).exit == 0, judged(once).lines()
    assert problems(f"{once}{line}\n") == [
        (
            f"line {len(once.splitlines()) + 1}: '{what}' stands twice, first in line {first + 1}:"
            " not read"
        )
    ]


def test_rules_that_are_named_twice_are_named_and_the_first_count() -> None:
    text = "rules ontario target=5\nrules standard target=7 target=5\ntable laydown=provable\n"
    assert problems(f"{text}table laydown=all_agree\n{F1}") == [
        "line 2: 'target' was '5' before: that counts",
        "line 2: the rules were 'ontario' before: those count",
        "line 4: 'laydown' was 'provable' before: that counts",
    ]
    assert judged(text + F1).knobs["target"] == "5"


def test_a_hand_of_the_next_deal_is_not_said_twice() -> None:
    assert problems(F1 + F1.replace("deal 1 dealer west", "deal 2 dealer north")) == []


def test_a_score_between_two_deals_is_not_taken_for_the_one_before_the_first() -> None:
    assert problems(F1 + "score 0-2\n") == [
        (
            "line 13: 'score' stands after a deal: not read (it stands before the first deal; write"
            " points for what a deal paid)"
        )
    ]
    assert judged(F1 + "score 0-2\n").score == (0, 2)


SWAPPED = DEALT.replace("JD AD 9H KC TC", "9H TS 9D KC TC").replace("QD 9S", "QD AD")
SWAPPED = SWAPPED.replace("JS TS", "JS JD").replace("KS 9D", "KS KD")


def test_the_cards_of_a_swap_stand_in_any_order() -> None:
    text = f"rules standard going_under=swap_three\n{SWAPPED}calls swap TS 9H 9D\n"
    assert found(text) == []
    deal = {"dealer": "west", "upcard": "TH", "hands": {"north": "9H TS 9D KC TC"}}
    rules = {"going_under": "swap_three"}
    record = {"format": "euchre-record/1", "rules": rules,
              "deals": [{**deal, "calls": ["north swap TS 9H 9D"]}]}  # fmt: skip
    (judged_deal,) = judge(read_record(json.dumps(record).encode())).deals
    assert judged_deal.irregularities == ()


PTN = """\
[Dealer "W"] [Deal "W:AK.JQ.9. .9.JA.KT 9.A.Q.AQ JT.K.T.9"]
[Undealt "HT"] [Contract "♥ alone"] [Declarer "W"]
[Auction "N"]
Pass Pass Pass ♥
[CardsAdded "W:HT"] [CardsRemoved "W:D9"]
[Play "N"]
DJ - HK HJ
"""


def test_a_contract_of_tag_pairs_may_say_alone_for_the_auction() -> None:
    deal = only(judged(PTN))
    assert (deal.irregularities, deal.calls[-1]) == ((), "west: order alone")


def test_a_deal_of_far_too_many_lines_is_cut_and_the_next_one_is_judged() -> None:
    text = DEALT + CALLED + PLAY + "trick JD\n" * MAX_LINES
    later = text + F1.replace("deal 1 dealer west", "deal 2 dealer north")
    assert problems(later) == [
        f"line {MAX_LINES + 1}: a deal of more than {MAX_LINES} lines: the rest of it is not read"
    ]
    assert judged(later).deals[-1].tricks[-1].number == len(PLAY.splitlines())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"deal 1 dealer north\nhand \xe9", "byte 25, in line 2, is not UTF-8 .save the record"),
        (b'{"format":\n"\xe9"}', "byte 12, in line 2, is not UTF-8 .save the record as UTF-8"),
        (b'{"games": ' + b"9" * 5000 + b"}", r"not JSON: a number of 5000 digits \(give a record"),
    ],
)
def test_bytes_that_cannot_be_read_are_named_with_their_line(content: bytes, message: str) -> None:
    with pytest.raises(UnreadableRecordError, match=message):
        read_record(content)
