"""Targets asked several questions at a time, and blamed one by one when the talk breaks down.

A breakdown costs exactly one case.  It is that of the question that breaks the talk when it is
asked alone, or that is answered and then breaks it for the question after it; both are searched
for in fresh talks, by halving what was in flight and what had just been answered.  Where nobody
breaks it alone, it is the question that had waited longest.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from time import monotonic
from typing import Final

from conformance.errors import TargetStartError
from conformance.jsontypes import Record
from conformance.targets.base import BrokenError, Hello, Reply
from conformance.targets.talk import Flight, Talk, number_of
from conformance.verdict import Verdict

WINDOW: Final = 64
REFILL: Final = WINDOW // 2
LAST_SECONDS: Final = 0.5

Search = Generator[Reply, None, bool]
"""Answers that come on the way, and in the end whether somebody was blamed."""

Trial = Generator[Reply, None, BrokenError | None]
"""Answers that come on the way, and in the end the breakdown, if there was one."""


class Pipelined(ABC):
    """A target behind a talk that may break down and be opened again."""

    def __init__(self, name: str, *, case_seconds: float) -> None:
        self.name = name
        self.case_seconds = case_seconds
        self._greeting: Record = {}
        self._talk: Talk | None = None
        self._window = 1
        self._careful = False
        self._closed: set[int] = set()
        self._blamed: set[int] = set()
        self._asked: dict[int, Record] = {}
        self._answered: deque[Record] = deque(maxlen=WINDOW)
        self._in_order = True
        self._fresh = True
        self._stderr = ""
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
        """Answer requests, several in flight where the target says that it is parallel.

        The ids may be those of an earlier time.
        """
        waiting = iter(requests)
        again: deque[Record] = deque()
        flight = Flight()
        self._fresh = self._fresh and not self._asked
        self._begin()
        self._closed.clear()
        self._blamed.clear()
        while True:
            window = 1 if self._careful else self._window
            if len(flight) <= min(REFILL, window - 1):
                self._fill(flight, again, waiting, window)
            if not flight:
                break
            try:
                reply = self._receive(flight)
            except BrokenError as err:
                left = yield from self._broken(err, flight.empty())
                again.extendleft(reversed(left))
                continue
            self._careful = False
            before = monotonic()
            yield reply
            flight.since += monotonic() - before
        yield from self._surplus()

    def forget(self, numbers: Iterable[int]) -> None:
        """Leave questions unasked that wait for an answer no more, once one was blamed."""
        self._closed.update(numbers)

    def _fill(
        self, flight: Flight, again: deque[Record], waiting: Iterator[Record], window: int
    ) -> None:
        talk = self._running()
        while len(flight) < window:
            request = again.popleft() if again else next(waiting, None)
            if request is None:
                return
            if number_of(request) not in self._closed:
                self._send(talk, flight, request)

    def _send(self, talk: Talk, flight: Flight, request: Record) -> None:
        flight.add(request)
        self._asked[number_of(request)] = request
        talk.send(request)

    def _running(self) -> Talk:
        if self._interrupted:
            raise TargetStartError(f"{self.name}: interrupted")
        if self._talk is None:
            self._talk, _ = self._open(self._greeting)
        return self._talk

    def _receive(self, flight: Flight) -> Reply:
        answer = self._running().receive(flight.since + self.case_seconds)
        number = _answered_id(answer)
        first = flight.oldest
        if number is None or not flight.remove(number):
            raise self._unasked(answer)
        self._closed.add(number)
        self._answered.append(self._asked[number])
        self._in_order = self._in_order and number == first
        return Reply(id=number, answer=answer)

    def _unasked(self, answer: Record) -> BrokenError:
        """The breach of an answer that no question waits for; whose it is, it does not tell."""
        number = _answered_id(answer)
        twice = number if number in self._asked else None
        told = f"an answer to nothing that was asked: id {answer.get('id')!r}"
        if twice is not None:
            told = f"id {twice} answered twice"
        return BrokenError(Verdict.PROTOCOL, told, confused=True, twice=twice)

    def _broken(
        self, err: BrokenError, flying: list[Record]
    ) -> Generator[Reply, None, list[Record]]:
        """Blame one case for a breakdown; returns what is still to be asked."""
        alone = self._fresh and len(self._asked) == 1
        certain = alone or (err.fault is Verdict.HANG and len(flying) == 1)
        twice = None if err.twice is None else self._asked[err.twice]
        answered = list(reversed(self._answered))
        ids_are_sure = self._window == 1 or (self._in_order and not err.confused)
        self._end()
        if certain:
            yield self._blame(flying[0], err, self._stderr)
        else:
            each = "each" if len(flying) > 1 else "it"
            told = f"{err.detail}, with {len(flying)} in flight; alone {each} is answered"
            search = self._search(flying, answered, twice)
            vague = BrokenError(err.fault, told)
            if not (yield from self._searched(search, flying[0], vague, err)):
                self._window = 1
        if not ids_are_sure:  # one may have been answered by another, or have gone unnoticed
            self._reopen(answered)
            flying = sorted([*answered, *flying], key=number_of)
        return self._unanswered(flying)

    def _searched(
        self, search: Search, likeliest: Record, vague: BrokenError, err: BrokenError
    ) -> Search:
        """Search for who is to blame; where nobody is found, the likeliest is blamed."""
        stderr = self._stderr
        try:
            found = yield from search
        except TargetStartError:
            yield self._blame(likeliest, err, stderr)
            raise
        if not found:
            yield self._blame(likeliest, vague, stderr)
        return found

    def _search(
        self, flying: Sequence[Record], answered: Sequence[Record], twice: Record | None
    ) -> Search:
        """Blame who breaks a fresh talk; the likeliest are tried first.

        Those are: who seems to have answered twice, the oldest in flight, the last that was
        answered; then halves of the others.  The oldest in flight, once it is known to be
        answered alone, is the witness that a talk goes on after an answer.
        """
        if twice is not None:
            answered = [request for request in answered if request is not twice]
            self._reopen([twice])
            if (yield from self._halved([twice], None)):
                return True
        if not flying:
            return (yield from self._halved(answered, None))
        witness = flying[0]
        self._end()
        err = yield from self._is_answered([witness])
        if err is not None:
            yield self._blame(witness, err, self._stderr)
            return True
        if (yield from self._halved(answered[:1], witness)):
            self._reopen([witness])  # it may be another that breaks the talk once it is answered
            return True
        return (yield from self._halved(flying[1:], witness)) or (
            yield from self._halved(answered[1:], witness)
        )

    def _halved(self, suspects: Sequence[Record], witness: Record | None) -> Search:
        """Try halves of the suspects, down to one that breaks a talk alone and is blamed."""
        while suspects:
            half = suspects[: max(1, len(suspects) // 2)]
            err = yield from self._goes_on(half, witness)
            if err is None:
                suspects = suspects[len(half) :]
            elif len(half) > 1:
                suspects = half
            else:
                yield self._blame(half[0], err, self._stderr)
                return True
        return False

    def _goes_on(self, group: Sequence[Record], witness: Record | None) -> Trial:
        """Ask a group in a fresh talk, and then one that is known to be answered, or nothing."""
        self._end()
        err = yield from self._is_answered(group)
        if err is None and witness is None:
            err = self._last_words()
        elif err is None and witness is not None:
            err = yield from self._is_answered([witness])
        self._end()
        return err

    def _is_answered(self, group: Sequence[Record]) -> Trial:
        """Ask a group, and see that each is answered; answers that are known are not told again."""
        new = self._unanswered(group)
        wanted = {number_of(request) for request in new}
        waiting = deque(group)
        flight = Flight()
        try:
            talk = self._running()
            while waiting or flight:
                while waiting and len(flight) < self._window:
                    self._send(talk, flight, waiting.popleft())
                reply = self._receive(flight)
                before = monotonic()
                if reply.id in wanted:
                    yield reply
                flight.since += monotonic() - before
        except BrokenError as err:
            self._reopen(new)
            self._end()
            return err
        return None

    def _surplus(self) -> Iterator[Reply]:
        """What still comes once everything is answered is one answer too many."""
        err = self._last_words()
        answered = list(reversed(self._answered))
        twice = None if err is None or err.twice is None else self._asked[err.twice]
        self._end()
        if err is not None and answered:
            search = self._search([], answered, twice)
            yield from self._searched(search, twice or answered[0], err, err)
            self._end()

    def _last_words(self) -> BrokenError | None:
        """Ask nothing more; the breach of an answer that comes all the same."""
        answers = [] if self._talk is None else self._talk.finish(LAST_SECONDS)
        return next((self._unasked(answer) for answer in answers if "id" in answer), None)

    def _reopen(self, group: Iterable[Record]) -> None:
        """Ask a group again, as their answers may have been those of others."""
        self._closed.difference_update({number_of(one) for one in group} - self._blamed)

    def _unanswered(self, group: Iterable[Record]) -> list[Record]:
        return [request for request in group if number_of(request) not in self._closed]

    def _blame(self, request: Record, err: BrokenError, stderr: str) -> Reply:
        number = number_of(request)
        self._closed.add(number)
        self._blamed.add(number)
        self._careful = True
        return Reply(id=number, fault=err.fault, detail=err.detail, stderr=stderr)

    def _end(self) -> None:
        """End the talk; what the target complained of is kept until the next one ends."""
        if self._talk is not None:
            self._stderr = self._talk.said()
            self.close()

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
            self._fresh = True
            self._begin()

    def _begin(self) -> None:
        """Know of no question that was asked before."""
        self._asked.clear()
        self._answered.clear()
        self._in_order = True


def _answered_id(answer: Record) -> int | None:
    """The id of an answer, if it has a number for one."""
    number = answer.get("id")
    return number if isinstance(number, int) and not isinstance(number, bool) else None
