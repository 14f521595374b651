"""`euchre-referee tournament plan` says what an event takes, and which bot does not start."""

import json
from pathlib import Path

import pytest

from tests.arena.tournament.events import tournament, written

TWO = (("ann", "random"), ("bob", "sensible"))


def test_a_plan_says_what_is_to_be_played_and_makes_nothing(tmp_path: Path) -> None:
    written(tmp_path, TWO, more="boards: 16\n")
    code, said = tournament(tmp_path, "plan", "cup.yaml", "--json", "--workers", "2")
    assert code == 0, said
    plan = json.loads(said.splitlines()[-1])
    assert (plan["rounds"], plan["boards"], plan["deals"], plan["workers"]) == (1, 16, 32, 2)
    assert plan["boards_needed"] == 144
    assert plan["seconds"] > 0
    assert [bot["entries"] for bot in plan["bots"]] == [["ann"], ["bob"]]
    assert not (tmp_path / "cup").exists()
    code, said = tournament(tmp_path, "plan", "cup.yaml", "--rate", "16", "--difference", "1")
    assert (code, "about 0:00:02 with 2 workers" in said) == (0, True)
    assert "round 1   ann - bob" in said


def test_a_bot_that_does_not_start_is_said_with_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("raise SystemExit('I need a licence')\n")
    written(tmp_path, (TWO[0], ("bad", "cmd:python3 bad.py")))
    code, said = tournament(tmp_path, "plan", "cup.yaml", "--rate", "9")
    assert code == 4
    assert "the bot of 'bad' does not start" in said
    assert "it said: I need a licence" in said


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("boards: 6\n", "6 boards do not give every seat the deal as often"),
        (
            "format: {kind: individual}\n",
            "2 entries, and an event of kind individual has 4 to 1000",
        ),
        ("sandbox: sometimes\n", "sandbox is 'sometimes'"),
    ],
)
def test_what_run_would_refuse_is_refused(tmp_path: Path, more: str, told: str) -> None:
    written(tmp_path, TWO, more=more)
    code, said = tournament(tmp_path, "plan", "cup.yaml")
    assert (code, told in said) == (2, True), said


def test_a_directory_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    written(tmp_path, TWO)
    (tmp_path / "cup").write_text("in the way")
    code, said = tournament(tmp_path, "plan", "cup.yaml")
    assert (code, "is there and is no directory" in said) == (2, True)
