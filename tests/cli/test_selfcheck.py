"""`euchre-referee selfcheck` over transcripts, as a user runs it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.sealing import DealClose, Event
from tests.sealing.support import STANDARD, Script, secret

RULES = {**STANDARD, "first_dealer": "agreed"}
DEALS = 130


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["selfcheck", *map(str, words)])


def transcript(path: Path, **options: object) -> Path:
    """A transcript of many deals, its decks as the seal makes them."""
    script = Script(rules=RULES, length=200, **options)  # type: ignore[arg-type]  # by name
    script.open_match()
    for deal in range(1, DEALS + 1):
        script.play(deal, deal % 4)
    path.write_bytes(script.text)
    return path


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    return transcript(tmp_path / "fair.jsonl")


def test_sealed_decks_are_not_suspect(fair: Path) -> None:
    result = run(fair)
    assert result.exit_code == 0
    assert f"{DEALS} decks of 1 matches" in result.output
    assert "█" in result.output
    assert "nothing suspect" in result.output


def test_the_json_names_every_test_with_its_p_value(fair: Path) -> None:
    said = json.loads(run(fair, "--json").output)
    assert (said["exit"], said["decks"], said["matches"]) == (0, DEALS, 1)
    judged = [test for test in said["tests"] if test["p"] is not None]
    assert len(judged) >= 6
    assert all(test["p"] <= test["corrected"] for test in judged)
    assert sum(row["count"] for row in said["residuals"]["E24"]) == 24 * 24


def test_a_file_given_twice_is_counted_once(fair: Path) -> None:
    result = run(fair, fair)
    assert f"{DEALS} decks of 1 matches, 1 given twice" in result.output
    assert result.exit_code == 0


def test_decks_that_are_no_shuffle_are_suspect(tmp_path: Path) -> None:
    def change(event: Event) -> Event:
        if isinstance(event, DealClose) and event.deck is not None:
            return replace(event, deck=" ".join(sorted(event.deck.split(" "))))
        return event

    result = run(transcript(tmp_path / "sorted.jsonl", change=change))
    assert result.exit_code == 3
    assert "suspect" in result.output
    assert "card by position" in result.output


def test_too_few_decks_are_said(tmp_path: Path) -> None:
    script = Script(rules=RULES)
    script.open_match()
    for deal in range(1, 6):
        script.play(deal, deal % 4)
    path = tmp_path / "few.jsonl"
    path.write_bytes(script.text)
    result = run(path)
    assert result.exit_code == 5
    assert "too few decks to say: 5, and 120 of one pack are needed" in result.output


@pytest.mark.parametrize("content", [b"rubbish\n", b"{}\n", bytes(99) + b"\n", b"[" * 9999 + b"\n"])
def test_a_file_that_is_no_transcript_is_named(fair: Path, content: bytes) -> None:
    wrong = fair.with_name("wrong")
    wrong.write_bytes(content)
    result = run(fair, wrong)
    assert result.exit_code == 6
    assert "wrong" in result.output
    assert result.output.count("\n") == 1


def test_matches_of_several_files_are_pooled(fair: Path) -> None:
    other = transcript(fair.with_name("other.jsonl"), match=secret("other")[:16])
    said = json.loads(run(fair, other, "--json").output)
    assert (said["decks"], said["matches"]) == (2 * DEALS, 2)
