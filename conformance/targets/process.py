"""Targets that are a program: JSON lines on its standard input and output.

One thread and no locks: a selector watches the three pipes, so a target that never reads, floods
its standard error, writes half a line or sleeps is no more trouble than one that exits.
Each target leads a process group of its own, and the whole group is killed.
"""

import contextlib
import json
import os
import selectors
import shlex
import signal
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic

from conformance.errors import TargetStartError
from conformance.jsontypes import Json, Record
from conformance.targets.base import Hello, Reply, hello_from
from conformance.verdict import Verdict

HELLO_SECONDS = 10.0
CASE_SECONDS = 2.0
WINDOW = 32
LONGEST_LINE = 1 << 20
KEPT_STDERR = 2000
CHUNK = 1 << 16


class _BrokenError(Exception):
    """The conversation with the program ended: why, in a verdict and in words."""

    def __init__(self, fault: Verdict, detail: str) -> None:
        super().__init__(detail)
        self.fault = fault
        self.detail = detail


class _Conversation:
    """One running program, and the bytes to and from it."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        if not (self.process.stdin and self.process.stdout and self.process.stderr):
            raise TargetStartError("the program has no pipes")
        self.stdin, self.stdout, self.stderr = (
            self.process.stdin.fileno(),
            self.process.stdout.fileno(),
            self.process.stderr.fileno(),
        )
        self.selector = selectors.DefaultSelector()
        for number in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(number, False)
        self.selector.register(self.stdout, selectors.EVENT_READ)
        self.selector.register(self.stderr, selectors.EVENT_READ)
        self.outgoing = bytearray()
        self.incoming = bytearray()
        self.complaints = bytearray()
        self.ended = False

    def send(self, message: Record) -> None:
        """Queue one message; it leaves while answers are awaited."""
        text = json.dumps(message, separators=(",", ":"), ensure_ascii=True)
        if not self.outgoing and not self.ended:
            self.selector.register(self.stdin, selectors.EVENT_WRITE)
        self.outgoing += text.encode("ascii") + b"\n"

    def line(self, deadline: float) -> bytes:
        """The next whole line of the program."""
        while True:
            end = self.incoming.find(b"\n")
            if end >= 0:
                line = bytes(self.incoming[:end])
                del self.incoming[: end + 1]
                return line
            if len(self.incoming) > LONGEST_LINE:
                raise _BrokenError(Verdict.PROTOCOL, f"a line of more than {LONGEST_LINE} bytes")
            if self.ended:
                raise _BrokenError(Verdict.CRASH, self._ending())
            left = deadline - monotonic()
            if left <= 0:
                raise _BrokenError(Verdict.HANG, "no answer in time")
            for key, _ in self.selector.select(left):
                self._move(key.fd)

    def _move(self, number: int) -> None:
        if number == self.stdin:
            self._write()
            return
        try:
            data = os.read(number, CHUNK)
        except BlockingIOError:
            return
        if number == self.stderr:
            self.complaints += data
            del self.complaints[:-KEPT_STDERR]
        else:
            self.incoming += data
        if not data:
            self.selector.unregister(number)
            self.ended = self.ended or number == self.stdout

    def _write(self) -> None:
        try:
            sent = os.write(self.stdin, self.outgoing[:CHUNK])
            del self.outgoing[:sent]
        except BlockingIOError:
            return
        except OSError:
            self.outgoing.clear()
        if not self.outgoing:
            self.selector.unregister(self.stdin)

    def _ending(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.5)
        code = self.process.returncode
        left = ", in the middle of a line" if self.incoming else ""
        if code is None:
            return f"closed its standard output{left}"
        return f"killed by signal {-code}{left}" if code < 0 else f"exited with {code}{left}"

    def said(self) -> str:
        """The end of what stood on the program's standard error."""
        with contextlib.suppress(OSError, BlockingIOError):
            while data := os.read(self.stderr, CHUNK):
                self.complaints += data
                del self.complaints[:-KEPT_STDERR]
                if len(data) < CHUNK:
                    break
        return self.complaints.decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Kill the program with all it started, and let go of the pipes."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.selector.close()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.process.wait()


