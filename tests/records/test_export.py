import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.records import (
    WRITERS,
    CannotExpressError,
    Record,
    RecordedDeal,
    judge,
    read_record,
)
from referee.rules import PRESETS, RuleSet
from tests.journal.support import random_match
from tests.records.support import BOTH_ALONE, F1, F2, F4, both_alone, judged, only
from tests.sealing.support import POLICY
from tests.table.driver import Driver
from tests.table.test_house_rules_verify import HOUSES

EGN = (
    *("standard", "quick", "throw-in", "defend-alone", "ontario"),
    *("bicycle", "tournament-ohio", "wec"),
)
_PLAYED: dict[str, bytes] = {}


def transcript(name: str) -> bytes:
    if name not in _PLAYED:
        _PLAYED[name] = random_match(PRESETS[name].to_map()).text
    return _PLAYED[name]


def cards(deal: RecordedDeal) -> tuple[object, ...]:
    """What was dealt, called and played, whatever order a format lists a hand in."""
    hands = [None if hand is None else frozenset(hand) for hand in deal.hands]
    tricks = [[laid.card for laid in trick] for trick in deal.tricks]
    return (deal.number, deal.dealer, deal.upcard, hands, deal.discard, tricks)


def back(name: str, record: Record) -> Record:
    return read_record(WRITERS[name](record).text.encode())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_transcript_is_judged_without_fault_and_scored_as_it_says(preset: str) -> None:
    record = read_record(transcript(preset))
    judgement = judge(record)
    assert judgement.exit == 0, judgement.lines()
    assert [deal.points for deal in judgement.deals] == [deal.points for deal in record.deals]
    assert not [question for deal in judgement.deals for question in deal.open]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ["ptn", "text", "json"])
def test_reading_back_gives_the_same_deals_and_the_same_judgement(name: str, preset: str) -> None:
    record = read_record(transcript(preset))
    again = back(name, record)
    first, second = judge(record), judge(again)
    assert second.exit == 0, second.lines()
    assert second.knobs == first.knobs
    assert second.score == first.score
    for deal, copy in zip(first.deals, second.deals, strict=True):
        assert (deal.maker, deal.alone, deal.tricks) == (copy.maker, copy.alone, copy.tricks)


@pytest.mark.parametrize("preset", EGN)
def test_egn_reads_back_as_the_same_deals(preset: str) -> None:
    record = read_record(transcript(preset))
    again = back("egn", record)
    assert [cards(deal) for deal in again.deals] == [cards(deal) for deal in record.deals]
    judgement = judge(again, rules=preset)
    assert judgement.exit == 0, judgement.lines()
    assert judgement.score == judge(record).score


@pytest.mark.parametrize("knobs", HOUSES, ids=lambda knobs: " ".join(knobs.values()))
def test_a_match_under_a_house_rule_is_judged_and_reads_back(knobs: dict[str, str]) -> None:
    rules = RuleSet.from_map({**knobs, "target": "20"}).to_map()
    for seed in range(2):
        record = read_record(Driver(Random(seed), rules=rules).play().text)  # noqa: S311 -- repeats
        first = judge(record)
        assert first.exit == 0, first.lines()
        assert [deal.points for deal in first.deals] == [deal.points for deal in record.deals]
        for name in ("ptn", "text", "json"):
            try:
                again = judge(back(name, record))
            except CannotExpressError:
                assert name == "ptn"
                continue
            assert again.exit == 0, (name, again.lines())
            assert (again.knobs, again.score) == (first.knobs, first.score)
            for deal, copy in zip(first.deals, again.deals, strict=True):
                assert (deal.maker, deal.alone, deal.tricks) == (
                    copy.maker,
                    copy.alone,
                    copy.tricks,
                )
        try:
            egn = judge(back("egn", record), knobs=rules, rules="standard")
        except CannotExpressError:
            continue
        assert not [item for deal in egn.deals for item in deal.irregularities], egn.lines()


def test_ptn_reads_back_as_the_same_cards() -> None:
    record = read_record(transcript("standard"))
    again = back("ptn", record)
    first = [(deal.dealer, deal.upcard, deal.discard) for deal in record.deals]
    assert [(deal.dealer, deal.upcard, deal.discard) for deal in again.deals] == first


@pytest.mark.parametrize("preset", ["winnipeg", "winnipeg-call", "winnipeg-call-24"])
def test_egn_refuses_a_game_that_it_has_no_calls_for(preset: str) -> None:
    with pytest.raises(CannotExpressError, match="EGN has no"):
        back("egn", read_record(transcript(preset)))


def test_egn_refuses_a_maker_s_partner_alone_and_names_the_deal() -> None:
    with pytest.raises(CannotExpressError, match=r"deal \d+: .* the maker's partner is alone"):
        back("egn", read_record(transcript("guide")))


def test_egn_says_which_knobs_it_leaves_out() -> None:
    notes = WRITERS["egn"](read_record(transcript("ontario"))).notes
    assert "order_needs_trump: left_counts is not written: EGN has no key for it" in notes


