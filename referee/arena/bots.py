"""How a bot is named on the command line, and the player that the name stands for."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from referee.arena.classes import FORMS, BotSpecError, find_class, names_of
from referee.arena.confine import Terms
from referee.arena.dealtime import DealTimedPlayer
from referee.arena.inprocess import PythonPlayer
from referee.arena.players import (
    JSON,
    BotFailure,
    BotHello,
    FailureKind,
    Player,
    Reveal,
    within,
)
from referee.arena.stdio import CommandPlayer

__all__ = [
    "JSON",
    "BotFailure",
    "BotHello",
    "BotSpec",
    "BotSpecError",
    "ChairSpec",
    "CommandSpec",
    "DialSpec",
    "FailureKind",
    "Player",
    "PythonSpec",
    "Reveal",
    "parse_bot",
    "within",
]

BUILT_IN: Final = {
    "random": "py:referee.arena.builtin:Random",
    "sensible": "py:referee.arena.builtin:Sensible",
    "strong": "py:euchre_bot.bots.strong:Strong",
}
_APART: Final = ("-u", "-m", "referee.arena.apart")


@dataclass(frozen=True, slots=True)
class PythonSpec:
    """A class in this process; `deal_ms` is its time for a deal, 0 for no limit."""

    text: str
    make: Callable[[], object]
    deal_ms: int = 0

    def player(self) -> Player:
        """A new player."""
        return _timed(PythonPlayer(self.text, self.make), self.deal_ms)


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command that speaks JSON lines; `deal_ms` is its time for a deal, 0 for no limit.

    `needs` are directories that it has to read, also in a sandbox.
    """

    text: str
    command: tuple[str, ...]
    terms: Terms | None = None
    deal_ms: int = 0
    needs: tuple[Path, ...] = ()

    def player(self) -> Player:
        """A new player; its process starts with `start`, on the terms that it runs on."""
        return _timed(CommandPlayer(self.text, self.command, self.terms), self.deal_ms)


@dataclass(frozen=True, slots=True)
class ChairSpec:
    """A player that is made elsewhere: a person in a chair."""

    text: str
    make: Callable[[], Player]

    def player(self) -> Player:
        """A new player."""
        return self.make()


@dataclass(frozen=True, slots=True)
class DialSpec:
    """A bot that dials in; with a command, one that is started here to do so."""

    text: str
    command: tuple[str, ...]


BotSpec: TypeAlias = PythonSpec | CommandSpec | ChairSpec | DialSpec


def _timed(player: Player, deal_ms: int) -> Player:
    """A player with so much time for all its choices of a deal; 0 is no limit."""
    return DealTimedPlayer(player, deal_ms) if deal_ms else player


def parse_bot(text: str, *, apart: bool = False) -> BotSpec:
    """What a bot's name stands for; a BotSpecError says what is wrong with it.

    `apart` has Python classes that are not our own run in a process each, as commands do; then
    nothing of them is imported here, nor looked for.

    >>> parse_bot("cmd:./bot --level 2").command
    ('./bot', '--level', '2')
    """
    whole = BUILT_IN.get(text, text)
    kind, _colon, rest = whole.partition(":")
    match kind:
        case "py" if apart and whole not in BUILT_IN.values():
            return _apart(text)
        case "py":
            return PythonSpec(text, find_class(whole))
        case "cmd":
            return CommandSpec(text, _split(text, rest))
        case "dial":
            return DialSpec(text, _split(text, rest) if _colon else ())
        case _:
            raise BotSpecError(f"not a bot: {text!r} ({FORMS})")


def _apart(text: str) -> CommandSpec:
    """A Python class as a program; it is found where it would be found by this process."""
    names_of(text)
    needs = tuple(Path(place) for place in sys.path if place)
    return CommandSpec(text, (sys.executable, *_APART, text), needs=needs)


def _split(text: str, command: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(command))
    except ValueError as err:
        raise BotSpecError(
            f"the command of {text!r} is not closed: {err} (mind the quotes)"
        ) from err
    if not words or "\0" in command:
        raise BotSpecError(f"{text!r} names no command ({FORMS})")
    return words
