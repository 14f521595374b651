"""A true referee, and between it and one seat somebody with its key who tells another story.

The matches are real: three seats play in this process, and north's client dials. What it is told
goes through the package's lying proxy.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from referee.arena.bots import parse_bot
from referee.arena.checking.dialed import NorthDials
from referee.arena.match import Arena
from referee.service.lying import Liar, Lies, leave
from referee.table.policy import policy
from tests.adversaries.support import LIMITS, Cheat, CheatingReferee
from tests.clients.house import CRASHED, environment
from tests.clients.known import Client
from tests.host.support import KEY

PATIENCE_S: Final = 120.0


@dataclass(frozen=True)
class Left:
    """How north's client ended: its exit status, all that it said, and what it had sent."""

    exit: int
    said: str
    liar: Liar

    @property
    def last(self) -> str:
        """The last line that it said."""
        lines = self.said.strip().splitlines()
        return lines[-1] if lines else ""


@dataclass(frozen=True, kw_only=True)
class Story:
    """A match in which north is lied to; with `again`, by another story after a restart."""

    lies: Lies = field(default_factory=Lies)
    again: Lies | None = None
    cheat: Cheat = field(default_factory=Cheat)
    knobs: Mapping[str, str] = field(default_factory=dict)
    chance: Callable[[int], bytes] = secrets.token_bytes
    flags: tuple[str, ...] = ()
    pinned: bool = True


def told(client: Client, story: Story, folder: Path) -> Left:
    """How a client ends that is told a story."""
    return asyncio.run(_told(client, story, folder))


async def _told(client: Client, story: Story, folder: Path) -> Left:
    referee = CheatingReferee(story.cheat, story.chance)
    plan = NorthDials(
        rule_set="quick",
        knobs={"first_dealer": "agreed", "cut": "dealers_right", "target": "15", **story.knobs},
        policy=policy({**LIMITS, "grace_ms": 20_000}),
        north_south=parse_bot("dial"),
        east_west=parse_bot("sensible"),
        first_dealer=2,
    )
    arena = Arena(referee, plan, chance=secrets.token_bytes, directory=folder)
    there: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    playing = asyncio.create_task(arena.play(leave, there.set_result))
    liar = Liar(story.lies, KEY)
    try:
        address = (await there).split(" ")[2]  # north: dial ADDRESS with ...
        await liar.start(address)
        async with asyncio.timeout(PATIENCE_S):
            return await _north(client, story, folder, liar)
    finally:
        arena.abort()
        await asyncio.gather(playing, return_exceptions=True)
        await liar.stop()
        referee.close()


async def _north(client: Client, story: Story, folder: Path, liar: Liar) -> Left:
    """North's client, from its start to its end; one that believes the lie is ended at once."""
    if story.again is not None:
        first = await _started(client, story, folder, liar)
        await liar.cut.wait()
        first.kill()
        await first.communicate()
        liar.lies = story.again
    process = await _started(client, story, folder, liar)
    speaking = asyncio.create_task(process.communicate())
    believing = asyncio.create_task(liar.believed.wait())
    try:
        await asyncio.wait({speaking, believing}, return_when=asyncio.FIRST_COMPLETED)
        if not speaking.done():
            process.kill()
        said, _ = await speaking
    finally:
        believing.cancel()
        if process.returncode is None:
            process.kill()
            await process.wait()
    text = said.decode("utf-8", "replace")
    assert not CRASHED.search(text), text
    return Left(process.returncode or 0, text, liar)


async def _started(
    client: Client, story: Story, folder: Path, liar: Liar
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(client.bot("random"), "--referee", liar.address),
        *(("--key", KEY.public.text) if story.pinned else ()),
        *("--token-file", str(folder / "north.token"), "--receipts", str(folder / "receipts")),
        *("--secret-file", str(folder / "secret"), "--state-file", str(folder / "state")),
        *story.flags,
        env=environment(folder),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.STDOUT,
        stdout=asyncio.subprocess.PIPE,
    )
