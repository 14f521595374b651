"""On which terms the bots of an event run, and what has to be said of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from referee.arena.bots import BUILT_IN, BotSpec, ChairSpec, CommandSpec, DialSpec, PythonSpec
from referee.arena.confine import Terms, sandbox_trouble
from referee.arena.limits import limiter
from referee.errors import RefereeError


class SandboxMode(StrEnum):
    """Whether bots in processes of their own are held to limits and kept in a sandbox."""

    AUTO = "auto"
    """Limits, and a sandbox where there is one."""
    ON = "on"
    """Limits and a sandbox, or nothing is played."""
    OFF = "off"
    """Neither."""


class SandboxError(RefereeError):
    """Bots that were to be kept in a sandbox, and cannot be."""


@dataclass(frozen=True, slots=True)
class OnTerms:
    """Bots on their terms, in the order they were given, and what is to be said of it, once."""

    bots: tuple[BotSpec, ...]
    notes: tuple[str, ...]


def on_terms(
    bots: Sequence[BotSpec], mode: SandboxMode, terms: Terms, *, deal_ms: int = 0
) -> OnTerms:
    """The bots as they are to run; SandboxError where a sandbox was asked for and cannot be had.

    `terms.sandbox` is decided here; `deal_ms` is the time for all choices of a deal, 0: no limit.
    """
    timed = tuple(_with_time(bot, deal_ms) for bot in bots)
    if mode is SandboxMode.OFF:
        return OnTerms(timed, ())
    free = dict.fromkeys(fault for bot in bots if (fault := _never_held(bot)))
    by_command = [bot for bot in bots if isinstance(bot, CommandSpec)]
    trouble = sandbox_trouble() if by_command else ""
    if mode is SandboxMode.ON and (trouble or free):
        why = trouble or next(iter(free))
        raise SandboxError(f"the bots cannot be kept in a sandbox: {why} (or use --sandbox auto)")
    notes = [f"bots run without a sandbox: {trouble}"] if trouble else []
    if by_command and limiter() is None:
        notes.append("bots run without limits of files and processor time: prlimit is not installed"
                     " (apt-get install util-linux)")  # fmt: skip
    own = replace(terms, sandbox=not trouble)
    held = (_held(bot, own) for bot in timed)
    return OnTerms(tuple(held), (*notes, *free))


def _held(bot: BotSpec, terms: Terms) -> BotSpec:
    if isinstance(bot, CommandSpec):
        return replace(bot, terms=replace(terms, seen=(*terms.seen, *bot.needs)))
    return bot


def _with_time(bot: BotSpec, deal_ms: int) -> BotSpec:
    match bot:
        case PythonSpec() | CommandSpec():
            return replace(bot, deal_ms=deal_ms)
        case ChairSpec() | DialSpec():
            return bot
        case _:
            assert_never(bot)


def _never_held(bot: BotSpec) -> str:
    """Why a bot can be held to nothing, in words; empty for those that can, and for our own."""
    match bot:
        case PythonSpec() if bot.text not in {*BUILT_IN, *BUILT_IN.values()}:
            return f"{bot.text!r} runs in the referee's own process, held to nothing (use cmd:)"
        case DialSpec():
            return f"{bot.text!r} dials in over the network, held to nothing (use cmd:)"
        case _:
            return ""
