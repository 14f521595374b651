"""Records as other programs write them."""

import json

from referee.records import JudgedDeal, Judgement, judge, read_record
from referee.rules import parse_cards

LONE_MARCH = """\
% rows have fixed columns; the sitter's is empty
[Event "Club night"]
[South "Sal"]
[Dealer "W"]
[Deal "W:K.AK.Q.T T9..T9.9 Q.9.AK.Q AJ...AKJ"]
[Upcard "HT"]
[Contract "♣ alone"]
[Auction "N"]
Pass Pass Pass Pass
Pass Pass ♣Alone -
[Play "E"]
DA CK DQ -
CQ CJ CT -
H9 SJ SK -
DK CA HA -
SQ SA HK -
"""


def judged(text: str) -> Judgement:
    return judge(read_record(text.encode()))


def only(text: str) -> JudgedDeal:
    (deal,) = judged(text).deals
    return deal


def egn(calling: dict[str, object], tricks: list[list[str]], **rules: object) -> str:
    phases = [{"type": "EUCHRE_BIDDING", **calling}, {"type": "TRICK_PLAY", "tricks": tricks}]
    state = {"dealer": 3, "upCard": "Th"}
    return json.dumps(
        {
            "fileType": "Euchre Game Notation",
            "version": "1.4",
            "metadata": {"players": [], "initialScore": [0, 0], "ruleset": rules},
            "deals": [{"dealNumber": 1, "initialState": state, "phases": phases}],
        }
    )


def test_tag_pairs_are_judged_column_by_column() -> None:
    judgement = judged(LONE_MARCH)
    deal = judgement.deals[0]
    assert judgement.exit == 0, judgement.lines()
    assert (deal.maker, deal.alone, deal.points) == (2, (2,), (4, 0))
    assert deal.tricks[1].plays == ((2, "JC"), (3, "TC"), (1, "QC"))


def test_a_hand_of_tag_pairs_lists_spades_hearts_diamonds_clubs() -> None:
    record = read_record(LONE_MARCH.encode())
    assert record.deals[0].hands[3] == parse_cards("KS AH KH QD TC")
    assert record.players == ("", "", "Sal", "")


def test_a_hand_of_tag_pairs_may_be_unknown() -> None:
    text = LONE_MARCH.replace("T9..T9.9", "-").replace("K.AK.Q.T", "-")
    judgement = judged(text)
    assert (judgement.exit, judgement.score) == (0, (4, 0))


def test_every_renege_is_found_in_tag_pairs() -> None:
    wrong = LONE_MARCH.replace("CQ CJ CT -", "CQ CJ HA -").replace("DK CA HA -", "DK CA CT -")
    assert [(item.rule, item.seat, item.trick) for item in only(wrong).irregularities] == [
        ("renege.definition", 3, 2),
        ("renege.definition", 3, 3),
    ]


def test_two_deals_of_tag_pairs_are_told_apart() -> None:
    second = LONE_MARCH.replace('[Dealer "W"]', '[Dealer "N"]').replace("W:", "N:")
    assert len(judged(LONE_MARCH + "\n" + second).deals) == 2


def test_what_is_wrong_in_tag_pairs_is_named_with_its_line() -> None:
    text = LONE_MARCH.replace("H9 SJ SK -", "H9 S1 SK -") + "[Colour]\n"
    deal = only(text)
    assert deal.problems[0].message.startswith("not a card: 'S1'")
    judgement = judged(text.replace('[Upcard "HT"]', '[Upcrad "HT"]'))
    messages = [problem.message for problem in judgement.deals[0].problems]
    assert "the tag 'Upcrad' is not known" in messages


LONE_TRICKS = [
    ["Ad", "Kc", "Qd"], ["Jc", "Tc", "Qc"], ["Js", "Ks", "9h"], ["Ac", "Ah", "Kd"],
    ["As", "Kh", "Qs"],
]  # fmt: skip
LONE_CALLS: dict[str, object] = {"calls": ["Pass"] * 6 + ["c"], "isAlone": True}


def test_a_lone_hand_of_egn_has_three_cards_a_trick() -> None:
    deal = only(egn(LONE_CALLS, LONE_TRICKS))
    assert (deal.maker, deal.alone, deal.points, deal.irregularities) == (2, (2,), (4, 0), ())


def test_a_lone_defender_of_egn_is_taken_from_its_own_field() -> None:
    calling = {**LONE_CALLS, "aloneDefender": 3}
    tricks = [["Jc", "Tc"], ["Kc", "Ac"], ["Ah", "As"], ["Kh", "Ks"], ["Js", "Qd"]]
    deal = only(egn(calling, tricks, defend_alone=True))
    assert (deal.alone, deal.tricks_won, deal.points) == ((2, 3), (1, 4), (0, 4))
    assert deal.irregularities == ()


def test_a_lone_defender_of_minus_one_is_nobody() -> None:
    deal = only(egn({**LONE_CALLS, "aloneDefender": -1}, LONE_TRICKS, defend_alone=True))
    assert (deal.alone, deal.problems) == ((2,), ())


