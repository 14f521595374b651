"""The lines that a person types, one at a time, without holding up the match."""

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import Callable
from typing import Final

_PIECE: Final = 4096
_LONGEST: Final = 1 << 16


class Lines:
    """Lines from a file descriptor: a terminal, a pipe or a file; None is its end.

    What was typed at a terminal before a question was asked is no answer to it: `forget` drops it.
    Lines of a pipe are all kept, since a program writes its answers when it likes. `news` is called
    when something has been typed, whether it is waited for or not.
    """

    def __init__(self, descriptor: int, *, terminal: bool) -> None:
        self._descriptor = descriptor
        self._terminal = terminal
        self._waiting: deque[str | None] = deque()
        self._rest = b""
        self._ended = False
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.news: Callable[[], None] = _nobody
        self._open()

    def _open(self) -> None:
        try:
            self._loop.add_reader(self._descriptor, self._read)
        except (PermissionError, OSError, ValueError):  # a plain file is always readable
            while not self._ended:
                self._read()

    def close(self) -> None:
        """Read no more."""
        with contextlib.suppress(OSError, ValueError):
            self._loop.remove_reader(self._descriptor)

    def forget(self) -> None:
        """Drop what was typed at a terminal and has not been asked for."""
        if self._terminal:
            self._waiting = deque(line for line in self._waiting if line is None)

    def push(self, line: str) -> None:
        """Put a line before all others, as if it had been typed now."""
        self._waiting.appendleft(line)
        self._news.set()

    def take(self, wanted: Callable[[str], bool]) -> bool:
        """Take a line that nobody has asked for, with those before it, where it is wanted.

        Of a pipe that is the first alone: those before a later one answer what is still to come.
        """
        while self._waiting and self._waiting[0] is not None:
            if wanted(self._waiting[0]):
                self._waiting.popleft()
                return True
            if not self._terminal:
                return False
            self._waiting.popleft()
        return False

    async def next(self) -> str | None:
        """The next line without its end; None where there will be no more."""
        while not self._waiting:
            if self._ended:
                return None
            self._news.clear()
            await self._news.wait()
        return self._waiting.popleft()

    def _read(self) -> None:
        try:
            piece = os.read(self._descriptor, _PIECE)
        except OSError:  # the terminal is gone
            piece = b""
        self._rest += piece
        *lines, self._rest = self._rest.split(b"\n")
        if not piece or len(self._rest) > _LONGEST:
            self._ended = True
            self.close()
            lines += [self._rest] if self._rest else []
        self._waiting.extend(line.decode("utf-8", "replace").rstrip("\r") for line in lines)
        self._news.set()
        self.news()


def _nobody() -> None:
    """Nobody asks for news."""
