"""Bots for the tests of limits and sandboxes, and what they said or how they failed."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.arena.bots import BotFailure, CommandSpec, Player, within
from referee.arena.census import census
from referee.arena.confine import Terms, sandbox_trouble
from referee.arena.limits import Limits
from tests.arena.ending import ended

LEGAL = ("pass", "order")
PATIENCE_S = 60.0
FRAME = """
import json, os, signal, socket, subprocess, sys, time
def say(**answer): print(json.dumps(answer), flush=True)
def hear(): return json.loads(sys.stdin.readline())
hear()
say(name="tester", ops=[])
asked = hear()
def answer(action): say(id=asked["id"], action=str(action)); hear()
"""
SMALL = Limits(memory_mb=300, processes=8, address_mb=2_000, file_mb=2, files=32, cpu_s=60)
IN_A_BOX = pytest.param(
    True, id="sandbox", marks=pytest.mark.skipif(bool(sandbox_trouble()), reason=sandbox_trouble())
)
BOTH = pytest.mark.parametrize("sandbox", [pytest.param(False, id="limits"), IN_A_BOX])
ONLY_IN_A_BOX = pytest.mark.parametrize("sandbox", [IN_A_BOX])


def bot(tmp_path: Path, body: str, *, sandbox: bool, limits: Limits = SMALL) -> Player:
    """A player on terms, whose process says hello, hears a question, and then does `body`."""
    script = tmp_path / "bot.py"
    script.write_text(FRAME + body)
    terms = Terms(limits=limits, sandbox=sandbox)
    return CommandSpec("cmd:bot", (sys.executable, str(script)), terms).player()


@dataclass(frozen=True, slots=True)
class Box:
    """Where a test's bots run: a place for their files, and whether in a sandbox."""

    place: Path
    sandbox: bool

    def bot(self, body: str, limits: Limits = SMALL) -> Player:
        """A player that says hello, hears a question, and then does `body`."""
        return bot(self.place, body, sandbox=self.sandbox, limits=limits)


async def choice(player: Player) -> str:
    return await within(PATIENCE_S, player.choose({"phase": "round_one"}, LEGAL), "choose")


def said(player: Player, ask: Callable[[Player], Awaitable[str]] = choice) -> str:
    """What the player answers."""

    async def course() -> str:
        try:
            await player.start(match="ab" * 16, seat="north", rules={"pack": "E24"})
            return await ask(player)
        finally:
            await player.close()

    return asyncio.run(course())


def failure(player: Player) -> BotFailure:
    with pytest.raises(BotFailure) as caught:
        said(player)
    return caught.value


def all_ended(mark: str) -> bool:
    """Whether no process runs with a word in its command; who is being killed is waited for."""
    return all(ended(member.pid) for member in census() if mark.encode() in _command(member.pid))


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
