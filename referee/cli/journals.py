"""Journals opened for writing by a command: brought up to date first."""

import asyncio
import getpass
import os
import resource
import time
from pathlib import Path
from typing import Final

import click

from referee.cli.files import FileError
from referee.journal.schema import SCHEMA_VERSION
from referee.journal.sqlite import SqliteStore, upgrade
from referee.meter import UNMETERED, Meter

LOGS: Final = ("-wal", "-journal")
"""What SQLite keeps beside a database, by the end of its name."""


def open_journal(
    path: Path, loop: asyncio.AbstractEventLoop | None = None, meter: Meter = UNMETERED
) -> SqliteStore:
    """The journal at a path, made if it is not there; one of an older version becomes newer."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold secrets
    upgraded(path)
    return SqliteStore(path, loop, meter)


def upgraded(path: Path) -> None:
    """Bring a journal of an older version up to date, and say so."""
    before = upgrade(path, now_ms=time.time_ns() // 1_000_000)
    if before is not None:
        click.echo(f"journal {path} brought from version {before} to {SCHEMA_VERSION}", err=True)


def logs_of(path: Path) -> list[Path]:
    """What SQLite may have left beside a database."""
    return [path.with_name(f"{path.name}{end}") for end in LOGS]


def check_no_log(path: Path) -> None:
    """Refuse to put a journal beside the log of another: SQLite would write that log into it."""
    for log in logs_of(path):
        if log.exists():
            raise FileError(
                f"{str(log)!r} is there: it belongs to a journal that was moved away without it"
                " (move it to where that journal is, and under its name, or name another file)"
            )


def user() -> str:
    """Who is at the keyboard, for the trail."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # nobody has given this user a name
        return f"user-{os.getuid()}"
