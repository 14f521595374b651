"""What an event's file keeps, where its director and the desk write it at the same time."""

from pathlib import Path

import pytest

from referee.arena.formats.model import Encounter, RoundPlan
from referee.arena.tournament.announcing import Announcer
from referee.arena.tournament.eventdb import EventDb, EventError
from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.worker import EventClock
from referee.host.clock import LoopClock
from referee.sealing.keys import SigningKey

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


def test_a_clock_that_is_set_back_opens_no_board_before_it_was_announced(tmp_path: Path) -> None:
    db = EventDb(tmp_path / "event.db", write=True)
    key = SigningKey.from_bytes("referee", bytes(range(32)))
    announcer = Announcer(db, tmp_path / "announced.jsonl", key, bytes)
    later = LoopClock().wall_ms() + 3_600_000
    for number, now in ((1, later), (2, later - 3_600_000)):
        board = BoardKey(1, 1, number)
        announcer.announce([board], {board: ("a", "b")}, 2, now_ms=now)
        assert db.announced_ms() == later
    clock = EventClock()
    clock.not_before(db.announced_ms())
    clock.not_before(0)
    assert clock.wall_ms() == later
    db.close()
