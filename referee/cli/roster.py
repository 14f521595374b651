"""`euchre-referee roster`: which keys belong to whom, each new one signed by the one before it."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import click

from referee.cli.evidence import append_entry, read_roster
from referee.cli.files import EXISTING, read_bytes
from referee.cli.keytype import KeyType
from referee.sealing import SigningKey, VerifyKey
from referee.sealing.roster import roster_line


@click.group()
def roster() -> None:
    """Keep a roster of keys, which `verify --roster` asks."""


@roster.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("key", type=KeyType())
@click.option(
    "--signed-by", "old", type=EXISTING, help="The private key that this one takes over from."
)
@click.option(
    "--from", "since", type=click.IntRange(0), help="In use from then on: milliseconds, else now."
)
def add(file: Path, key: VerifyKey, old: Path | None, since: int | None) -> None:
    """Add the public KEY (name+id+base64) to the roster FILE, which is made where it is not there.

    The first key of a name stands as it is; every other one is signed by the key before it.
    """
    signer = None if old is None else SigningKey.from_pem(key.name, read_bytes(old))
    begins = time.time_ns() // 1_000_000 if since is None else since
    append_entry(file, roster_line(key, begins, signer))
    click.echo(f"{str(file)!r} lists {key.text} from {_when(begins)} on")


@roster.command()
@click.argument("file", type=EXISTING)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a key.")
def show(file: Path, *, as_json: bool) -> None:
    """Check the roster FILE and print its keys, name by name."""
    for since, key, current in read_roster(file).entries():
        if as_json:
            row = {"name": key.name, "key": key.text, "from": since, "current": current}
            click.echo(json.dumps(row))
        else:
            click.echo(f"{key.text}  from {_when(since)}{'' if current else ', succeeded'}")


def _when(since_ms: int) -> str:
    """A time for people."""
    try:
        return datetime.fromtimestamp(since_ms / 1000, UTC).isoformat(" ", "seconds")
    except (ValueError, OverflowError, OSError):
        return f"{since_ms} ms"
