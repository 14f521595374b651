"""The queue on SQLite: the contract, and what is its own."""

import os
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw
import pytest

from referee.arena.queue.interface import Lease, QueueError, Retries, Task, TaskState
from referee.arena.queue.sqlite import SqliteQueue
from referee.journal.driver import Driver, connect_to_read
from tests.arena.queue.contract import TASK, QueueContract, claimed
from tests.arena.queue.workers import Opener, complete_and_die, ended, started, tasks, work
from tests.journal.faults import Disk


class TestSqlite(QueueContract):
    def opener(self, place: Path, retries: Retries) -> Opener:
        return partial(SqliteQueue, place / "event.db", retries=retries)


def note(db: sqlite3.Connection, lease: Lease, results: Sequence[str]) -> None:
    """Write rows of another table with a completion."""
    db.execute("CREATE TABLE IF NOT EXISTS boards (key TEXT, body TEXT)")
    db.executemany("INSERT INTO boards VALUES (?, ?)", [(lease.task.key, body) for body in results])


def note_and_die(db: sqlite3.Connection, lease: Lease, results: Sequence[str]) -> None:
    note(db, lease, results)
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(db: sqlite3.Connection, lease: Lease, results: Sequence[str]) -> None:
    note(db, lease, results)
    raise ValueError("a board that is none")


def boards(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'boards'").fetchone()
        return db.execute("SELECT key, body FROM boards").fetchall() if found[0] else []


def test_rows_of_the_caller_are_written_with_the_completion(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with closing(SqliteQueue(path, completing=note)) as queue:
        queue.enqueue([TASK], now_ms=0)
        lease = claimed(queue)
        queue.complete(lease, ["board 1"], now_ms=0)
        queue.complete(lease, ["board 1"], now_ms=0)
    assert boards(path) == [("r1 e0", "board 1")]


def test_caller_that_fails_undoes_the_completion(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with closing(SqliteQueue(path, completing=refuse)) as queue:
        queue.enqueue([TASK], now_ms=0)
        with pytest.raises(ValueError, match="a board that is none"):
            queue.complete(claimed(queue), ["board 1"], now_ms=0)
        assert queue.state(TASK.key) is TaskState.LEASED
        assert queue.results() == ()
    assert boards(path) == []


def test_worker_that_is_killed_in_the_middle_of_completing_has_completed_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "event.db"
    with closing(SqliteQueue(path, completing=note)) as queue:
        queue.enqueue(tasks(2), now_ms=0)
        dying = partial(SqliteQueue, path, completing=note_and_die)
        assert ended(started(complete_and_die, dying)) == -9
        assert queue.results() == ()
        assert boards(path) == []
        assert ended(started(work, partial(SqliteQueue, path, completing=note), "heir")) == 0
        assert [each.body for each in queue.results("task 0")] == ["payload 0", "heir"]
    assert sorted(boards(path))[:2] == [("task 0", "heir"), ("task 0", "payload 0")]


def test_two_queues_in_one_file_do_not_know_each_other(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    with closing(SqliteQueue(path)) as one, closing(SqliteQueue(path, name="other")) as other:
        one.enqueue([TASK], now_ms=0)
        assert other.state(TASK.key) is None
        other.enqueue([Task(TASK.key, "something else")], now_ms=0)
        assert claimed(one).task == TASK


def test_file_is_for_its_owner_only(tmp_path: Path) -> None:
    SqliteQueue(tmp_path / "event.db").close()
    assert (tmp_path / "event.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["", "Queue", "a-b", "x; DROP TABLE boards", "9", "q" * 40])
def test_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(QueueError, match="not a name of a queue"):
        SqliteQueue(tmp_path / "event.db", name=name)


def test_queue_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    SqliteQueue(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE queue_about SET version = 9")
        db.commit()
    with pytest.raises(QueueError, match="a queue of version 9, this program knows 1"):
        SqliteQueue(path)


def test_file_that_is_no_database_is_said_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "event.yaml"
    path.write_text("name: The Autumn Cup\n" * 100)
    with pytest.raises(QueueError, match=r"event.yaml' cannot be used as a queue: file is not a"):
        SqliteQueue(path)
    assert path.read_text() == "name: The Autumn Cup\n" * 100


def test_directory_in_the_place_of_the_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(QueueError, match="cannot be used as a queue: it is a directory"):
        SqliteQueue(tmp_path)


def test_missing_directory_is_said(tmp_path: Path) -> None:
    with pytest.raises(QueueError, match="cannot be used as a queue: No such file or directory"):
        SqliteQueue(tmp_path / "nowhere" / "event.db")


def test_file_that_cannot_be_written_is_said_before_anything_is_claimed(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    SqliteQueue(path).close()
    with pytest.raises(QueueError, match=r"readonly database .free the disk or make the file writ"):
        SqliteQueue(path, driver=Driver(write=connect_to_read))


def test_full_disk_is_said_and_the_completion_may_be_tried_again(tmp_path: Path) -> None:
    disk = Disk(error=apsw.FullError, stays=True)
    with closing(SqliteQueue(tmp_path / "event.db", driver=disk.driver())) as queue:
        queue.enqueue([TASK], now_ms=0)
        lease = claimed(queue)
        disk.arm(1)
        with pytest.raises(QueueError, match="cannot be used as a queue"):
            queue.complete(lease, ["x"], now_ms=0)
        assert disk.broke
        disk.heal()
        assert queue.results() == ()
        queue.complete(lease, ["x"], now_ms=0)
        assert [each.body for each in queue.results()] == ["x"]


@pytest.mark.parametrize("at", range(1, 10))
def test_fault_of_the_disk_at_any_write_leaves_a_task_done_or_not(at: int, tmp_path: Path) -> None:
    disk = Disk(error=apsw.IOError)
    with closing(SqliteQueue(tmp_path / "event.db", driver=disk.driver())) as queue:
        queue.enqueue([TASK], now_ms=0)
        lease = claimed(queue)
        disk.arm(at)
        try:
            queue.complete(lease, ["x", "y"], now_ms=0)
        except QueueError:
            assert disk.broke
        disk.heal()
        done = queue.state(TASK.key) is TaskState.DONE
        assert len(queue.results()) == (2 if done else 0)
        queue.complete(lease, ["x", "y"], now_ms=0)
        assert len(queue.results()) == 2
