"""`euchre-referee tournament act`: what a director decides by hand, audited and reversible."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replaced
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

import click

from referee.arena.tournament.acting import SCORE, Desk, read_score
from referee.arena.tournament.actions import Action, ActionError
from referee.arena.tournament.place import only_one
from referee.cli.journals import user
from referee.cli.tournament.events import event_of, keyed, open_event, signing_key

_Asked = ParamSpec("_Asked")


@click.group()
def act() -> None:
    """Decide something by hand: it is signed, logged with its reason, and can be undone.

    Results are never edited: standings are computed from results and actions each time. Boards are
    written as ROUND.ENCOUNTER.BOARD, as 2.1.7.
    """


@dataclass(frozen=True, slots=True)
class _Decision:
    """Who decides something of which event, and why."""

    file: Path
    directory: Path | None
    key: Path | None
    reason: str
    who: str

    def action(self, kind: str) -> Action:
        """An action of a kind, which says no more yet."""
        at_ms = time.time_ns() // 1_000_000
        return Action(seq=0, kind=kind, who=self.who, reason=self.reason, at_ms=at_ms)

    def take(self, action: Action) -> None:
        """Take an action, and say what it did."""
        opened = open_event(self.file, self.directory, write=True)
        desk = Desk(opened.sheet, opened.db, signing_key(self.key, opened))
        taken = desk.take(action)
        click.echo(f"action {taken.seq}: {taken.told}")
        if action.kind in {"replay", "undo"}:
            self._go_on()

    def give_up(self, slot: int) -> None:
        """Give up a worker's journal, and say what that did."""
        opened = open_event(self.file, self.directory, write=True)
        with only_one(opened.place.directory / "director.lock"):
            desk = Desk(opened.sheet, opened.db, signing_key(self.key, opened))
            taken = desk.give_up(slot, self.action("lost"), opened.place)
        for action in taken:
            click.echo(f"action {action.seq}: {action.told}")
        if not taken:
            click.echo(f"nothing lay open in the journal of worker {slot}: no board is void")
        self._go_on()

    def _go_on(self) -> None:
        click.echo(f"whoever runs the event plays what it takes: tournament run {self.file}")


def _audited(command: Callable[Concatenate[_Decision, _Asked], None]) -> Callable[..., None]:
    """The command with the arguments and options that make its decision."""

    @wraps(command)
    def decided(
        file: Path,
        directory: Path | None,
        key: Path | None,
        reason: str,
        who: str,
        *args: _Asked.args,
        **asked: _Asked.kwargs,
    ) -> None:
        command(_Decision(file, directory, key, reason, who), *args, **asked)

    audited: Callable[..., None] = decided
    for wrap in (
        click.option("--who", default=user, help="Who decides.  [default: this user]"),
        click.option("--reason", required=True, help="Why; everybody can read it."),
        keyed,
    ):
        audited = wrap(audited)
    return event_of(audited)


def _on(action: Action, text: str) -> Action:
    """The action on a board that is written as ROUND.ENCOUNTER.BOARD."""
    parts = text.split(".")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 9 for part in parts):  # noqa: PLR2004
        raise ActionError(f"not a board: {text!r} (write ROUND.ENCOUNTER.BOARD, as 2.1.7)")
    round_, encounter, board = map(int, parts)
    return replaced(action, round=round_, encounter=encounter, board=board)


class _Scoring(click.Command):
    """A command to which -2 is a score, and no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        below = (word for word in args if word.startswith("-"))
        ctx.ignore_unknown_options = any(map(SCORE.fullmatch, below))
        return super().parse_args(ctx, args)


@act.command(cls=_Scoring)
@_audited
@click.argument("board")
@click.argument("entry")
@click.argument("score")
def adjust(decision: _Decision, board: str, entry: str, score: str) -> None:
    """Give ENTRY a SCORE on a BOARD in points per deal, as 1.5; its opponents get the opposite."""
    made = _on(decision.action("adjust"), board)
    decision.take(replaced(made, entry=entry, score=read_score(score)))


@act.command()
@_audited
@click.argument("board")
def void(decision: _Decision, board: str) -> None:
    """Let a BOARD not count, and not be played again."""
    decision.take(_on(decision.action("void"), board))


@act.command()
@_audited
@click.argument("board")
def replay(decision: _Decision, board: str) -> None:
    """Let a BOARD not count as it was played, and have a fresh one played, with another deck."""
    decision.take(_on(decision.action("replay"), board))


@act.command()
@_audited
@click.argument("entry")
@click.option("--name", required=True, help="Who comes in.")
@click.option("--bot", required=True, help="The bot that plays on.")
@click.option("--since", required=True, type=click.IntRange(1), help="The first round.")
def substitute(decision: _Decision, entry: str, name: str, bot: str, since: int) -> None:
    """Let another play in the place of ENTRY, from a round on that has not been drawn yet."""
    made = decision.action("substitute")
    decision.take(replaced(made, entry=entry, name=name, bot=bot, since=since))


@act.command()
@_audited
@click.argument("entry")
@click.option("--before", required=True, type=click.IntRange(1), help="The first round without.")
def withdraw(decision: _Decision, entry: str, before: int) -> None:
    """Let ENTRY play no more, from a round on that has not been drawn yet."""
    made = decision.action("withdraw")
    decision.take(replaced(made, entry=entry, since=before))


@act.command()
@_audited
@click.argument("slot", type=click.IntRange(1))
def lost(decision: _Decision, slot: int) -> None:
    """Give up the journal of worker SLOT, work/SLOT.db, where it is gone or damaged for good.

    Boards that lay open in it are void, each by an action of its own, which everybody can read;
    fresh ones with other decks take their place. Boards that were closed stand. A journal that is
    there and sound is not given up, and nobody may run the event meanwhile. It cannot be undone.
    """
    decision.give_up(slot)


@act.command()
@_audited
@click.argument("number", type=click.IntRange(0))
def undo(decision: _Decision, number: int) -> None:
    """Let action NUMBER not count any more; it stays in the log."""
    made = decision.action("undo")
    decision.take(replaced(made, undoes=number))
