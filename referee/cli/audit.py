"""`euchre-referee audit` and `transcript`: a journal read offline, with no server."""

import json
import sys
from contextlib import closing
from pathlib import Path

import click

from referee.cli.files import FileError, write_bytes
from referee.journal.audit import audit as audit_all
from referee.journal.sqlite import SqliteReader

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

    Exit codes: 0 sound; 1 a match is not; 6 the file is no journal.
    """
    unsound = count = 0
    with closing(SqliteReader(db)) as reader:
        for found in audit_all(reader):
            count += 1
            unsound += not found.sound
            if as_json:
                click.echo(json.dumps(found.as_map()))
                continue
            verdict = "sound" if found.sound else f"UNSOUND: {found.fault}"
            size = f"{found.rows} rows, {found.events} events"
            click.echo(f"{found.match}  {found.state:8}  {size}: {verdict}")
    if not as_json:
        click.echo(f"{count} matches, {unsound} unsound")
    sys.exit(UNSOUND if unsound else 0)


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
