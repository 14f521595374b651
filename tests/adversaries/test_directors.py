"""Whoever of an event is killed, at any moment: no result changes, is lost, or comes twice."""

from pathlib import Path

import pytest

from tests.adversaries.directors import Siege


@pytest.mark.heavy
def test_nothing_is_lost_or_played_twice_whoever_is_killed(tmp_path: Path) -> None:
    siege = Siege(tmp_path, boards=40, times=1, seed=5)
    siege.run(12, lambda _kills, _boards: None)
    outcome = siege.outcome
    assert outcome.wrong == []
    assert outcome.results == 240
    assert outcome.kills.total() > 4
