"""The intervals of a finished event: of a fixed number of boards where these differ enough."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from referee.arena.tournament.publish.intervals import enough, interval_of, method
from referee.rules import preset
from tests.arena.tournament.publish.conftest import published
from tests.arena.tournament.publish.test_recompute import change, recompute

LONG = """\
name: A long duel
format: round_robin
entries:
  - {name: ann, bot: sensible}
  - {name: bob, bot: random}
boards: 60
"""
TWELVE = [Fraction(1), Fraction(-1, 2)] * 6 + [Fraction(0)] * 20
ELEVEN = TWELVE[1:]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return published(tmp_path_factory.mktemp("duel"), LONG).with_suffix("") / "site"


def test_a_finished_event_whose_boards_differ_has_fixed_intervals(site: Path) -> None:
    told = json.loads((site / "event.json").read_text(encoding="utf-8"))
    assert (told["fixed"], told["method"]) == (True, method(fixed=True))
    assert [row["interval"] for row in told["standings"]] == ["", ""]


def test_they_are_computed_again_beside_the_pages(site: Path) -> None:
    assert recompute(site)[0] == 0
    name = change(site / "index.html", r'data-is="(standing/2/high)">([^<]+)<', "+0.001")
    code, told = recompute(site)
    assert (code, name in told) == (1, True)


def test_fixed_intervals_are_for_half_of_the_entries_or_more() -> None:
    assert enough([TWELVE, ELEVEN])
    assert not enough([TWELVE, ELEVEN, ELEVEN])


@pytest.mark.parametrize("scores", [TWELVE, ELEVEN, []])
def test_an_entry_whose_boards_hardly_differ_has_no_fixed_interval(scores: list[Fraction]) -> None:
    low, high, told = interval_of(
        scores, fixed=True, rules=preset("standard"), sheet="00" * 32, entry="ann"
    )
    expected = {12: "", 11: "fewer than 12 boards differ from the commonest score", 0: "no boards"}
    assert told == expected[sum(score != 0 for score in scores)]
    assert (low is None) == (high is None) == bool(told)


def test_always_valid_intervals_are_given_from_the_first_board() -> None:
    low, high, told = interval_of(
        [Fraction(1)], fixed=False, rules=preset("standard"), sheet="00" * 32, entry="ann"
    )
    assert low is not None
    assert high is not None
    assert (low < 1 < high, told) == (True, "")
