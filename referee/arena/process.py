"""A bot's process: lines out, lines in, the tail of what it complained, and its end."""

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import Sequence
from typing import Final

MAX_LINE: Final = 64 * 1024
STDERR_TAIL: Final = 4 * 1024
_STDIN, _STDOUT, _STDERR = range(3)
_PAUSE_AT: Final = 64
_LAST_WORDS_S: Final = 0.5
_PIPES_S: Final = 1.0


def environment() -> dict[str, str]:
    """Our environment as a bot gets it: without the operator's tokens."""
    return {name: value for name, value in os.environ.items() if not name.startswith("EUCHRE_")}


class _Wire(asyncio.SubprocessProtocol):
    """What the event loop tells of the process, as lines and events."""

    def __init__(self) -> None:
        self.lines: deque[bytes | None] = deque()
        self.stderr = b""
        self.news = asyncio.Event()
        self.spoken = asyncio.Event()
        self.exited = asyncio.Event()
        self.gone = asyncio.Event()
        self.reading: asyncio.ReadTransport | None = None
        self._part = b""
        self._skipping = False
        self._deaf = False

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDERR:
            self.stderr = (self.stderr + data)[-STDERR_TAIL:]
        elif not self._deaf:
            self._split(data)

    def _split(self, data: bytes) -> None:
        *whole, rest = (self._part + data).split(b"\n")
        for line in whole:
            if self._skipping:
                self._skipping = False
            else:
                self.lines.append(line if len(line) <= MAX_LINE else None)
        if len(rest) > MAX_LINE and not self._skipping:
            self.lines.append(None)
            self._skipping = True
        self._part = b"" if self._skipping else rest
        if len(self.lines) > _PAUSE_AT and self.reading is not None:
            self.reading.pause_reading()
        self.news.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        if fd == _STDOUT:
            self._stop_listening()

    def process_exited(self) -> None:
        self.exited.set()
        # A child of the bot may hold the pipe open; what the bot itself said is here by then.
        asyncio.get_running_loop().call_later(_LAST_WORDS_S, self._stop_listening)

    def _stop_listening(self) -> None:
        self.spoken.set()
        self.news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.exited.set()
        self.gone.set()

    def stop_hearing(self) -> None:
        """Drop what still comes, so that a flooded pipe reaches its end."""
        self._deaf = True
        self.lines.clear()
        if self.reading is not None and not self.reading.is_closing():
            self.reading.resume_reading()


class BotProcess:
    """A running command with its own process group."""

    def __init__(self, wire: _Wire, transport: asyncio.SubprocessTransport) -> None:
        self._wire = wire
        self._transport = transport
        self._closed = False
        self.farewell = ""

    @classmethod
    async def start(cls, command: Sequence[str]) -> "BotProcess":
        """Start the command; OSError where there is no such program."""
        transport, wire = await asyncio.get_running_loop().subprocess_exec(
            _Wire, *command, start_new_session=True, env=environment()
        )
        reading = transport.get_pipe_transport(_STDOUT)
        if isinstance(reading, asyncio.ReadTransport):
            wire.reading = reading
        return cls(wire, transport)

    @property
    def stderr(self) -> str:
        """The last of what it wrote to standard error."""
        return self._wire.stderr.decode("utf-8", "replace").strip()

    def send(self, line: bytes) -> None:
        """Write a line; lost silently where the process no longer listens."""
        pipe = self._transport.get_pipe_transport(_STDIN)
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write(line + b"\n")

    async def line(self) -> bytes | None:
        """The next line, None for one over the limit; EOFError once there are no more."""
        wire = self._wire
        while not wire.lines:
            if wire.spoken.is_set():
                raise EOFError
            wire.news.clear()
            await wire.news.wait()
        line = wire.lines.popleft()
        if not wire.lines and wire.reading is not None and not wire.reading.is_closing():
            wire.reading.resume_reading()
        return line

    async def fate(self) -> str:
        """How it came to say nothing more, in words."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS_S):
                await self._wire.exited.wait()
        code = self._transport.get_returncode()
        if code is None:
            return "closed its output"
        if code < 0:
            return f"was killed by {_signal_name(-code)}"
        return f"exited with status {code}"

    async def close(self, grace: float) -> None:
        """Give it `grace` seconds to leave, then kill its whole group; safe to call again.

        `farewell` says what was wrong with its leaving, where it was given time.
        """
        if self._closed:
            return
        self._closed = True
        pipe = self._transport.get_pipe_transport(_STDIN)
        if pipe is not None:
            pipe.close()
        self._wire.stop_hearing()
        try:
            if grace > 0:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(grace):
                        await self._wire.exited.wait()
                if not self._wire.exited.is_set():
                    self.farewell = f"did not leave within {grace:g} s of the end"
                elif self._group_runs():
                    self.farewell = "left, and left a process of its own running"
        finally:
            self._kill_group()
            await self._let_go()

    def _group_runs(self) -> bool:
        try:
            os.killpg(self._transport.get_pid(), 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _kill_group(self) -> None:
        # The group outlives its leader: what the bot started is in it too.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._transport.get_pid(), signal.SIGKILL)

    async def _let_go(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PIPES_S):
                await self._wire.gone.wait()
        self._transport.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
