"""A queue of tasks that are done exactly once, whatever becomes of their workers.

A worker claims a task for a while (a lease), says now and then that it is alive, and completes it
with its results. Every claim of a task has a number of its own, its attempt; whatever a worker
says counts only while its attempt is the task's newest one and has not ended. So two workers may
do the same task, where one of them was thought dead, but the results of one of them are kept: no
clock decides that, only the numbers. Times are arguments, in milliseconds since 1970; a clock that
goes back makes no lease longer than it was given, and one that goes on makes some work be done
twice.

Engines are held to this by `tests/arena/queue/contract.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol

from referee.errors import RefereeError


class QueueError(RefereeError):
    """The queue cannot be used as it is; the message says what to do."""

    exit_code: ClassVar[int] = 6


class TaskClashError(QueueError):
    """A task or a result that is there already, and is another one."""


class LeaseLostError(RefereeError):
    """The task is no longer this attempt's: nothing was changed, and its work is to be dropped."""

    exit_code: ClassVar[int] = 1

    def __init__(self, text: str, lease: "Lease") -> None:
        super().__init__(text)
        self.lease = lease


class FailureKind(StrEnum):
    """Whose fault it is that an attempt came to nothing."""

    INFRA = "INFRA"
    """Ours: the task is tried again, after a pause, until it has failed too often."""
    BOT = "BOT"
    """A bot's: trying again would change nothing."""
    CANCELLED = "CANCELLED"
    """Nobody's: the task is not wanted any more."""


class Ending(StrEnum):
    """How an attempt ended."""

    DONE = "DONE"
    INFRA = "INFRA"
    BOT = "BOT"
    CANCELLED = "CANCELLED"
    RELEASED = "RELEASED"
    """Its worker gave the task back."""
    LOST = "LOST"
    """Its lease ran out: its worker is dead, or as good as dead."""


class TaskState(StrEnum):
    """Where a task stands."""

    WAITING = "WAITING"
    LEASED = "LEASED"
    DONE = "DONE"
    DEAD = "DEAD"
    """It failed by a bot's fault, or too often by ours; it waits for somebody to look at it."""
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do, named by a key that no other task has.

    Of two tasks the one with the higher priority is claimed first, and of two with the same the one
    that was enqueued first.
    """

    key: str
    payload: str
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Lease:
    """A task that a worker holds until a time: its attempts are numbered from 1."""

    task: Task
    worker: str
    attempt: int
    expires_ms: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """One claim of a task; `ended_ms` and `ending` are None while it runs, `why` says more."""

    key: str
    number: int
    worker: str
    claimed_ms: int
    ended_ms: int | None
    ending: Ending | None
    why: str


@dataclass(frozen=True, slots=True)
class Result:
    """One row that an attempt completed its task with."""

    key: str
    attempt: int
    body: str


@dataclass(frozen=True, slots=True)
class DeadTask:
    """A task that nobody will claim any more, and how its last attempt ended."""

    task: Task
    attempts: int
    kind: FailureKind
    why: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How many tasks are in each state; `pausing` are those of the waiting that may not begin yet.

    Leases that have run out are still counted as leased until somebody claims.
    """

    waiting: int = 0
    pausing: int = 0
    leased: int = 0
    done: int = 0
    dead: int = 0
    cancelled: int = 0

    @property
    def open(self) -> int:
        """How many are still to be done."""
        return self.waiting + self.leased


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How often a task is tried, and how long it pauses after a failure of ours.

    The pause doubles from `first_ms` to `longest_ms`. Leases that ran out are counted apart and
    pause nothing: the lease itself was the pause, and a worker may die for what it is not to blame.

    >>> [Retries(first_ms=100, longest_ms=300).pause_ms(failures) for failures in (1, 2, 3, 4)]
    [100, 200, 300, 300]
    """

    failures: int = 10
    losses: int = 100
    first_ms: int = 500
    longest_ms: int = 30_000

    def pause_ms(self, failures: int) -> int:
        """How long a task waits after it has failed so many times, at least once."""
        doublings = min(failures - 1, self.longest_ms.bit_length())
        return min(self.first_ms << doublings, self.longest_ms)


class WorkQueue(Protocol):
    """A queue, as one process holds it; others may hold the same.

    Every method is done whole or not at all, and lasts once it has returned. QueueError where the
    queue itself cannot be read or written.
    """

    def enqueue(self, tasks: Sequence[Task], *, now_ms: int) -> int:
        """Add tasks, all or none, and say how many were new.

        One that is there already with this payload is left as it is; with another payload it is a
        TaskClashError.
        """
        ...

    def claim(self, worker: str, *, lease_ms: int, now_ms: int) -> Lease | None:
        """Lease the next task to a worker for a while; None where there is nothing to do now.

        A task whose lease has run out is claimed again, and its old attempt is lost.
        """
        ...

    def heartbeat(self, lease: Lease, *, lease_ms: int, now_ms: int) -> Lease:
        """The lease from now on; LeaseLostError where the task is no longer this attempt's.

        A lease that has run out, and whose task nobody else has claimed yet, is held again.
        """
        ...

    def complete(self, lease: Lease, results: Sequence[str], *, now_ms: int) -> None:
        """Keep the results and end the task, together; LeaseLostError where it is not this one's.

        A second time by the same attempt is no error and changes nothing, so that whoever did not
        hear the answer may ask again; with other results it is a TaskClashError.
        """
        ...

    def fail(self, lease: Lease, kind: FailureKind, why: str, *, now_ms: int) -> TaskState:
        """End the attempt without results, and say what becomes of the task; or LeaseLostError."""
        ...

    def release(self, lease: Lease, *, now_ms: int) -> None:
        """Give the task back at once, as if it had not been claimed; or LeaseLostError."""
        ...

    def cancel(self, key: str, *, now_ms: int) -> bool:
        """Take a task back; False where it is done. Whoever holds it loses it.

        QueueError where there is no such task.
        """
        ...

    def retry(self, key: str, *, now_ms: int) -> bool:
        """Let a dead or cancelled task be tried again as if it never was; False for any other.

        QueueError where there is no such task.
        """
        ...

    def state(self, key: str) -> TaskState | None:
        """Where a task stands; None where there is no such task."""
        ...

    def counts(self, *, now_ms: int) -> Counts:
        """How many tasks are in which state."""
        ...

    def due_ms(self) -> int | None:
        """When there is something to claim: the first end of a pause or a lease, 0 for at once.

        None where there is nothing to wait for.
        """
        ...

    def dead(self) -> Sequence[DeadTask]:
        """The tasks that nobody will claim any more, in the order they were enqueued."""
        ...

    def attempts(self, key: str) -> Sequence[Attempt]:
        """Every attempt at a task, in order."""
        ...

    def results(self, key: str | None = None) -> Sequence[Result]:
        """The results of one task, or of all, by task in the order they were enqueued."""
        ...

    def close(self) -> None:
        """Let go of the queue; what is leased stays leased."""
        ...
