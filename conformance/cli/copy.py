"""`copy`: the corpus as files, for people who never run this program."""

import shutil
from pathlib import Path

import click

from conformance.bundle import bundle
from conformance.corpus import HOME, load
from conformance.errors import UsageError

FILES = ("README.md", "RULEBOOK.md", "rulebook.yaml", "rulesets.yaml", "sources.yaml", "ids.lock")
FOLDERS = ("cases", "schema")
BUNDLE = "corpus.json"


@click.command("copy")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
def copy_corpus(folder: Path) -> None:
    """Write the corpus into DIR: cases, schemas, rule book, rule sets, licence, one JSON document.

    `run --corpus DIR` then gives the same verdicts. DIR must be empty, or not there yet.
    """
    corpus = load()
    try:
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{str(folder)!r} is not empty (name a new folder)")
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.copyfile(HOME / name, folder / name)
        for name in FOLDERS:
            shutil.copytree(HOME / name, folder / name)
        shutil.copyfile(HOME / "cases" / "LICENSE", folder / "LICENSE")
        (folder / BUNDLE).write_bytes(bundle(corpus))
    except OSError as err:
        raise UsageError(f"cannot write {str(folder)!r}: {err.strerror}") from err
    click.echo(f"{len(corpus.cases)} cases in {folder}")
