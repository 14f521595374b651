"""The wrong branch of a tree is found."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.divide import divide
from conformance.jsontypes import Json, Record
from conformance.oracle import answer
from conformance.targets.base import InProcess, claims_everything
from tests.corpus import checks, corpus


def two_points_are_one(request: Record) -> dict[str, Json]:
    """An engine for which a march and a euchre are worth a single point."""
    rules = request["rules"]
    assert isinstance(rules, dict)
    wrong = {**rules, "points_march": "1", "points_euchre": "1", "points_euchre_all_five": "1"}
    return answer({**request, "rules": wrong})


def test_the_branch_that_is_counted_wrongly_is_followed_to_its_end() -> None:
    request = next(one for one in checks() if one.case.id == "trees-001").steps[-1].request
    claims = claims_everything("engine", corpus().rulesets)
    levels = list(divide(InProcess("wrong", two_points_are_one, claims), request))
    assert len(levels) == 12
    assert [branch.right for branch in levels[-1].branches] == [False]
    assert len(list(divide(InProcess("right", answer, claims), request))) == 1


def test_the_command_prints_each_branch_and_ends_with_zero_where_all_agree() -> None:
    found = CliRunner().invoke(main, ["divide", "trees-011", "-t", "referee:"])
    assert found.exit_code == 0
    assert "DIFFERS" not in found.output
    assert "same" in found.output


def test_the_command_shows_a_target_that_counts_nothing() -> None:
    found = CliRunner().invoke(main, ["divide", "trees-011", "-t", "null:"])
    assert found.exit_code == 1
    assert "DIFFERS" in found.output


def test_what_no_terminal_can_show_is_shown_as_escapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_a_character.py").write_text(
        "def answer(request):\n"
        "    if request['op'] == 'hello':\n"
        "        return {'protocol': 1, 'ops': ['legal', 'perft'], 'rulesets': ['standard']}\n"
        "    return {'legal': ['\\ud800'], 'spread': '\\x07'}\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = CliRunner().invoke(main, ["divide", "trees-011", "-t", "py:half_a_character:answer"])
    assert found.exit_code == 1
    assert "legal here: got [\\ud800]" in found.output
    assert "got      \\x07" in found.output


def test_only_a_tree_is_divided() -> None:
    found = CliRunner().invoke(main, ["divide", "follow-001", "-t", "referee:"])
    assert found.exit_code == 2
    assert found.output == (
        "euchre-conformance: case follow-001 asks legal, not perft: only trees are divided\n"
    )
