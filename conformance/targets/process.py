"""Targets that are a program: JSON lines on its standard input and output."""

import json
import os
import shlex
from collections.abc import Mapping
from time import monotonic
from typing import Final

from conformance.errors import TargetStartError, UsageError
from conformance.jsontypes import Json, Record
from conformance.targets.base import BrokenError, Hello, hello_from, parsed
from conformance.targets.conversation import Conversation
from conformance.targets.pipelined import Pipelined
from conformance.targets.talk import Talk

HELLO_SECONDS: Final = 10.0
CASE_SECONDS: Final = 2.0


class _Encoder:
    """Requests as lines; the knobs of a rule set, most of each line, are spelled once."""

    def __init__(self) -> None:
        self._encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True).encode
        self._known: dict[tuple[tuple[str, Json], ...], str] = {}

    def line(self, request: Record) -> bytes:
        """One request as one line."""
        rules = request.get("rules")
        if not isinstance(rules, Mapping):
            return self._encode(request).encode("ascii") + b"\n"
        rest = self._encode({key: value for key, value in request.items() if key != "rules"})
        return f'{rest[:-1]},"rules":{self._spelled(rules)}}}\n'.encode("ascii")

    def _spelled(self, rules: Record) -> str:
        key = tuple(rules.items())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._encode(rules)
        return found


class _Lines:
    """A conversation in JSON lines."""

    def __init__(self, command: list[str], encoder: _Encoder) -> None:
        self._program = Conversation(command)
        self._encoder = encoder

    def send(self, request: Record) -> None:
        """Queue one request."""
        self._program.send(self._encoder.line(request))

    def receive(self, deadline: float) -> Record:
        """The next answer."""
        return parsed(self._program.line(deadline))

    def finish(self, seconds: float) -> list[Record]:
        """Close the program's standard input; the answers that still come."""
        answers: list[Record] = []
        for line in self._program.finish(seconds):
            try:
                answers.append(parsed(line))
            except BrokenError:  # a farewell is no answer
                continue
        return answers

    def unstarted(self) -> int | None:
        """The error number with which the program could not be started."""
        return self._program.unstarted()

    def said(self) -> str:
        """The end of what stood on the program's standard error."""
        return self._program.said()

    def interrupt(self) -> None:
        """End the program, from another thread; the pipes stay until `close`."""
        self._program.interrupt()

    def close(self) -> None:
        """End the program with all it started."""
        self._program.close()


class ProcessTarget(Pipelined):
    """A program that answers JSON lines; killed, restarted and blamed case by case."""

    def __init__(
        self,
        command: str,
        *,
        case_seconds: float = CASE_SECONDS,
        hello_seconds: float = HELLO_SECONDS,
    ) -> None:
        super().__init__(f"cmd:{command}", case_seconds=case_seconds)
        self.hello_seconds = hello_seconds
        self._encoder = _Encoder()
        try:
            self._command = shlex.split(command)
        except ValueError as err:
            raise UsageError(f"{self.name}: cannot be split into words: {err}") from err
        if not self._command:
            raise UsageError(f"{self.name}: no command, write cmd:./my-adapter")

    def _open(self, greeting: Record) -> tuple[Talk, Hello]:
        """Start the program and let it introduce itself."""
        talk = _Lines(self._command, self._encoder)
        try:
            talk.send(greeting)
            answer = talk.receive(monotonic() + self.hello_seconds)
            return talk, hello_from(answer, self.name)
        except BrokenError as err:
            raise self._no_start(talk, err) from err
        except BaseException:
            talk.close()
            raise

    def _no_start(self, talk: _Lines, err: BrokenError) -> TargetStartError:
        number = talk.unstarted()
        stderr = talk.said().splitlines()
        talk.close()
        if number is not None:
            return TargetStartError(
                f"{self.name}: cannot be started: {os.strerror(number)}: {self._command[0]!r}"
            )
        tail = f"; it said: {stderr[-1]}" if stderr else ""
        return TargetStartError(f"{self.name}: did not answer hello: {err.detail}{tail}")
