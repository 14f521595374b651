"""Records of real play become drafts of cases."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.corpus import load
from referee.records import WRITERS, read_record
from referee.rules import PRESETS
from tests.journal.support import random_match

TEXT = """\
euchre record 1
rules standard target=5
deal 1 dealer west up TH
hand north JD AD 9H KC TC
hand east AH QD 9S AC QC
hand south KH TD JS TS 9C
hand west JH QH AS KS 9D
calls pass pass pass order
discard 9D
trick north: JD AH KH JH
"""
REST = "trick QH 9H QD TD\ntrick TH AD 9S JS\ntrick AS KC AC TS\ntrick KS TC QC 9C\n"


def imported(path: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["import", str(path), *more])


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("preset", ["standard", "ontario"])
@pytest.mark.parametrize("form", ["egn", "ptn", "text"])
def test_what_export_writes_becomes_cases_of_every_deal(
    form: str, preset: str, tmp_path: Path
) -> None:
    record = read_record(random_match(PRESETS[preset].to_map()).text)
    path = written(tmp_path, WRITERS[form](record).text)
    out = tmp_path / "cases" / "drafts.yaml"
    out.parent.mkdir()
    result = imported(path, "-o", str(out), "--ruleset", preset)
    assert result.exit_code == 0, result.output
    cases = load(out.parent).cases
    assert sum(case.op == "replay" for case in cases) == len(record.deals)
    assert {case.status for case in cases} == {"draft"}
    points = [case.then["points"] for case in cases if case.op == "replay"]
    assert points == [
        {"ns": deal.points[0], "ew": deal.points[1]} for deal in record.deals if deal.points
    ]
    assert CliRunner().invoke(main, ["lint", "--corpus", str(out.parent)]).exit_code == 0


def test_the_rules_of_a_text_are_those_of_the_case(tmp_path: Path) -> None:
    result = imported(written(tmp_path, TEXT + REST))
    assert result.exit_code == 0, result.output
    assert "with: {target: 5}" in result.output


def test_what_cannot_be_read_is_said_by_line_and_the_rest_is_used(tmp_path: Path) -> None:
    result = imported(written(tmp_path, TEXT + "trick QX 9H QD TD\nnonsense here\n" + REST))
    assert result.exit_code == 1
    assert "line 11: cannot be read: 'trick QX 9H QD TD' (not a card: 'QX'" in result.output
    assert "line 12: not read: 'nonsense here'" in result.output
    assert "when: {replay: []}" in result.output


def test_a_renege_in_a_record_becomes_a_case_of_its_refusal(tmp_path: Path) -> None:
    wrong = TEXT.replace("JD AH KH JH", "JD QD KH JH")
    result = imported(written(tmp_path, wrong + REST))
    assert result.exit_code == 0, result.output
    assert "refused: MUST_FOLLOW_SUIT" in result.output


def test_a_record_that_hides_a_hand_is_no_case(tmp_path: Path) -> None:
    hidden = "\n".join(line for line in TEXT.splitlines() if "hand east" not in line)
    result = imported(written(tmp_path, hidden))
    assert result.exit_code == 2
    assert "does not show the hand of east" in result.output


@pytest.mark.parametrize("text", ["", "{", '{"fileType": "other"}', "[Board 1]", "\x00", "[[[["])
def test_what_is_no_record_is_refused_in_words(text: str, tmp_path: Path) -> None:
    result = imported(written(tmp_path, text))
    assert result.exit_code == 2
    assert "Traceback" not in result.output
