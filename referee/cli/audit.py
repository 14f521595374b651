"""`euchre-referee audit` and `transcript`: a journal read offline, with no server."""

import json
import sys
from contextlib import closing
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from referee.cli.files import FileError, write_bytes
from referee.journal.audit import audit as audit_all
from referee.journal.sqlite import SqliteReader
from referee.journal.trail import audit_trail

UNSOUND = 1


class UnknownMatchError(FileError):
    """No match of the journal, or more than one, has this id."""


@click.command()
@click.argument("db", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a match.")
def audit(
    db: Path,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Decide every match of a journal again, and check its chain, signatures and transcript.

    The trail of operators is checked too: that no deed is missing. With --json its finding is the
    last object, where there is a trail.

    Exit codes: 0 sound; 1 a match or the trail is not; 6 the file is no journal.
    """
    unsound = count = 0
    console = Console(stderr=True)
    with closing(SqliteReader(db)) as reader:
        of = len(reader.matches())
        found_all = track(
            audit_all(reader),
            "auditing",
            total=of,
            console=console,
            transient=True,
            disable=not console.is_terminal or sys.stdout.isatty(),
        )
        for found in found_all:
            count += 1
            unsound += not found.sound
            if as_json:
                click.echo(json.dumps(found.as_map()))
                continue
            verdict = "sound" if found.sound else f"UNSOUND: {found.fault}"
            size = f"{found.rows} rows, {found.events} events"
            click.echo(f"{found.match}  {found.state:8}  {size}: {verdict}")
        deeds, fault = audit_trail(reader)
    if as_json and (deeds or fault):
        click.echo(json.dumps({"trail": deeds, "sound": not fault, "fault": fault}))
    elif deeds or fault:
        click.echo(f"trail: {deeds} deeds, {f'UNSOUND: {fault}' if fault else 'sound'}")
    if not as_json:
        click.echo(f"{count} matches, {unsound} unsound")
    sys.exit(UNSOUND if unsound or fault else 0)


@click.command()
@click.argument("match")
@click.option("--db", type=click.Path(path_type=Path), required=True, help="The journal.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where the record goes.")
def transcript(match: str, db: Path, output: Path | None) -> None:
    """Write the transcript of MATCH (its id, or the beginning of it) out of a journal."""
    with closing(SqliteReader(db)) as reader:
        found = [known for known in reader.matches() if known.hex().startswith(match)]
        if len(found) != 1:
            many = "no match" if not found else f"{len(found)} matches"
            raise UnknownMatchError(
                f"{many} of {str(db)!r} begin with {match!r} (euchre-referee audit lists them)"
            )
        text = b"".join(row.line for row in reader.rows(found[0]) if row.seq is not None)
    if not text:
        raise UnknownMatchError(f"match {found[0].hex()} never opened: it has no transcript")
    path = output or Path(f"euchre-{found[0].hex()[:8]}.jsonl")
    write_bytes(path, text, made_from=db)
    click.echo(f"transcript: {path}")
