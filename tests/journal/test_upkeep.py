"""Keeping a journal: backups while it is written, old matches that leave it, and what it holds."""

import json
import os
import sqlite3
import stat
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.journal.audit import audit
from referee.journal.prune import prune
from referee.journal.sqlite import SqliteReader, SqliteStore
from referee.journal.store import Deed, Row, StoreError
from tests.table.support import Table, created

DAY_MS = 24 * 3_600_000
NOW_MS = time.time_ns() // 1_000_000
OLD, NEW, OPEN = b"\x01" * 16, b"\x02" * 16, b"\x03" * 16


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def played(match: bytes) -> tuple[Row, ...]:
    return Table(replace(created("quick"), match=match)).sit().to_the_end().rows


def playing(match: bytes) -> tuple[Row, ...]:
    return Table(replace(created("quick"), match=match)).sit().seal().rows


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with a match closed a month ago, one closed just now, and one in play."""
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store:
        store.append(played(OLD), at_ms=NOW_MS - 30 * DAY_MS).result(30)
        store.append(played(NEW), at_ms=NOW_MS).result(30)
        store.append(playing(OPEN), at_ms=NOW_MS - 40 * DAY_MS).result(30)
        store.note(Deed(at_ms=NOW_MS, who="anna", what="create", match=OLD)).result(30)
    return path


def assert_sound(path: Path, *matches: bytes) -> None:
    with closing(SqliteReader(path)) as reader:
        assert reader.matches() == list(matches)
        assert [found.fault for found in audit(reader) if not found.sound] == []


# -- backup


def test_a_backup_is_made_while_the_journal_is_written_and_holds_what_stood_then(
    journal: Path, tmp_path: Path
) -> None:
    with closing(SqliteStore(journal)) as store:
        assert run("backup", journal, "-o", tmp_path / "b.db").exit_code == 0
        store.append(played(b"\x04" * 16), at_ms=NOW_MS).result(30)
    assert_sound(tmp_path / "b.db", OLD, NEW, OPEN)
    assert stat.S_IMODE((tmp_path / "b.db").stat().st_mode) == 0o600
    assert not list(tmp_path.glob("*.part"))


def test_a_backup_says_where_it_is_and_how_large(journal: Path, tmp_path: Path) -> None:
    shown = json.loads(run("backup", journal, "-o", tmp_path / "b.db", "--json").output)
    assert shown == {
        "backup": str(tmp_path / "b.db"),
        "bytes": (tmp_path / "b.db").stat().st_size,
    }


def test_a_backup_is_never_written_over_a_file(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "b.db").write_text("here")
    result = run("backup", journal, "-o", tmp_path / "b.db")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "is there already" in result.output
    assert (tmp_path / "b.db").read_text() == "here"


def test_a_backup_into_no_directory_is_one_line(journal: Path, tmp_path: Path) -> None:
    result = run("backup", journal, "-o", tmp_path / "nowhere" / "b.db")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "there is no directory" in result.output


def test_a_file_with_odd_letters_in_its_name_is_backed_up(journal: Path, tmp_path: Path) -> None:
    odd = tmp_path / "a%20b?c#d.db"
    journal.rename(odd)
    assert run("backup", odd, "-o", tmp_path / "b.db").exit_code == 0
    assert_sound(tmp_path / "b.db", OLD, NEW, OPEN)


@pytest.mark.parametrize("command", ["backup", "restore"])
@pytest.mark.parametrize(
    ("kind", "said"),
    [("directory", "it is a directory"), ("pipe", "a pipe or a device"), ("none", "no such file")],
)
def test_what_is_no_file_is_no_journal_and_is_called_what_it_is(
    tmp_path: Path, command: str, kind: str, said: str
) -> None:
    source = tmp_path / "source"
    if kind == "directory":
        source.mkdir()
    elif kind == "pipe":
        os.mkfifo(source)
    assert run("keygen", tmp_path / "k.pem").exit_code == 0
    more = ("--db", tmp_path / "n.db", "--key", tmp_path / "k.pem")
    result = run(command, source, *(("-o", tmp_path / "n.db") if command == "backup" else more))
    assert (result.exit_code, len(result.output.splitlines())) == (6, 1)
    assert said in result.output
    assert not list(tmp_path.glob("n.db*"))


def test_a_pipe_is_no_journal_to_write(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="it is a pipe or a device"):
        SqliteStore(tmp_path / "pipe")


# -- db info


def test_info_counts_what_a_journal_holds(journal: Path) -> None:
    with closing(SqliteReader(journal)) as reader:
        rows = sum(len(list(reader.rows(match))) for match in reader.matches())
    shown = json.loads(run("db", "info", journal, "--json").output)
    assert shown == {
        "journal": str(journal),
        "version": 2,
        "bytes": journal.stat().st_size,
        "log_bytes": 0,
        "matches": 3,
        "open": 1,
        "closed": 2,
        "first_closed_ms": NOW_MS - 30 * DAY_MS,
        "last_closed_ms": NOW_MS,
        "rows": rows,
        "deeds": 1,
    }


def test_info_for_people_names_the_counts(journal: Path) -> None:
    result = run("db", "info", journal)
    assert result.exit_code == 0
    assert "3 matches: 1 open, 2 closed" in result.output


def test_info_of_an_empty_journal_has_no_times(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "j.db").close()
    shown = json.loads(run("db", "info", tmp_path / "j.db", "--json").output)
    assert (shown["first_closed_ms"], shown["matches"]) == (None, 0)
    assert run("db", "info", tmp_path / "j.db").exit_code == 0


# -- db prune


def test_matches_that_were_closed_long_ago_leave_and_nothing_else_does(journal: Path) -> None:
    before = journal.stat().st_size
    shown = json.loads(run("db", "prune", journal, "--older-than", "7", "--json").output)
    assert (shown["pruned"], shown["dry_run"]) == (1, False)
    assert shown["freed_bytes"] == before - journal.stat().st_size > 0
    assert_sound(journal, NEW, OPEN)
    with closing(sqlite3.connect(journal)) as db:
        assert db.execute("SELECT count(*) FROM rows WHERE match = ?", (OLD,)).fetchone() == (0,)


def test_a_prune_is_noted_in_the_trail(journal: Path) -> None:
    run("db", "prune", journal, "--older-than", "7")
    with closing(SqliteReader(journal)) as reader:
        last = list(reader.deeds())[-1]
    assert (last.what, last.detail) == ("prune", '{"matches":1,"older_than_days":7}')


def test_a_prune_that_is_stopped_stands_in_the_trail(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.journal.prune.AT_A_TIME", 1)
    deed = Deed(at_ms=NOW_MS, who="anna", what="prune")
    assert next(prune(journal, [OLD, NEW], deed=deed)) == 1
    with closing(SqliteReader(journal)) as reader:
        assert (reader.matches(), list(reader.deeds())[-1]) == ([NEW, OPEN], deed)


def test_whoever_has_no_name_on_this_machine_is_noted_by_number(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nameless(number: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nameless)
    assert run("db", "prune", journal, "--older-than", "7").exit_code == 0
    with closing(SqliteReader(journal)) as reader:
        assert list(reader.deeds())[-1].who == f"user-{os.getuid()}"


def test_a_backup_beside_the_log_of_another_journal_is_refused(
    journal: Path, tmp_path: Path
) -> None:
    (tmp_path / "copy.db-wal").write_bytes(b"what a killed referee wrote last")
    result = run("backup", journal, "-o", tmp_path / "copy.db")
    assert result.exit_code == 2
    assert "belongs to a journal that was moved away" in result.output


def test_what_leaves_is_exported_first_and_verifies(journal: Path, tmp_path: Path) -> None:
    out = tmp_path / "kept"
    assert run("db", "prune", journal, "--older-than", "7", "--export", out).exit_code == 0
    (path,) = out.iterdir()
    assert path.name == f"{OLD.hex()}.jsonl"
    assert run("verify", path).exit_code == 0


def test_nothing_leaves_where_its_transcript_cannot_be_kept(journal: Path, tmp_path: Path) -> None:
    out = tmp_path / "kept"
    out.mkdir()
    (out / f"{OLD.hex()}.jsonl").write_text("another file")
    result = run("db", "prune", journal, "--older-than", "7", "--export", out)
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert "is not this match" in result.output
    assert_sound(journal, OLD, NEW, OPEN)


def test_a_prune_begun_again_finds_its_own_exports(journal: Path, tmp_path: Path) -> None:
    out = tmp_path / "kept"
    with closing(SqliteReader(journal)) as reader:
        text = b"".join(row.line for row in reader.rows(OLD) if row.seq is not None)
    out.mkdir()
    (out / f"{OLD.hex()}.jsonl").write_bytes(text)
    assert run("db", "prune", journal, "--older-than", "7", "--export", out).exit_code == 0
    assert_sound(journal, NEW, OPEN)


def test_a_dry_run_only_counts(journal: Path) -> None:
    before = journal.read_bytes()
    result = run("db", "prune", journal, "--older-than", "7", "--dry-run")
    assert (result.exit_code, result.output) == (0, f"1 matches would leave {journal}\n")
    assert journal.read_bytes() == before


def test_nothing_is_pruned_while_a_referee_writes_the_journal(journal: Path) -> None:
    with closing(SqliteStore(journal)):
        result = run("db", "prune", journal, "--older-than", "7")
    assert (result.exit_code, len(result.output.splitlines())) == (6, 1)
    assert "another referee is writing" in result.output
    with (
        closing(SqliteStore(journal)),
        pytest.raises(StoreError, match="another referee is writing"),
    ):
        list(prune(journal, [OLD], deed=Deed(at_ms=NOW_MS, who="anna", what="prune")))
    assert_sound(journal, OLD, NEW, OPEN)


def test_an_open_match_never_leaves(journal: Path) -> None:
    deed = Deed(at_ms=NOW_MS, who="anna", what="prune")
    with pytest.raises(StoreError, match="is not closed"):
        list(prune(journal, [OPEN], deed=deed))
    assert_sound(journal, OLD, NEW, OPEN)


def test_days_below_one_are_refused(journal: Path) -> None:
    assert run("db", "prune", journal, "--older-than", "0").exit_code == 2


# -- the trail


def test_audit_counts_the_deeds_of_the_trail(journal: Path) -> None:
    result = run("audit", journal)
    assert result.exit_code == 0
    assert "trail: 1 deeds, sound" in result.output


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("DELETE FROM trail WHERE number = 1", "deed 1 is missing"),
        ("DELETE FROM trail WHERE number = 3", "deed 3 is missing"),
        ('UPDATE trail SET detail = \'{"b":1,"a":2}\'', "deed 1 has a detail that is not"),
        ("UPDATE trail SET match = x'00'", "deed 1 is of no match"),
    ],
)
def test_audit_finds_a_trail_that_was_changed(journal: Path, change: str, fault: str) -> None:
    with closing(SqliteStore(journal)) as store:
        for what in ("abort", "drain"):
            store.note(Deed(at_ms=NOW_MS, who="bert", what=what)).result(30)
    with closing(sqlite3.connect(journal)) as db:
        db.execute(change)
        db.commit()
    result = run("audit", journal, "--json")
    last = json.loads(result.output.splitlines()[-1])
    assert (result.exit_code, last["sound"]) == (1, False)
    assert fault in last["fault"]
