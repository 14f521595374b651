"""Clerks: processes beside the event loop that answer what takes long, so that no table waits.

A clerk is started when it is first needed, asked one question at a time, and ended where it takes
too long or whoever asked has gone. It knows no match and no secret.
"""

import asyncio
import contextlib
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator
from typing import Final, Self

from google.rpc import code_pb2, status_pb2

from referee.errors import InternalError
from referee.service.status import RefusedError, refusal, retry

log = logging.getLogger(__name__)

MOST_CLERKS: Final = 2
MOST_WAITING: Final = 64
"""Questions that wait for a clerk or are being answered; more are refused for now."""
MOST_BYTES: Final = 256 << 20
"""Bytes of all questions that wait, come in or are being answered."""
LONGEST_S: Final = 60.0
SMALL: Final = 2_048
"""Bytes of a question that is answered at once, beside the tables: some ten positions."""
ANSWERED: Final = b"A"
REFUSED: Final = b"R"
FAILED: Final = b"F"
SIZE: Final = 4
Task = Callable[[bytes], bytes]
"""From the bytes of a request to those of its answer; RefereeError where it makes no sense."""


class Clerk:
    """One process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> Self:
        """Start one; it reads questions until its pipe ends."""
        words = ("-W", "ignore::UserWarning", "-m", "referee.service.clerk")
        return cls(
            await asyncio.create_subprocess_exec(sys.executable, *words, stdin=PIPE, stdout=PIPE)
        )

    async def ask(self, name: str, data: bytes) -> tuple[bytes, bytes]:
        """The kind of the answer, and its bytes; EOFError or OSError where the clerk is gone."""
        ask, told = self._process.stdin, self._process.stdout
        if ask is None or told is None:
            raise InternalError("a clerk without pipes")
        for part in (name.encode("ascii"), data):
            ask.write(len(part).to_bytes(SIZE, "big"))
            ask.write(part)
        await ask.drain()
        kind = await told.readexactly(1)
        size = int.from_bytes(await told.readexactly(SIZE), "big")
        return kind, await told.readexactly(size)

    async def end(self) -> None:
        """End it, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()


class Clerks:
    """All clerks of a server, and the questions before them."""

    def __init__(self) -> None:
        self._idle: list[Clerk] = []
        self._turns = asyncio.Semaphore(MOST_CLERKS)
        self._waiting = 0
        self._bytes = 0

    @contextlib.contextmanager
    def room(self) -> Iterator[Callable[[int], None]]:
        """Count the bytes of a question as they come; RefusedError where there are too many."""
        held = 0

        def more(size: int) -> None:
            nonlocal held
            if self._bytes + size > MOST_BYTES:
                raise _busy()
            self._bytes += size
            held += size

        try:
            yield more
        finally:
            self._bytes -= held

    async def answer(self, name: str, task: Task, data: bytes, *, small: int = SMALL) -> bytes:
        """The answer to a question: a short one at once, a long one by a clerk.

        Raises what the task raises, and RefusedError where too many wait, or it takes too long.
        """
        if len(data) <= small:
            return task(data)
        if self._waiting >= MOST_WAITING:
            raise _busy()
        self._waiting += 1
        try:
            async with asyncio.timeout(LONGEST_S):
                async with self._turns:
                    kind, answer = await self._ask(name, data)
        except TimeoutError:
            text = f"the answer takes over {LONGEST_S:g} s (ask for less at a time)"
            raise refusal(code_pb2.RESOURCE_EXHAUSTED, "TOO_LONG", text) from None
        except (EOFError, OSError):
            log.warning("clerk_lost question=%s bytes=%s", name, len(data))
            raise retry(
                code_pb2.UNAVAILABLE, "NO_CLERK", "the answer was lost (ask again)"
            ) from None
        finally:
            self._waiting -= 1
        if kind == REFUSED:
            raise RefusedError(status_pb2.Status.FromString(answer))
        if kind != ANSWERED:
            raise InternalError(
                f"a clerk has failed at {name}: {answer.decode('utf-8', 'replace')}"
            )
        return answer

    async def _ask(self, name: str, data: bytes) -> tuple[bytes, bytes]:
        """Ask a clerk that has nothing to do; one that gives no whole answer is ended."""
        clerk = self._idle.pop() if self._idle else await Clerk.start()
        try:
            answer = await clerk.ask(name, data)
        except BaseException:
            await asyncio.shield(clerk.end())
            raise
        self._idle.append(clerk)
        return answer

    async def close(self) -> None:
        """End the clerks that wait for work."""
        while self._idle:
            await self._idle.pop().end()


def _busy() -> RefusedError:
    text = "too many long questions wait already (ask again)"
    return retry(code_pb2.RESOURCE_EXHAUSTED, "BUSY", text)
