"""`euchre-referee tournament act`: what a director decides by hand, audited and reversible."""

import time
from collections.abc import Callable
from dataclasses import replace as replaced
from pathlib import Path
from typing import TypeVar

import click

from referee.arena.tournament.acting import Desk, read_score
from referee.arena.tournament.actions import Action, ActionError
from referee.cli.journals import user
from referee.cli.tournament.events import event_of, keyed, open_event, signing_key

_Command = TypeVar("_Command", bound=Callable[..., object])


@click.group()
def act() -> None:
    """Decide something by hand: it is signed, logged with its reason, and can be undone.

    Results are never edited: standings are computed from results and actions each time. Boards are
    written as ROUND.ENCOUNTER.BOARD, as 2.1.7.
    """


def _audited(command: _Command) -> _Command:
    for wrap in (
        click.option("--who", default=user, help="Who decides.  [default: this user]"),
        click.option("--reason", required=True, help="Why; everybody can read it."),
        keyed,
    ):
        command = wrap(command)
    return event_of(command)


def _take(file: Path, directory: Path | None, key: Path | None, action: Action) -> None:
    opened = open_event(file, directory, write=True)
    desk = Desk(opened.sheet, opened.db, signing_key(key, opened))
    taken = desk.take(action)
    click.echo(f"action {taken.seq}: {taken.told}")
    if action.kind in {"replay", "undo"}:
        click.echo(f"whoever runs the event plays what it takes: tournament run {file}")


def _action(kind: str, who: str, reason: str) -> Action:
    return Action(seq=0, kind=kind, who=who, reason=reason, at_ms=time.time_ns() // 1_000_000)


def _on(action: Action, text: str) -> Action:
    """The action on a board that is written as ROUND.ENCOUNTER.BOARD."""
    parts = text.split(".")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 9 for part in parts):  # noqa: PLR2004
        raise ActionError(f"not a board: {text!r} (write ROUND.ENCOUNTER.BOARD, as 2.1.7)")
    round_, encounter, board = map(int, parts)
    return replaced(action, round=round_, encounter=encounter, board=board)


@act.command()
@_audited
@click.argument("board")
@click.argument("entry")
@click.argument("score")
def adjust(  # noqa: PLR0917 -- click's
    file: Path,
    directory: Path | None,
    key: Path | None,
    reason: str,
    who: str,
    board: str,
    entry: str,
    score: str,
) -> None:
    """Give ENTRY a SCORE on a BOARD in points per deal, as 1.5; its opponents get the opposite."""
    made = _on(_action("adjust", who, reason), board)
    _take(file, directory, key, replaced(made, entry=entry, score=read_score(score)))


@act.command()
@_audited
@click.argument("board")
def void(  # noqa: PLR0917 -- click's
    file: Path, directory: Path | None, key: Path | None, reason: str, who: str, board: str
) -> None:
    """Let a BOARD not count, and not be played again."""
    _take(file, directory, key, _on(_action("void", who, reason), board))


@act.command()
@_audited
@click.argument("board")
def replay(  # noqa: PLR0917 -- click's
    file: Path, directory: Path | None, key: Path | None, reason: str, who: str, board: str
) -> None:
    """Let a BOARD not count as it was played, and have a fresh one played, with another deck."""
    _take(file, directory, key, _on(_action("replay", who, reason), board))


@act.command()
@_audited
@click.argument("entry")
@click.option("--name", required=True, help="Who comes in.")
@click.option("--bot", required=True, help="The bot that plays on.")
@click.option("--since", required=True, type=click.IntRange(1), help="The first round.")
def substitute(  # noqa: PLR0917 -- click's
    file: Path,
    directory: Path | None,
    key: Path | None,
    reason: str,
    who: str,
    entry: str,
    name: str,
    bot: str,
    since: int,
) -> None:
    """Let another play in the place of ENTRY, from a round on that has not been drawn yet."""
    made = _action("substitute", who, reason)
    _take(file, directory, key, replaced(made, entry=entry, name=name, bot=bot, since=since))


@act.command()
@_audited
@click.argument("entry")
@click.option("--before", required=True, type=click.IntRange(1), help="The first round without.")
def withdraw(  # noqa: PLR0917 -- click's
    file: Path,
    directory: Path | None,
    key: Path | None,
    reason: str,
    who: str,
    entry: str,
    before: int,
) -> None:
    """Let ENTRY play no more, from a round on that has not been drawn yet."""
    made = _action("withdraw", who, reason)
    _take(file, directory, key, replaced(made, entry=entry, since=before))


@act.command()
@_audited
@click.argument("number", type=click.IntRange(0))
def undo(  # noqa: PLR0917 -- click's
    file: Path, directory: Path | None, key: Path | None, reason: str, who: str, number: int
) -> None:
    """Let action NUMBER not count any more; it stays in the log."""
    made = _action("undo", who, reason)
    _take(file, directory, key, replaced(made, undoes=number))
