"""`euchre-referee tournament run`: play an event, or go on with it."""

import asyncio
import os
import secrets
import signal
import sys
import time
from pathlib import Path
from typing import Final

import click

from referee.arena.tournament.begin import begin_event
from referee.arena.tournament.confined import notes_on
from referee.arena.tournament.director import Director
from referee.arena.tournament.place import only_one, place_of
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.sheetread import read_sheet
from referee.arena.tournament.trial import Tried, try_bots
from referee.cli.errors import INTERRUPTED
from referee.cli.tournament.events import event_of, key_file, keyed
from referee.cli.tournament.plan import NOT_STARTED, last_words
from referee.cli.tournament.shown import Shown
from referee.cli.tournament.tables import standings_text
from referee.errors import RefereeError
from referee.host.home import load_key

LOOKED_AT_S: Final = 0.5
"""A look at who runs an event (status) holds its lock for a moment."""


class NotReadyError(RefereeError):
    """Bots that do not start, before an event begins."""

    exit_code = NOT_STARTED


@click.command()
@event_of
@keyed
@click.option("--workers", type=click.IntRange(1, 1_000), help="Processes that play.")
@click.option(
    "--forfeit",
    is_flag=True,
    help="Begin also where a bot does not start: it loses what it would have played.",
)
@click.option("--quiet", is_flag=True, help="Show no bar; say only what happens.")
@click.pass_context
def run(  # noqa: PLR0917 -- click hands every option over by itself
    ctx: click.Context,
    file: Path,
    directory: Path | None,
    key: Path | None,
    workers: int | None,
    forfeit: bool,  # noqa: FBT001 -- click's
    quiet: bool,  # noqa: FBT001 -- click's
) -> None:
    """Play the event of a tournament FILE, or go on with it after a stop.

    Ctrl-C lets the chunks in play end, and stops; a second one, or SIGTERM, stops at once: boards
    in play become void, and fresh ones take their place when the same command is given again.

    \b
    Exit codes: 0 over; 1 it cannot go on; 2 bad input; 4 a bot does not start, and nothing was
    begun; 130 stopped.
    """  # noqa: D301 -- \b is click's
    place = place_of(file, directory)
    sheet = read_sheet(file, begun=place.db.exists())
    path = key_file(key)
    signing = load_key(path, secrets.token_bytes)
    if not (forfeit or place.db.exists()):
        _check_ready(file, sheet, path)
    begun = begin_event(file, sheet, place, signing, Path.cwd())
    count = workers or sheet.workers or os.cpu_count() or 1
    for note in notes_on(begun.sheet):
        click.echo(note, err=True)
    lock = only_one(place.directory / "director.lock", wait_s=LOOKED_AT_S)
    with lock, Shown(begun.sheet, quiet=quiet) as shown:
        director = Director(
            place=place,
            sheet=begun.sheet,
            db=begun.db,
            key=signing,
            key_file=path,
            directory=begun.directory,
            chance=secrets.token_bytes,
            wall_ms=lambda: time.time_ns() // 1_000_000,
            tell=shown.tell,
            progressed=shown.progressed,
        )
        over = asyncio.run(_run(director, count, shown))
    click.echo(standings_text(begun.sheet, begun.db, signing.public))
    if not over:
        click.echo(f"stopped; to go on: euchre-referee tournament run {file}")
        ctx.exit(INTERRUPTED)
    click.echo(f"the event is over; its files lie in {place.directory}")


def _check_ready(file: Path, sheet: Sheet, key: Path) -> None:
    """Refuse to begin where a bot does not start; whatever it said is told with its line."""
    lines = {each.name: each.line for each in sheet.entries}

    def told(tried: Tried) -> None:
        if tried.failure:
            where = f"{file}:{lines.get(tried.entries[0], 1)}"
            for line in (tried.failure, *last_words(tried)):
                click.echo(f"{where}: {line}", err=True)

    tried = asyncio.run(try_bots(sheet, measure=False, told=told, hidden=(key,)))
    names = [name for each in tried if each.failure for name in each.entries]
    if names:
        raise NotReadyError(
            f"nothing was begun: no bot starts for {', '.join(names)}"
            " (mend it, or begin all the same with --forfeit)"
        )


async def _run(director: Director, workers: int, shown: Shown) -> bool:
    loop = asyncio.get_running_loop()
    asked = 0

    def interrupted() -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            shown.tell("stopping after the chunks in play; Ctrl-C again to stop at once")
            director.drain()
        else:
            director.stop()

    loop.add_signal_handler(signal.SIGINT, interrupted)
    loop.add_signal_handler(signal.SIGTERM, director.stop)
    try:
        return await director.run(workers)
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        sys.stdout.flush()
