"""The worker processes of a director: started, listened to, started again, and ended with it."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from referee.arena.tournament.place import EventPlace
from referee.errors import RefereeError

MOST_FALSE_STARTS: Final = 5
MOST_BARREN: Final = 25
"""How often a worker may end in a row without having played or recovered anything."""
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0
FRUITS: Final = frozenset({"board", "chunk", "failed", "recovered"})
"""What a worker says of what it has done."""
STOP_S: Final = 20.0
LAST_WORDS: Final = 2_000


Rest = Callable[[float], Awaitable[None]]
"""Lets so many seconds pass."""


class WorkerError(RefereeError):
    """A worker that does not start, however often it is tried."""

    exit_code = 5


@dataclass(slots=True, eq=False)
class _Slot:
    number: int
    process: asyncio.subprocess.Process | None = None
    ready: bool = False
    barren: int = 0
    false_starts: int = 0
    tasks: set["asyncio.Task[None]"] = field(default_factory=set)


class Crew:
    """Workers by slot; `heard` is called with a slot and a word whenever one says something.

    A worker that ends unasked is started again in its slot, where it first recovers what it had
    in hand. One that ends again and again before it is ready ends the event: `failed` says why.
    `cores` is how many each has to itself; `rest` passes the seconds before one is started again.
    """

    def __init__(
        self,
        place: EventPlace,
        key_file: Path,
        directory: Path,
        heard: Callable[[int, str], None],
        *,
        rest: Rest = asyncio.sleep,
    ) -> None:
        self.cores = 1
        self._place = place
        self._key_file = key_file
        self._directory = directory
        self._heard = heard
        self._rest = rest
        self._slots: dict[int, _Slot] = {}
        self.stopping = False
        self.failed: WorkerError | None = None
        self.deaths = 0

    @property
    def pids(self) -> dict[int, int]:
        """The processes that run, by slot."""
        return {
            slot.number: slot.process.pid
            for slot in self._slots.values()
            if slot.process is not None and slot.process.returncode is None
        }

    async def start(self, number: int) -> None:
        """Start a worker in a slot."""
        slot = self._slots.setdefault(number, _Slot(number))
        await self._start(slot)

    async def _start(self, slot: _Slot) -> None:
        said = os.open(self._place.log(slot.number), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            slot.ready = False
            slot.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "referee.arena.tournament.worker",
                str(self._place.directory.absolute()),
                str(slot.number),
                str(self._key_file.absolute()),
                str(self.cores),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=said,
                cwd=self._directory,
                start_new_session=True,
            )
        finally:
            os.close(said)
        task = asyncio.create_task(self._listen(slot, slot.process))
        slot.tasks.add(task)
        task.add_done_callback(slot.tasks.discard)

    async def _listen(self, slot: _Slot, process: asyncio.subprocess.Process) -> None:
        while process.stdout is not None and (line := await process.stdout.readline()):
            word = line.decode("ascii", "replace").strip()
            if word == "ready":
                slot.ready, slot.false_starts = True, 0
            elif word.partition(" ")[0] in FRUITS:
                slot.barren = 0
            self._heard(slot.number, word)
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()
        self._heard(slot.number, "ended")
        if self.stopping:
            return
        self.deaths += 1
        slot.barren += 1
        if not slot.ready:
            slot.false_starts += 1
        if slot.false_starts >= MOST_FALSE_STARTS or slot.barren >= MOST_BARREN:
            told = "does not start" if slot.false_starts else "ends again and again"
            self.failed = WorkerError(
                f"worker {slot.number} {told}: {self._last_words(slot.number)}"
                f" (see {str(self._place.log(slot.number))!r}; nothing is lost)"
            )
            self._heard(slot.number, "failed")
            return
        await self._rest(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * (2 ** (slot.barren - 1) - 1)))
        if not self.stopping:
            await self._start(slot)

    def _last_words(self, number: int) -> str:
        try:
            said = self._place.log(number).read_text("utf-8", "replace")
        except OSError:
            said = ""
        lines = said[-LAST_WORDS:].strip().splitlines()
        return repr(lines[-1]) if lines else "it says nothing (is the disk full?)"

    def drain(self) -> None:
        """Let every worker end after the chunk that it plays."""
        self.stopping = True
        for slot in self._slots.values():
            if slot.process is not None and slot.process.stdin is not None:
                with contextlib.suppress(BrokenPipeError, ConnectionResetError, RuntimeError):
                    slot.process.stdin.write(b"drain\n")

    async def drained(self) -> None:
        """Wait until every worker has ended by itself."""
        tasks = [task for slot in self._slots.values() for task in slot.tasks]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def stop(self) -> None:
        """End every worker now: the end of its input, then a signal, by process id."""
        self.stopping = True
        for slot in self._slots.values():
            if slot.process is not None and slot.process.stdin is not None:
                slot.process.stdin.close()
        waiting = [slot.process.wait() for slot in self._slots.values() if slot.process is not None]
        try:
            async with asyncio.timeout(STOP_S):
                await asyncio.gather(*waiting)
        except TimeoutError:
            for pid in self.pids.values():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        await self.drained()
