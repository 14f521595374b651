"""The tables of a queue on SQLite, and its statements, under a name of the caller's choice.

The name goes before every table, so that a queue can lie in a file beside other tables.
"""

import re
from dataclasses import dataclass
from typing import Final

from referee.arena.queue.interface import QueueError

VERSION: Final = 1
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,30}")

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS {name}_about (version INTEGER NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS {name}_tasks (
      number INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      payload TEXT NOT NULL,
      priority INTEGER NOT NULL,
      state TEXT NOT NULL,
      attempt INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      losses INTEGER NOT NULL DEFAULT 0,
      ready_ms INTEGER NOT NULL DEFAULT 0,
      lease_ms INTEGER NOT NULL DEFAULT 0,
      expires_ms INTEGER NOT NULL DEFAULT 0
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS {name}_next
      ON {name}_tasks (state, priority DESC, number)
    """,
    """
    CREATE TABLE IF NOT EXISTS {name}_attempts (
      task INTEGER NOT NULL,
      number INTEGER NOT NULL,
      worker TEXT NOT NULL,
      claimed_ms INTEGER NOT NULL,
      ended_ms INTEGER,
      ending TEXT,
      why TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (task, number)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS {name}_results (
      task INTEGER NOT NULL,
      n INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (task, n)
    ) WITHOUT ROWID
    """,
)

_TASK: Final = "key, payload, priority"


@dataclass(frozen=True, slots=True)
class Statements:
    """What is said to SQLite about one queue."""

    tables: tuple[str, ...]
    version: str
    set_version: str
    touch: str
    found: str
    insert: str
    busy: str
    shorten_leases: str
    shorten_pauses: str
    expired: str
    next: str
    lease: str
    attempt: str
    extend: str
    end_attempt: str
    end_task: str
    keep: str
    counts: str
    due: str
    dead: str
    attempts: str
    results: str


def statements(name: str) -> Statements:
    """The statements for a queue of a name: lower-case letters, digits and underscores.

    QueueError for a name that is none.
    """
    if not _NAME.fullmatch(name):
        raise QueueError(f"not a name of a queue: {name!r} (lower-case letters, digits and _)")
    said = {field: text.format(name=name, task=_TASK) for field, text in _SAID.items()}
    return Statements(tables=tuple(table.format(name=name) for table in _TABLES), **said)


_SAID: Final = {
    "version": "SELECT version FROM {name}_about",
    "set_version": "INSERT INTO {name}_about VALUES (?)",
    "touch": "UPDATE {name}_about SET version = version",
    "found": "SELECT number, payload, state, attempt, failures, losses FROM {name}_tasks"
    " WHERE key = ?",
    "insert": "INSERT INTO {name}_tasks ({task}, state) VALUES (?, ?, ?, 'WAITING')",
    # Whether a claim would find anything, or find a clock that has gone back.
    "busy": "SELECT EXISTS (SELECT 1 FROM {name}_tasks WHERE state = 'WAITING'"
    " AND (ready_ms <= :now OR ready_ms > :now + :longest))"
    " OR EXISTS (SELECT 1 FROM {name}_tasks WHERE state = 'LEASED'"
    " AND (expires_ms <= :now OR expires_ms > :now + lease_ms))",
    "shorten_leases": "UPDATE {name}_tasks SET expires_ms = :now + lease_ms"
    " WHERE state = 'LEASED' AND expires_ms > :now + lease_ms",
    "shorten_pauses": "UPDATE {name}_tasks SET ready_ms = :now + :longest"
    " WHERE state = 'WAITING' AND ready_ms > :now + :longest",
    "expired": "SELECT number, attempt, failures, losses FROM {name}_tasks"
    " WHERE state = 'LEASED' AND expires_ms <= ?",
    "next": "SELECT number, {task}, attempt FROM {name}_tasks"
    " WHERE state = 'WAITING' AND ready_ms <= ? ORDER BY priority DESC, number LIMIT 1",
    "lease": "UPDATE {name}_tasks SET state = 'LEASED', attempt = ?, lease_ms = ?, expires_ms = ?"
    " WHERE number = ?",
    "attempt": "INSERT INTO {name}_attempts (task, number, worker, claimed_ms) VALUES (?, ?, ?, ?)",
    "extend": "UPDATE {name}_tasks SET lease_ms = ?, expires_ms = ? WHERE number = ?",
    "end_attempt": "UPDATE {name}_attempts SET ended_ms = ?, ending = ?, why = ?"
    " WHERE task = ? AND number = ? AND ending IS NULL",
    "end_task": "UPDATE {name}_tasks SET state = ?, failures = ?, losses = ?, ready_ms = ?"
    " WHERE number = ?",
    "keep": "INSERT INTO {name}_results (task, n, attempt, body) VALUES (?, ?, ?, ?)",
    "counts": "SELECT state, count(*), sum(ready_ms > ?) FROM {name}_tasks GROUP BY state",
    "due": "SELECT min(CASE state WHEN 'WAITING' THEN ready_ms ELSE expires_ms END)"
    " FROM {name}_tasks WHERE state IN ('WAITING', 'LEASED')",
    "dead": "SELECT {task}, attempt, ending, why FROM {name}_tasks AS tasks"
    " JOIN {name}_attempts AS tries ON task = tasks.number AND tries.number = attempt"
    " WHERE state = 'DEAD' ORDER BY tasks.number",
    "attempts": "SELECT key, tries.number, worker, claimed_ms, ended_ms, ending, why"
    " FROM {name}_tasks AS tasks JOIN {name}_attempts AS tries ON task = tasks.number"
    " WHERE key = ? ORDER BY tries.number",
    "results": "SELECT key, kept.attempt, body FROM {name}_results AS kept"
    " JOIN {name}_tasks AS tasks ON tasks.number = task"
    " WHERE :key IS NULL OR key = :key ORDER BY task, n",
}
