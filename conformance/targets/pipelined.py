"""Targets asked several questions at a time, and blamed one by one when the talk breaks down.

A breakdown costs exactly one case: the one that breaks the talk when it is asked alone, found by
halving what was in flight, or, where none does, the one that had waited longest.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from time import monotonic
from typing import Final, Protocol

from conformance.errors import TargetStartError
from conformance.jsontypes import Record
from conformance.targets.base import BrokenError, Hello, Reply
from conformance.verdict import Verdict

WINDOW: Final = 64
REFILL: Final = WINDOW // 2
LAST_SECONDS: Final = 0.5

Found = Generator[Reply, None, BrokenError | None]


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


class Pipelined(ABC):
    """A target behind a talk that may break down and be opened again."""

    def __init__(self, name: str, *, case_seconds: float) -> None:
        self.name = name
        self.case_seconds = case_seconds
        self._greeting: Record = {}
        self._talk: Talk | None = None
        self._window = 1
        self._closed: set[int] = set()
        self._asked: set[int] = set()
        self._interrupted = False

    @abstractmethod
    def _open(self, greeting: Record) -> tuple[Talk, Hello]:
        """Start a talk and say hello."""

    def hello(self, request: Record) -> Hello:
        """Start, and let the target introduce itself."""
        self._greeting = request
        self._talk, hello = self._open(request)
        self._window = WINDOW if hello.parallel else 1
        return hello

    def ask(self, requests: Iterable[Record]) -> Iterator[Reply]:
        """Answer requests, several in flight where the target says that it is parallel."""
        waiting = iter(requests)
        again: deque[Record] = deque()
        flight = _Flight()
        while True:
            if len(flight) <= min(REFILL, self._window - 1):
                self._fill(flight, again, waiting)
            if not flight:
                break
            try:
                reply = self._receive(flight)
            except BrokenError as err:
                left = yield from self._broken(err, flight.empty())
                again.extendleft(reversed(left))
                continue
            before = monotonic()
            yield reply
            flight.since += monotonic() - before
        yield from self._surplus()

    def _fill(self, flight: "_Flight", again: deque[Record], waiting: Iterator[Record]) -> None:
        talk = self._running()
        while len(flight) < self._window:
            request = again.popleft() if again else next(waiting, None)
            if request is None:
                return
            self._send(talk, flight, request)

    def _send(self, talk: Talk, flight: "_Flight", request: Record) -> None:
        flight.add(request)
        self._asked.add(number_of(request))
        talk.send(request)

    def _running(self) -> Talk:
        if self._interrupted:
            raise TargetStartError(f"{self.name}: interrupted")
        if self._talk is None:
            self._talk, _ = self._open(self._greeting)
        return self._talk

    def _receive(self, flight: "_Flight") -> Reply:
        answer = self._running().receive(flight.since + self.case_seconds)
        number = answer.get("id")
        if isinstance(number, int) and not isinstance(number, bool):
            if flight.remove(number):
                self._closed.add(number)
                return Reply(id=number, answer=answer)
            if number in self._closed and number in self._asked:
                raise BrokenError(Verdict.PROTOCOL, f"id {number} answered twice", culprit=number)
        raise BrokenError(Verdict.PROTOCOL, f"an answer to nothing that was asked: id {number!r}")

    def _broken(
        self, err: BrokenError, flying: list[Record]
    ) -> Generator[Reply, None, list[Record]]:
        """Blame one case for a breakdown; returns what is still to be asked."""
        stderr = self._end()
        if err.culprit is not None:
            yield self._blame(err.culprit, err, stderr)
        elif len(flying) == 1:
            yield self._blame(number_of(flying[0]), err, stderr)
        else:
            try:
                found = yield from self._search(flying)
            except TargetStartError:
                yield self._blame(number_of(flying[0]), err, stderr)
                raise
            if not found:
                self._window = 1
                told = f"{err.detail}, with {len(flying)} in flight; alone each is answered"
                yield self._blame(number_of(flying[0]), BrokenError(err.fault, told), stderr)
        return self._unanswered(flying)

    def _search(self, flying: list[Record]) -> Generator[Reply, None, bool]:
        """Ask the oldest alone, then halves of the rest; whether one was found and blamed."""
        suspects = flying[:1]
        rest = flying[1:]
        while suspects:
            if len(suspects) == 1:
                self._end()
                if (yield from self._trial(suspects, alone=True)):
                    return True
                suspects, rest = rest, []
                continue
            half = suspects[: len(suspects) // 2]
            err = yield from self._trial(half)
            if err and err.culprit is not None:
                return True
            suspects = self._unanswered(half) if err else suspects[len(half) :]
        return False

    def _trial(self, group: Sequence[Record], *, alone: bool = False) -> Found:
        """Ask a group; the breakdown that came of it, which is blamed where its cause is known."""
        flight = _Flight()
        try:
            talk = self._running()
            for request in group:
                self._send(talk, flight, request)
            while flight:
                reply = self._receive(flight)
                before = monotonic()
                yield reply
                flight.since += monotonic() - before
        except BrokenError as err:
            stderr = self._end()
            if err.culprit is not None or alone:
                culprit = number_of(group[0]) if err.culprit is None else err.culprit
                yield self._blame(culprit, err, stderr)
            return err
        return None

    def _surplus(self) -> Iterator[Reply]:
        """What still comes once everything is answered: an answer given twice."""
        if self._talk is None:
            return
        for answer in self._talk.finish(LAST_SECONDS):
            number = answer.get("id")
            if isinstance(number, int) and number in self._closed:
                err = BrokenError(Verdict.PROTOCOL, f"id {number} answered twice")
                yield self._blame(number, err, "")
                break
        self._end()

    def _unanswered(self, group: Iterable[Record]) -> list[Record]:
        return [request for request in group if number_of(request) not in self._closed]

    def _blame(self, number: int, err: BrokenError, stderr: str) -> Reply:
        self._closed.add(number)
        return Reply(id=number, fault=err.fault, detail=err.detail, stderr=stderr)

    def _end(self) -> str:
        """End the talk; what the target complained of."""
        if self._talk is None:
            return ""
        said = self._talk.said()
        self.close()
        return said

    def one_at_a_time(self) -> None:
        """Ask nothing before the last question is answered, whatever hello says."""
        self._window = 1

    def interrupt(self) -> None:
        """Break the talk and open no other: the one thing that another thread may do."""
        self._interrupted = True
        talk = self._talk
        if talk is not None:
            talk.interrupt()

    def close(self) -> None:
        """End the target."""
        if self._talk is not None:
            self._talk.close()
            self._talk = None
            self._asked.clear()


class _Flight:
    """The questions in flight, oldest first, and since when the oldest has been that."""

    def __init__(self) -> None:
        self._flying: dict[int, Record] = {}
        self._oldest = 0
        self.since = 0.0

    def __len__(self) -> int:
        return len(self._flying)

    def add(self, request: Record) -> None:
        """A question leaves."""
        number = number_of(request)
        if not self._flying:
            self._oldest, self.since = number, monotonic()
        self._flying[number] = request

    def remove(self, number: int) -> bool:
        """An answer has come; whether its question was in flight."""
        if self._flying.pop(number, None) is None:
            return False
        if number == self._oldest:
            self.since = monotonic()
            self._oldest = next(iter(self._flying), 0)
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
