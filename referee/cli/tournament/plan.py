"""`euchre-referee tournament plan`: what an event takes, and all that can be known to be wrong."""

import asyncio
import json
import os
import sys
from datetime import timedelta
from pathlib import Path

import click

from referee.arena.statistics.needed import (
    POWER,
    USUAL_VARIANCE,
    boards_needed,
    smallest_difference,
)
from referee.arena.tournament.confined import notes_on
from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.outline import Outline, outline_of
from referee.arena.tournament.place import (
    EventPlace,
    check_unchanged,
    check_writable,
    pinned_sheet,
    place_of,
)
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.sheetread import read_sheet
from referee.arena.tournament.trial import Tried, try_bots
from referee.cli.tournament.events import event_of

NOT_STARTED = 4
LAST_WORDS = 10


@click.command()
@event_of
@click.option("--workers", type=click.IntRange(1, 1_000), help="Processes that play.")
@click.option("--rate", type=click.FloatRange(0.001), help="Deals a second; measured if not given.")
@click.option(
    "--difference",
    type=click.FloatRange(0.001, 10),
    default=0.2,
    show_default=True,
    help="How many boards show this difference, in points per deal?",
)
@click.option(
    "--variance",
    type=click.FloatRange(0.0001, 100),
    default=USUAL_VARIANCE,
    show_default=True,
    help="Of a board's score, as from an earlier event.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context  # fmt: skip
def plan(  # noqa: PLR0917 -- click hands every option over by itself
    ctx: click.Context,
    file: Path,
    directory: Path | None,
    workers: int | None,
    rate: float | None,
    difference: float,
    variance: float,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Check a tournament FILE as `run` would, try its bots, and say what the event takes.

    \b
    Exit codes: 0 it can be run; 2 bad input; 4 a bot does not start.
    """  # noqa: D301 -- \b is click's
    sheet = read_sheet(file)
    place = place_of(file, directory)
    outline = outline_of(sheet)
    _check_place(file, sheet, place)
    for note in notes_on(sheet):
        click.echo(note, err=True)
    count = workers or sheet.workers or os.cpu_count() or 1
    tell = _Teller(quiet=as_json)
    tried = asyncio.run(try_bots(sheet, measure=rate is None, told=tell))
    seconds = _seconds(sheet, outline, tried, rate, count)
    needed = boards_needed(difference, variance=variance)
    if as_json:
        shown = {
            "event": sheet.name, "format": sheet.format.kind, "rounds": outline.rounds,
            "exact": outline.exact, "encounters": outline.encounters, "boards": outline.boards,
            "deals": outline.deals, "workers": count, "seconds": round(seconds, 1),
            "difference": difference, "boards_needed": needed, "directory": str(place.directory),
            "bots": [
                {"bot": t.bot, "entries": list(t.entries), "seconds_a_deal": round(t.seconds, 4),
                 "failure": t.failure, "said": t.said, "faults": t.faults}
                for t in tried
            ],
        }  # fmt: skip
        click.echo(json.dumps(shown))
    else:
        _show(sheet, outline, place)
        click.echo(f"time      about {_span(seconds)} with {count} workers")
        _show_needed(sheet, outline, difference, variance, needed)
    if any(each.failure for each in tried):
        ctx.exit(NOT_STARTED)


def _check_place(file: Path, sheet: Sheet, place: EventPlace) -> None:
    check_writable(place)
    if place.db.exists():
        db = EventDb(place.db, write=False)
        check_unchanged(file, sheet, pinned_sheet(place, db))
        db.close()


class _Teller:
    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def __call__(self, tried: Tried) -> None:
        names = ", ".join(tried.entries)
        if tried.failure:
            click.echo(f"bot       {tried.bot} ({names}): {tried.failure}", err=True)
            for line in last_words(tried):
                click.echo(f"          {line}", err=True)
        elif not self._quiet:
            told = f", {tried.seconds * 1_000:.1f} ms a deal" if tried.seconds else ""
            told += f", {tried.faults} faults while it was tried" if tried.faults else ""
            click.echo(f"bot       {tried.bot} ({names}): starts{told}")
            sys.stdout.flush()


def last_words(tried: Tried) -> list[str]:
    """What a bot that does not start has said at the end."""
    return [f"it said: {line}" for line in tried.said.splitlines()[-LAST_WORDS:]]


def _seconds(
    sheet: Sheet, outline: Outline, tried: tuple[Tried, ...], rate: float | None, workers: int
) -> float:
    """How long it takes: each deal as long as its entries' bots take on average."""
    if rate is not None:
        return outline.deals / rate
    weighted = [(each.seconds, len(each.entries)) for each in tried if not each.failure]
    entries = sum(count for _seconds, count in weighted)
    if not entries:
        return 0.0
    each = sum(seconds * count for seconds, count in weighted) / entries
    chunks = max(1, outline.boards // sheet.chunk)
    return outline.deals * each / min(workers, chunks)


def _span(seconds: float) -> str:
    return str(timedelta(seconds=max(1, round(seconds))))


def _show(sheet: Sheet, outline: Outline, place: EventPlace) -> None:
    most = "" if outline.exact else " or so: results decide"
    click.echo(f"event     {sheet.name}, {sheet.format.kind}, {len(sheet.entries)} entries")
    click.echo(f"rounds    {outline.rounds}{most}")
    click.echo(
        f"to play   {outline.encounters:,} encounters of {sheet.boards} boards at"
        f" {sheet.tables} tables: {outline.boards:,} boards, {outline.deals:,} deals"
    )
    if outline.first is not None:
        met = [" - ".join(encounter.entries) for encounter in outline.first.encounters]
        byes = [f"{bye.entry} sits out" for bye in outline.first.byes]
        click.echo(f"round 1   {', '.join([*met, *byes])}")
    click.echo(f"files     {place.directory}")


def _show_needed(
    sheet: Sheet, outline: Outline, difference: float, variance: float, needed: int
) -> None:
    click.echo(
        f"boards    {needed:,} show a difference of {difference:g} points per deal between two"
        f" entries, {POWER:.0%} of the time"
    )
    together = sheet.boards * max(1, sheet.format.times)
    if together >= 8 and outline.boards:  # noqa: PLR2004 -- fewer show nothing
        least = smallest_difference(together, variance=variance)
        click.echo(f"          the {together} that two entries play show one of {least:.2f}")
