"""A journal copied whole, also while it is written: for a backup, and back from one."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from referee.journal.driver import connect_to_read
from referee.journal.sqlite import SqliteReader
from referee.journal.store import StoreError

PAGES_A_STEP: Final = 2_048
Progress = Callable[[int, int], None]
"""Told how many pages have been copied, and of how many."""


def copy_journal(source: Path, target: Path, progress: Progress = lambda _done, _of: None) -> None:
    """Copy a journal into a new file, mode 0600, as it stands when the copy begins.

    Raises StoreError where the source is no journal, or the target is there or cannot be written.
    """
    SqliteReader(source).close()
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as err:
        raise StoreError(
            f"{str(target)!r} is there already: a journal is never copied over another"
            " (move it away, or name another file)"
        ) from err
    except OSError as err:
        raise StoreError(f"cannot write {str(target)!r}: {err.strerror}") from err
    try:
        _copy(source, target, progress)
    except sqlite3.Error as err:
        target.unlink(missing_ok=True)
        raise StoreError(f"cannot copy {str(source)!r} to {str(target)!r}: {err}") from err
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _copy(source: Path, target: Path, progress: Progress) -> None:
    """Copy within one reading transaction: what is written meanwhile is not in the copy."""
    with closing(connect_to_read(source)) as old, closing(sqlite3.connect(target)) as new:
        old.execute("BEGIN")
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()
        old.backup(new, pages=PAGES_A_STEP, progress=lambda _, left, of: progress(of - left, of))
    with target.open("rb") as copied:
        os.fsync(copied.fileno())
