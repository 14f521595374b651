"""`euchre-referee lobby` and `join`: open seats, and how a bot comes by one."""

import asyncio
import json
import os
from dataclasses import asdict
from pathlib import Path

import click

from referee.cli.create import write_token
from referee.cli.files import FileError
from referee.cli.reach import reaching
from referee.cli.times import clock_time
from referee.host.mint import heard_code
from referee.service.client import Client


@click.command()
@reaching
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a match.")
def lobby(
    client: Client,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """List the matches that wait for players and are shown to everybody.

    Take one of the codes to `euchre-referee join`: the first who brings it has the seat.
    """
    found = asyncio.run(client.lobby())
    for match in found:
        if as_json:
            click.echo(json.dumps(asdict(match)))
            continue
        click.echo(f"{match.match}  {match.rule_set}")
        for each in match.invited:
            click.echo(f"{each.seat:>7}  {each.code}  until {clock_time(each.ends_at)}")
    if not found and not as_json:
        click.echo("no open seat (ask somebody for an invitation)")


@click.command()
@reaching
@click.argument("code")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    required=True,
    help="Where the token goes, mode 0600; not there yet.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def join(
    client: Client,
    code: str,
    token_file: Path,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Take the seat that the invitation CODE gives, and write its token to --token-file.

    A code is good once. Give the file to your bot: `python my_bot.py --token-file FILE`.
    """
    if not heard_code(code):
        raise click.BadParameter(
            f"{code!r} is no invitation (three groups of four letters and digits)",
            param_hint="CODE",
        )
    try:
        write_token(token_file, "", os.O_EXCL)  # a seat whose token cannot be kept is lost
    except OSError as err:
        raise FileError(f"cannot make {str(token_file)!r}: {err.strerror} (name another)") from err
    try:
        seat = asyncio.run(client.join(code))
    except BaseException:
        token_file.unlink(missing_ok=True)
        raise
    write_token(token_file, seat.token, os.O_TRUNC)
    if as_json:
        shown = {"match": seat.match, "seat": seat.seat, "referee_key": seat.referee_key}
        click.echo(json.dumps({**shown, "token_file": str(token_file)}))
        return
    click.echo(f"match {seat.match}")
    click.echo(f"seat {seat.seat}")
    click.echo(f"key {seat.referee_key}")
    click.echo(f"token {token_file}")
