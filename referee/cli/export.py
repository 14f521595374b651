"""`euchre-referee export`: the deals of a transcript, or of any record, in a format of others."""

from pathlib import Path

import click

from referee.cli.files import EXISTING, EXISTING_OR_STDIN, write_bytes
from referee.cli.judge import record_bytes
from referee.records import WRITERS, read_record


@click.command()
@click.argument("file", type=EXISTING_OR_STDIN)
@click.option("--format", "name", type=click.Choice(list(WRITERS)), required=True)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file."
)
@click.option(
    "--board", type=EXISTING, help="The file of the sealed board that FILE is a table of."
)
def export(file: Path, name: str, output: Path | None, board: Path | None) -> None:
    """Write the deals of FILE, a transcript or any record, as EGN 1.4, PTN, text or JSON.

    What the format leaves out is said on standard error; nothing is verified here.

    Exit: 0 written, 1 the format cannot say it, 2 usage, 6 unreadable.
    """
    before = b"" if board is None else record_bytes(board)
    written = WRITERS[name](read_record(before + record_bytes(file)))
    for note in written.notes:
        click.echo(f"note: {note}", err=True)
    if output is None:
        click.echo(written.text, nl=False)
    else:
        write_bytes(output, written.text.encode(), made_from=file)
