"""What an event's file keeps, where its director and the desk write it at the same time."""

from pathlib import Path

import pytest

from referee.arena.formats.model import Encounter, RoundPlan
from referee.arena.tournament.eventdb import EventDb, EventError

PLAN = RoundPlan(number=1, encounters=(Encounter(entries=("a", "b"), reason="drawn"),))


def test_no_round_is_drawn_past_an_action_that_was_taken_meanwhile(tmp_path: Path) -> None:
    db = EventDb(tmp_path / "event.db", write=True)
    db.add_action(0, b"an action", drawn=0)
    assert not db.add_round(PLAN, 0)
    assert db.rounds() == []
    assert db.add_round(PLAN, 1)
    db.close()


def test_no_action_is_taken_past_a_round_that_was_drawn_meanwhile(tmp_path: Path) -> None:
    db = EventDb(tmp_path / "event.db", write=True)
    assert db.add_round(PLAN, 0)
    with pytest.raises(EventError, match="round 1 was drawn meanwhile"):
        db.add_action(0, b"an action", drawn=0)
    assert db.actions() == []
    db.close()
