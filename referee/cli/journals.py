"""Journals opened for writing by a command: brought up to date first."""

import asyncio
import resource
import time
from pathlib import Path

import click

from referee.journal.schema import SCHEMA_VERSION
from referee.journal.sqlite import SqliteStore, upgrade
from referee.meter import UNMETERED, Meter


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
