"""`euchre-referee check-vectors`: does another implementation's vectors file agree with ours."""

import json
from pathlib import Path

import click

from referee.cli.files import EXISTING, read_bytes
from referee.sealing.vectors import check_vectors as differences

DIFFER = 3


@click.command("check-vectors")
@click.argument("file", type=EXISTING)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check_vectors(ctx: click.Context, file: Path, *, as_json: bool) -> None:
    """Recompute a vectors FILE of the sealed deal and name whatever differs.

    Exit: 0 where all agree, 3 where something differs, 6 where the file is no vectors file.
    """
    count, differ = differences(read_bytes(file))
    if as_json:
        click.echo(json.dumps({"checked": count, "differ": differ}))
    else:
        for sentence in differ:
            click.echo(sentence)
        click.echo(f"{count} checked, {len(differ)} differ")
    ctx.exit(DIFFER if differ else 0)
