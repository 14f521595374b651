import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.errors import RefereeError
from referee.records import WRITERS, UnreadableRecordError, judge, read_record
from tests.records.support import F1, F2, F3, F4, F5, found, judged, only


def problems(text: str) -> list[str]:
    judgement = judge(read_record(text.encode()))
    inside = [problem for deal in judgement.deals for problem in deal.problems]
    return [f"{problem.at}: {problem.message}" for problem in (*judgement.problems, *inside)]


def egn(**changes: object) -> str:
    calling = {
        "type": "EUCHRE_BIDDING",
        "calls": ["Pass", "Pass", "Pass", "Order"],
        "isAlone": False,
        "discard": "9d",
    }
    tricks = [
        ["Jd", "Ah", "Kh", "Jh"],
        ["Qh", "9h", "Qd", "Td"],
        ["Th", "Ad", "9s", "Js"],
        ["As", "Kc", "Ac", "Ts"],
        ["Ks", "Tc", "Qc", "9c"],
    ]
    value: dict[str, object] = {
        "fileType": "Euchre Game Notation",
        "version": "1.4",
        "metadata": {"players": ["a", "b", "c", "d"], "initialScore": [0, 0]},
        "deals": [
            {
                "dealNumber": 1,
                "initialState": {"dealer": 3, "upCard": "Th"},
                "phases": [calling, {"type": "TRICK_PLAY", "tricks": tricks}],
            }
        ],
    }
    return json.dumps(value | changes)


def ruleset(**rules: object) -> str:
    metadata = {"players": [], "initialScore": [0, 0], "ruleset": rules}
    return egn(metadata=metadata)


def test_a_card_that_is_none_is_named_and_the_rest_is_judged() -> None:
    text = F1.replace("trick KS TC QC 9C", "trick KS TC 1C 9C")
    assert problems(text) == [
        "line 12: not a card of the pack: '1C' (write rank then suit, as JH or TD)"
    ]
    assert only(judged(text)).points == (0, 2)


def test_a_card_of_another_pack_is_named_and_does_not_count() -> None:
    assert found(F1.replace("KS TC QC 9C", "KS TC 8C 9C")) == ["pack.24 east 5"]


def test_a_trick_too_many_is_named_and_not_counted() -> None:
    text = F1 + "trick KS TC QC 9C\n"
    assert found(text) == ["trick.count 6"]
    assert only(judged(text)).points == (0, 2)


def test_a_card_played_twice_is_named() -> None:
    assert found(F1.replace("KS TC QC 9C", "AS TC QC 9C")) == ["play.card-held west 5"]


def test_a_card_of_another_hand_is_named_with_its_owner() -> None:
    deal = only(judged(F1.replace("KS TC QC 9C", "KS TC 9C QC")))
    assert [item.what for item in deal.irregularities] == [
        "east plays 9C without holding it, which is in the hand of south",
        "south plays QC without holding it, which is in the hand of east",
    ]


def test_a_card_that_was_buried_cannot_be_played() -> None:
    assert found(F1.replace("KS TC QC 9C", "9D TC QC 9C")) == ["play.card-held west 5"]


def test_a_card_in_two_hands_is_a_problem() -> None:
    text = F1.replace("hand east AH QD", "hand east JD QD")
    assert "deal 1: JD is in north and in east" in problems(text)


def test_a_hand_of_six_cards_is_a_wrong_count() -> None:
    assert "misdeal.wrong-count north" in found(F1.replace("9H KC TC\n", "9H KC TC JC\n", 1))


def test_a_seat_that_sits_out_plays_no_card() -> None:
    text = F2.replace("trick JC TC QC", "trick south:JC west:TC north:9C east:QC")
    assert found(text) == ["action.sitting-out north 2"]
    assert only(judged(text)).points == (4, 0)


def test_a_lead_of_the_wrong_seat_is_named_and_the_trick_stands() -> None:
    text = F1.replace("trick JD AH KH JH", "trick east:AH south:KH west:JH north:JD")
    assert found(text) == ["play.out-of-turn east 1"]
    assert only(judged(text)).points == (0, 2)


