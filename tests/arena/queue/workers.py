"""Workers in processes of their own, and ways for them to die."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.process import BaseProcess
from random import Random
from typing import TypeAlias

from referee.arena.queue.interface import LeaseLostError, Task, WorkQueue

Opener: TypeAlias = Callable[[], WorkQueue]
"""Opens the queue of a test, in any process; it can be pickled."""

LEASE_MS = 400
POLL_S = 0.01


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def tasks(number: int) -> Sequence[Task]:
    return [Task(f"task {n}", f"payload {n}") for n in range(number)]


def work(opener: Opener, worker: str) -> None:
    """Do tasks until there are no more: a task's result is its payload."""
    queue = opener()
    while queue.counts(now_ms=now_ms()).open:
        lease = queue.claim(worker, lease_ms=LEASE_MS, now_ms=now_ms())
        if lease is None:
            time.sleep(POLL_S)
            continue
        try:
            queue.heartbeat(lease, lease_ms=LEASE_MS, now_ms=now_ms())
            queue.complete(lease, [lease.task.payload, worker], now_ms=now_ms())
        except LeaseLostError:
            continue
    queue.close()


def claim_and_die(opener: Opener) -> None:
    """Claim a task and be killed."""
    opener().claim("mayfly", lease_ms=LEASE_MS, now_ms=now_ms())
    os.kill(os.getpid(), signal.SIGKILL)


def complete_and_die(opener: Opener) -> None:
    """Complete a task; what the opener puts in the way kills the process."""
    queue = opener()
    lease = queue.claim("mayfly", lease_ms=LEASE_MS, now_ms=now_ms())
    assert lease is not None
    queue.complete(lease, ["late words"], now_ms=now_ms())


def context() -> ForkServerContext:
    """Processes that start quickly and inherit nothing from the tests."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload([__name__])
    return made


def started(run: Callable[..., None], *given: object) -> ForkServerProcess:
    """A process that runs a function."""
    process = context().Process(target=run, args=given, daemon=True)
    process.start()
    return process


def ended(process: BaseProcess) -> int | None:
    """Wait for a process; its exit status."""
    process.join(60)
    return process.exitcode


def work_under_fire(opener: Opener, chance: Random, *, workers: int, kills: int) -> int:
    """Have workers do all tasks while they are killed at random moments; how many were killed.

    Each that was killed is replaced by another one.
    """
    running = [started(work, opener, f"worker {n}") for n in range(workers)]
    killed = 0
    while any(process.is_alive() for process in running):
        victim = chance.randrange(workers)
        running[victim].join(chance.uniform(0.0, 0.1))
        if killed == kills or not running[victim].is_alive():
            running[victim].join(0.2)
            continue
        running[victim].kill()
        running[victim].join()
        killed += 1
        running[victim] = started(work, opener, f"substitute {killed}")
    return killed
