"""`euchre-referee keygen`: a new key pair for a referee or for a seat that signs."""

import os
import secrets
import time
from pathlib import Path

import click

from referee.cli.evidence import append_entry
from referee.cli.files import EXISTING, FileError, read_bytes
from referee.sealing import KeyFormError, SigningKey
from referee.sealing.keys import KEY_SIZE
from referee.sealing.roster import roster_line


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", default="referee", show_default=True, help="What the key is called.")
@click.option("--succeeds", type=EXISTING, help="The private key that this one takes over from.")
@click.option(
    "--roster", type=click.Path(dir_okay=False, path_type=Path), help="List the new key there."
)
def keygen(file: Path, name: str, succeeds: Path | None, roster: Path | None) -> None:
    """Write a new private key to FILE (PKCS8 PEM, mode 0600) and print its public form.

    An existing file is never overwritten. With --succeeds the old key signs the new one: the line
    goes into --roster, else it is printed after the key.
    """
    try:
        key = SigningKey.from_bytes(name, secrets.token_bytes(KEY_SIZE))
    except KeyFormError as err:
        raise click.BadParameter(str(err), param_hint="--name") from err
    entry = None
    if succeeds is not None or roster is not None:
        old = None if succeeds is None else SigningKey.from_pem(name, read_bytes(succeeds))
        entry = roster_line(key.public, time.time_ns() // 1_000_000, old)
    if file.exists():
        raise FileError(f"{str(file)!r} is there already (name another file)")
    if entry is not None and roster is not None:
        append_entry(roster, entry, write=False)  # what is refused leaves no key behind
    _write_private(file, key.pem())
    click.echo(key.public.text)
    if entry is not None and roster is not None:
        append_entry(roster, entry)
    elif entry is not None:
        click.echo(entry)


def _write_private(file: Path, pem: bytes) -> None:
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as err:
        raise FileError(f"{str(file)!r} is there already (name another file)") from err
    except OSError as err:
        raise FileError(f"cannot write {str(file)!r}: {err.strerror}") from err
    with os.fdopen(handle, "wb") as stream:
        stream.write(pem)
        stream.flush()
        os.fsync(stream.fileno())
