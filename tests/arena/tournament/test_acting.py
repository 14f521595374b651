"""What a director is told of an act is true, whatever happens in the same moment."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.arena.formats.model import RoundPlan
from referee.arena.tournament.acting import Desk
from referee.arena.tournament.actionlog import ActionLog
from referee.arena.tournament.actions import Action, ActionError
from referee.arena.tournament.begin import begin_event
from referee.arena.tournament.director import Director
from referee.arena.tournament.eventdb import EventDb, EventError
from referee.arena.tournament.field import format_of
from referee.arena.tournament.place import EventPlace
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.sheetread import read_sheet
from referee.host.home import load_key
from referee.sealing.keys import SigningKey
from tests.arena.tournament.events import written

SWISS = "format: {kind: swiss, rounds: 2}\nboards: 1\ndealers: rotating\nbyes: half\n"
FIELD = tuple((name, "random") for name in ("ann", "bob", "cat", "dan"))
NOW_MS = 1_700_000_000_000


class Busy(EventDb):
    """An event's file, of which others make use at the worst of moments."""

    def __init__(self, path: Path, meanwhile: Callable[[], None], *, after: int = 0) -> None:
        super().__init__(path, write=True)
        self._meanwhile = meanwhile
        self._after = after
        self._looks = 0

    def actions(self) -> list[bytes]:
        """The actions; after so many looks at them, somebody else acts."""
        found = super().actions()
        self._looks += 1
        if self._looks == self._after:
            self._meanwhile()
        return found

    def add_round(self, plan: RoundPlan, actions: int) -> bool:
        """Keep a round; just before the second is kept, somebody else acts."""
        if not self._after and plan.number == 2 and not super().actions():
            self._meanwhile()
        return super().add_round(plan, actions)


def chance(size: int) -> bytes:
    return bytes(range(size))


def begun(folder: Path) -> tuple[EventPlace, Sheet, SigningKey, EventDb]:
    """An event that has begun, of which no round is drawn."""
    file = written(folder, FIELD, more=SWISS)
    place = EventPlace(folder / "cup")
    key = load_key(folder / "referee.pem", chance)
    event = begin_event(file, read_sheet(file), place, key, folder)
    return place, event.sheet, key, event.db


def withdrawal(entry: str, since: int) -> Action:
    return Action(
        seq=0, kind="withdraw", who="eve", reason="ill", at_ms=NOW_MS, entry=entry, since=since
    )


def taken(desk: Desk, entry: str, since: int) -> None:
    desk.take(withdrawal(entry, since))


def test_who_withdraws_while_the_round_is_drawn_is_told_that_it_was(tmp_path: Path) -> None:
    place, sheet, key, other = begun(tmp_path)
    plan = format_of(sheet).next_round(())
    assert plan is not None
    db = Busy(place.db, lambda: drawn(other, plan), after=1)
    with pytest.raises(EventError, match="round 1 was drawn meanwhile; nothing was done"):
        Desk(sheet, db, key).take(withdrawal("dan", 1))
    assert other.actions() == []
    assert Desk(sheet, db, key).take(withdrawal("dan", 2)).seq == 0


def drawn(db: EventDb, plan: RoundPlan) -> None:
    assert db.add_round(plan, 0)


def test_who_withdraws_before_a_round_that_never_comes_is_told_so(tmp_path: Path) -> None:
    _place, sheet, key, db = begun(tmp_path)
    with pytest.raises(ActionError, match=r"no round 3 among 2 \(use round 1 to 2\)"):
        Desk(sheet, db, key).take(withdrawal("dan", 3))
    assert db.actions() == []


def test_what_the_referee_insists_on_comes_after_what_was_taken_meanwhile(tmp_path: Path) -> None:
    place, sheet, key, other = begun(tmp_path)
    desk = Desk(sheet, other, key)
    log = ActionLog(Busy(place.db, lambda: taken(desk, "dan", 1), after=1), key)
    assert log.insist(withdrawal("cat", 1)).seq == 1
    assert [action.entry for action in log.actions()] == ["dan", "cat"]


def test_a_round_that_is_drawn_while_somebody_withdraws_is_drawn_without_them(
    tmp_path: Path,
) -> None:
    place, sheet, key, other = begun(tmp_path)
    desk = Desk(sheet, other, key)
    director = Director(
        place=place,
        sheet=sheet,
        db=Busy(place.db, lambda: taken(desk, "dan", 2)),
        key=key,
        key_file=tmp_path / "referee.pem",
        directory=tmp_path,
        chance=secrets.token_bytes,
        wall_ms=lambda: NOW_MS,
        tell=lambda _: None,
        progressed=lambda _: None,
    )
    assert asyncio.run(director.run(1))
    first, second = other.rounds()
    assert (first.actions, second.actions) == (0, 1)
    met = {name for encounter in second.plan.encounters for name in encounter.entries}
    assert "dan" not in met
    assert len(met) == 2
