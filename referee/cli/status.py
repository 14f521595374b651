"""`euchre-referee status`: how a referee that is running is doing, on one screen."""

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Final

import click

from referee.cli.reach import operating
from referee.service.client import Client, ServiceError
from referee.service.figures import Figures

NOT_READY: Final = 1
"""The exit code where the referee drains, or cannot record."""
BUSIEST: Final = 6
"""Rpcs that are shown."""


@click.command()
@operating
@click.option("--watch", is_flag=True, help="Show it again and again, until Ctrl-C.")
@click.option(
    "--every",
    type=click.FloatRange(0.1, 3_600),
    default=2.0,
    show_default=True,
    help="Seconds between two looks, with --watch.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a look.")
@click.pass_context
def status(
    ctx: click.Context,
    client: Client,
    watch: bool,  # noqa: FBT001 -- click's
    every: float,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Say how a referee is doing: matches, seats, speed, faults, journal.

    Exit 0 where it serves, 1 where it drains or cannot record, 2 where it cannot be asked.
    """

    async def look() -> Figures:
        found = await client.status()
        if watch and not as_json and sys.stdout.isatty():
            click.clear()
        click.echo(_json(found) if as_json else screen_of(found))
        return found

    async def go_on_looking() -> None:
        while True:
            try:
                await look()
            except ServiceError as err:  # perhaps it is just being started again
                click.echo(json.dumps({"ready": False, "error": str(err)}) if as_json else str(err))
            await asyncio.sleep(every)

    if watch:
        asyncio.run(go_on_looking())
    elif not asyncio.run(look()).ready:
        ctx.exit(NOT_READY)


def _json(found: Figures) -> str:
    return json.dumps({"ready": found.ready, **asdict(found)})


def screen_of(found: Figures) -> str:
    """The figures for people."""
    since = datetime.fromtimestamp(found.started_at / 1_000, UTC)
    up = timedelta(seconds=found.up_ms // 1_000)
    commits = found.commits
    streams = f"{found.play_streams} streams, {found.watch_streams} watchers"
    total = f"{commits.count:,} commits of {commits.rows:,} rows"
    last = f"{commits.last_rows} rows in {commits.last_ms:.1f} ms"
    lines = [
        f"referee   {state_of(found)}, version {found.version}",
        f"key       {found.referee_key}",
        f"since     {since:%Y-%m-%d %H:%M:%S} UTC, up {up}, {found.resumed_matches} resumed",
        f"matches   {found.open_matches} open, {found.waiting_matches} waiting",
        f"seats     {found.seats_connected} connected by {streams}",
        f"actions   {found.actions_a_second:,.1f} a second; {_counts(found.actions)}",
        f"refused   {_counts(found.refusals)}",
        f"faults    {_counts(found.faults)}",
        f"journal   {total}, {commits.failures:,} appends lost",
        f"          last: {last}, {commits.last_flush_ms:.1f} ms of it for the disk",
        f"loop      {found.loop_lag_ms:.1f} ms late",
    ]
    busiest = sorted(found.latencies, key=lambda each: -each.count)[:BUSIEST]
    lines += [
        f"latency   {each.rpc:27} p50 {each.p50_ms:8.1f} ms  p99 {each.p99_ms:8.1f} ms"
        f"  {each.count:,} in a minute"
        for each in busiest
        if each.count
    ]
    return "\n".join(lines)


def state_of(found: Figures) -> str:
    """In a few words, whether it is well."""
    if found.draining:
        return "draining"
    return "serving" if found.journal_ok else "not ready: the journal cannot be written"


def _counts(counts: Mapping[str, int]) -> str:
    shown = (f"{name} {number:,}" for name, number in sorted(counts.items()))
    return ", ".join(shown) or "none"
