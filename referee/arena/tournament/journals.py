"""Whether the journal of a worker can be gone on with."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from referee.journal.driver import SQLITE
from referee.journal.sqlite import SqliteReader
from referee.journal.store import StoreError


def journal_fault(path: Path, known: Sequence[str]) -> str:
    """Why a journal cannot be gone on with; empty where it is there, sound, and has what it had.

    `known` are the boards (ids) that were closed in it.
    """
    if not path.exists() or not path.stat().st_size:
        return "it is gone"
    try:
        with closing(SQLITE.read(path)) as db:
            found = [str(row[0]) for row in db.execute("PRAGMA quick_check")]
        if found != ["ok"]:
            return f"it is damaged: {found[0]}"
        with closing(SqliteReader(path)) as reader:
            held = {match.hex() for match in reader.matches()}
    except (OSError, sqlite3.Error, StoreError) as err:
        return f"it cannot be read: {err}"
    lacking = next((board for board in known if board not in held), None)
    return "" if lacking is None else f"it is an older copy, without board {lacking}"
