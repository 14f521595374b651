"""Bots that speak JSON lines on standard input and output."""

import errno
import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from referee.arena.confine import Terms
from referee.arena.noise import THINKING
from referee.arena.players import JSON, OPS, BotFailure, BotHello, FailureKind, Reveal
from referee.arena.process import MAX_LINE, BotProcess
from referee.sealing.keys import name_fault

PROTOCOL: Final = 1
GRACE_S: Final = 2.0
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_QUOTED: Final = 120
_OURS: Final = frozenset({
    errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EDQUOT, errno.EROFS,
})  # fmt: skip
"""Errors of a start that are this machine's fault and not the bot's."""


class CommandPlayer:
    """A command that plays one seat for one match, in a process group of its own."""

    def __init__(self, label: str, command: Sequence[str], terms: Terms | None = None) -> None:
        self._label = label
        self._terms = terms
        self._command = tuple(command)
        self._process: BotProcess | None = None
        self._asked = 0
        self._last_choice = 0
        self._grace = 0.0

    async def launch(self) -> None:
        """Start the process, which `start` greets.

        START_FAIL where there is no such program, INFRA where this machine cannot start any.
        """
        try:
            self._process = await BotProcess.start(self._command, self._terms)
        except (OSError, ValueError) as err:
            why = err.strerror if isinstance(err, OSError) and err.strerror else str(err)
            kind, told = FailureKind.START_FAIL, "check the command and its path"
            if isinstance(err, OSError) and err.errno in _OURS:
                kind, told = FailureKind.INFRA, "this machine is short of something: free it"
            raise BotFailure(kind, f"cannot start {self._label!r}: {why} ({told})") from err

    async def start(self, *, match: str, seat: str, rules: Mapping[str, str]) -> BotHello:
        """Start the process and greet it; what goes wrong before its hello is START_FAIL."""
        if self._process is None:
            await self.launch()
        self._send({"op": "hello", "protocol": PROTOCOL, "match": match, "seat": seat,
                    "rules": dict(rules)})  # fmt: skip
        try:
            return self._hello(await self._object("hello"))
        except BotFailure as failure:
            await self.close()
            raise BotFailure(FailureKind.START_FAIL, failure.text, failure.stderr) from failure
        except BaseException:
            await self.close()
            raise

    def _hello(self, answer: Mapping[str, JSON]) -> BotHello:
        name, ops = answer.get("name"), answer.get("ops", [])
        if not isinstance(name, str):
            self._malformed("hello", f"gave the name {name!r}: a string is needed")
        if fault := name_fault(name):
            self._malformed("hello", f"gave the name {name[:_QUOTED]!r}: {fault}")
        if not isinstance(ops, list) or not all(isinstance(op, str) for op in ops):
            self._malformed("hello", f"gave the ops {ops!r}: a list of words is needed")
        known = frozenset(op for op in ops if isinstance(op, str)) & OPS
        if ("commit" in known) != ("reveal" in known):
            self._malformed("hello", "offers one of commit and reveal: both or neither are needed")
        return BotHello(name, known)

    async def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The action that the bot answers with."""
        with THINKING.thinking():
            answer = await self._ask("choose", {"view": view, "legal": list(legal)})
        self._last_choice = self._asked
        action = answer.get("action")
        if not isinstance(action, str):
            self._malformed("choose", f"gave the action {action!r}: a string is needed")
        return action

    async def refused(self, reason: str, text: str) -> None:
        """Tell why the last action was refused."""
        self._send({"op": "refused", "id": self._last_choice, "reason": reason, "text": text})

    async def commit(self, deal: int, *, cutter: bool) -> str:
        """The commitment that the bot answers with."""
        answer = await self._ask("commit", {"deal": deal, "cutter": cutter})
        return self._hex("commit", answer.get("commit"))

    async def reveal(
        self, deal: int, *, commits: Sequence[str], r_commit: str, cset: str
    ) -> Reveal:
        """The seed and cut that the bot answers with."""
        asked: dict[str, JSON] = {
            "deal": deal,
            "commits": list(commits),
            "r_commit": r_commit,
            "cset": cset,
        }
        answer = await self._ask("reveal", asked)
        cut = answer.get("cut")
        if cut is not None and (not isinstance(cut, int) or isinstance(cut, bool)):
            self._malformed("reveal", f"gave the cut {cut!r}: a whole number is needed")
        return Reveal(self._hex("reveal", answer.get("seed")), cut)

    async def event(self, event: Mapping[str, JSON]) -> None:
        """Tell a public event."""
        self._send({"op": "event", "event": event})

    async def end(self, score: Mapping[str, int]) -> None:
        """Tell the score; from now on the bot has two seconds to leave by itself."""
        self._send({"op": "end", "score": dict(score)})
        self._grace = GRACE_S

    async def close(self) -> None:
        """End the process and whatever it started."""
        if self._process is not None:
            await self._process.close(self._grace)

    @property
    def farewell(self) -> str:
        """What was wrong with how it left, once it is closed; empty where nothing was."""
        return "" if self._process is None else self._process.farewell

    @property
    def stderr(self) -> str:
        """The last of what it wrote to standard error."""
        return "" if self._process is None else self._process.stderr

    def say(self, line: bytes) -> None:
        """Write a line that asks for nothing, whatever it is."""
        if self._process is not None:
            self._process.send(line)

    def _send(self, message: Mapping[str, JSON]) -> None:
        if self._process is not None:
            self._process.send(json.dumps(message, separators=(",", ":")).encode("ascii"))

    async def _ask(self, op: str, fields: Mapping[str, JSON]) -> Mapping[str, JSON]:
        self._asked += 1
        asked = self._asked
        self._send({"op": op, "id": asked, **fields})
        while True:
            answer = await self._object(op)
            number = answer.get("id")
            if not isinstance(number, int) or isinstance(number, bool):
                self._malformed(op, f"answered with the id {number!r}: the id it was asked under")
            if number == asked:
                return answer

    async def _object(self, op: str) -> Mapping[str, JSON]:
        process = self._process
        if process is None:
            raise BotFailure(FailureKind.CRASH, f"{self._label!r} is not running")
        try:
            line = await process.line()
        except EOFError:
            fate = await process.fate()
            raise self._failure(
                FailureKind.CRASH, f"{self._label!r} {fate} before it answered {op}"
            ) from None
        if line is None:
            self._malformed(op, f"wrote a line of over {MAX_LINE} bytes")
        try:
            answer = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._malformed(op, f"wrote {line[:_QUOTED]!r}: one JSON object a line is needed")
        return answer

    def _hex(self, op: str, value: JSON) -> str:
        if not isinstance(value, str) or not _HASH.fullmatch(value):
            self._malformed(
                op, f"gave {str(value)[:_QUOTED]!r}: 64 lower-case hex digits are needed"
            )
        return value

    def _malformed(self, op: str, what: str) -> NoReturn:
        raise self._failure(FailureKind.MALFORMED, f"{self._label!r} {what} (asked: {op})")

    def _failure(self, kind: FailureKind, text: str) -> BotFailure:
        stderr = "" if self._process is None else self._process.stderr
        last = stderr.splitlines()[-1:]
        said = f"; its last words: {last[0][-_QUOTED:]!r}" if last else ""
        return BotFailure(kind, text + said, stderr)
