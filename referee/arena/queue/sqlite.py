"""The queue on one SQLite file, which many processes of one machine may hold at once.

Every change is one `BEGIN IMMEDIATE` transaction that is flushed to the disk before it counts.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeAlias

from referee.arena.queue.interface import (
    Attempt,
    Counts,
    DeadTask,
    Ending,
    FailureKind,
    Lease,
    LeaseLostError,
    QueueError,
    Result,
    Retries,
    Task,
    TaskClashError,
    TaskState,
)
from referee.arena.queue.schema import VERSION, statements
from referee.journal.driver import SQLITE, Driver, check_kind

BUSY_MS: Final = 30_000
"""How long a call waits for the other processes that write the file."""
DEFAULT_RETRIES: Final = Retries()

Completing: TypeAlias = Callable[[sqlite3.Connection, Lease, Sequence[str]], None]
"""Writes rows of the caller's own in the transaction that completes a task, and commits nothing."""


def _nothing(db: sqlite3.Connection, lease: Lease, results: Sequence[str]) -> None:
    del db, lease, results


class SqliteQueue:
    """A WorkQueue in a file, made where there is none; its tables' names begin with `name`.

    `completing` is called in the transaction of every completion that counts, before it is
    committed: what it raises undoes the completion. Threads may share a queue, one at a time.

    QueueError where the file cannot be opened or written, or holds a queue of another version.
    """

    def __init__(
        self,
        path: Path,
        *,
        name: str = "queue",
        retries: Retries = DEFAULT_RETRIES,
        completing: Completing = _nothing,
        driver: Driver = SQLITE,
    ) -> None:
        self._path = path
        self._retries = retries
        self._completing = completing
        self._say = statements(name)
        self._lock = threading.RLock()
        try:
            check_kind(path)
            path.touch(mode=0o600, exist_ok=True)
            self._db = driver.write(path)
        except (OSError, sqlite3.Error) as err:
            raise self._unusable(err) from err
        try:
            with self._told():
                self._db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
                self._db.execute("PRAGMA journal_mode = WAL")
            self._prepare()
        except BaseException:
            self._db.close()
            raise

    def enqueue(self, tasks: Sequence[Task], *, now_ms: int) -> int:
        """Add tasks, all or none, and say how many were new."""
        del now_ms
        new = 0
        with self._changing() as db:
            for task in tasks:
                found = db.execute(self._say.found, (task.key,)).fetchone()
                if found is None:
                    db.execute(self._say.insert, (task.key, task.payload, task.priority))
                    new += 1
                elif found[1] != task.payload:
                    raise TaskClashError(
                        f"task {task.key!r} is in the queue already, with another payload:"
                        f" {found[1]!r} (give the new one a key of its own)"
                    )
        return new

    def claim(self, worker: str, *, lease_ms: int, now_ms: int) -> Lease | None:
        """Lease the next task to a worker for a while; None where there is nothing to do now."""
        say = self._say
        asked = {"now": now_ms, "longest": self._retries.longest_ms}
        with self._reading() as db:  # whoever only waits takes no turn at writing
            if not db.execute(say.busy, asked).fetchone()[0]:
                return None
        with self._changing() as db:
            db.execute(say.shorten_leases, {"now": now_ms})
            db.execute(say.shorten_pauses, asked)
            self._sweep(db, now_ms)
            found = db.execute(say.next, (now_ms,)).fetchone()
            if found is None:
                return None
            number, key, payload, priority, last = found
            lease = Lease(Task(key, payload, priority), worker, last + 1, now_ms + lease_ms)
            db.execute(say.lease, (lease.attempt, lease_ms, lease.expires_ms, number))
            db.execute(say.attempt, (number, lease.attempt, worker, now_ms))
        return lease

    def heartbeat(self, lease: Lease, *, lease_ms: int, now_ms: int) -> Lease:
        """The lease from now on; LeaseLostError where the task is no longer this attempt's."""
        with self._changing() as db:
            number, _failures, _losses = self._held(db, lease)
            expires_ms = now_ms + lease_ms
            db.execute(self._say.extend, (lease_ms, expires_ms, number))
        return Lease(lease.task, lease.worker, lease.attempt, expires_ms)

    def complete(self, lease: Lease, results: Sequence[str], *, now_ms: int) -> None:
        """Keep the results and end the task, together; LeaseLostError where it is another's."""
        with self._changing() as db:
            if self._completed_before(db, lease, results):
                return
            number, failures, losses = self._held(db, lease)
            for n, body in enumerate(results):
                db.execute(self._say.keep, (number, n, lease.attempt, body))
            self._end(db, number, lease.attempt, Ending.DONE, "", now_ms=now_ms)
            self._put(db, number, TaskState.DONE, failures, losses)
            self._completing(db, lease, results)

    def fail(self, lease: Lease, kind: FailureKind, why: str, *, now_ms: int) -> TaskState:
        """End the attempt without results, and say what becomes of the task; or LeaseLostError."""
        with self._changing() as db:
            number, failures, losses = self._held(db, lease)
            state, ready_ms = TaskState.DEAD, 0
            match kind:
                case FailureKind.INFRA:
                    failures += 1
                    if failures < self._retries.failures:
                        state = TaskState.WAITING
                        ready_ms = now_ms + self._retries.pause_ms(failures)
                case FailureKind.CANCELLED:
                    state = TaskState.CANCELLED
                case FailureKind.BOT:
                    pass
            self._end(db, number, lease.attempt, Ending(kind.value), why, now_ms=now_ms)
            self._put(db, number, state, failures, losses, ready_ms)
        return state

    def release(self, lease: Lease, *, now_ms: int) -> None:
        """Give the task back at once, as if it had not been claimed; or LeaseLostError."""
        with self._changing() as db:
            number, failures, losses = self._held(db, lease)
            self._end(db, number, lease.attempt, Ending.RELEASED, "", now_ms=now_ms)
            self._put(db, number, TaskState.WAITING, failures, losses)

    def cancel(self, key: str, *, now_ms: int) -> bool:
        """Take a task back; False where it is done. Whoever holds it loses it."""
        with self._changing() as db:
            number, state, attempt, failures, losses = self._find(db, key)
            if state is TaskState.DONE:
                return False
            if state is TaskState.LEASED:
                self._end(db, number, attempt, Ending.CANCELLED, "", now_ms=now_ms)
            self._put(db, number, TaskState.CANCELLED, failures, losses)
        return True

    def retry(self, key: str, *, now_ms: int) -> bool:
        """Let a dead or cancelled task be tried again as if it never was; False for any other."""
        del now_ms
        with self._changing() as db:
            number, state, _attempt, _failures, _losses = self._find(db, key)
            if state not in {TaskState.DEAD, TaskState.CANCELLED}:
                return False
            self._put(db, number, TaskState.WAITING, 0, 0)
        return True

    def state(self, key: str) -> TaskState | None:
        """Where a task stands; None where there is no such task."""
        with self._reading() as db:
            found = db.execute(self._say.found, (key,)).fetchone()
        return None if found is None else TaskState(found[2])

    def counts(self, *, now_ms: int) -> Counts:
        """How many tasks are in which state."""
        with self._reading() as db:
            rows = db.execute(self._say.counts, (now_ms,)).fetchall()
        many = {TaskState(state): count for state, count, _pausing in rows}
        pausing = {TaskState(state): later for state, _count, later in rows}
        return Counts(
            waiting=many.get(TaskState.WAITING, 0),
            pausing=pausing.get(TaskState.WAITING, 0),
            leased=many.get(TaskState.LEASED, 0),
            done=many.get(TaskState.DONE, 0),
            dead=many.get(TaskState.DEAD, 0),
            cancelled=many.get(TaskState.CANCELLED, 0),
        )

    def due_ms(self) -> int | None:
        """When there is something to claim; None where there is nothing to wait for."""
        with self._reading() as db:
            due: int | None = db.execute(self._say.due).fetchone()[0]
        return due

    def dead(self) -> Sequence[DeadTask]:
        """The tasks that nobody will claim any more, in the order they were enqueued."""
        with self._reading() as db:
            rows = db.execute(self._say.dead).fetchall()
        return tuple(
            DeadTask(Task(key, payload, priority), attempt, _kind(Ending(ending)), why)
            for key, payload, priority, attempt, ending, why in rows
        )

    def attempts(self, key: str) -> Sequence[Attempt]:
        """Every attempt at a task, in order."""
        with self._reading() as db:
            rows = db.execute(self._say.attempts, (key,)).fetchall()
        return tuple(
            Attempt(
                key=task,
                number=number,
                worker=worker,
                claimed_ms=claimed_ms,
                ended_ms=ended_ms,
                ending=None if ending is None else Ending(ending),
                why=why,
            )
            for task, number, worker, claimed_ms, ended_ms, ending, why in rows
        )

    def results(self, key: str | None = None) -> Sequence[Result]:
        """The results of one task, or of all, by task in the order they were enqueued."""
        with self._reading() as db:
            rows = db.execute(self._say.results, {"key": key}).fetchall()
        return tuple(Result(task, attempt, body) for task, attempt, body in rows)

    def close(self) -> None:
        """Let go of the file; what is leased stays leased."""
        with self._lock:
            self._db.close()

    def _sweep(self, db: sqlite3.Connection, now_ms: int) -> None:
        """End the attempts whose leases have run out."""
        for number, attempt, failures, losses in db.execute(
            self._say.expired, (now_ms,)
        ).fetchall():
            dead = losses + 1 >= self._retries.losses
            why = f"its lease ran out, time {losses + 1} of {self._retries.losses} at most"
            self._end(db, number, attempt, Ending.LOST, why, now_ms=now_ms)
            state = TaskState.DEAD if dead else TaskState.WAITING
            self._put(db, number, state, failures, losses + 1)

    def _end(
        self,
        db: sqlite3.Connection,
        number: int,
        attempt: int,
        ending: Ending,
        why: str,
        *,
        now_ms: int,
    ) -> None:
        db.execute(self._say.end_attempt, (now_ms, ending.value, why, number, attempt))

    def _put(  # noqa: PLR0917 -- a row of the table of tasks
        self,
        db: sqlite3.Connection,
        number: int,
        state: TaskState,
        failures: int,
        losses: int,
        ready_ms: int = 0,
    ) -> None:
        db.execute(self._say.end_task, (state.value, failures, losses, ready_ms, number))

    def _find(self, db: sqlite3.Connection, key: str) -> tuple[int, TaskState, int, int, int]:
        found = db.execute(self._say.found, (key,)).fetchone()
        if found is None:
            raise QueueError(f"no task of the queue: {key!r} (enqueue it first)")
        number, _payload, state, attempt, failures, losses = found
        return number, TaskState(state), attempt, failures, losses

    def _held(self, db: sqlite3.Connection, lease: Lease) -> tuple[int, int, int]:
        """The task's number, failures and losses; LeaseLostError where another attempt has it."""
        key = lease.task.key
        number, state, attempt, failures, losses = self._find(db, key)
        if state is TaskState.LEASED and attempt == lease.attempt:
            return number, failures, losses
        now = f"attempt {attempt} has it" if attempt != lease.attempt else "this attempt has ended"
        raise LeaseLostError(
            f"task {key!r} is no longer attempt {lease.attempt}'s: {now}, and the task is"
            f" {state.value} (drop the work)",
            lease,
        )

    def _completed_before(
        self, db: sqlite3.Connection, lease: Lease, results: Sequence[str]
    ) -> bool:
        """Whether this very attempt has completed the task, with these results."""
        key = lease.task.key
        _number, state, attempt, _failures, _losses = self._find(db, key)
        if state is not TaskState.DONE or attempt != lease.attempt:
            return False
        kept = db.execute(self._say.results, {"key": key}).fetchall()
        if [body for _key, _attempt, body in kept] != list(results):
            raise TaskClashError(
                f"attempt {attempt} has completed task {key!r} already, with other results"
                " (an attempt has one set of results: claim again for another)"
            )
        return True

    def _prepare(self) -> None:
        """Make the tables, or see that they are ours, and that the file can be written."""
        with self._changing() as db:
            for table in self._say.tables:
                db.execute(table)
            found = db.execute(self._say.version).fetchone()
            if found is None:
                db.execute(self._say.set_version, (VERSION,))
            elif found[0] != VERSION:
                raise QueueError(
                    f"{str(self._path)!r} holds a queue of version {found[0]}, this program"
                    f" knows {VERSION} (use the program that made it, or another file)"
                )
            # A write: a read-only file would begin a reading transaction, and say nothing.
            db.execute(self._say.touch)

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """A transaction of our own: committed whole, or undone."""
        with self._lock, self._told():
            self._leave()
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # the error that led here says more
                    self._leave()
                raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._told():
            yield self._db

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as err:
            raise self._unusable(err) from err

    def _leave(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _unusable(self, err: Exception) -> QueueError:
        why = err.strerror if isinstance(err, OSError) and err.strerror else str(err)
        return QueueError(
            f"{str(self._path)!r} cannot be used as a queue: {why}"
            " (free the disk or make the file writable; what was kept is still there)"
        )


def _kind(ending: Ending) -> FailureKind:
    """Whose fault it was that an attempt ended so."""
    return FailureKind.BOT if ending is Ending.BOT else FailureKind.INFRA
