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
