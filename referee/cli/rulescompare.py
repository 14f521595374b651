"""`euchre-referee rules compare`: two rule sets on the same decks."""

import asyncio
import json
from random import Random

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee.arena.bots import parse_bot
from referee.arena.samedecks import Compared, Study, check_packs, same_decks
from referee.arena.statistics import LEVEL, Comparison, compare
from referee.rules import preset
from referee.table.policy import DEFAULTS

LEAST = 8
MOST = 100_000


@click.command("compare")
@click.argument("one")
@click.argument("other")
@click.option("--bot", "bot", default="sensible", show_default=True, help="Whose points are told.")
@click.option("--against", default="random", show_default=True, help="Who sits against it.")
@click.option("--boards", type=click.IntRange(LEAST, MOST), default=200, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--move-ms", type=click.IntRange(250, 3_600_000), default=5_000, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare_rules(  # noqa: PLR0917 -- click hands every option over by itself
    one: str,
    other: str,
    bot: str,
    against: str,
    boards: int,
    seed: int,
    move_ms: int,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Play the same decks under rule sets ONE and OTHER, and say what the change is worth.

    Each deck is played at two tables with the sides exchanged, under either rule set; the score is
    points per deal of the bot. Decks follow from the seed, and nothing is sealed.

    \b
    Exit codes: 0 played; 2 bad options; 4 a bot did not start.
    """  # noqa: D301 -- \b is click's
    study = Study(
        rules=(preset(one), preset(other)),
        bots=(parse_bot(bot), parse_bot(against)),
        boards=boards,
        seed=seed,
        move_ms=move_ms,
        start_ms=DEFAULTS["start_ms"],
        illegal_limit=DEFAULTS["illegal_limit"],
    )
    check_packs(*study.rules)
    played = asyncio.run(_play(study, quiet=as_json))
    found = compare(
        {board.deck: board.scores[0] for board in played},
        {board.deck: board.scores[1] for board in played},
        Random(seed),  # noqa: S311 -- resamples, not cards
    )
    failures = [each for board in played for each in board.failures]
    if as_json:
        click.echo(json.dumps(_shown((one, other), (bot, against), seed, found, failures)))
        return
    wide = max(len(one), len(other), len("difference"))
    click.echo(f"{bot} against {against}, {boards} decks at two tables each, unsealed")
    click.echo(f"{one:<{wide}}  {found.first:+.3f} points per deal")
    click.echo(f"{other:<{wide}}  {found.second:+.3f} points per deal")
    click.echo(f"{'difference':<{wide}}  {found.text}")
    click.echo(f"{'boards':<{wide}}  {found.changed} of {boards} came out otherwise")
    for number, name in enumerate((bot, against)):
        told = [text for which, text in failures if which == number]
        if told:
            click.echo(f"{name} failed {len(told)} times; the first: {told[0]}")


async def _play(study: Study, *, quiet: bool) -> list[Compared]:
    progress = Progress(
        TextColumn("boards"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=quiet,
    )
    played = []
    with progress:
        task = progress.add_task("boards", total=study.boards)
        async for board in same_decks(study):
            played.append(board)
            progress.advance(task)
    return played


def _shown(
    rules: tuple[str, str],
    bots: tuple[str, str],
    seed: int,
    found: Comparison,
    failures: list[tuple[int, str]],
) -> dict[str, object]:
    difference = found.difference
    return {
        "rules": rules,
        "bots": bots,
        "seed": seed,
        "boards": found.decks,
        "means": [found.first, found.second],
        "difference": {
            "mean": found.mean,
            "low": difference.low if difference else None,
            "high": difference.high if difference else None,
            "level": LEVEL,
            "note": found.missing,
        },
        "changed": found.changed,
        "failures": [{"bot": bots[which], "told": told} for which, told in failures],
    }
