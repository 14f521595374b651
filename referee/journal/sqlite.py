"""The store on one SQLite file: one writer, group commit, every commit flushed to the disk.

Whatever was queued while the last flush ran goes into the next transaction: under load many
appends share one flush, and a lonely one waits for nobody. Rows lie in the order in which they
were appended, so a flush writes few pages however many tables it serves.
"""

import asyncio
import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Final

from referee.journal.driver import SQLITE, Driver, check_kind
from referee.journal.emptied import whole
from referee.journal.schema import SCHEMA_VERSION, is_empty, take_steps, version_of
from referee.journal.store import Deed, Row, StoreClosedError, StoreError
from referee.journal.transact import SELECT, Job, Transactions
from referee.meter import UNMETERED, Meter

LARGEST_BATCH: Final = 4_096

BEGINNINGS: Final = (
    "SELECT rows.match, n, seq, kind, body, sig, request_id FROM matches"
    " JOIN rows ON rows.match = matches.match WHERE kind IN ('created', 'joined')"
)
NEWEST_DEED: Final = "SELECT seq FROM sqlite_sequence WHERE name = 'trail'"
TRAIL: Final = (
    "SELECT number, at_ms, who, what, match, detail FROM trail"
    " WHERE number BETWEEN ? AND ? ORDER BY number"
)
LAST_NUMBER: Final = 2**63 - 1


_End = tuple[Future[None], StoreError | None]