class ProcessTarget:
    """A program that answers JSON lines; killed, restarted and blamed case by case."""

    def __init__(
        self,
        command: str,
        *,
        case_seconds: float = CASE_SECONDS,
        hello_seconds: float = HELLO_SECONDS,
    ) -> None:
        self.name = f"cmd:{command}"
        self.case_seconds = case_seconds
        self.hello_seconds = hello_seconds
        try:
            self._command = shlex.split(command)
        except ValueError as err:
            raise TargetStartError(f"{self.name}: cannot be split into words: {err}") from err
        if not self._command:
            raise TargetStartError(f"{self.name}: no command, write cmd:./my-adapter")
        self._talk: _Conversation | None = None
        self._greeting: Record = {}
        self._window = 1

    def hello(self, request: Record) -> Hello:
        """Start the program and let it introduce itself."""
        self._greeting = request
        hello = self._start()
        self._window = WINDOW if hello.parallel else 1
        return hello

    def _start(self) -> Hello:
        try:
            self._talk = talk = _Conversation(self._command)
        except OSError as err:
            raise TargetStartError(
                f"{self.name}: cannot be started: {err.strerror}: {self._command[0]!r}"
            ) from err
        talk.send(self._greeting)
        try:
            line = talk.line(monotonic() + self.hello_seconds)
            answer = parsed(line)
        except _BrokenError as err:
            stderr = talk.said().splitlines()
            self.close()
            tail = f"; it said: {stderr[-1]}" if stderr else ""
            raise TargetStartError(
                f"{self.name}: did not answer hello: {err.detail}{tail}"
            ) from err
        try:
            return hello_from(answer, self.name)
        except TargetStartError:
            self.close()
            raise

    def ask(self, requests: Iterable[Record]) -> Iterator[Reply]:
        """Answer requests, several in flight where the target says that it is parallel."""
        waiting = iter(requests)
        again: deque[Record] = deque()
        flying: dict[int, Record] = {}
        done = False
        while True:
            window = 1 if again else self._window
            while len(flying) < window:
                request = again.popleft() if again else next(waiting, None)
                if request is None:
                    done = True
                    break
                flying[_number(request)] = request
                self._send(request)
            if not flying:
                if done and not again:
                    return
                continue
            try:
                reply = self._receive(flying)
            except _BrokenError as err:
                stderr = self._talk.said() if self._talk else ""
                self.close()
                if len(flying) > 1:
                    again.extend(flying.values())
                else:
                    number = next(iter(flying))
                    yield Reply(id=number, fault=err.fault, detail=err.detail, stderr=stderr)
                flying.clear()
                continue
            del flying[reply.id]
            yield reply

    def _send(self, request: Record) -> None:
        if self._talk is None:
            self._start()
        if self._talk is not None:
            self._talk.send(request)

    def _receive(self, flying: Mapping[int, Record]) -> Reply:
        if self._talk is None:
            raise _BrokenError(Verdict.CRASH, "not running")
        answer = parsed(self._talk.line(monotonic() + self.case_seconds))
        number = answer.get("id")
        if not isinstance(number, int) or isinstance(number, bool) or number not in flying:
            raise _BrokenError(
                Verdict.PROTOCOL, f"an answer to nothing that was asked: id {number!r}"
            )
        return Reply(id=number, answer=answer)

    def close(self) -> None:
        """Kill the program and its group."""
        if self._talk is not None:
            self._talk.close()
            self._talk = None


def _number(request: Record) -> int:
    number = request.get("id")
    return number if isinstance(number, int) else 0


def parsed(line: bytes) -> Record:
    """The one JSON object of a line."""
    shown = ascii(line[:60].decode("utf-8", "replace"))
    try:
        value: Json = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as err:
        raise _BrokenError(Verdict.PROTOCOL, f"a line that is not JSON: {shown}") from err
    if not isinstance(value, dict):
        raise _BrokenError(Verdict.PROTOCOL, f"a line that is not a JSON object: {shown}")
    return value
