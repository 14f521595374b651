"""The tables of an SQLite journal, version by version, and the steps from each to the next.

Every version that was ever written is brought up to date, one step a transaction: a step is done
whole or not at all, so a journal is always of one version. No copy of the old file is kept: a
journal that lies about unused could be played on by mistake, and a deal would be played twice.
"""

import sqlite3
from pathlib import Path
from typing import Final

from referee.journal.store import StoreError

STEPS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """
        CREATE TABLE matches (
          number INTEGER PRIMARY KEY,
          match BLOB NOT NULL UNIQUE,
          closed INTEGER NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE rows (
          match BLOB NOT NULL,
          n INTEGER NOT NULL,
          seq INTEGER,
          kind TEXT NOT NULL,
          body BLOB NOT NULL,
          sig BLOB NOT NULL,
          request_id BLOB NOT NULL,
          UNIQUE (match, n)
        )
        """,
    ),
    (
        "ALTER TABLE matches ADD COLUMN closed_ms INTEGER",
        "UPDATE matches SET closed_ms = :now_ms WHERE closed = 1",
        "ALTER TABLE matches DROP COLUMN closed",
        """
        CREATE TABLE trail (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          at_ms INTEGER NOT NULL,
          who TEXT NOT NULL,
          what TEXT NOT NULL,
          match BLOB,
          detail TEXT NOT NULL
        )
        """,
        "CREATE INDEX beginnings ON rows (match) WHERE kind IN ('created', 'joined')",
    ),
)
"""What leads from version n to version n + 1; a new journal takes every step."""
SCHEMA_VERSION: Final = len(STEPS)


def version_of(db: sqlite3.Connection, path: Path) -> int:
    """The version of a journal: 1 or later.

    Raises StoreError where the database is no journal, or of a version newer than this program.
    """
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{str(path)!r} is a journal of version {version}, this program knows up to"
            f" {SCHEMA_VERSION} (use the newer program, or another file)"
        )
    if version < 1:
        raise StoreError(f"{str(path)!r} is a database but no journal (use another file)")
    return version


def is_empty(db: sqlite3.Connection) -> bool:
    """Whether a database has neither tables nor a version: a journal can begin in it."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return int(version) == int(tables) == 0


def take_steps(db: sqlite3.Connection, version: int, *, now_ms: int) -> None:
    """Bring a journal from a version to the newest; `now_ms` is milliseconds since 1970.

    Matches that were closed before times were kept count as closed now.
    """
    for number, step in enumerate(STEPS[version:], version + 1):
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in step:
                db.execute(statement, {"now_ms": now_ms} if ":now_ms" in statement else ())
            db.execute(f"PRAGMA user_version = {number}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
