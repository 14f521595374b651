"""What is particular to the journal in one SQLite file."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from referee.journal.sqlite import SqliteReader, SqliteStore
from referee.journal.store import Row, StoreError

A, B = b"a" * 16, b"b" * 16
PATIENCE_S = 30
NOW_MS = 1_700_000_000_000
HOLD = """
import sys
from pathlib import Path
from referee.journal.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def row(match: bytes, n: int, body: bytes = b"{}") -> Row:
    return Row(match, n, None, "action", body)


def test_the_file_and_its_lock_are_for_their_owner_alone(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "j.db")) as store:
        store.append((row(A, 0),), at_ms=NOW_MS).result(PATIENCE_S)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}
    assert {"j.db", "j.db-wal", "j.db.lock"} <= set(modes)


def test_every_commit_is_flushed_to_a_write_ahead_log(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "j.db")) as store:
        settings = [
            store._db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "secure_delete")
        ]
    assert settings == ["wal", 2, 1]


def test_what_queued_during_a_flush_shares_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    begun: list[str] = []
    with closing(SqliteStore(path)) as store, closing(sqlite3.connect(path)) as other:
        store._db.set_trace_callback(lambda text: begun.append(text) if "BEGIN" in text else None)
        other.execute("BEGIN IMMEDIATE")
        futures = [store.append((row(A, n),), at_ms=NOW_MS) for n in range(300)]
        other.rollback()
        assert all(future.exception(PATIENCE_S) is None for future in futures)
        assert len(list(store.rows(A))) == 300
    assert len(begun) <= 3


def test_with_a_loop_the_appends_of_one_turn_share_a_commit_and_end_on_its_thread(
    tmp_path: Path,
) -> None:
    begun: list[str] = []
    ended: set[int] = set()

    async def use() -> None:
        with closing(SqliteStore(tmp_path / "j.db", asyncio.get_running_loop())) as store:
            store._db.set_trace_callback(lambda sql: begun.append(sql) if "BEGIN" in sql else None)
            futures = [store.append((row(A, n),), at_ms=NOW_MS) for n in range(300)]
            for future in futures:
                future.add_done_callback(lambda _: ended.add(threading.get_ident()))
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.gather(*map(asyncio.wrap_future, futures))
            assert len(list(store.rows(A))) == 300

    asyncio.run(use())
    assert (len(begun), ended) == (1, {threading.get_ident()})


def test_what_a_loop_queued_is_written_though_the_store_closes_in_the_same_turn(
    tmp_path: Path,
) -> None:
    async def use() -> None:
        with closing(SqliteStore(tmp_path / "j.db", asyncio.get_running_loop())) as store:
            store.append((row(A, 0),), at_ms=NOW_MS)

    asyncio.run(use())
    with closing(SqliteReader(tmp_path / "j.db")) as reader:
        assert len(list(reader.rows(A))) == 1


def test_a_second_referee_on_the_file_is_refused(tmp_path: Path) -> None:
    with (
        closing(SqliteStore(tmp_path / "j.db")),
        pytest.raises(StoreError, match=r"another referee is writing the journal .*stop it"),
    ):
        SqliteStore(tmp_path / "j.db")


def test_a_second_process_on_the_file_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match="another referee"):
            SqliteStore(path)
        holder.kill()
    SqliteStore(path).close()


def test_a_reader_looks_on_while_a_referee_writes(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with closing(SqliteStore(path)) as store, closing(SqliteReader(path)) as reader:
        store.append((row(A, 0),), at_ms=NOW_MS).result(PATIENCE_S)
        assert reader.matches() == [A]
        assert list(reader.rows(A)) == [row(A, 0)]


def test_a_full_disk_loses_the_append_alone_and_heals(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "j.db")) as store:
        store.append((row(A, 0),), at_ms=NOW_MS).result(PATIENCE_S)
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        big = row(A, 1, bytes(100_000))
        with pytest.raises(StoreError, match=r"full.*free the disk"):
            store.append((big,), at_ms=NOW_MS).result(PATIENCE_S)
        store._db.execute("PRAGMA max_page_count = 1000000")
        store.heal(A)
        store.append((big,), at_ms=NOW_MS).result(PATIENCE_S)
        assert list(store.rows(A)) == [row(A, 0), big]


def made(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)
    return path


@pytest.mark.parametrize("opener", [SqliteStore, SqliteReader])
def test_a_journal_from_a_newer_version_is_refused_and_not_touched(
    tmp_path: Path, opener: type[SqliteReader]
) -> None:
    path = made(tmp_path / "j.db", "CREATE TABLE rows (x); PRAGMA user_version = 99;")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"version 99.*knows up to 2 .*use the newer program"):
        opener(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("opener", [SqliteStore, SqliteReader])
def test_another_programs_database_is_refused_and_not_touched(
    tmp_path: Path, opener: type[SqliteReader]
) -> None:
    path = made(tmp_path / "j.db", "CREATE TABLE recipes (x);")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="a database but no journal"):
        opener(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("opener", [SqliteStore, SqliteReader])
def test_a_file_that_is_no_database_is_refused_and_not_touched(
    tmp_path: Path, opener: type[SqliteReader]
) -> None:
    path = tmp_path / "j.db"
    path.write_bytes(b"not a database at all, however you look at it\n" * 20)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="cannot be used as a journal: file is not a database"):
        opener(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("opener", [SqliteStore, SqliteReader])
def test_a_missing_directory_is_one_sentence(tmp_path: Path, opener: type[SqliteReader]) -> None:
    with pytest.raises(StoreError, match=r"cannot be used as a journal: .*o such file"):
        opener(tmp_path / "nowhere" / "j.db")


@pytest.mark.parametrize("opener", [SqliteStore, SqliteReader])
def test_a_directory_is_no_journal(tmp_path: Path, opener: type[SqliteReader]) -> None:
    with pytest.raises(StoreError, match="cannot be used as a journal"):
        opener(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write every file")
def test_a_file_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    SqliteStore(path).close()
    path.chmod(0o400)
    with pytest.raises(StoreError, match="cannot be used as a journal"):
        SqliteStore(path)


def test_a_refused_file_leaves_the_lock_free(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    path.write_bytes(b"rubbish" * 100)
    with pytest.raises(StoreError):
        SqliteStore(path)
    path.unlink()
    SqliteStore(path).close()
