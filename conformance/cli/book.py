"""`rulebook` and `book`: the rules for people, as a page and as the data of a command line."""

from pathlib import Path

import click

from conformance.book import book
from conformance.corpus import HOME, load
from conformance.errors import UsageError
from conformance.positions import positions
from conformance.rulebookpage import rulebook_page

PAGE = HOME / "RULEBOOK.md"
DATA = HOME.parent / "referee" / "data" / "book.jsonl"
POSITIONS = DATA.with_name("positions.jsonl")


@click.command("rulebook")
@click.option("-o", "out", type=click.Path(path_type=Path, dir_okay=False), default=PAGE)
def write_rulebook(out: Path) -> None:
    """Write RULEBOOK.md: every rule, its sources, its knob, its cases drawn."""
    _write(out, rulebook_page(load()).encode("utf-8"))


@click.command("book")
@click.option("-o", "out", type=click.Path(path_type=Path, dir_okay=False), default=DATA)
def write_book(out: Path) -> None:
    """Write the data that `euchre-referee rules` reads."""
    _write(out, book(load()))


@click.command("positions")
@click.option("-o", "out", type=click.Path(path_type=Path, dir_okay=False), default=POSITIONS)
def write_positions(out: Path) -> None:
    """Write the positions that `euchre-referee check-bot` puts to a bot."""
    _write(out, positions(load()))


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as err:
        raise UsageError(f"cannot write {str(path)!r}: {err.strerror}") from err
    click.echo(f"{path}: {len(data)} bytes")
