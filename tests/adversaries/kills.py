"""Kill -9 of a referee at random moments under load: nothing acknowledged may ever be missing.

    python -m tests.adversaries.kills --kills 1000

A real `euchre-referee serve` is killed, started again on its journal, and killed again, at any
moment of its life, while seats of every level play at many tables. After each death the journal is
held against all that anybody was told. In the end every match is played to its end, audited, and
verified.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import random
import secrets
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Final

import grpc
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee.journal.audit import audit_match
from referee.journal.sqlite import SqliteReader
from referee.journal.verify import verify_stream
from referee.sealing import parse_key
from tests.adversaries.chairs import Table
from tests.adversaries.lines import Floor, Line, ManySeats, SeatByItself, SingleCalls

EARLY: Final = 0.1
START_S: Final = 0.8
LONGEST_S: Final = 0.5
PATIENCE_S: Final = 180.0
MATCHES_A_JOB: Final = 8
JOBS: Final = 2
KILLS_A_LINE: Final = 50


@dataclass
class Outcome:
    """What came of it."""

    seed: int
    kills: int = 0
    early: int = 0
    acknowledged: int = 0
    matches: int = 0
    finished: int = 0
    seconds: float = 0.0
    lost: list[str] = field(default_factory=list)

    def line(self) -> str:
        """The summary."""
        each = self.seconds / max(self.kills, 1)
        verdict = f"LOST {len(self.lost)}" if self.lost else "nothing lost"
        return (
            f"{self.kills} kills ({self.early} before it listened), {self.acknowledged}"
            f" acknowledgements in {self.matches} matches: {verdict}; {self.finished} matches"
            f" played to the end, audited and verified (seed {self.seed},"
            f" {self.seconds:.0f} s, {each:.2f} s a kill)"
        )


class Referee:
    """One process of `euchre-referee serve` after the other, on one journal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "journal.db"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it; it does not listen yet."""
        with (self.folder / "referee.log").open("ab") as said:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "referee", "serve", "--listen", "127.0.0.1:0"),
                *("--db", "journal.db", "--key", "key.pem"),
                cwd=self.folder,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=said,
            )

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The newest process."""
        assert self._process is not None
        return self._process

    async def address(self) -> str:
        """Where it listens, as soon as it does."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            while line := await self.process.stdout.readline():
                if line.startswith(b"listening on "):
                    return line.split()[2].decode("ascii").rstrip(",")
        raise SystemExit(f"the referee does not start: {self.said()[-2_000:]}")

    def said(self) -> str:
        """What it wrote to standard error."""
        return (self.folder / "referee.log").read_text("utf-8", "replace")

    async def kill(self) -> None:
        """End it as nothing else does."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()

    async def stop(self) -> None:
        """End it as an operator does."""
        self.process.terminate()
        async with asyncio.timeout(PATIENCE_S):
            await self.process.wait()


