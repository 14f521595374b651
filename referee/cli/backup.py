"""`euchre-referee backup`: a copy of a journal, also while a referee writes it."""

import json
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from referee.cli.files import FileError, check_writable, move
from referee.cli.journals import check_no_log, logs_of
from referee.journal.backup import copy_journal


@click.command()
@click.argument("db", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="The copy, not there yet.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def backup(
    db: Path,
    output: Path,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Copy the journal DB into a new file, as it stands just now; a referee may be writing it.

    The copy holds secrets and is readable by its owner alone. It comes back with
    `euchre-referee restore`, which closes its open matches void: never serve a copy as it is.

    \b
    Exit codes: 0 copied; 2 the copy cannot be written there; 6 the file is no journal.
    """  # noqa: D301 -- \b is click's
    if output.exists():
        raise FileError(
            f"{str(output)!r} is there already: a backup is never written over another"
            " (name another file)"
        )
    check_writable(output)
    check_no_log(output)
    part = output.with_name(f"{output.name}.part")
    for left in (part, *logs_of(part)):  # of a backup that was stopped
        left.unlink(missing_ok=True)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("copying", total=None)
        copy_journal(db, part, lambda done, of: shown.update(task, completed=done, total=of))
    move(part, output)
    size = output.stat().st_size
    if as_json:
        click.echo(json.dumps({"backup": str(output), "bytes": size}))
    else:
        click.echo(f"backup: {output} ({size} bytes)")
