"""How connections to an SQLite file are made: for the one who writes it, and for those who read."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAGES_A_CHECKPOINT: Final = 8_192
"""The log may grow to 32 MiB: the pages that many tables write again and again are copied once."""
BUSY_S: Final = 5.0
"""How long a writer waits for a backup or another program that holds the file."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that writes: every commit is flushed, and what is deleted is overwritten."""
    return prepared(
        sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_S)
    )


def prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    """A connection as a writer of a journal has it."""
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA secure_delete = ON")
    db.execute(f"PRAGMA wal_autocheckpoint = {PAGES_A_CHECKPOINT}")
    return db


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that only reads; OSError where there is no file."""
    if not path.exists():
        raise FileNotFoundError("there is no such file")
    check_kind(path)
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


def check_kind(path: Path) -> None:
    """OSError where something is there that is no file: a directory, a pipe, a device."""
    if path.is_dir():
        raise IsADirectoryError("it is a directory")
    if path.exists() and not path.is_file():
        raise OSError("it is a pipe or a device, not a file")


@dataclass(frozen=True, slots=True)
class Driver:
    """The two ways to a file; a test puts disks that fail behind them."""

    write: Callable[[Path], sqlite3.Connection] = connect
    read: Callable[[Path], sqlite3.Connection] = connect_to_read


SQLITE: Final = Driver()
