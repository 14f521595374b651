"""A real referee, the proxy before it and a crowd of seats, each a process, and what they cost."""

import asyncio
import contextlib
import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PATIENCE_S: Final = 60.0
ENDING_S: Final = 240.0
TROUBLE: Final = ("Traceback", "internal_error", "CRITICAL", "never retrieved", "never awaited")
Figure = int | float | bool | list[str]


class StageError(Exception):
    """A process has not done what it is for; the message says which, and what it said."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the referee's process held at one moment."""

    at_s: float
    rss_kib: int
    files: int
    threads: int
    journal_kib: int
    figures: dict[str, Figure]


@dataclass
class Stage:
    """The processes of one run, in one folder."""

    folder: Path
    samples: list[Sample] = field(default_factory=list)
    address: str = ""
    _begun: float = field(default_factory=time.monotonic)
    _running: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)

    @property
    def journal(self) -> Path:
        """The referee's journal."""
        return self.folder / "journal.db"

    async def serve(self) -> None:
        """Start the referee."""
        files = ("--db", str(self.journal), "--key", "key.pem", "--address-file", "address")
        await self._start("referee", *("-m", "referee", "serve", "--listen", "127.0.0.1:0", *files))
        self.address = (await self._told("referee", "address")).strip()

    async def proxy(self, *, doors: int, seed: int, plan: str) -> Path:
        """Start the proxy; the file of its addresses."""
        await self._start(
            "proxy",
            *("-m", "tests.adversaries.proxy", "--to", self.address, "--doors", str(doors)),
            *("--seed", str(seed), "--plan", plan, "--log", str(self.folder / "proxy.jsonl")),
            *("--address-file", str(self.folder / "doors")),
        )
        await self._told("proxy", "doors")
        return self.folder / "doors"

    async def crowd(self, *words: str) -> None:
        """Start the crowd; `folder` gets its files."""
        await self._start(
            "crowd",
            *("-m", "tests.adversaries.crowd", "--to", self.address),
            *("--folder", str(self.folder), *words),
        )

    def tell(self, name: str, word: str) -> None:
        """Write a line to a process's standard input."""
        into = self._running[name].stdin
        if into is not None:
            into.write(f"{word}\n".encode("ascii"))

    def figures(self) -> dict[str, Figure]:
        """What the crowd has told last."""
        lines = self.said("crowd").splitlines()
        whole = [line for line in lines[-2:] if line.startswith("{") and line.endswith("}")]
        found: dict[str, Figure] = json.loads(whole[-1]) if whole else {}
        return found

    def number(self, name: str) -> int:
        """One figure of the crowd's; 0 where nothing was counted."""
        found = self.figures().get(name, 0)
        return int(found) if isinstance(found, int | float) else 0

    def sample(self) -> Sample:
        """Measure the referee; StageError where a process has ended."""
        for name, process in self._running.items():
            if process.returncode is not None and name != "crowd":
                raise StageError(f"{name} has ended: {self.said(name)[-2_000:]}")
        found = self._measured(self._running["referee"].pid)
        self.samples.append(found)
        return found

    def _measured(self, pid: int) -> Sample:
        status = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines()
        )
        size = sum(
            file.stat().st_size
            for name in ("journal.db", "journal.db-wal")
            if (file := self.folder / name).exists()
        )
        return Sample(
            at_s=time.monotonic() - self._begun,
            rss_kib=int(status["VmRSS"].split()[0]),
            files=len(list(Path(f"/proc/{pid}/fd").iterdir())),
            threads=int(status["Threads"]),
            journal_kib=size >> 10,
            figures=self.figures(),
        )

    def playing(self) -> bool:
        """Whether the crowd is still at it."""
        return self._running["crowd"].returncode is None

    async def end(self, name: str) -> int:
        """End a process by the end of its standard input, or the referee by SIGTERM."""
        process = self._running[name]
        if name == "referee" and process.returncode is None:
            process.terminate()
        elif process.stdin is not None:
            process.stdin.close()
        return await self.over(name)

    async def over(self, name: str) -> int:
        """Wait until a process ends; its exit code."""
        try:
            async with asyncio.timeout(ENDING_S):
                return await self._running[name].wait()
        except TimeoutError:
            raise StageError(f"{name} does not end: {self.said(name)[-2_000:]}") from None

    async def strike(self) -> None:
        """Kill what is still there."""
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def said(self, name: str) -> str:
        """Everything a process has written."""
        return (self.folder / f"{name}.log").read_text("utf-8", "replace")

    def trouble(self) -> list[str]:
        """Lines of the processes' logs that no sound run has."""
        return [
            f"{name} said: {line}"
            for name in self._running
            for line in self.said(name).splitlines()
            if any(word in line for word in TROUBLE)
        ]

    async def _start(self, name: str, *words: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = await asyncio.create_subprocess_exec(
                *(sys.executable, *words),
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
            )

    async def _told(self, name: str, file: str) -> str:
        """A file that a process writes once it is there."""
        path = self.folder / file
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while not path.exists() and self._running[name].returncode is None:  # noqa: ASYNC110 -- another process's
                    await asyncio.sleep(0.05)
        if not path.exists():
            raise StageError(f"{name} did not start: {self.said(name)[-2_000:]}")
        return path.read_text("ascii")


def slope(samples: list[Sample]) -> float:
    """How much memory grows, in KiB a second: the line that fits best."""
    if len(samples) < 2:
        return 0.0
    middle_x = sum(s.at_s for s in samples) / len(samples)
    middle_y = sum(s.rss_kib for s in samples) / len(samples)
    spread = sum((s.at_s - middle_x) ** 2 for s in samples)
    return sum((s.at_s - middle_x) * (s.rss_kib - middle_y) for s in samples) / (spread or 1.0)
