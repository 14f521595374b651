"""An event's file: what was planned, announced, opened, played and decided, each once and for good.

One SQLite file, `event.db`, which the director and its workers write and anybody reads while they
do. The queue of chunks lies in the same file, so that a chunk ends and its results are kept in one
transaction. Nothing in it is secret: secrets are in the workers' journals.
"""

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.arena.formats.model import RoundPlan
from referee.arena.queue.interface import Lease, Retries, TaskState
from referee.arena.queue.sqlite import SqliteQueue
from referee.arena.tournament.model import BoardKey, BoardPlayed
from referee.arena.tournament.textform import plan_text, played_text, read_plan, read_played
from referee.errors import InternalError, RefereeError
from referee.journal.driver import SQLITE

VERSION: Final = "1"
QUEUE: Final = "chunks"
BUSY_MS: Final = 30_000
START_RETRIES: Final = Retries(failures=8, losses=1_000_000, first_ms=100, longest_ms=500)
"""A bot may fail to start because somebody killed it: it is tried eight times before it forfeits.

A worker that dies costs a chunk nothing.
"""
_LOST: Final = "lost."
_KEY: Final = "round, encounter, board, attempt"
_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS rounds (
      number INTEGER PRIMARY KEY, actions INTEGER NOT NULL, body TEXT NOT NULL
    )
    """,
    "CREATE TABLE IF NOT EXISTS announced (seq INTEGER PRIMARY KEY, line BLOB NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS openings (
      round INTEGER, encounter INTEGER, board INTEGER, attempt INTEGER,
      slot INTEGER NOT NULL, board_id TEXT NOT NULL,
      PRIMARY KEY (round, encounter, board, attempt)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS results (
      seq INTEGER PRIMARY KEY,
      round INTEGER, encounter INTEGER, board INTEGER, attempt INTEGER,
      at_ms INTEGER NOT NULL, body TEXT NOT NULL,
      UNIQUE (round, encounter, board, attempt)
    )
    """,
    "CREATE TABLE IF NOT EXISTS actions (seq INTEGER PRIMARY KEY, line BLOB NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS noise (
      slot INTEGER, since_ms INTEGER, body TEXT NOT NULL, PRIMARY KEY (slot, since_ms)
    )
    """,
)


class EventError(RefereeError):
    """An event's file that cannot be read or written, or is another's."""


class OvertakenError(EventError):
    """Somebody else took an action just before."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A round, and how many actions of the director had been taken when it was planned."""

    plan: RoundPlan
    actions: int


