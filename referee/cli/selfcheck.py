"""`euchre-referee selfcheck`: do the decks of many matches look as a fair shuffle leaves them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from referee.cli.files import EXISTING, read_lines
from referee.cli.verify import bar
from referee.errors import RefereeError
from referee.journal.pool import Pool
from referee.sealing import UnreadableError
from referee.sealing.statistics import DeckCounts, Finding, histogram

SUSPECT: Final = 3
TOO_FEW: Final = 5
LEVEL: Final = 0.001
EDGES: Final = tuple(step / 2 for step in range(-7, 8))
WIDTH: Final = 40


class PoolError(RefereeError):
    """A file that holds no decks to count."""

    exit_code = UnreadableError.exit_code


@click.command()
@click.argument("files", nargs=-1, required=True, type=EXISTING)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=LEVEL,
    show_default=True,
    help="How unlikely is suspect: a corrected p-value below this.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def selfcheck(ctx: click.Context, files: tuple[Path, ...], level: float, *, as_json: bool) -> None:
    """Pool the decks of transcripts and test them: positions, neighbors, parity, seeds, repeats.

    A fair shuffle is suspected about once in 1/level runs. Nothing is verified here: verify does
    that. Exit: 0 nothing suspect, 3 suspect, 5 too few decks to say, 6 no transcript.
    """
    pool = _pooled(files)
    findings = pool.findings()
    odd = [f for f in findings if f.corrected is not None and f.corrected < level]
    told = any(f.p is not None for f in findings if f.name.endswith("card by position"))
    code = SUSPECT if odd else 0 if told else TOO_FEW
    if as_json:
        click.echo(json.dumps(_as_map(pool, findings, level, code)))
    else:
        _show(pool, findings, level)
        click.echo(_conclusion(pool, odd, told=told))
    ctx.exit(code)


def _pooled(files: Sequence[Path]) -> Pool:
    pool = Pool()
    with bar(hidden=False) as progress:
        task = progress.add_task("counting", total=sum(path.stat().st_size for path in files))
        for path in files:
            try:
                pool.read(read_lines(path))
            except UnreadableError as err:
                raise PoolError(f"{str(path)!r}: {err}") from err
            progress.advance(task, path.stat().st_size)
    return pool


def _as_map(pool: Pool, findings: Sequence[Finding], level: float, code: int) -> dict[str, object]:
    return {
        "exit": code,
        "matches": len(pool.matches),
        "given_again": pool.again,
        "decks": pool.decks,
        "level": level,
        "tests": [
            {
                "name": f.name,
                "seen": f.seen,
                "least": f.least,
                "statistic": f.statistic,
                "p": f.p,
                "corrected": f.corrected,
            }
            for f in findings
        ],
        "residuals": {
            pack: [
                {"count": count, "expected": round(expected, 3)}
                for count, expected in histogram(counts.residuals(), EDGES)
            ]
            for pack, counts in pool.packs.items()
        },
    }


def _show(pool: Pool, findings: Sequence[Finding], level: float) -> None:
    console = Console(highlight=False)
    again = f", {pool.again} given twice and left out" if pool.again else ""
    console.print(f"{pool.decks} decks of {len(pool.matches)} matches{again}")
    for counts in pool.packs.values():
        _show_histogram(console, counts)
    table = Table(box=None, pad_edge=False)
    for name, justify in (("test", "left"), ("seen", "right"), ("p", "right"),
                          ("corrected", "right"), ("", "left")):  # fmt: skip
        table.add_column(name, justify="left" if justify == "left" else "right")
    for f in findings:
        if f.p is None or f.corrected is None:
            table.add_row(f.name, str(f.seen), "", "", f"too few: {f.least} are needed")
            continue
        suspect = f.corrected < level
        word = "[bold red]suspect[/]" if suspect else ""
        table.add_row(f.name, str(f.seen), f"{f.p:.4f}", f"{f.corrected:.4f}", word)
    console.print(table)


def _show_histogram(console: Console, counts: DeckCounts) -> None:
    """How far each card's count in each position lies from what is expected."""
    rows = histogram(counts.residuals(), EDGES)
    console.print(
        f"\n{counts.pack}: {counts.size * counts.size} counts of a card in a position,"
        " by their distance in standard deviations (| is what a fair shuffle gives)"
    )
    most = max(max(count, expected) for count, expected in rows) or 1
    names = [f"< {EDGES[0]:+.1f}", *(f"{low:+.1f} .." for low in EDGES)]
    for name, (count, expected) in zip(names, rows, strict=True):
        drawn = "█" * round(count / most * WIDTH)
        mark = round(expected / most * WIDTH)
        line = drawn.ljust(WIDTH + 1)
        console.print(
            f"  {name:>8} {line[:mark]}[bold]|[/]{line[mark + 1 :]} {count}", soft_wrap=True
        )
    console.print()


def _conclusion(pool: Pool, odd: Sequence[Finding], *, told: bool) -> str:
    if odd:
        names = ", ".join(finding.name for finding in odd)
        return f"suspect: a fair shuffle would rarely look like this ({names})"
    if not told:
        least = min((5 * counts.size for counts in pool.packs.values()), default=0)
        return f"too few decks to say: {pool.decks}, and {least or 'some'} of one pack are needed"
    return "nothing suspect: the decks look as a fair shuffle leaves them"
