"""`prove`: how much the corpus catches."""

import os
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import click
from rich.console import Console
from rich.table import Table

from conformance.check import checks_of
from conformance.corpus import HOME, load
from conformance.errors import UsageError
from conformance.jsontypes import Json
from conformance.mutants import mutants
from conformance.prove.explained import explained
from conformance.prove.part import Part, Setting
from conformance.prove.parts import PARTS
from conformance.report import line

BROKEN = 5


@click.command("prove")
@click.option(
    "--part", "wanted", multiple=True, type=click.Choice(list(PARTS)), help="Only this part."
)
@click.option("--list", "listing", is_flag=True, help="List the named mutants and stop.")
@click.option("-o", "out", type=click.Path(path_type=Path, dir_okay=False), help="Write JSON too.")
@click.option("--quiet", is_flag=True, help="Print figures and problems, no tables.")
@click.option("--machine", default=200, show_default=True, help="Machine-made mutants to draw.")
@click.option("--deals", default=2000, show_default=True, help="Deals beside another engine.")
@click.option("--seed", default=1, show_default=True, help="What mutants and deals are drawn by.")
@click.option("--jobs", default=os.cpu_count() or 1, help="Processes at a time.")
@click.option(
    "--cache",
    type=click.Path(path_type=Path, dir_okay=False),
    default=HOME.parent / ".make" / "machine-mutants.json",
    help="Where verdicts on machine-made mutants are kept.",
)
@click.pass_context
def prove(
    ctx: click.Context,
    *,
    wanted: Sequence[str],
    listing: bool,
    out: Path | None,
    quiet: bool,
    machine: int,
    deals: int,
    seed: int,
    jobs: int,
    cache: Path,
) -> None:
    """Prove the corpus: one table a part, and exit 0 only if every part is green.

    Exit: 0 proven, 1 a part is not green, 2 usage, 5 a broken corpus.
    """
    corpus = load()
    if listing:
        for one in mutants(corpus.rulesets).values():
            click.echo(f"mutant:{one.name}  {one.text}")
        return
    setting = Setting(
        corpus=corpus,
        checks=tuple(checks_of(corpus)),
        explained=explained(),
        jobs=max(1, jobs),
        seed=seed,
        machine=machine,
        deals=deals,
        cache=cache,
    )
    parts: list[tuple[Part, float]] = []
    for name in wanted or PARTS:
        start = perf_counter()
        part = PARTS[name](setting)
        parts.append((part, perf_counter() - start))
        _print(*parts[-1], quiet=quiet)
    if out is not None:
        _write(out, corpus.sha256, parts)
    bad = [part.name for part, _ in parts if not part.green]
    click.echo(f"not proven: {', '.join(bad)}" if bad else f"proven: {len(parts)} parts are green")
    ctx.exit((BROKEN if "lint" in bad else 1) if bad else 0)


def _print(part: Part, seconds: float, *, quiet: bool) -> None:
    if not quiet:
        table = Table(title=part.title, title_justify="left")
        for index, name in enumerate(part.heading):
            table.add_column(name, justify="left" if index == 0 else "right", overflow="fold")
        for row in part.rows:
            table.add_row(*row)
        Console(soft_wrap=True).print(table)
    for text in part.notes if not quiet else ():
        click.echo(f"  explained: {text}")
    for text in part.problems:
        click.echo(f"  PROBLEM: {text}")
    shown = ", ".join(
        f"{name}: {value}" for name, value in part.figures.items() if isinstance(value, (int, str))
    )
    click.echo(f"{'green' if part.green else 'RED'}: {part.name}: {shown} ({seconds:.1f} s)")


def _write(path: Path, sha256: str, parts: Sequence[tuple[Part, float]]) -> None:
    document: dict[str, Json] = {
        "format": "euchre-proof/1",
        "corpus": sha256,
        "proven": all(part.green for part, _ in parts),
        "parts": [
            {
                "part": part.name,
                "green": part.green,
                "seconds": round(seconds, 1),
                "figures": dict(part.figures),
                "problems": list(part.problems),
                "explained": list(part.notes),
                "table": [list(part.heading), *(list(row) for row in part.rows)],
            }
            for part, seconds in parts
        ],
    }
    try:
        path.write_text(line(document) + "\n", encoding="ascii")
    except OSError as err:
        raise UsageError(f"cannot write {str(path)!r}: {err.strerror}") from err