class EventDb:
    """The file, to read or to write; threads may share it."""

    def __init__(self, path: Path, *, write: bool) -> None:
        self._path = path
        self._lock = threading.RLock()
        try:
            if write:
                path.touch(mode=0o600, exist_ok=True)
            self._db = SQLITE.write(path) if write else SQLITE.read(path)
            self._db.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            if write:
                self._db.execute("PRAGMA journal_mode = WAL")
                for table in _TABLES:
                    self._db.execute(table)
        except (OSError, sqlite3.Error) as err:
            raise self._unusable(err) from err

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is read meanwhile is how the event stood at one moment, while it goes on."""
        with self._lock, self._told():
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("ROLLBACK")

    def queue(self) -> SqliteQueue:
        """The queue of chunks, whose completions keep the results of their boards."""
        return SqliteQueue(self._path, name=QUEUE, completing=_keep_results, retries=START_RETRIES)

    def tasks(self) -> list[tuple[str, TaskState]]:
        """Every chunk that was enqueued, and where it stands."""
        rows = self._rows(f"SELECT key, state FROM {QUEUE}_tasks ORDER BY number")  # noqa: S608
        return [(str(key), TaskState(str(state))) for key, state in rows]

    def about(self) -> Mapping[str, str]:
        """What is known of the event as a whole."""
        rows = self._rows("SELECT name, value FROM about")
        return {str(name): str(value) for name, value in rows}

    def set_about(self, **values: str) -> None:
        """Note something of the event as a whole."""
        with self._changing() as db:
            for name, value in values.items():
                db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def rounds(self) -> list[Planned]:
        """The rounds planned so far, in order."""
        rows = self._rows("SELECT actions, body FROM rounds ORDER BY number")
        return [Planned(read_plan(str(body)), _int(actions)) for actions, body in rows]

    def add_round(self, plan: RoundPlan, actions: int) -> bool:
        """Keep a round, which never changes; False where an action was taken meanwhile."""
        with self._changing() as db:
            if db.execute("SELECT count(*) FROM actions").fetchone()[0] != actions:
                return False
            row = (plan.number, actions, plan_text(plan))
            db.execute("INSERT INTO rounds VALUES (?, ?, ?)", row)
        return True

    def announced(self) -> list[bytes]:
        """The lines of the announcements, in order."""
        return [_bytes(line) for (line,) in self._rows("SELECT line FROM announced ORDER BY seq")]

    def announced_ms(self) -> int:
        """When the newest announcement was made, in milliseconds since 1970; 0 where there is none.

        No announcement is older than the one before it.
        """
        rows = self._rows("SELECT line FROM announced ORDER BY seq DESC LIMIT 1")
        return _int(json.loads(_bytes(rows[0][0]))["event"]["at"]) if rows else 0

    def add_announced(self, lines: Sequence[tuple[int, bytes]]) -> None:
        """Keep announcements, each with its number."""
        with self._changing() as db:
            db.executemany("INSERT INTO announced VALUES (?, ?)", lines)

    def actions(self) -> list[bytes]:
        """The lines of the director's actions, in order."""
        return [_bytes(line) for (line,) in self._rows("SELECT line FROM actions ORDER BY seq")]

    def add_action(self, seq: int, line: bytes, *, drawn: int | None = None) -> None:
        """Keep an action; EventError where another was taken at the same time.

        Where it was decided on with so many rounds `drawn`, also where there are others by now.
        """
        with self._acting(seq) as db:
            _check_drawn(db, drawn)
            db.execute("INSERT INTO actions VALUES (?, ?)", (seq, line))

    def give_up(self, slot: int, seq: int, lines: Sequence[bytes]) -> None:
        """Keep, for good, that a worker's journal is lost, and the actions that say what was open.

        OvertakenError where another action was taken meanwhile.
        """
        with self._acting(seq) as db:
            db.executemany("INSERT INTO actions VALUES (?, ?)", list(enumerate(lines, seq)))
            db.execute("INSERT INTO about VALUES (?, ?)", (f"{_LOST}{slot}", "lost"))

    def lost(self) -> frozenset[int]:
        """The slots whose journals are lost: nothing is played in them any more."""
        words = [name.removeprefix(_LOST) for name in self.about() if name.startswith(_LOST)]
        return frozenset(int(word) for word in words)

    @contextmanager
    def _acting(self, seq: int) -> Iterator[sqlite3.Connection]:
        try:
            with self._changing() as db:
                yield db
        except EventError as err:
            if isinstance(err.__cause__, sqlite3.IntegrityError):
                raise OvertakenError(
                    f"action {seq} was taken meanwhile (look, and act again)"
                ) from err
            raise

    def openings(self) -> dict[BoardKey, int]:
        """The boards that were, or were about to be, opened, and in which worker's journal."""
        rows = self._rows(f"SELECT {_KEY}, slot FROM openings")  # noqa: S608 -- constant
        return {BoardKey(*map(_int, row[:4])): _int(row[4]) for row in rows}

    def left_open(self, slot: int) -> dict[BoardKey, str]:
        """The boards that a worker was about to open, and of which nothing is known; their ids."""
        rows = self._rows(
            f"SELECT {_KEY}, board_id FROM openings LEFT JOIN results USING ({_KEY})"  # noqa: S608
            " WHERE slot = ? AND body IS NULL",
            slot,
        )
        return {BoardKey(*map(_int, row[:4])): str(row[4]) for row in rows}

    def known(self) -> list[tuple[int, str]]:
        """Every board that has a result: in which worker's journal it is, and its id."""
        rows = self._rows(
            f"SELECT slot, board_id FROM openings JOIN results USING ({_KEY})"  # noqa: S608
        )
        return [(_int(slot), str(board)) for slot, board in rows]

    def open_boards(
        self, slot: int, boards: Sequence[tuple[BoardKey, str]]
    ) -> list[tuple[BoardKey, str]]:
        """Note that a worker opens boards (key and id); those that nobody has opened before."""
        mine: list[tuple[BoardKey, str]] = []
        with self._changing() as db:
            for key, board in boards:
                row = (*_row(key), slot, board)
                done = db.execute("INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?, ?, ?)", row)
                if done.rowcount:
                    mine.append((key, board))
        return mine

    def never_opened(self, slot: int, boards: Sequence[str]) -> None:
        """Take back that a worker opened boards (ids), of which its journal has nothing."""
        with self._changing() as db:
            for board in boards:
                db.execute("DELETE FROM openings WHERE slot = ? AND board_id = ?", (slot, board))

    def results(self, after: int = 0) -> tuple[int, list[BoardPlayed]]:
        """The boards closed or void since a result, in the order they were kept; and the last."""
        rows = self._rows("SELECT seq, body FROM results WHERE seq > ? ORDER BY seq", after)
        last = _int(rows[-1][0]) if rows else after
        return last, [read_played(str(body)) for _seq, body in rows]

    def in_play(self) -> int:
        """How many boards lie open, or were when their worker died."""
        (row,) = self._rows(
            "SELECT (SELECT count(*) FROM openings) - (SELECT count(*) FROM results)"
        )
        return _int(row[0])

    def add_results(self, slot: int, played: Sequence[BoardPlayed], *, now_ms: int) -> int:
        """Keep results of boards that a worker opened; how many were new.

        A result that is there already is left as it is, and must be the same.
        """
        with self._changing() as db:
            return sum(_keep_result(db, slot, each, now_ms) for each in played)

    def put_noise(self, slot: int, since_ms: int, body: str) -> None:
        """Keep what a worker's process has heard of its host since it began."""
        with self._changing() as db:
            db.execute("INSERT OR REPLACE INTO noise VALUES (?, ?, ?)", (slot, since_ms, body))

    def noise(self) -> list[str]:
        """What was heard of the host, by every worker's process: records of `arena.noise`."""
        rows = self._rows("SELECT body FROM noise ORDER BY since_ms, slot")
        return [str(body) for (body,) in rows]

    def _rows(self, query: str, *values: int) -> list[tuple[object, ...]]:
        with self._lock, self._told():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as err:
            raise self._unusable(err) from err

    def _unusable(self, err: Exception) -> EventError:
        why = err.strerror if isinstance(err, OSError) and err.strerror else str(err)
        if type(err) is sqlite3.DatabaseError:  # not one of its kinds: the file is damaged
            return EventError(
                f"cannot use {str(self._path)!r}: {why} (put a copy of the event's directory back)"
            )
        return EventError(
            f"cannot use {str(self._path)!r}: {why}"
            " (free the disk or make it writable; what was played is kept)"
        )


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise InternalError(f"no number in an event's file: {value!r}")
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise InternalError(f"no bytes in an event's file: {value!r}")
    return value


