"""One running program, and the bytes to and from it.

One thread and no locks: a poll watches the pipes, so a target that never reads, floods its
standard error, writes half a line or sleeps is no more trouble than one that exits.
What is kept of it is bounded: one line, and the end of its standard error.
"""

import array
import contextlib
import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
from collections import deque
from pathlib import Path
from time import monotonic
from typing import Final

from conformance.errors import TargetStartError
from conformance.targets.base import BrokenError
from conformance.verdict import Verdict

LONGEST_LINE: Final = 1 << 20
KEPT_STDERR: Final = 2000
CHUNK: Final = 1 << 16
STATUS_SECONDS: Final = 0.5
ENDING_SECONDS: Final = 10.0
GATHERED: Final = 1000
KEEPER: Final = str(Path(__file__).with_name("keeper.py"))
GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL


class Conversation:
    """A program under its keeper."""

    def __init__(self, command: list[str]) -> None:
        self._status, status = os.pipe()
        control, self._control = os.pipe()
        try:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", KEEPER, str(status), str(control), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(status, control),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._status)
            os.close(self._control)
            raise
        finally:
            os.close(status)
            os.close(control)
        if not (self._keeper.stdin and self._keeper.stdout and self._keeper.stderr):
            raise TargetStartError("the program has no pipes")
        self._stdin = self._keeper.stdin.fileno()
        self._stdout = self._keeper.stdout.fileno()
        self._stderr = self._keeper.stderr.fileno()
        self._poll = select.poll()
        for number in (self._stdin, self._stdout, self._stderr, self._status):
            os.set_blocking(number, False)
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._writing = False
        self._outgoing = bytearray()
        self._sent_since = 0
        self._deaf = False
        self._lines: deque[bytes] = deque()
        self._partial = bytearray()
        self._complaints = bytearray()
        self._told = b""
        self.ended = False

    def send(self, text: bytes) -> None:
        """Queue one line; it leaves while answers are awaited."""
        self._outgoing += text
        self._sent_since += len(text)

    def line(self, deadline: float) -> bytes:
        """The next whole line of the program."""
        if self._lines:
            return self._lines.popleft()
        while True:
            if self._outgoing and not self._writing and not self.ended:
                self._write()
            left = max(0.0, deadline - monotonic())
            moved = [] if self.ended else self._poll.poll(left * 1000)
            for number, events in moved:
                self._move(number, events)
            if self._lines:
                return self._lines.popleft()
            if len(self._partial) > LONGEST_LINE:
                raise BrokenError(Verdict.PROTOCOL, f"a line of more than {LONGEST_LINE} bytes")
            if self.ended:
                raise BrokenError(Verdict.CRASH, self._ending())
            if monotonic() >= deadline:
                raise self._late()

    def _move(self, number: int, events: int) -> None:
        if number == self._stdin:
            if events & GONE:
                self._deaf = True
                self._stop_writing()
            else:
                self._write()
            return
        try:
            data = os.read(number, CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._poll.unregister(number)
            self.ended = self.ended or number == self._stdout
        elif number == self._stderr:
            self._complain(data)
        else:
            self._feed(data)

    def _feed(self, data: bytes) -> None:
        first, newline, rest = data.partition(b"\n")
        self._partial += first
        if not newline:
            return
        if len(self._partial) > LONGEST_LINE:
            return
        self._sent_since = 0
        self._lines.append(bytes(self._partial))
        lines = rest.split(b"\n")
        self._partial = bytearray(lines.pop())
        self._lines.extend(lines)

    def _complain(self, data: bytes) -> None:
        self._complaints += data
        del self._complaints[:-KEPT_STDERR]

    def _write(self) -> None:
        try:
            while self._outgoing:
                sent = os.write(self._stdin, self._outgoing[:CHUNK])
                del self._outgoing[:sent]
        except BlockingIOError:
            if not self._writing:
                self._poll.register(self._stdin, select.POLLOUT)
                self._writing = True
            return
        except OSError:
            self._deaf = True
        self._stop_writing()

    def _stop_writing(self) -> None:
        self._outgoing.clear()
        if self._writing:
            self._poll.unregister(self._stdin)
            self._writing = False

    def _late(self) -> BrokenError:
        """What is known of a program that has not answered in time."""
        ended = self._ended(monotonic())
        if ended is not None:
            told = f"{ended}, and something that it started keeps its standard output"
            return BrokenError(Verdict.CRASH, told)
        told = "no answer in time"
        if self._partial:
            told += ", only the beginning of a line"
        elif self._deaf:
            told += ", and its standard input is closed"
        elif self.reads_nothing():
            told += ", and nothing has been read from standard input"
        return BrokenError(Verdict.HANG, told)

    def reads_nothing(self) -> bool:
        """Whether the program has taken in nothing of what was sent since its last line."""
        unread = array.array("i", [0])
        try:
            fcntl.ioctl(self._stdin, termios.FIONREAD, unread)
        except OSError:
            return False
        return 0 < self._sent_since <= unread[0] + len(self._outgoing)

    def _ending(self) -> str:
        left = ", in the middle of a line" if self._partial else ""
        ended = self._ended(monotonic() + STATUS_SECONDS)
        return f"{ended or 'closed its standard output'}{left}"

    def _ended(self, until: float) -> str | None:
        """How the program has ended, as far as the keeper has told."""
        for word, number in self._words(until):
            if word == "exit":
                return f"exited with {number}"
            if word == "signal":
                return f"killed by signal {number}"
        return None

    def _words(self, until: float) -> list[tuple[str, int]]:
        """What the keeper has told, waiting a little for how the program ended."""
        poll = select.poll()
        poll.register(self._status, select.POLLIN)
        while not any(word in self._told for word in (b"exit", b"signal")):
            if not poll.poll(max(0.0, until - monotonic()) * 1000):
                break
            data = os.read(self._status, CHUNK)
            if not data:
                break
            self._told += data
        pairs = [line.split() for line in self._told.decode("ascii").splitlines()]
        return [(pair[0], int(pair[1])) for pair in pairs if len(pair) > 1]

    def unstarted(self) -> int | None:
        """The error number with which the program could not be started; none if it was."""
        words = dict(self._words(monotonic() + STATUS_SECONDS)) if self.ended else {}
        return words.get("failed")

    def said(self) -> str:
        """The end of what stood on the program's standard error."""
        with contextlib.suppress(OSError, BlockingIOError):
            for _ in range(KEPT_STDERR):
                data = os.read(self._stderr, CHUNK)
                self._complain(data)
                if len(data) < CHUNK:
                    break
        return self._complaints.decode("utf-8", "replace").strip()

    def finish(self, seconds: float) -> list[bytes]:
        """Close the program's standard input; the lines that it had left to say."""
        self._stop_writing()
        if self._keeper.stdin is not None:
            with contextlib.suppress(OSError):
                self._keeper.stdin.close()
        until = monotonic() + seconds
        while not self.ended and not self._lines and monotonic() < until:
            for number, events in self._poll.poll(max(0.0, until - monotonic()) * 1000):
                self._move(number, events)
        return list(self._lines)

    def rest(self) -> bytes:
        """What has come and is no whole line yet."""
        return bytes(self._partial)

    def gathered(self, seconds: float) -> list[bytes]:
        """The lines that come within some time, asked for or not."""
        until = monotonic() + seconds
        while not self.ended and len(self._lines) < GATHERED and monotonic() < until:
            for number, events in self._poll.poll(max(0.0, until - monotonic()) * 1000):
                self._move(number, events)
        return list(self._lines)

    def interrupt(self) -> None:
        """Tell the keeper to end the program."""
        with contextlib.suppress(OSError):
            os.write(self._control, b"x")

    def close(self) -> None:
        """End the program with all it started, and let go of the pipes."""
        os.close(self._control)
        try:
            self._keeper.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        for word, number in self._words(0.0):
            if word == "pid" and self._keeper.returncode:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(number, signal.SIGKILL)
        os.close(self._status)
        for pipe in (self._keeper.stdin, self._keeper.stdout, self._keeper.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
