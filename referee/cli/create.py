"""`euchre-referee create`: a match on a referee that is running, and the tokens of its chairs."""

import asyncio
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from referee.cli.files import FileError, make_directory
from referee.cli.pairs import map_of
from referee.cli.reach import operating
from referee.cli.times import clock_time
from referee.sealing.packs import SEATS
from referee.service.client import Client, CreatedMatch

TOKEN_FILES = (*SEATS, "watch")


@click.command()
@operating
@click.option("--rules", default="standard", show_default=True, help="A rule set by name.")
@click.option("--knob", multiple=True, help="NAME=VALUE; a knob that differs from it.")
@click.option("--games", type=click.IntRange(1, 999), default=1, show_default=True)
@click.option(
    "--start-ms",
    type=click.IntRange(250, 3_600_000),
    default=600_000,
    show_default=True,
    help="Time to sit down, and how long invitations are good.",
)
@click.option(
    "--open",
    "open_seats",
    multiple=True,
    type=click.Choice([*SEATS, "all"]),
    help="A seat that is joined with an invitation code, which is printed.",
)
@click.option("--public", is_flag=True, help="Show the match and its codes in the lobby.")
@click.option(
    "--tokens", type=click.Path(path_type=Path), default=Path("tokens"), show_default=True
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def create(  # noqa: PLR0917 -- click hands every option over by itself
    client: Client,
    rules: str,
    knob: Sequence[str],
    games: int,
    start_ms: int,
    open_seats: Sequence[str],
    public: bool,  # noqa: FBT001 -- click's
    tokens: Path,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Make a match and write one token file a seat into the directory --tokens.

    Give each bot its own file; whoever has it plays the seat. An open seat has no file: whoever is
    given its code gets the token with `euchre-referee join`.
    """
    knobs = map_of(knob)
    if public and not open_seats:
        raise click.UsageError("the lobby shows open seats: give --open SEAT, or leave --public")
    make_directory(tokens)  # a match whose tokens nobody has could only be aborted
    made = asyncio.run(
        client.create(
            rule_set=rules,
            knobs=knobs,
            policy={"games": games, "start_ms": start_ms},
            open_seats=SEATS if "all" in open_seats else sorted(set(open_seats), key=SEATS.index),
            public=public,
        )
    )
    files = write_tokens(tokens, made)
    if as_json:
        shown = {
            "match": made.match,
            "referee_key": made.referee_key,
            "tokens": {name: str(path) for name, path in files.items()},
            "invitations": [asdict(each) for each in made.invited],
        }
        click.echo(json.dumps(shown))
        return
    click.echo(f"match {made.match}")
    click.echo(f"key {made.referee_key}")
    for name, path in files.items():
        click.echo(f"{name:>5}  {path}")
    for each in made.invited:
        click.echo(f"{each.seat:>5}  {each.code}  until {clock_time(each.ends_at)}")


def write_tokens(directory: Path, made: CreatedMatch) -> dict[str, Path]:
    """Write one file a token, mode 0600; their paths by seat."""
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        files: dict[str, Path] = {}
        for name, token in zip(TOKEN_FILES, made.tokens, strict=True):
            if token:
                path = directory / f"{made.match[:8]}-{name}.token"
                write_token(path, token, os.O_TRUNC)
                files[name] = path
    except OSError as err:
        raise FileError(f"cannot write tokens to {str(directory)!r}: {err.strerror}") from err
    return files


def write_token(path: Path, token: str, how: int) -> None:
    """Write a file that nobody else can read; `how` is O_TRUNC, or O_EXCL to keep one that is."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(token + "\n")