def test_egn_is_written_as_its_version_1_4_wants_it() -> None:
    value = json.loads(WRITERS["egn"](read_record(transcript("standard"))).text)
    assert (value["fileType"], value["version"]) == ("Euchre Game Notation", "1.4")
    assert set(value["metadata"]) == {"players", "initialScore", "ruleset"}
    deal = value["deals"][0]
    assert [phase["phaseNumber"] for phase in deal["phases"]] == [0, 1]
    assert set(deal) == {"dealNumber", "initialState", "phases"}


def test_the_command_writes_a_file_that_judge_reads(tmp_path: Path) -> None:
    match, egn = tmp_path / "match.jsonl", tmp_path / "match.egn"
    match.write_bytes(transcript("standard"))
    arguments = ["export", "--format", "egn", str(match), "-o", str(egn)]
    written = CliRunner().invoke(main, arguments)
    assert (written.exit_code, written.output) == (0, "")
    told = CliRunner().invoke(main, ["judge", str(egn), "--json"])
    assert told.exit_code == 0
    assert json.loads(told.output)["format"] == "egn"


def test_the_command_says_in_one_line_what_a_format_cannot_express(tmp_path: Path) -> None:
    match = tmp_path / "match.jsonl"
    match.write_bytes(transcript("winnipeg"))
    told = CliRunner().invoke(main, ["export", "--format", "egn", str(match)])
    assert told.exit_code == 1
    assert told.output.count("\n") == 1
    assert "EGN has no calls for trump_making: turned_suit" in told.output


def test_a_match_of_several_games_is_judged_game_by_game() -> None:
    two = replace(POLICY, games=2)
    record = read_record(Driver(Random(3), policy=two).play().text)  # noqa: S311 -- repeats
    assert record.games == 2
    for again in (record, back("text", record), back("json", record)):
        judgement = judge(again)
        assert judgement.exit == 0, judgement.lines()
        assert max(judgement.score) >= 10
    with pytest.raises(CannotExpressError, match="EGN holds one game, and the match is 2"):
        back("egn", record)


def exported(name: str, text: str) -> Record:
    return back(name, read_record(text.encode()))


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("calls", ["west alone", "west: alone", "east decline west alone"])
def test_a_lone_defender_who_answers_without_the_others_is_written_as_the_one(
    name: str, calls: str
) -> None:
    again = judge(exported(name, F4.replace("west alone", calls)))
    assert [(deal.alone, deal.points) for deal in again.deals] == [((2, 3), (0, 4))]
    assert again.exit == 0


@pytest.mark.parametrize("name", WRITERS)
def test_answers_that_were_left_out_are_taken_as_no(name: str) -> None:
    lone = F2.replace("deal 1", "rules defend-alone\ndeal 1")
    (deal,) = judge(exported(name, lone)).deals
    assert (deal.alone, deal.points) == ((2,), (4, 0))


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ("pass pass pass order", "south: pass pass pass order", "while it is the turn of north"),
        ("pass pass pass order", "pass pass pass order pass", "is said after the calls"),
        ("pass pass pass order", "pass pass pass order west alone", "is said after the calls"),
        ("pass pass pass order", "pass ? pass order", "what east called is not known"),
        ("pass pass pass order", "pass pass", "the calls are not whole"),
        ("discard 9D", "discard 9D\ntrump C", "other trump than is stated"),
        ("trick JD AH KH JH", "trick east:AH KH JH JD", "only play in turn can be exported"),
        ("trick JD AH KH JH", "trick JD AH KH", "only play in turn can be exported"),
        ("dealer west ", "dealer wset ", "is not known"),
    ],
)
@pytest.mark.parametrize("name", ["egn", "ptn"])
def test_what_would_read_back_as_another_deal_is_refused_with_its_place(
    name: str, was: str, now: str, message: str
) -> None:
    text = "".join(line + "\n" for line in F1.splitlines() if not line.startswith("hand"))
    with pytest.raises(CannotExpressError, match=r"deal 1: ") as refused:
        exported(name, text.replace(was, now))
    assert message in str(refused.value)


@pytest.mark.parametrize("name", ["egn", "ptn"])
def test_irregularities_and_claims_that_a_format_has_not_are_said_to_be_left_out(name: str) -> None:
    notes = WRITERS[name](read_record((F1 + "claim east south 1\n").encode())).notes
    assert any(note.startswith("deal 1: irregularities and claims") for note in notes)


@pytest.mark.parametrize("name", WRITERS)
def test_a_deal_of_which_no_hand_is_known_reads_back(name: str) -> None:
    text = "".join(line + "\n" for line in F1.splitlines() if not line.startswith("hand"))
    first, again = only(judged(text)), only(judge(exported(name, text)))
    assert (again.tricks, again.points, again.irregularities) == (first.tricks, first.points, ())


@pytest.mark.parametrize("tricks", BOTH_ALONE)
@pytest.mark.parametrize("name", WRITERS)
def test_a_lone_maker_against_a_lone_defender_reads_back_from_every_format(
    name: str, tricks: int
) -> None:
    record = read_record(both_alone(tricks).encode())
    first, again = judge(record), judge(back(name, record))
    assert again.exit == 0, again.lines()
    assert again.deals[0].tricks == first.deals[0].tricks
    assert (again.score, again.deals[0].alone) == (first.score, (2, 3))
