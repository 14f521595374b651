"""A bot's process: lines out, lines in, the tail of what it complained, and its end."""

import asyncio
import contextlib
import os
import signal
from collections import deque
from collections.abc import Sequence
from typing import Final

from referee.arena.census import RECENTLY, census, excess, family, strays
from referee.arena.confine import Launch, Terms, launch

MAX_LINE: Final = 64 * 1024
STDERR_TAIL: Final = 4 * 1024
_STDIN, _STDOUT, _STDERR = range(3)
_PAUSE_AT: Final = 64
_LAST_WORDS_S: Final = 0.5
_PIPES_S: Final = 1.0
_WATCH_S: Final = 0.5
_ROUNDS: Final = 20
_BOXES: Final = 2
"""The processes of bwrap itself, about every bot in a sandbox."""
_FLOOD: Final = 1024 * 1024
"""A bot that writes more than this at once is heard no faster than that ten times a second."""
_FLOOD_S: Final = 0.1
_SIGNALLED: Final = 128


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
        self._heard = 0
        self._held: list[asyncio.ReadTransport] = []
        self.pipes: dict[int, asyncio.ReadTransport] = {}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._count(fd, len(data))
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

    def _count(self, fd: int, size: int) -> None:
        """Let a pipe rest that is flooded: reading it would leave no time for the others."""
        if not self._heard:
            asyncio.get_running_loop().call_later(_FLOOD_S, self._hear_on)
        self._heard += size
        pipe = self.pipes.get(fd)
        if self._heard > _FLOOD and pipe is not None and pipe not in self._held:
            pipe.pause_reading()
            self._held.append(pipe)

    def _hear_on(self) -> None:
        self._heard = 0
        held, self._held = self._held, []
        for pipe in held:
            full = pipe is self.reading and len(self.lines) > _PAUSE_AT
            if not pipe.is_closing() and not full:
                pipe.resume_reading()

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

    def __init__(self, wire: _Wire, transport: asyncio.SubprocessTransport, begun: Launch) -> None:
        self._wire = wire
        self._transport = transport
        self._begun = begun
        self._boxed = False
        self._watching: asyncio.Task[None] | None = None
        self._closed = False
        self._stopped = ""
        self.farewell = ""

    @classmethod
    async def start(cls, command: Sequence[str], terms: Terms | None = None) -> "BotProcess":
        """Start the command, on terms or as it is; OSError where there is no such program."""
        begun = launch(command, terms)
        try:
            transport, wire = await asyncio.get_running_loop().subprocess_exec(
                _Wire, *begun.command, start_new_session=True, env=begun.environment
            )
        except BaseException:
            begun.clear()
            raise
        for number in (_STDOUT, _STDERR):
            pipe = transport.get_pipe_transport(number)
            if isinstance(pipe, asyncio.ReadTransport):
                wire.pipes[number] = pipe
        wire.reading = wire.pipes.get(_STDOUT)
        bot = cls(wire, transport, begun)
        if terms is not None:
            bot._boxed = terms.sandbox
            bot._watching = asyncio.create_task(bot._watch(terms))
        return bot

    async def _watch(self, terms: Terms) -> None:
        """End a bot that uses more than it may."""
        beside = _BOXES if terms.sandbox else 0
        while not self._wire.exited.is_set():
            await asyncio.sleep(_WATCH_S)
            bot = family(RECENTLY.members(), self._transport.get_pid())
            self._stopped = excess(bot, terms.limits, beside=beside)
            if self._stopped:
                self._kill_all()
                return

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
        if self._stopped:
            return f"was stopped, as {self._stopped},"
        code = self._transport.get_returncode()
        if code is None:
            return "closed its output"
        if self._boxed and code > _SIGNALLED:
            code = _SIGNALLED - code
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
            if self._watching is not None:
                self._watching.cancel()
            self._kill_all()
            await self._let_go()
            if self._begun.scratch is not None:
                await asyncio.to_thread(self._begun.clear)

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

    def _kill_all(self) -> None:
        """Kill the bot and what it started: also what has left its group, where it is on terms.

        What is in a sandbox ends with it.
        """
        scratch = self._begun.scratch
        if scratch is None or self._boxed:
            self._kill_group()
            return
        left = family(census(), self._transport.get_pid())  # before its children are nobody's
        self._kill_group()
        killed: set[int] = set()
        for _ in range(_ROUNDS):  # whatever starts another one while it is being killed
            for pid in {member.pid for member in left} - killed:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                killed.add(pid)
            left = strays(census(), scratch)
            if {member.pid for member in left} <= killed:
                return

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