def test_a_trick_that_is_short_is_named() -> None:
    assert found(F1.replace("TH AD 9S JS", "TH AD 9S"))[0] == "trick.count 3"


def test_an_unfinished_deal_is_not_scored() -> None:
    judgement = judged(F1[: F1.index("trick KS")])
    assert (only(judgement).outcome, judgement.score) == ("unfinished", (0, 0))


def test_a_deal_after_the_end_of_the_game_is_named_and_not_counted() -> None:
    text = F5 + F1.replace("deal 1 dealer west", "deal 2 dealer north")
    judgement = judged(text)
    assert judgement.score == (10, 9)
    assert judgement.deals[-1].irregularities[0].rule == "game.over"


def test_a_stated_score_that_is_wrong_is_a_problem() -> None:
    assert problems(F1 + "points 0-1") == ["deal 1: the deal pays 0-2, and 0-1 is stated"]
    assert problems("final 0-1\n" + F1) == [
        "final score: the final score is 0-2, and 0-1 is stated"
    ]


def test_an_unlawful_call_is_named_and_stands() -> None:
    deal = only(judged(F3.replace("order alone", "order")))
    assert [item.rule for item in deal.irregularities][:1] == ["round-one.dealer-partner-alone"]
    assert deal.maker == 1


def test_a_call_without_a_trump_is_named_where_the_play_shows_the_hand() -> None:
    text = """\
rules ontario
deal 1 dealer west up 9H
calls order
discard 9D
trick AS KS TS 9H
"""
    assert only(judged(text)).open[0].startswith("north says 'order': the hand is not known")
    whole = text.replace("calls", "hand north AS KC QC TC AD\ncalls")
    assert found(whole) == ["round-one.void-order north"]


def test_a_defender_who_goes_alone_under_standard_is_named_and_judged_as_played() -> None:
    assert found(F4.replace("rules defend-alone\n", "")) == ["defend.alone west"]


def test_what_was_said_after_the_calls_is_named() -> None:
    assert found(F1.replace("pass pass pass order", "pass pass pass order pass")) == [
        "action.phase north"
    ]


def test_a_suit_named_in_round_one_is_named_and_taken_as_the_table_played_it() -> None:
    deal = only(judged(F5.replace("pass pass pass pass pass pass pass name S", "name S")))
    assert deal.irregularities[0].rule == "action.phase"
    assert (deal.trump, deal.maker) == ("S", 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("trik JD AH", "no such line: 'trik'"),
        ("hand nort JD", "no such seat: 'nort'"),
        ("calls pass, shout", "not a call: 'shout'"),
        ("claim east south", "not a claim: 'east south'"),
        ("trump X", "no such trump: 'X'"),
        ("wrong_count at=later", "'later' is not a time of wrong_count"),
        ("exposed_card by=east", "exposed_card needs card and trick"),
        ("points 1", "not a score: '1'"),
        ("rules standard quick", "not a knob: 'quick'"),
        ("deal dealer", "not a deal: 'dealer'"),
    ],
)
def test_a_line_that_is_wrong_is_named_with_its_number(line: str, message: str) -> None:
    (problem, *_) = [found for found in problems(F1 + line) if message in found]
    assert problem.startswith("line 13: ")


def test_a_line_before_any_deal_is_named() -> None:
    assert problems("hand north JD\n" + F1)[0].startswith("line 1: 'hand' stands before any deal")


def test_an_unknown_rule_set_is_named_and_standard_is_taken() -> None:
    judgement = judged("rules standrad\n" + F1)
    assert judgement.rules == "standard"
    assert "did you mean 'standard'?" in judgement.problems[0].message


def test_an_unknown_version_is_named_and_the_rest_is_judged() -> None:
    judgement = judge(read_record(egn(version="2.0").encode()))
    assert "unknown version '2.0' (the versions known are 1.0 1.1" in judgement.problems[0].message
    assert judgement.deals[0].points == (0, 2)
    ours = json.dumps({"format": "euchre-record/9", "deals": [{"dealer": "west"}]})
    assert "unknown version '9'" in problems(ours)[0]


