"""Bots that dial in: their tokens, and the processes of those that are started here."""

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from referee.arena.bots import DialSpec
from referee.arena.confine import environment
from referee.errors import RefereeError
from referee.sealing.packs import SEATS

FAREWELL_S: Final = 2.0
LAST_WORDS_S: Final = 1.0
LONGEST_TAIL: Final = 2_000


class DialError(RefereeError):
    """A bot that was to dial in could not be started, or ended before the match."""

    exit_code = 4


class BotEndedError(DialError):
    """A bot that dialed in has ended; with exit code 0 another process may play on for it."""

    def __init__(self, seat: int, command: str, code: int, tail: str) -> None:
        self.seat = seat
        self.code = code
        self.told = f"ended with exit code {code}: {tail}"
        super().__init__(f"{SEATS[seat]}: {command!r} {self.told}")


@dataclass(slots=True)
class DialedSeat:
    """One seat whose bot dials in."""

    seat: int
    spec: DialSpec
    token_file: Path
    directory: Path
    process: asyncio.subprocess.Process | None = None
    log: Path = field(init=False)

    def __post_init__(self) -> None:
        """Name the file that keeps what the bot says."""
        self.log = self.directory / f"{SEATS[self.seat]}.log"

    async def start(self, address: str, key: str) -> None:
        """Start the bot's command with where to dial and what it needs; DialError if it fails."""
        if not self.spec.command:
            return
        place = SEATS[self.seat]
        command = (
            *self.spec.command,
            *("--referee", address, "--token-file", str(self.token_file), "--key", key),
            *("--secret-file", str(self.directory / f"{place}.secret")),
            *("--state-file", str(self.directory / f"{place}.state")),
        )
        try:
            with self.log.open("wb") as log:
                self.process = await asyncio.create_subprocess_exec(
                    *command,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    env=environment(),
                )
        except OSError as err:
            raise DialError(
                f"{place}: {self.spec.command[0]!r} cannot be started: {err.strerror}"
                " (is it installed and executable?)"
            ) from err

    async def watch(self) -> None:
        """Wait until the bot's process ends, and raise BotEndedError."""
        if self.process is None:
            await asyncio.Event().wait()
            return
        code = await self.process.wait()
        raise BotEndedError(self.seat, self.spec.text, code, self.tail())

    def tail(self) -> str:
        """The last line that the bot said."""
        try:
            said = self.log.read_bytes()[-LONGEST_TAIL:].decode("utf-8", "replace")
        except OSError:
            said = ""
        lines = said.strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    async def stop(self) -> None:
        """Let the bot go, then end its process group: one that has children may end them first."""
        process = self.process
        if process is None:
            return
        if not await _ends(process, FAREWELL_S):
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await _ends(process, LAST_WORDS_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def _ends(process: asyncio.subprocess.Process, seconds: float) -> bool:
    """Whether a process ends by itself within so long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await process.wait()
            return True
    return False


def write_token(directory: Path, seat: int, token: str) -> Path:
    """A token in a file of its own, mode 0600."""
    path = directory / f"{SEATS[seat]}.token"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(token + "\n")
    return path
