"""Work done in forked children, each with a time limit: a wrong engine may hang or eat memory."""

import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from conformance.jsontypes import Json

Task = TypeVar("Task")
MEMORY = 2 << 30
CHUNK = 65536


@dataclass(slots=True)
class _Child(Generic[Task]):
    task: Task
    pid: int
    pipe: int
    until: float
    said: bytes = b""


def forked(
    tasks: Sequence[Task], work: Callable[[Task], Json], *, jobs: int, seconds: float
) -> Iterator[tuple[Task, Json]]:
    """What `work` makes of each task, as it comes; nothing where the child hung or died."""
    waiting = list(reversed(tasks))
    running: dict[int, _Child[Task]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                child = _start(waiting.pop(), work, seconds)
                running[child.pipe] = child
            yield from _finished(running)
    finally:
        for child in running.values():
            _end(child)


def _start(task: Task, work: Callable[[Task], Json], seconds: float) -> _Child[Task]:
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return _Child(task=task, pid=pid, pipe=reading, until=time.monotonic() + seconds)
    code = 1
    try:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        data = json.dumps(work(task)).encode("ascii")
        while data:
            data = data[os.write(writing, data) :]
        code = 0
    finally:
        os._exit(code)


def _finished(running: dict[int, _Child[Task]]) -> Iterator[tuple[Task, Json]]:
    nearest = min(child.until for child in running.values())
    ready, _, _ = select.select(list(running), [], [], max(0.0, nearest - time.monotonic()))
    for pipe in ready:
        data = os.read(pipe, CHUNK)
        if data:
            running[pipe].said += data
            continue
        child = running.pop(pipe)
        _, status = os.waitpid(child.pid, 0)
        os.close(pipe)
        yield child.task, json.loads(child.said) if status == 0 else None
    for child in [child for child in running.values() if child.until <= time.monotonic()]:
        del running[child.pipe]
        _end(child)
        yield child.task, None


def _end(child: _Child[Task]) -> None:
    os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
    os.close(child.pipe)