@pytest.mark.parametrize("version", ["1.0.0", "1.1", "1.2", "1.2.4", "1.3", "1.4", "1.5", "1.6"])
def test_every_known_version_of_egn_is_judged(version: str) -> None:
    judgement = judge(read_record(egn(version=version).encode()))
    assert (judgement.exit, judgement.score) == (0, (0, 2))


def test_the_first_versions_of_egn_write_suits_as_symbols_and_names_with_underscores() -> None:
    text = egn(version="1.0.0").replace("dealNumber", "deal_number").replace('"Th"', '"10♥"')
    text = text.replace("initialState", "initial_state").replace("upCard", "up_card")
    judgement = judge(read_record(text.replace('"Jh"', '"J♥"').encode()))
    assert (judgement.exit, judgement.score) == (0, (0, 2))


def test_bowers_and_the_joker_of_egn_are_read_by_trump() -> None:
    text = egn().replace('"Jd"', '"L"').replace('"Jh"', '"R"')
    record = read_record(text.encode())
    assert [laid.card for laid in record.deals[0].tricks[0]] == [8, 17, 16, 14]


def test_an_unknown_card_of_egn_is_open_where_it_matters_only() -> None:
    judgement = judge(read_record(egn().replace('"9c"', '"X"').encode()))
    assert (judgement.exit, judgement.score) == (0, (0, 2))
    judgement = judge(read_record(egn().replace('"Jh"', '"X"', 1).encode()))
    assert judgement.deals[0].tricks[0].winner is None
    assert judgement.deals[0].open[0] == "trick 1: who won it is not known"


@pytest.mark.parametrize(
    ("rules", "knob", "value"),
    [
        ({"std": False}, "all_pass", "throw_in"),
        ({"winning_score": 5}, "target", "5"),
        ({"num_deals": 8}, "deals", "8"),
        ({"canadian": True}, "partner_order", "must_be_alone"),
        ({"loner_lead": "LEFT_OF_LONER"}, "loner_lead", "loners_left"),
        ({"loner_march_score": 5}, "points_lone_march", "5"),
        ({"loner_euchred_score": 4}, "points_lone_euchred", "4"),
        ({"defend_alone": True}, "defend_alone", "vs_loner"),
    ],
)
def test_every_key_of_an_egn_rule_set_that_we_have_is_mapped(
    rules: dict[str, object], knob: str, value: str
) -> None:
    judgement = judge(read_record(ruleset(**rules).encode()))
    assert judgement.knobs[knob] == value
    assert judgement.notes == ()


@pytest.mark.parametrize("key", ["farmers", "fast_break", "four_trick_tokens"])
def test_a_key_of_an_egn_rule_set_that_we_do_not_have_is_said_to_be_unmapped(key: str) -> None:
    (note,) = judge(read_record(ruleset(**{key: True}).encode())).notes
    assert note.startswith(f"ruleset.{key} is not mapped: ")


def test_an_egn_deal_that_is_packed_is_named_and_not_read() -> None:
    assert "a deal packed into a string cannot be read" in problems(egn(deals=["AAEC"]))[0]


def test_an_egn_of_the_wrong_shape_is_named_field_by_field() -> None:
    told = problems(egn(deals=[{"dealNumber": "x", "initialState": {"dealer": 7}, "phases": 3}]))
    assert any("'x' is not a whole number" in problem for problem in told)
    assert any("7 is not one of the four seats" in problem for problem in told)
    assert any("3 is not a list" in problem for problem in told)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the record is empty"),
        (b" \n", "the record is empty"),
        (b"hello", "not a record"),
        (b"\xff\xfe", "not text"),
        (b"{", "not JSON"),
        (b'{"a": 1, "a": 2}', "the key 'a' is there twice"),
        (b"{}", "names no format"),
        (b'{"format": "other/1"}', "names no format"),
        (b"[1, 2]", "not a record"),
        (b'{"event":{"kind":1},"sig":""}', "not a transcript"),
        (b"[" * 100_000, "not a record"),
        (b'{"a":' * 100_000, "not JSON|nested too deeply"),
    ],
)
def test_bytes_that_are_no_record_are_unreadable(content: bytes, message: str) -> None:
    with pytest.raises(UnreadableRecordError, match=message):
        read_record(content)