class SqliteReader:
    """A journal file of any version, only read: also while a referee writes it.

    Raises StoreError where the file is missing, is no journal, or is from a newer version.
    """

    def __init__(self, path: Path, driver: Driver = SQLITE) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._let_go = False
        try:
            self._reader = driver.read(path)
            try:
                self.version = version_of(self._reader, path)
            except BaseException:
                self._reader.close()
                raise
        except (OSError, sqlite3.Error) as err:
            raise unusable(path, err) from err

    def rows(self, match: bytes, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """Every row of a match, or those of some kinds, in order."""
        marks = ", ".join("?" * len(kinds))
        only = f" AND kind IN ({marks})" if kinds else ""
        query = f"{SELECT} WHERE match = ?{only} ORDER BY n"
        with self._reading():
            found = self._reader.execute(query, (match, *kinds)).fetchall()
        rows = [Row(*row) for row in found]
        yield from rows if kinds else whole(rows)

    def beginnings(self, *, since_ms: int) -> Iterator[Row]:
        """The rows that say who may come in, of all matches open or closed since a time."""
        lately = "closed_ms IS NULL OR closed_ms >= ?" if self._timed else "0 <= ?"
        query = f"{BEGINNINGS} AND ({lately}) ORDER BY matches.number, rows.n"
        with self._reading():
            found = self._reader.execute(query, (since_ms,)).fetchall()
        for row in found:
            yield Row(*row)

    def matches(self, *, newest_first: bool = False) -> list[bytes]:
        """Every match that has a row, in order of creation."""
        order = "DESC" if newest_first else "ASC"
        return self._ids(f"SELECT match FROM matches ORDER BY number {order}")  # noqa: S608 -- ours

    def open_matches(self) -> list[bytes]:
        """Every match without a closing row, in order of creation."""
        still_open = "closed_ms IS NULL" if self._timed else "closed = 0"
        return self._ids(f"SELECT match FROM matches WHERE {still_open} ORDER BY number")  # noqa: S608 -- ours

    def closed_ms(self, match: bytes) -> int | None:
        """When a match was closed; 0 where that was before times were kept."""
        when = "closed_ms" if self._timed else "iif(closed, 0, NULL)"
        with self._reading():
            query = f"SELECT {when} FROM matches WHERE match = ?"  # noqa: S608 -- ours
            found = self._reader.execute(query, (match,)).fetchone()
        return None if found is None else found[0]

    def closed(self, *, since_ms: int = 0) -> Mapping[bytes, int]:
        """When each match was closed that was closed then or later, in order of creation."""
        when = "closed_ms" if self._timed else "iif(closed, 0, NULL)"
        query = f"SELECT match, {when} AS at FROM matches WHERE at >= ? ORDER BY number"  # noqa: S608 -- ours
        with self._reading():
            return dict(self._reader.execute(query, (since_ms,)).fetchall())

    def deeds(self, first: int = 1, last: int | None = None) -> Iterator[Deed]:
        """The trail, or the deeds of some numbers, in order; empty before trails were kept."""
        return (deed for _, deed in self.numbered_deeds(first, last))

    def deed_count(self) -> int:
        """The number of the last deed that ever was noted."""
        if not self._timed:
            return 0
        with self._reading():
            newest = self._reader.execute(NEWEST_DEED).fetchone()
        return 0 if newest is None else int(newest[0])

    def numbered_deeds(self, first: int = 1, last: int | None = None) -> list[tuple[int, Deed]]:
        """The deeds of some numbers, or all, with their numbers."""
        if not self._timed:
            return []
        end = LAST_NUMBER if last is None else last
        with self._reading():
            found = self._reader.execute(TRAIL, (first, end)).fetchall()
        return [
            (number, Deed(at_ms=at_ms, who=who, what=what, match=match, detail=detail))
            for number, at_ms, who, what, match, detail in found
        ]

    def counts(self) -> dict[str, int]:
        """How many matches and rows there are."""
        with self._reading():
            count = self._reader.execute
            return {
                "matches": count("SELECT count(*) FROM matches").fetchone()[0],
                "rows": count("SELECT count(*) FROM rows").fetchone()[0],
            }

    @property
    def _timed(self) -> bool:
        """Whether the journal keeps times of closing, and a trail."""
        return self.version > 1

    def close(self) -> None:
        """Let go of the file."""
        self._let_go = True
        self._reader.close()

    def _ids(self, query: str) -> list[bytes]:
        with self._reading():
            return [row[0] for row in self._reader.execute(query)]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except sqlite3.Error as err:
            if self._let_go:
                raise StoreClosedError from err
            raise unusable(self.path, err) from err


class SqliteStore(SqliteReader):
    """A journal in one file, mode 0600, with this process as its one writer.

    With a loop, appends come from its thread and futures are done there: those of one turn of the
    loop are queued together and those of one commit done together, so each costs one hop between
    threads however many there are. Without, futures are done on the writer's thread.

    `trouble` says why the last commit failed; it is empty once one has been kept again.

    Raises StoreError where the file cannot be opened, is no journal, is from another version (see
    `upgrade`), or is written by another process.
    """

    def __init__(
        self,
        path: Path,
        loop: asyncio.AbstractEventLoop | None = None,
        meter: Meter = UNMETERED,
        driver: Driver = SQLITE,
    ) -> None:
        self.trouble = ""
        self._meter = meter
        self._queue: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._turn: list[Job] = []
        self._loop = loop
        self._failed: set[bytes] = set()
        self._closed = False
        self._owner = own(path)
        try:
            _prepare(path, driver)
            super().__init__(path, driver)
            self._db = driver.write(path)
            self._transactions = Transactions(self._db, meter)
        except BaseException:
            self._owner.close()
            raise
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    def append(self, rows: Sequence[Row], *, at_ms: int) -> Future[None]:
        """Queue rows, all or none; the future is done once they are durable."""
        return self._put(Job(tuple(rows), at_ms, (), Future()))

    def note(self, deed: Deed) -> Future[None]:
        """Queue a deed for the trail; the future is done once it is durable."""
        return self._put(Job((), deed.at_ms, (deed,), Future()))

    def _put(self, job: Job) -> Future[None]:
        future = job.done
        future.set_running_or_notify_cancel()  # who waits may go away; the rows are written
        if self._closed:
            future.set_exception(StoreClosedError())
            return future
        if self._loop is not None and not self._turn:
            self._loop.call_soon(self._end_turn)
        self._turn.append(job)
        if self._loop is None:
            self._end_turn()
        return future

    def _end_turn(self) -> None:
        turn, self._turn = self._turn, []
        if turn:
            self._queue.put(turn)

    def heal(self, match: bytes) -> None:
        """Take appends of this match again, after one has failed."""
        self._failed.discard(match)

    def close(self) -> None:
        """Finish what is queued, then let go of the file."""
        if not self._closed:
            self._closed = True
            self._end_turn()
            self._queue.put(None)
            self._writer.join()
            super().close()
            self._db.close()
            self._owner.close()

    def _write(self) -> None:
        while jobs := self._next_batch():
            ends = self._commit(jobs)
            if self._loop is None or not _call_there(self._loop, ends):
                _finish(ends)

    def _next_batch(self) -> list[Job]:
        """What is queued now, at least one job; empty once the store is closed and all is done."""
        jobs: list[Job] = []
        turn = self._queue.get()
        while turn is not None:
            jobs += turn
            if self._queue.empty() or len(jobs) >= LARGEST_BATCH:
                return jobs
            turn = self._queue.get()
        if jobs:
            self._queue.put(None)
        return jobs

    def _commit(self, jobs: Sequence[Job]) -> list[_End]:
        """Commit all jobs together; a bad one costs its match only, a bad disk all of them.

        What is queued behind a lost append of the same match is refused until it is healed.
        """
        late = [job for job in jobs if any(row.match in self._failed for row in job.rows)]
        fit = [job for job in jobs if job not in late]
        ends = self._lose(late, "an earlier append of this match was lost")
        if not fit:
            return ends
        try:
            self._transactions.commit(fit)
        except sqlite3.OperationalError as err:
            self.trouble = str(err)
            return ends + self._lose(fit, err)
        except Exception as err:  # noqa: BLE001 -- whatever it is, who waits is told
            if len(fit) > 1:
                return [*ends, *(end for job in fit for end in self._commit([job]))]
            return ends + self._lose(fit, err)
        self.trouble = ""
        return [*ends, *((job.done, None) for job in fit)]

    def _lose(self, jobs: Sequence[Job], err: Exception | str) -> list[_End]:
        self._failed.update(row.match for job in jobs for row in job.rows)
        return [(job.done, _explain(err)) for job in jobs]


def _call_there(loop: asyncio.AbstractEventLoop, ends: Sequence[_End]) -> bool:
    """Finish on the loop's thread; False where the loop has ended."""
    try:
        loop.call_soon_threadsafe(_finish, ends)
    except RuntimeError:
        return False
    return True


def _finish(ends: Sequence[_End]) -> None:
    for future, error in ends:
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


def _explain(err: Exception | str) -> StoreError:
    return StoreError(
        f"the journal could not be written: {err} (free the disk: the referee goes on by itself)"
    )


def own(path: Path) -> IO[bytes]:
    """The lock beside the journal, held until it is closed: two writers would fork every match."""
    lock = path.with_name(path.name + ".lock")
    try:
        handle = os.fdopen(os.open(lock, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    except OSError as err:
        raise unusable(path, err) from err
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as err:
        handle.close()
        raise StoreError(
            f"another referee is writing the journal {str(path)!r} (stop it, or use another file)"
        ) from err
    return handle


def _prepare(path: Path, driver: Driver) -> None:
    """Create the file, or make sure that it is a journal of ours that can be written."""
    try:
        check_kind(path)
        path.touch(mode=0o600, exist_ok=True)
        with closing(driver.write(path)) as db:
            if is_empty(db):
                take_steps(db, 0, now_ms=0)
            version = version_of(db, path)
            if version != SCHEMA_VERSION:
                raise StoreError(
                    f"{str(path)!r} is a journal of version {version}, this program writes"
                    f" {SCHEMA_VERSION} (euchre-referee serve brings it up to date)"
                )
            db.execute("PRAGMA journal_mode = WAL")  # also of a file made from a dump
            db.execute("BEGIN IMMEDIATE")
            # A write: a read-only file would begin a reading transaction, and say nothing.
            db.execute(f"PRAGMA user_version = {version}")
            db.execute("ROLLBACK")
    except (OSError, sqlite3.Error) as err:
        raise unusable(path, err) from err


def upgrade(path: Path, *, now_ms: int) -> int | None:
    """Bring a journal of an older version up to date; the version it had, or None.

    Nothing is done where there is no file yet. Raises StoreError as SqliteStore does.
    """
    if not path.exists():
        return None
    with closing(own(path)):
        try:
            check_kind(path)
            with closing(SQLITE.write(path)) as db:
                if is_empty(db) or (version := version_of(db, path)) == SCHEMA_VERSION:
                    return None
                take_steps(db, version, now_ms=now_ms)
                Transactions(db, UNMETERED).empty_all()
                return version
        except (OSError, sqlite3.Error) as err:
            raise unusable(path, err) from err


def unusable(path: Path, err: Exception) -> StoreError:
    """What is said of a file that cannot be used as a journal."""
    why = err.strerror if isinstance(err, OSError) and err.strerror else str(err)
    return StoreError(f"{str(path)!r} cannot be used as a journal: {why} (use another file)")
