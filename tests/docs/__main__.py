"""Run every command block of the pages, each page in a terminal and a folder of its own.

usage: python -m tests.docs [PAGE...]
"""

import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

import click

from tests.docs.blocks import Block, PageError, commands, pages
from tests.docs.places import CHECKOUT, ROOT, checkout, quiet_environment, with_package
from tests.docs.terminal import BlockError, Terminal

PAGES: Final = (
    "README.md",
    "clients/README.md",
    "conformance/README.md",
    "conformance/targets/README.md",
)
TERMINATED: Final = 128 + signal.SIGTERM
GATES: Final = (ROOT / ".ci" / "run", ROOT / "Makefile")


@click.command()
@click.argument("names", nargs=-1, metavar="[PAGE]...", type=click.Choice(PAGES))
@click.option("--limit", type=float, default=900, show_default=True, help="Seconds a block.")
def main(names: Sequence[str], *, limit: float) -> None:
    """Run the command blocks of PAGE, or of all pages."""
    try:
        every = pages(ROOT, list(names or PAGES))
        left_to_gates(every)
    except PageError as err:
        raise click.ClickException(str(err)) from err
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    with tempfile.TemporaryDirectory(prefix="euchre-docs-") as folder:
        place = Path(folder)
        environment = quiet_environment(place / "state")
        installed: dict[str, str] | None = None
        for name in names or PAGES:
            empty = place / name.replace("/", "-").removesuffix(".md")
            empty.mkdir()
            if name in CHECKOUT:
                checkout(empty)
                used = environment
            else:
                if installed is None:
                    click.echo("installing the package for the pages that have it")
                    installed = with_package(place, environment)
                used = installed
            read([block for block in every if block.page == name], empty, used, limit)


def left_to_gates(every: Sequence[Block]) -> None:
    """See that what is run elsewhere is."""
    gates = "".join(path.read_text(encoding="utf-8") for path in GATES)
    for block in every:
        if "elsewhere" in block.words:
            for command in commands(block.text):
                bare = command.partition("#")[0].strip()
                if f" {bare}\n" not in gates.replace("$(BIN)/", " "):
                    raise PageError(
                        f"{block.place}: {bare!r} stands neither in .ci/run nor Makefile"
                    )


def read(page: Sequence[Block], folder: Path, environment: dict[str, str], limit: float) -> None:
    """Do what a page says, block by block; stop at the first that does not do what it says."""
    done = skipped = 0
    with Terminal(folder, environment, seconds=limit) as terminal:
        for block in page:
            if block.saved_as is not None:
                path = folder / block.saved_as
                path.write_text(block.text, encoding="utf-8")
                click.echo(f"{block.place}: saved as {block.saved_as}")
            if not block.runs:
                continue
            missing = [program for program in block.needs if shutil.which(program) is None]
            if missing:
                click.echo(f"{block.place}: SKIPPED, {', '.join(missing)} is missing")
                skipped += 1
                continue
            start = perf_counter()
            try:
                terminal.run(block)
            except BlockError as err:
                click.echo(f"{block.place}: does not do what the page says\n{err}", err=True)
                sys.exit(1)
            done += 1
            click.echo(f"{block.place}: ok, {perf_counter() - start:.1f} s")
    click.echo(f"{page[0].page}: {done} blocks run, {skipped} skipped")


if __name__ == "__main__":
    main()