def run(path: Path, content: str, *options: str) -> Result:
    path.write_text(content, encoding="utf-8")
    return CliRunner().invoke(main, ["judge", str(path), *options])


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        (F1, (), 0),
        (F1.replace("JD AH KH JH", "JD QC KH JH"), (), 1),
        (F1 + "trik", (), 1),
        ("hello", (), 6),
        (F1, ("--rules", "standrad"), 2),
        (F1, ("--knob", "target=0"), 2),
        (F1, ("--table-rule", "laydown=maybe"), 2),
        (F1, ("--table-rule", "laydown"), 2),
        (F1, ("--knob", "target=5", "--knob", "target=7"), 2),
        (F1, ("--claim", "east south"), 2),
        (F1, ("--claim", "east souht 3"), 2),
    ],
)
def test_the_exit_code_says_what_was_found(
    tmp_path: Path, content: str, options: tuple[str, ...], code: int
) -> None:
    result = run(tmp_path / "record.txt", content, *options)
    assert result.exit_code == code, result.output
    if code in {2, 6}:
        assert result.output.count("\n") == 1


def test_a_claim_on_the_command_line_turns_the_finding_into_a_penalty(tmp_path: Path) -> None:
    text = F1.replace("JD AH KH JH", "JD QC KH JH").replace("KS TC QC 9C", "KS TC AH 9C")
    result = run(tmp_path / "record.txt", text, "--claim", "north east 1", "--json")
    (deal,) = json.loads(result.output)["deals"]
    assert deal["penalties"] == [{"side": "ew", "points": 2}]
    assert deal["score"] == {"ns": 2, "ew": 0}


def test_rules_and_table_rules_on_the_command_line_take_the_record_s_place(tmp_path: Path) -> None:
    options = ("--rules", "quick", "--knob", "points_march=3", "--table-rule", "laydown=provable")
    answer = json.loads(run(tmp_path / "record.txt", F1, *options, "--json").output)
    assert (answer["knobs"]["target"], answer["score"]["ew"]) == ("5", 3)
    assert answer["table_rules"]["laydown"] == "provable"


_WORDS = (
    *("JD", "9H", "8C", "X", "north", "east", "pass", "order", "alone", "name", "H", "1", "99"),
    *("null", "[]", "laydown", "by=south"),
)


def test_no_damage_to_a_record_makes_the_judge_fall() -> None:
    choose = Random(11)  # noqa: S311 -- a test repeats itself
    record = read_record((F4 + F2.replace("deal 1 dealer west", "deal 2 dealer north")).encode())
    texts = [F1, F2, F3, F4, F5, egn()]
    texts += [WRITERS[name](read_record(F1.encode())).text for name in WRITERS]
    texts += [WRITERS["json"](record).text]
    judged_at_all = 0
    for text in texts * 20:
        pieces = text.split(" ")
        for _ in range(choose.randrange(1, 4)):
            pieces[choose.randrange(len(pieces))] = choose.choice(_WORDS)
        try:
            judgement = judge(read_record(" ".join(pieces).encode()))
        except RefereeError:
            continue
        judged_at_all += 1
        assert judgement.lines()
        assert json.dumps(judgement.as_map())
    assert judged_at_all > len(texts)


@pytest.mark.parametrize("number", ["²", "٣", "9" * 5000, "-1", "1e3"])
@pytest.mark.parametrize(
    "line",
    [
        "claim east south {}",
        "wrong_count by=east number={}",
        "exposed_card by=south card=TD trick={}",
        "games {}",
        "score {}-0",
        "deal {} dealer north",
    ],
)
def test_digits_that_are_no_plain_number_are_named_with_their_line(line: str, number: str) -> None:
    assert any(said.startswith("line 13: ") for said in problems(F1 + line.format(number)))


@pytest.mark.parametrize("trick", ["²", "9" * 5000])
def test_a_claim_on_the_command_line_with_odd_digits_is_a_usage_error(
    tmp_path: Path, trick: str
) -> None:
    result = run(tmp_path / "record.txt", F1, "--claim", f"east south {trick}")
    assert result.exit_code == 2
    assert "not a claim" in result.output
