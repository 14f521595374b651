"""How a bot is named on the command line, and the player that the name stands for."""

import importlib
import inspect
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Final, TypeAlias

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
from referee.errors import RefereeError

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
_FORMS: Final = "write random, sensible, strong, py:MODULE:CLASS, cmd:COMMAND, dial or dial:COMMAND"


class BotSpecError(RefereeError, ValueError):
    """A bot that cannot be what was written."""


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
    """A command that speaks JSON lines; `deal_ms` is its time for a deal, 0 for no limit."""

    text: str
    command: tuple[str, ...]
    terms: Terms | None = None
    deal_ms: int = 0

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


def parse_bot(text: str) -> BotSpec:
    """What a bot's name stands for; a BotSpecError says what is wrong with it.

    >>> parse_bot("cmd:./bot --level 2").command
    ('./bot', '--level', '2')
    """
    kind, _colon, rest = BUILT_IN.get(text, text).partition(":")
    match kind:
        case "py":
            return PythonSpec(text, _find_class(text, rest))
        case "cmd":
            return CommandSpec(text, _split(text, rest))
        case "dial":
            return DialSpec(text, _split(text, rest) if _colon else ())
        case _:
            raise BotSpecError(f"not a bot: {text!r} ({_FORMS})")


def _split(text: str, command: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(command))
    except ValueError as err:
        raise BotSpecError(
            f"the command of {text!r} is not closed: {err} (mind the quotes)"
        ) from err
    if not words or "\0" in command:
        raise BotSpecError(f"{text!r} names no command ({_FORMS})")
    return words


def _find_class(text: str, path: str) -> Callable[[], object]:
    module_name, colon, name = path.partition(":")
    if not colon or not module_name or not name:
        raise BotSpecError(f"{text!r} names no class ({_FORMS})")
    module = _import(text, module_name)
    found: object = getattr(module, name, None)
    if inspect.isclass(found) and callable(getattr(found, "choose", None)):
        return found
    bots = [word for word, value in vars(module).items()
            if inspect.isclass(value) and callable(getattr(value, "choose", None))]  # fmt: skip
    there = f"it has {', '.join(sorted(bots))}" if bots else "it has none"
    raise BotSpecError(
        f"{text!r}: {module_name} has no class {name!r} with a choose method ({there})"
    )


def _import(text: str, name: str) -> ModuleType:
    here = os.getcwd()  # noqa: PTH109 - sys.path holds strings
    if here not in sys.path:
        sys.path.insert(0, here)  # a bot in the working directory, as with python -m
    try:
        return importlib.import_module(name)
    except Exception as err:
        raise BotSpecError(
            f"{text!r}: importing {name!r} failed: {type(err).__name__}: {err}"
            " (is it in the working directory or installed?)"
        ) from err
