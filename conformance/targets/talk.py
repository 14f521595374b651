"""What a talk with a target is, and which of its questions are in flight."""

from time import monotonic
from typing import Protocol

from conformance.jsontypes import Record


class Talk(Protocol):
    """A conversation with a target that has said hello."""

    def send(self, request: Record) -> None:
        """Ask a question; it may leave later."""

    def receive(self, deadline: float) -> Record:
        """The next answer; a breakdown is a `BrokenError`."""

    def finish(self, seconds: float) -> list[Record]:
        """Ask nothing more; the answers that still come."""

    def said(self) -> str:
        """What the target complained of."""

    def interrupt(self) -> None:
        """Let it break down, from another thread."""

    def close(self) -> None:
        """End it, with all that it started."""


class Flight:
    """The questions in flight, oldest first, and since when the oldest has been that."""

    def __init__(self) -> None:
        self._flying: dict[int, Record] = {}
        self.oldest = 0
        self.since = 0.0

    def __len__(self) -> int:
        return len(self._flying)

    def add(self, request: Record) -> None:
        """A question leaves."""
        number = number_of(request)
        if not self._flying:
            self.oldest, self.since = number, monotonic()
        self._flying[number] = request

    def remove(self, number: int) -> bool:
        """An answer has come; whether its question was in flight."""
        if self._flying.pop(number, None) is None:
            return False
        if number == self.oldest:
            self.since = monotonic()
            self.oldest = next(iter(self._flying), 0)
        return True

    def empty(self) -> list[Record]:
        """Take all that is in flight, oldest first."""
        left = list(self._flying.values())
        self._flying.clear()
        return left


def number_of(request: Record) -> int:
    """The id of a request."""
    number = request.get("id")
    return number if isinstance(number, int) else 0
