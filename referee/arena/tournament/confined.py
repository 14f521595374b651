"""The bots of an event on the terms of its file: limits, a sandbox, the time for a deal."""

from pathlib import Path

from referee.arena.boards.seated import MakesPlayers
from referee.arena.bots import BotSpec, ChairSpec, DialSpec, parse_bot
from referee.arena.confine import Terms
from referee.arena.terms import SandboxMode, on_terms
from referee.arena.tournament.sheet import Sheet
from referee.errors import InternalError


def held_to(sheet: Sheet, spec: BotSpec, hidden: tuple[Path, ...]) -> MakesPlayers:
    """A bot on the terms of the event; it sees nothing of what is `hidden`."""
    (bot,) = on_terms(
        (spec,), SandboxMode(sheet.sandbox), Terms(hidden=hidden), deal_ms=sheet.deal_ms or 0
    ).bots
    if isinstance(bot, DialSpec | ChairSpec):
        raise InternalError(f"a bot that is not started here got into an event: {bot.text!r}")
    return bot


def notes_on(sheet: Sheet) -> tuple[str, ...]:
    """What is to be said, once an event, of how its bots are held.

    SandboxError where the file asks for a sandbox, and there is none.
    """
    texts = [each.bot for each in sheet.entries] + [each.bot for each in sheet.substitutes]
    bots = [parse_bot(text, apart=True) for text in dict.fromkeys(texts)]
    return on_terms(bots, SandboxMode(sheet.sandbox), Terms()).notes
