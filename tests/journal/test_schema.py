"""Journals of older versions: read as they are, brought up to date whole, and played on."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.cli.journals import open_journal
from referee.host.mint import Tickets
from referee.host.referee import Referee
from referee.journal import schema
from referee.journal.audit import audit
from referee.journal.codec import event_of
from referee.journal.schema import SCHEMA_VERSION, take_steps
from referee.journal.sqlite import SqliteReader, SqliteStore, own, upgrade
from referee.journal.store import Deed, StoreError
from referee.table.events import MatchCreated
from tests.host.support import KEY, FakeClock, House, ruled
from tests.journal.support import report_of

NOW_MS = 1_800_000_000_000
FINISHED = bytes.fromhex("558122485604bafb8daa114081a7d59b")
PLAYING = bytes.fromhex("20913b722a7e2617df74f994ea2d486e")
STATES = [("finished", True), ("open", True)]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A journal of version 1."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(Path(__file__).with_name("version-1.sql").read_text("ascii"))
        db.execute("PRAGMA journal_mode = WAL")
    return path


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


def shape(path: Path) -> list[tuple[str, str, str]]:
    """Every table's columns and their types."""
    query = "SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_info(m.name) c"
    with closing(sqlite3.connect(path)) as db:
        return sorted(db.execute(query).fetchall())


async def play_on(path: Path) -> None:
    """Resume the match in progress, and play it to its end."""
    with closing(SqliteStore(path)) as store:
        house = House()
        house.referee = Referee(store=store, key=KEY, clock=FakeClock(), chance=house.chance)
        assert house.referee.matches.resume() == 1
        house.tickets = Tickets(PLAYING, ("", "", "", ""), "")
        while not house.match.state.over:
            await house.seal()
            ruled(await house.act(house.legal[0]))


def test_a_journal_of_version_1_is_read_as_it_is(old: Path) -> None:
    before = old.read_bytes()
    with closing(SqliteReader(old)) as reader:
        assert reader.version == 1
        assert reader.matches() == [FINISHED, PLAYING]
        assert reader.open_matches() == [PLAYING]
        assert (reader.closed_ms(FINISHED), reader.closed_ms(PLAYING)) == (0, None)
        assert dict(reader.closed()) == {FINISHED: 0}
        assert list(reader.deeds()) == []
        assert [(each.state, each.sound) for each in audit(reader)] == STATES
    assert old.read_bytes() == before


def test_a_journal_of_version_1_is_not_written_before_it_is_brought_up_to_date(old: Path) -> None:
    with pytest.raises(StoreError, match=r"of version 1, this program writes 2 .*serve brings it"):
        SqliteStore(old)
    assert upgrade(old, now_ms=NOW_MS) == 1
    SqliteStore(old).close()


def test_a_journal_of_version_1_becomes_one_of_the_newest_with_every_row_as_it_was(
    old: Path,
) -> None:
    with closing(SqliteReader(old)) as reader:
        rows = {match: list(reader.rows(match)) for match in reader.matches()}
    assert upgrade(old, now_ms=NOW_MS) == 1
    with closing(SqliteStore(old)) as store:
        assert store.version == SCHEMA_VERSION
        assert {match: list(store.rows(match))[1:] for match in rows} == {
            match: found[1:] for match, found in rows.items()
        }
        assert store.open_matches() == [PLAYING]
        assert dict(store.closed()) == {FINISHED: NOW_MS}
        deed = Deed(at_ms=NOW_MS, who="anna", what="drain")
        store.note(deed).result(30)
        assert list(store.deeds()) == [deed]


def test_what_is_public_in_a_journal_of_version_1_leaves_its_private_rows(old: Path) -> None:
    with closing(SqliteReader(old)) as reader:
        secret = event_of(next(iter(reader.rows(FINISHED))))
        assert isinstance(secret, MatchCreated)
    upgrade(old, now_ms=NOW_MS)
    with closing(SqliteReader(old)) as reader:
        closed = [len(list(reader.rows(match, ("deal_close",)))) for match in (FINISHED, PLAYING)]
        kept = [
            sum(b',"seed":"' in row.body for row in reader.rows(match, ("seed",)))
            for match in (FINISHED, PLAYING)
        ]
    assert (closed[1], kept) == (2, [0, 4])  # the four of the deal in play
    assert secret.secret.hex().encode() not in old.read_bytes()


def test_matches_of_version_1_play_on_audit_and_verify(old: Path) -> None:
    upgrade(old, now_ms=NOW_MS)
    asyncio.run(play_on(old))
    with closing(SqliteReader(old)) as reader:
        assert [(each.state, each.sound) for each in audit(reader)] == [("finished", True)] * 2
        for match in reader.matches():
            lines = [row.line for row in reader.rows(match) if row.seq is not None]
            assert report_of(b"".join(lines)).exit == 0


def test_an_upgraded_journal_has_the_tables_of_a_new_one(old: Path, tmp_path: Path) -> None:
    upgrade(old, now_ms=NOW_MS)
    SqliteStore(tmp_path / "new.db").close()
    assert shape(old) == shape(tmp_path / "new.db")


def test_a_journal_that_is_up_to_date_is_not_touched(old: Path) -> None:
    assert upgrade(old, now_ms=NOW_MS) == 1
    before = dump(old)
    assert upgrade(old, now_ms=NOW_MS + 1) is None
    assert dump(old) == before


def test_where_no_journal_is_there_is_nothing_to_upgrade(tmp_path: Path) -> None:
    assert upgrade(tmp_path / "none.db", now_ms=NOW_MS) is None
    assert list(tmp_path.iterdir()) == []


def test_a_step_that_fails_leaves_the_journal_as_it_was(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(old)
    broken = (schema.STEPS[0], (*schema.STEPS[1], "INSERT INTO nowhere VALUES (1)"))
    monkeypatch.setattr(schema, "STEPS", broken)
    with pytest.raises(StoreError, match="no such table: nowhere"):
        upgrade(old, now_ms=NOW_MS)
    assert dump(old) == before
    monkeypatch.undo()
    assert upgrade(old, now_ms=NOW_MS) == 1


def test_a_journal_is_not_upgraded_while_it_is_written(old: Path) -> None:
    with closing(own(old)), pytest.raises(StoreError, match="another referee is writing"):
        upgrade(old, now_ms=NOW_MS)


def test_each_step_alone_leads_to_the_next_version(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "j.db", isolation_level=None)) as db:
        take_steps(db, 0, now_ms=NOW_MS)
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_serve_and_restore_say_that_they_brought_a_journal_up_to_date(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_journal(old).close()
    assert capsys.readouterr().err == f"journal {old} brought from version 1 to 2\n"
    open_journal(old).close()
    assert capsys.readouterr().err == ""
