"""`euchre-referee tournament publish`: the event as pages, tables and records, for everybody."""

from pathlib import Path

import click

from referee.arena.tournament.publish.compile import document_of
from referee.arena.tournament.publish.gather import gather
from referee.arena.tournament.publish.pictures import pictures
from referee.arena.tournament.publish.site import site
from referee.arena.tournament.publish.write import check_place, write_site
from referee.cli.tournament.events import event_of, open_event
from referee.cli.verify import bar

SITE = "site"


@click.command()
@event_of
@click.option(
    "--out", type=click.Path(path_type=Path),
    help="Where the site is put.  [default: `site` in the event's directory]",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Replace whatever stands there.")
def publish(
    file: Path,
    directory: Path | None,
    out: Path | None,
    force: bool,  # noqa: FBT001 -- click's
) -> None:
    """Publish the event of FILE: pages, CSV, EGN, records and what was announced, in one folder.

    Also while it is played: then only boards that are closed are told. The pages need no network
    and no script. The folder is put in its place whole, or not at all.
    """
    opened = open_event(file, directory)
    place = out or opened.place.directory / SITE
    key = opened.public_key.text
    check_place(place, name=opened.sheet.name, key=key, force=force)
    facts, sources = gather(opened.place, opened.db, opened.sheet)
    document = document_of(facts)
    pages = sum(len(each.meetings) for each in document.rounds)
    with bar() as shown:
        task = shown.add_task("drawing", total=pages)
        made = site(document, sources, pictures(document), lambda _: shown.advance(task))
        count = write_site(place, made)
    state = "finished" if document.finished else "as far as it is played"
    click.echo(f"{place}: {count} files, the event {state}; open {place / 'index.html'}")
    click.echo(f"to verify: euchre-referee tournament verify {place} --referee-key '{key}'")
