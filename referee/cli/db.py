"""`euchre-referee db`: what a journal holds, and how it is kept small."""

import json
import os
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import Progress

from referee.cli.files import FileError, make_directory, move, write_bytes
from referee.cli.journals import upgraded, user
from referee.cli.times import clock_time
from referee.journal.prune import old_matches, prune
from referee.journal.sqlite import SqliteReader
from referee.journal.store import Deed
from referee.sealing.canonical import dump

DAY_MS: Final = 24 * 3_600_000


@click.group()
def db() -> None:
    """Look into a journal, and keep it small."""


@db.command()
@click.argument("db", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info(
    db: Path,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Print the version, the sizes and the counts of the journal DB; a referee may be writing it.

    \b
    Exit codes: 0; 6 the file is no journal.
    """  # noqa: D301 -- \b is click's
    with closing(SqliteReader(db)) as reader:
        closed = reader.closed()
        counts = reader.counts()
        times = [at for at in closed.values() if at]
        found = {
            "journal": str(db),
            "version": reader.version,
            "bytes": _size(db),
            "log_bytes": _size(db.with_name(f"{db.name}-wal")),
            "matches": counts["matches"],
            "open": counts["matches"] - len(closed),
            "closed": len(closed),
            "first_closed_ms": min(times, default=None),
            "last_closed_ms": max(times, default=None),
            "rows": counts["rows"],
            "deeds": reader.deed_count(),
        }
    if as_json:
        click.echo(json.dumps(found))
        return
    first, last = (clock_time(at) for at in (min(times), max(times))) if times else ("-", "-")
    click.echo(f"journal {db}, version {found['version']}")
    click.echo(f"{found['bytes']} bytes, and {found['log_bytes']} in its write-ahead log")
    click.echo(f"{found['matches']} matches: {found['open']} open, {found['closed']} closed")
    click.echo(f"closed from {first} to {last}")
    click.echo(f"{found['rows']} rows, {found['deeds']} deeds of operators")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@db.command("prune")
@click.argument("db", type=click.Path(path_type=Path))
@click.option(
    "--older-than",
    type=click.IntRange(1, 36_500),
    metavar="DAYS",
    required=True,
    help="Matches closed longer ago than this leave the journal.",
)
@click.option(
    "--export", type=click.Path(path_type=Path), help="Write their transcripts here first."
)
@click.option("--dry-run", is_flag=True, help="Only say how many would go.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def prune_command(
    db: Path,
    older_than: int,
    export: Path | None,
    dry_run: bool,  # noqa: FBT001 -- click's
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Take matches that were closed DAYS ago or longer out of the journal DB, and shrink the file.

    Stop the referee first. Open matches are never touched. What goes is gone: its transcript can be
    had no more, unless --export writes it to a file, MATCH.jsonl, before its match goes.

    \b
    Exit codes: 0 pruned; 2 a transcript cannot be written; 6 the file is no journal, or a referee
    is writing it.
    """  # noqa: D301 -- \b is click's
    now_ms = time.time_ns() // 1_000_000
    before_ms = now_ms - older_than * DAY_MS
    if not dry_run:
        upgraded(db)
    with closing(SqliteReader(db)) as reader:
        matches = old_matches(reader, before_ms)
    before = _size(db)
    if not dry_run and matches:
        detail = dump({"older_than_days": older_than, "matches": len(matches)}).decode("ascii")
        deed = Deed(at_ms=now_ms, who=user(), what="prune", detail=detail)
        _prune(db, matches, deed, export)
    shown = {"journal": str(db), "pruned": len(matches), "freed_bytes": before - _size(db)}
    if as_json:
        click.echo(json.dumps({**shown, "dry_run": dry_run}))
    elif dry_run:
        click.echo(f"{len(matches)} matches would leave {db}")
    else:
        click.echo(f"pruned {len(matches)} matches from {db}: {shown['freed_bytes']} bytes less")


def _prune(db: Path, matches: list[bytes], deed: Deed, export: Path | None) -> None:
    if export is not None:
        make_directory(export)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("pruning", total=len(matches))

        def keep(match: bytes, text: bytes) -> None:
            if export is not None:
                _write(export / f"{match.hex()}.jsonl", text)

        steps: Iterable[int] = prune(db, matches, deed=deed, keep=keep)
        for number in steps:
            shown.advance(task, number)


def _write(path: Path, text: bytes) -> None:
    """Write a transcript so that it stands before its match goes; the same one may be there."""
    if path.exists():
        if path.read_bytes() != text:
            raise FileError(f"{str(path)!r} is there, and is not this match (move it away)")
        return
    part = path.with_name(f"{path.name}.part")
    write_bytes(part, text)
    with part.open("rb") as written:
        os.fsync(written.fileno())
    move(part, path)
