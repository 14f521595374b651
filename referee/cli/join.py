"""`euchre-referee lobby` and `join`: open seats, and how a bot comes by one."""

import asyncio
import json
import os
import secrets
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from referee.cli.create import write_token
from referee.cli.files import FileError
from referee.cli.reach import reaching
from referee.cli.times import clock_time
from referee.host.mint import heard_code
from referee.service.client import Client, ServiceError

REQUEST_ID_SIZE: Final = 16


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

    Where the command is stopped before the token is there, FILE.request stays: the same command
    gets the same seat then.
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
    request = token_file.with_name(f"{token_file.name}.request")
    try:
        seat = asyncio.run(client.join(code, kept_request(request)))
    except BaseException as err:
        token_file.unlink(missing_ok=True)
        if isinstance(err, ServiceError) and err.answered:
            request.unlink(missing_ok=True)
        raise
    write_token(token_file, seat.token, os.O_TRUNC)
    request.unlink(missing_ok=True)
    if as_json:
        shown = {"match": seat.match, "seat": seat.seat, "referee_key": seat.referee_key}
        click.echo(json.dumps({**shown, "token_file": str(token_file)}))
        return
    click.echo(f"match {seat.match}")
    click.echo(f"seat {seat.seat}")
    click.echo(f"key {seat.referee_key}")
    click.echo(f"token {token_file}")


def kept_request(path: Path) -> bytes:
    """The request that takes the seat: the one of before, where its answer never came."""
    try:
        if not path.exists():
            write_token(path, secrets.token_hex(REQUEST_ID_SIZE), os.O_EXCL)
        request = bytes.fromhex(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        request = b""
    if len(request) != REQUEST_ID_SIZE:
        raise FileError(f"{str(path)!r} is no request of ours (remove it, and join again)")
    return request
