"""`euchre-referee tournament new`: ask, or take flags, and write the file."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from referee.arena.tournament.sheet import BYES, FORMATS
from referee.arena.tournament.sheetread import parse_sheet
from referee.arena.tournament.sheetwrite import Draft, write_sheet
from referee.cli.files import FileError, check_writable, write_bytes
from referee.cli.pairs import map_of
from referee.rules.presets import PRESETS


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", help="What the event is called.")
@click.option("--format", "kind", type=click.Choice(list(FORMATS)), help="Who meets whom.")
@click.option("--entry", "entries", multiple=True, metavar="NAME=BOT", help="One that takes part.")
@click.option("--rounds", type=click.IntRange(1, 1_000), help="Rounds, where the format has them.")
@click.option("--times", type=click.IntRange(1, 1_000), help="How often everybody meets.")
@click.option("--rules", type=click.Choice(list(PRESETS)), help="A rule set by name.")
@click.option("--knob", multiple=True, metavar="NAME=VALUE", help="A knob that differs from it.")
@click.option("--boards", type=click.IntRange(1, 100_000), help="Boards a meeting.")
@click.option("--byes", type=click.Choice(BYES), help="What sitting a round out is worth.")
@click.option("--mode", type=click.Choice(["boards", "games"]), help="Boards alone, or games.")
@click.option(
    "--forbidden", nargs=2, multiple=True, metavar="NAME NAME", help="Two that never meet."
)
@click.option(
    "--stop", nargs=2, type=float, metavar="H0 H1", help="End a duel once it is decided (SPRT)."
)
@click.option("--seed", type=click.IntRange(0, 2**53 - 1), default=0, help="For drawing lots.")
@click.option("--move-ms", type=click.IntRange(250), default=5_000, help="Time a decision.")
@click.option("--yes", is_flag=True, help="Ask nothing: what is not given has its default.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def new(  # noqa: PLR0917 -- click hands every option over by itself
    file: Path,
    name: str | None,
    kind: str | None,
    entries: Sequence[str],
    rounds: int | None,
    times: int | None,
    rules: str | None,
    knob: Sequence[str],
    boards: int | None,
    byes: str | None,
    mode: str | None,
    forbidden: Sequence[tuple[str, str]],
    stop: tuple[float, float] | None,
    seed: int,
    move_ms: int,
    yes: bool,  # noqa: FBT001 -- click's
    force: bool,  # noqa: FBT001 -- click's
) -> None:
    """Write a tournament FILE that says what it does, line by line.

    What is not given is asked for, unless --yes or where nobody is at the terminal.
    """
    if file.exists() and not force:
        raise FileError(f"{str(file)!r} is there already (name another file, or give --force)")
    check_writable(file)
    ask = not yes and sys.stdin.isatty()
    title = name or _ask("Name of the event", file.stem, ask=ask)
    chosen = kind or _choose("Format", "round_robin", list(FORMATS), ask=ask)
    field = [_entry(text) for text in entries] or _ask_entries(ask=ask)
    if boards is None:
        boards = int(click.prompt("Boards a meeting", 16, type=click.IntRange(1))) if ask else 16
    draft = Draft(
        name=title,
        format=chosen,
        entries=field,
        options=_options(chosen, rounds, times, len(field)),
        preset=rules or _choose("Rules", "standard", list(PRESETS), ask=ask),
        knobs=map_of(knob),
        boards=boards,
        chunk=1 if mode == "games" else _chunk(boards),
        byes=byes or ("half" if len(field) % (4 if chosen == "individual" else 2) else ""),
        seed=seed,
        move_ms=move_ms,
        mode=mode or "boards",
        forbidden=forbidden,
        stop=stop,
    )
    text = write_sheet(draft).encode()
    parse_sheet(str(file), text)
    write_bytes(file, text)
    click.echo(f"written: {file}")
    click.echo(f"next: euchre-referee tournament plan {file}")


def _chunk(boards: int) -> int:
    return next(n for n in (4, 3, 2, 1) if boards % n == 0)


def _options(kind: str, rounds: int | None, times: int | None, count: int) -> dict[str, int]:
    options: dict[str, int] = {}
    if kind == "swiss":
        options["rounds"] = rounds or max(1, (count - 1).bit_length())
    elif rounds is not None:
        if kind not in {"individual", "progressive"}:
            raise click.UsageError(f"a {kind} has no rounds to choose: leave --rounds out")
        options["rounds"] = rounds
    if times is not None:
        if kind not in {"round_robin", "gauntlet"}:
            raise click.UsageError(f"in a {kind} nobody meets so many times: leave --times out")
        options["times"] = times
    return options


def _entry(text: str) -> tuple[str, str]:
    name, mark, bot = text.partition("=")
    if not mark or not name or not bot:
        raise click.BadParameter(f"{text!r} (write it as NAME=BOT)", param_hint="--entry")
    return name, bot


def _ask(question: str, default: str, *, ask: bool) -> str:
    return str(click.prompt(question, default)) if ask else default


def _choose(question: str, default: str, words: Sequence[str], *, ask: bool) -> str:
    return str(click.prompt(question, default, type=click.Choice(words))) if ask else default


def _ask_entries(*, ask: bool) -> list[tuple[str, str]]:
    if not ask:
        raise click.UsageError("nobody takes part: give --entry NAME=BOT, twice or more")
    click.echo("Who takes part? NAME=BOT, as Alice=sensible; an empty line ends the list.")
    found: list[tuple[str, str]] = []
    while text := str(click.prompt(f"Entry {len(found) + 1}", "", show_default=False)).strip():
        try:
            found.append(_entry(text))
        except click.BadParameter as err:
            click.echo(err.message, err=True)
    return found
