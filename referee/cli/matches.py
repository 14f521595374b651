"""`euchre-referee matches` and `abort`: what an operator sees of the matches, and ends."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Final

import click

from referee.cli.reach import operating
from referee.service.client import Client, KnownMatch, ServiceError

ID_LENGTH: Final = 32
STATES: Final = ("waiting", "open", "closed")


@click.command()
@operating
@click.option("--state", type=click.Choice(STATES), help="Only matches in this state.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many, the newest.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a match.")
def matches(
    client: Client,
    state: str | None,
    limit: int | None,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """List the matches of a referee, newest first."""

    async def run() -> int:
        count = 0
        async for found in client.matches(state or ""):
            if count == limit:
                break
            count += 1
            click.echo(json.dumps(asdict(found)) if as_json else line_of(found))
        return count

    if not asyncio.run(run()) and not as_json:
        click.echo("no matches")


def line_of(match: KnownMatch) -> str:
    """A match on one line."""
    names = " ".join(name or "-" for name in match.names)
    score = f"games {match.games[0]}:{match.games[1]}  score {match.score[0]}:{match.score[1]}"
    end = " ".join(filter(None, (match.outcome, match.winner)))
    line = f"{match.match}  {match.state:7}  {match.rule_set:13} deal {match.deal:<3} {score}"
    return f"{line}  {names}  {end}".rstrip()


@click.command()
@operating
@click.argument("match")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def abort(
    client: Client,
    match: str,
    yes: bool,  # noqa: FBT001 -- click's
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """End MATCH (its id, or the beginning of it): nobody wins."""
    match_id = match if len(match) == ID_LENGTH else asyncio.run(_whole_id(client, match))
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("an abort is not asked about here: give --yes")
        click.confirm(f"End match {match_id}, so that nobody wins?", abort=True)
    ended = asyncio.run(client.abort(match_id))
    click.echo(json.dumps(asdict(ended)) if as_json else line_of(ended))


async def _whole_id(client: Client, start: str) -> str:
    """The one match that is not over and whose id begins so."""
    going = [client.matches("waiting"), client.matches("open")]
    found = [match async for each in _chained(going) if (match := each.match).startswith(start)]
    if len(found) != 1:
        many = "no match that goes on begins" if not found else f"{len(found)} matches begin"
        raise ServiceError(f"{many} with {start!r} (euchre-referee matches lists them)")
    return found[0]


async def _chained(several: list[AsyncIterator[KnownMatch]]) -> AsyncIterator[KnownMatch]:
    for each in several:
        async for found in each:
            yield found
