"""A journal copied whole, as it comes back from a backup."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from referee.journal.sqlite import SqliteReader
from referee.journal.store import StoreError


def copy_journal(source: Path, target: Path) -> None:
    """Copy a journal into a new file, mode 0600; also one that is being written.

    Raises StoreError where the source is no journal, or the target is there or cannot be written.
    """
    SqliteReader(source).close()
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as err:
        raise StoreError(
            f"{str(target)!r} is there already: a journal is never restored over another"
            " (move it away, or name another file)"
        ) from err
    except OSError as err:
        raise StoreError(f"cannot write {str(target)!r}: {err.strerror}") from err
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
    except sqlite3.Error as err:
        target.unlink()
        raise StoreError(f"cannot copy {str(source)!r}: {err}") from err