class Run:
    """All deaths of one referee."""

    def __init__(self, folder: Path, *, tables: int, seed: int) -> None:
        self.outcome = Outcome(seed)
        self._chance = random.Random(seed)
        self._referee = Referee(folder)
        self._floor = Floor(random.Random(self._chance.random()))
        single, alone = max(1, tables // 8), max(1, tables // 8)
        many = max(2, tables - single - alone)
        self._lines: list[Line] = [
            ManySeats(self._floor, many // 2),
            ManySeats(self._floor, many - many // 2),
            SeatByItself(self._floor, alone),
            SingleCalls(self._floor, single),
        ]

    async def kills(
        self, number: int, progress: Callable[[int, int], None], seconds: float = float("inf")
    ) -> None:
        """Kill it so often, or for so long, then let every match be played to its end."""
        began = time.monotonic()
        await self._referee.start()
        try:
            while self.outcome.kills < number and not self.outcome.lost:
                if time.monotonic() - began > seconds:
                    break
                await self._life()
                self.outcome.kills += 1
                await self._referee.start()
                self._check()
                progress(self.outcome.kills, self.outcome.acknowledged)
            if not self.outcome.lost:
                await self._play_out()
        finally:
            await self._referee.kill()
        self.outcome.seconds = time.monotonic() - began
        self._check()
        said = self._referee.said()
        if "Traceback" in said or "internal_error" in said:
            self.outcome.lost.append(f"the referee's calm: {said[-2_000:]}")

    async def _life(self) -> None:
        """One life, from the start to the kill: it may not live to listen."""
        early = self._chance.random() < EARLY
        moment = self._chance.uniform(0, START_S if early else LONGEST_S)
        if early:
            self.outcome.early += 1
            await asyncio.sleep(moment)  # the moment is chance: there is nothing to wait for
            await self._referee.kill()
            return
        async with grpc.aio.insecure_channel(await self._referee.address()) as channel:
            self._floor.connect(channel)
            lines = [asyncio.create_task(line.run()) for line in self._lines]
            async with asyncio.timeout(PATIENCE_S):
                await self._floor.answered.wait()
            await asyncio.sleep(moment)
            await self._referee.kill()
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.gather(*lines)

    async def _play_out(self) -> None:
        """Make no more tables, and play at those that are there until they are over."""
        self._floor.closing = True
        async with grpc.aio.insecure_channel(await self._referee.address()) as channel:
            self._floor.connect(channel)
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await asyncio.gather(*(line.run() for line in self._lines))
            except TimeoutError:
                stuck = [t.heard.match.hex() for t in self._floor.tables.values() if not t.over]
                self.outcome.lost.append(f"the course of the matches {' '.join(stuck)}")
        await self._referee.stop()

    def _check(self) -> None:
        """Hold the journal against all that was acknowledged."""
        uri = f"file:{self._referee.journal}?mode=ro"
        tables = self._floor.tables
        if tables:
            with closing(sqlite3.connect(uri, uri=True)) as db:
                for table in tables.values():
                    if table.heard.events or not table.over:
                        self._check_table(db, table)
        self.outcome.acknowledged = self._floor.acknowledged
        self.outcome.matches = len(tables)

    def _check_table(self, db: sqlite3.Connection, table: "Table") -> None:
        lost = table.heard.lost(db)
        match = table.heard.match.hex()
        self.outcome.lost += [f"match {match}, kill {self.outcome.kills}: {w}" for w in lost]
        if table.over:
            table.heard.forget()

    def judge(self, progress: Callable[[int], None]) -> None:
        """Audit and verify every match."""
        ids = [table.heard.match for table in self._floor.tables.values()]
        key = "" if self._floor.key is None else self._floor.key.text
        parts = [ids[at : at + MATCHES_A_JOB] for at in range(0, len(ids), MATCHES_A_JOB)]
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(JOBS, mp_context=spawn) as pool:
            jobs = [pool.submit(judged, self._referee.journal, part, key) for part in parts]
            for part, job in zip(parts, jobs, strict=True):
                bad = job.result()
                self.outcome.lost += bad
                self.outcome.finished += len(part) - len(bad)
                progress(self.outcome.finished)


def judged(journal: Path, matches: Sequence[bytes], key: str) -> list[str]:
    """What is wrong with matches that have to be finished, sound and verified."""
    wrong = []
    with closing(SqliteReader(journal)) as reader:
        for match in matches:
            rows = tuple(reader.rows(match))
            found = audit_match(match, rows, still_open=reader.closed_ms(match) is None)
            text = b"".join(row.line for row in rows if row.seq is not None)
            report = verify_stream(BytesIO(text), pinned=parse_key(key))
            if not found.sound or found.state != "finished" or report.exit:
                failure = report.verdict.failure
                wrong.append(f"match {match.hex()}: {found.state}, {found.fault}, {failure}")
    return wrong


def main() -> int:
    """Kill, check, and say what came of it; 1 where something was lost."""
    parser = argparse.ArgumentParser(description="Kill -9 of a referee under load.")
    parser.add_argument("--kills", type=int, default=1_000, help="how often it is killed")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="kill no longer")
    parser.add_argument("--tables", type=int, default=24, help="tables that are played at once")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32), help="of chance")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="euchre-kills-") as folder:
        run = Run(Path(folder), tables=flags.tables, seed=flags.seed)
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        shown = Progress(*columns, TimeRemainingColumn(), console=console)
        with shown:
            task = shown.add_task("kills", total=flags.kills)

            def killed(kills: int, acknowledged: int) -> None:
                text = f"kills, {acknowledged} acknowledged"
                shown.update(task, completed=kills, description=text)
                if kills % KILLS_A_LINE == 0 and not console.is_terminal:
                    console.print(f"{kills} {text}")

            asyncio.run(run.kills(flags.kills, killed, flags.seconds))
            if not run.outcome.lost:
                task = shown.add_task("matches audited and verified", total=run.outcome.matches)
                run.judge(lambda done: shown.update(task, completed=done))
    outcome = run.outcome
    for what in outcome.lost:
        sys.stderr.write(f"lost: {what}\n")
    said = json.dumps(asdict(outcome)) if flags.json else outcome.line()
    sys.stdout.write(f"{said}\n")
    return 1 if outcome.lost else 0


if __name__ == "__main__":
    sys.exit(main())
