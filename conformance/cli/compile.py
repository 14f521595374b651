"""`compile`: the corpus as one JSON document."""

import hashlib
from pathlib import Path

import click

from conformance.bundle import bundle
from conformance.cli.options import corpus_option
from conformance.corpus import load
from conformance.errors import UsageError


@click.command("compile")
@corpus_option
@click.option("-o", "out", type=click.Path(path_type=Path, dir_okay=False), required=True)
def compile_corpus(folder: Path | None, out: Path) -> None:
    """Write the corpus as one JSON document, and print its SHA-256."""
    data = bundle(load(folder))
    try:
        out.write_bytes(data)
    except OSError as err:
        raise UsageError(f"cannot write {str(out)!r}: {err.strerror}") from err
    click.echo(f"{hashlib.sha256(data).hexdigest()}  {out}")