def test_a_call_of_egn_that_is_unknown_leaves_the_play_unjudged() -> None:
    deal = only(egn({"calls": ["Pass", "x"]}, LONE_TRICKS))
    assert deal.trump is None
    assert deal.outcome == "unfinished"
    assert "what east called is not known" in deal.open
    assert deal.irregularities == ()


def test_no_trump_of_egn_has_no_bowers() -> None:
    calling: dict[str, object] = {"calls": ["Pass"] * 4 + ["n"], "isAlone": False}
    deal = only(egn(calling, [["Jc", "Js", "Ac", "9h"]], allow_no_trump=True))
    assert (deal.trump, deal.tricks[0].winner) == ("N", 2)
    assert deal.open == (
        "trick 1: east plays JS to JC; whether it could have followed is not known",
        "trick 1: west plays 9H to JC; whether it could have followed is not known",
    )


def test_a_card_that_the_dealer_took_can_be_played_by_nobody_else() -> None:
    calling: dict[str, object] = {"calls": ["Order"]}
    deal = only(egn(calling, [["Ad", "9d", "Th", "Kd"]]))
    assert [(item.rule, item.seat) for item in deal.irregularities] == [("play.card-held", 2)]


def test_the_partner_s_best_card_of_egn_is_given_before_the_play() -> None:
    exchange = {"sender": 0, "receiver": 2, "cards": ["9c"]}
    calling = {**LONE_CALLS, "cardExchanges": [exchange]}
    deal = only(egn(calling, LONE_TRICKS, partners_best=True))
    assert "north: give 9C" in deal.calls
    assert deal.points == (4, 0)


def test_an_exchange_that_does_not_say_what_was_laid_away_is_named() -> None:
    calling = {**LONE_CALLS, "cardExchanges": [{"receiver": 1, "cards": ["9c", "9d", "Tc"]}]}
    deal = only(egn(calling, LONE_TRICKS, go_under=True))
    assert "does not say which cards were laid away" in deal.problems[0].message


def first_egn(lead: int, kitty: list[str]) -> str:
    tricks = [
        ["Jd", "Ah", "Kh", "Jh"],
        ["Qh", "9h", "Qd", "Td"],
        ["Th", "Ad", "9s", "Js"],
        ["As", "Kc", "Ac", "Ts"],
        ["Ks", "Tc", "Qc", "9c"],
    ]
    calls = ["Pass", "Pass", "Pass", "Order"]
    value = json.loads(egn({"calls": calls, "discard": "9d"}, tricks))
    value["version"] = "1.0.0"
    value["deals"][0]["initialState"]["kitty"] = kitty
    value["deals"][0]["phases"][1]["initialLead"] = lead
    return json.dumps(value)


def test_the_first_versions_of_egn_say_who_leads_and_it_is_held_against_the_rules() -> None:
    assert judged(first_egn(0, ["Jc", "Qs", "Kd"])).exit == 0
    (problem,) = only(first_egn(1, ["Jc", "Qs", "Kd"])).problems
    assert problem.message == "east is said to lead first, and north is to lead"


def test_the_first_versions_of_egn_list_the_kitty_and_no_card_of_it_can_be_played() -> None:
    (item,) = only(first_egn(0, ["Jc", "Qs", "Kc"])).irregularities
    assert item.what == "north plays KC without holding it, which is in the kitty"


def test_the_first_lead_of_egn_tells_the_dealer_where_none_is_named() -> None:
    text = first_egn(0, []).replace('"dealer": 3, ', "")
    deal = only(text)
    assert (deal.dealer, deal.points) == (3, (0, 2))
    assert "west is taken, to the right of the first lead" in deal.problems[0].message


def test_a_version_of_egn_that_is_a_number_is_one_problem_and_is_read_as_that_version() -> None:
    text = first_egn(0, []).replace('"1.0.0"', "1.4")
    (problem,) = judged(text).problems
    assert problem.message == '1.4 is not a text (write "1.4")'


PICKED_UP = """\
[Dealer "W"] [Deal "W:AK.JQ.9. .9.JA.KT 9.A.Q.AQ JT.K.T.9"]
[Undealt "HT"] [Contract "♥"] [Declarer "W"]
[Auction "N"]
Pass Pass Pass ♥
[CardsAdded "W:HT"] [CardsRemoved "W:D9"]
[Play "N"]
DJ HA HK HJ
H9 DQ DT HQ
DA S9 SJ HT
CK CA ST SA
CT CQ C9 SK
"""


def test_tag_pairs_may_share_a_line_and_tell_the_upcard_by_the_card_added() -> None:
    judgement = judged(PICKED_UP)
    deal = only(PICKED_UP)
    assert judgement.exit == 0, judgement.lines()
    assert (deal.trump, deal.maker, deal.discard, deal.points) == (
        "H",
        3,
        parse_cards("9D")[0],
        (0, 2),
    )
