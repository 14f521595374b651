"""`euchre-referee tournament standings`: who leads, from the results and the actions so far."""

import json
from pathlib import Path

import click

from referee.arena.tournament.field import order_of
from referee.cli.tournament.events import event_of, open_event
from referee.cli.tournament.tables import as_csv, row_fields, rows_of, standings_text


@click.command()
@event_of
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--csv", "csv_", is_flag=True, help="Print CSV.")
def standings(
    file: Path,
    directory: Path | None,
    as_json: bool,  # noqa: FBT001 -- click's
    csv_: bool,  # noqa: FBT001 -- click's
) -> None:
    """Show the standings of the event of FILE as they are now, also while it is played."""
    if as_json and csv_:
        raise click.UsageError("one form at a time: give --json or --csv")
    opened = open_event(file, directory)
    key = opened.public_key
    if not (as_json or csv_):
        click.echo(standings_text(opened.sheet, opened.db, key))
        return
    words = order_of(opened.sheet).tie_breaks
    rows = [row_fields(row, words) for row in rows_of(opened.sheet, opened.db, key)]
    if as_json:
        click.echo(json.dumps({"event": opened.sheet.name, "standings": rows}))
    else:
        click.echo(as_csv(rows), nl=False)
