"""A referee that is attacked: a process of its own, and its log."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Final, Self

START_S: Final = 60.0


class Target:
    """`euchre-referee serve` as a process of its own, and its log."""

    def __init__(self, folder: Path, *words: str, **env: str) -> None:
        self.folder = folder
        self.address = ""
        self._words = words
        self._env = env
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        words = ("-W", "ignore::UserWarning", "-m", "referee", "serve", "--listen", "127.0.0.1:0")
        quotas = ("matches_per_operator=64", "calls_per_peer=256", "calls_per_token=256")
        files = ("--db", "j.db", "--key", "k.pem", "--address-file", "address")
        given = [word for quota in quotas for word in ("--quota", quota)]
        told = self.folder / "address"
        told.unlink(missing_ok=True)
        with (self.folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, *words, *files, *given, "--verbose", *self._words),
                cwd=self.folder,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **self._env},
            )
        async with asyncio.timeout(START_S):
            while not told.exists():
                if self._process.returncode is not None:
                    raise SystemExit(f"the referee did not start: {self.log()[-2_000:]}")
                await asyncio.sleep(0.05)
        self.address = told.read_text(encoding="ascii").strip()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(START_S):
                    await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()

    @property
    def exit(self) -> int | None:
        """The exit code, once it is over."""
        return None if self._process is None else self._process.returncode

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._process is None else self._process.pid

    def rss_mib(self) -> int:
        """The memory of the process."""
        assert self._process is not None
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii")
            return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
        return 0

    def log(self) -> str:
        """All that it has said."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")