def _row(key: BoardKey) -> tuple[int, int, int, int]:
    return key.round, key.encounter, key.board, key.attempt


_WHERE: Final = f"WHERE ({_KEY}) = (?, ?, ?, ?)"
_OPENED: Final = f"SELECT slot FROM openings {_WHERE}"  # noqa: S608 -- constant
_KEPT: Final = f"SELECT body FROM results {_WHERE}"  # noqa: S608 -- constant
_KEEP: Final = f"INSERT OR IGNORE INTO results ({_KEY}, at_ms, body) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608 -- constant


def _check_drawn(db: sqlite3.Connection, drawn: int | None) -> None:
    there = db.execute("SELECT count(*) FROM rounds").fetchone()[0]
    if drawn is not None and there != drawn:
        raise EventError(
            f"round {there} was drawn meanwhile; nothing was done (look, and act again)"
        )


def _keep_result(db: sqlite3.Connection, slot: int, played: BoardPlayed, now_ms: int) -> int:
    key, body = _row(played.key), played_text(played)
    opened = db.execute(_OPENED, key).fetchone()
    if opened is None or opened[0] != slot:
        raise InternalError(f"worker {slot} has a result of {key}, which it has not opened")
    done = db.execute(_KEEP, (*key, now_ms, body))
    if not done.rowcount:
        kept = db.execute(_KEPT, key).fetchone()[0]
        if kept != body:
            raise InternalError(f"two results of {key}: {kept} and {body}")
    return done.rowcount


def _keep_results(db: sqlite3.Connection, lease: Lease, results: Sequence[str]) -> None:
    """Within the transaction that completes a chunk: its boards' results, where they are new."""
    for body in results:
        _keep_result(db, int(lease.worker), read_played(body), lease.expires_ms)
