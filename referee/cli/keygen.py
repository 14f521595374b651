"""`euchre-referee keygen`: a new key pair for a referee or for a seat that signs."""

import os
import secrets
from pathlib import Path

import click

from referee.cli.files import FileError
from referee.sealing import KeyFormError, SigningKey
from referee.sealing.keys import KEY_SIZE


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", default="referee", show_default=True, help="What the key is called.")
def keygen(file: Path, name: str) -> None:
    """Write a new private key to FILE (PKCS8 PEM, mode 0600) and print its public form.

    An existing file is never overwritten.
    """
    try:
        key = SigningKey.from_bytes(name, secrets.token_bytes(KEY_SIZE))
    except KeyFormError as err:
        raise click.BadParameter(str(err), param_hint="--name") from err
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as err:
        raise FileError(f"{str(file)!r} is there already (name another file)") from err
    except OSError as err:
        raise FileError(f"cannot write {str(file)!r}: {err.strerror}") from err
    with os.fdopen(handle, "wb") as stream:
        stream.write(key.pem())
    click.echo(key.public.text)
