"""One transaction of an SQLite journal: rows and deeds in, and what is public now emptied."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from referee.errors import InternalError
from referee.journal.emptied import KINDS, emptied, spent
from referee.journal.schema import SCHEMA_VERSION
from referee.journal.store import Deed, Row
from referee.meter import Meter
from referee.sealing.closing import DealClose

ENDINGS: Final = ("match_close", "dropped", "board_close")
"""The kinds of rows that close their match."""
INSERT: Final = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)"
SELECT: Final = "SELECT match, n, seq, kind, body, sig, request_id FROM rows"
NOTE: Final = "INSERT INTO trail (at_ms, who, what, match, detail) VALUES (?, ?, ?, ?, ?)"
EMPTY: Final = "UPDATE rows SET body = ? WHERE match = ? AND n = ?"
_MARKS: Final = ", ".join("?" * len(KINDS))


@dataclass(frozen=True, slots=True)
class Job:
    """What one call queued: rows and when, or a deed."""

    rows: tuple[Row, ...]
    at_ms: int
    deeds: tuple[Deed, ...]
    done: Future[None]


class Transactions:
    """The transactions of one connection; `closes` is where each match's newest deal was closed."""

    def __init__(self, db: sqlite3.Connection, meter: Meter) -> None:
        self._db = db
        self._meter = meter
        self._closes: dict[bytes, int] = {}

    def commit(self, jobs: Sequence[Job]) -> None:
        """Make all jobs durable together, or none; sqlite3.Error where that fails."""
        begun = time.perf_counter()
        rows = [row for job in jobs for row in job.rows]
        self._leave()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._write(jobs, rows)
            written = time.perf_counter()
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # the error that led here says more
                self._leave()
            raise
        flushed = time.perf_counter()  # the commit writes the log and waits for the disk
        for row in rows:
            if row.kind == DealClose.kind:
                self._closes[row.match] = row.n
            elif row.kind in ENDINGS:
                self._closes.pop(row.match, None)
        self._meter.count("commits")
        self._meter.observe("commit_rows", len(rows))
        self._meter.observe("commit_seconds", flushed - begun)
        self._meter.observe("flush_seconds", flushed - written)

    def empty_all(self) -> None:
        """Take out of a whole journal what is public: earlier versions kept it."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            matches = self._db.execute("SELECT match, closed_ms FROM matches").fetchall()
            for match, closed_ms in matches:
                left = [each for close in self._closes_of(match) for each in self._of_deal(close)]
                left += [] if closed_ms is None else self._of_match(match)
                self._db.executemany(EMPTY, [(row.body, row.match, row.n) for row in left])
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._leave()
            raise

    def _closes_of(self, match: bytes) -> list[Row]:
        """The newest deal_close of a match, if any deal was closed."""
        query = f"{SELECT} WHERE match = ? AND kind = ? ORDER BY n DESC LIMIT 1"
        return [Row(*row) for row in self._db.execute(query, (match, DealClose.kind))]

    def _leave(self) -> None:
        """Leave a transaction that failed, and that could not be left when it did."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _write(self, jobs: Sequence[Job], rows: Sequence[Row]) -> None:
        db = self._db
        if not any(job.rows or job.deeds for job in jobs):  # whoever asks so, asks for a write
            db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.executemany(
            "INSERT INTO matches (match) VALUES (?)", [(r.match,) for r in rows if r.n == 0]
        )
        db.executemany(
            INSERT, [(r.match, r.n, r.seq, r.kind, r.body, r.sig, r.request_id) for r in rows]
        )
        ended = [(job.at_ms, r.match) for job in jobs for r in job.rows if r.kind in ENDINGS]
        db.executemany("UPDATE matches SET closed_ms = ? WHERE match = ?", ended)
        db.executemany(
            NOTE,
            [(d.at_ms, d.who, d.what, d.match, d.detail) for job in jobs for d in job.deeds],
        )
        left = [each for row in rows if row.kind == DealClose.kind for each in self._of_deal(row)]
        left += [each for _, match in ended for each in self._of_match(match)]
        db.executemany(EMPTY, [(row.body, row.match, row.n) for row in left])

    def _of_deal(self, close: Row) -> Iterator[Row]:
        """The private rows of a deal that is closed just now, without their secrets."""
        query = f"{SELECT} WHERE match = ? AND n > ? AND n < ? AND kind IN ({_MARKS}) ORDER BY n"
        since = self._closes.get(close.match, 0)
        found = self._db.execute(query, (close.match, since, close.n, *KINDS)).fetchall()
        with suppress(InternalError):  # a damaged row is the audit's to find
            yield from emptied(Row(*row) for row in found)

    def _of_match(self, match: bytes) -> Iterator[Row]:
        """The first row of a match that is closed just now, without what its chain holds yet."""
        first = self._db.execute(f"{SELECT} WHERE match = ? AND n = 0", (match,)).fetchone()
        last = next(iter(self._closes_of(match)), None)
        if first is not None:
            with suppress(InternalError):
                yield spent(Row(*first), last)
