"""A long match in bad weather: connections cut, bots and the referee killed, at random moments.

Nobody cheats, so nobody may be blamed. `python -m tests.adversaries.storm` plays 2,000 deals.
"""

import argparse
import asyncio
import contextlib
import random
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress

from referee.cli.create import write_tokens
from referee.cli.evidence import read_receipts
from referee.journal.sqlite import SqliteReader
from referee.journal.verify import Report, verify_stream
from referee.sealing import SEATS, parse_key
from referee.service.client import Client, CreatedMatch
from tests.adversaries.proxy import Proxy
from tests.adversaries.support import HAVE_NODE, NODE, seat_key

PATIENT: Final = {
    **dict.fromkeys(("move_ms", "commit_ms", "reveal_ms", "start_ms", "grace_ms"), 120_000),
}
CALM_DEALS: Final = (2, 8)
CALM_S: Final = 10.0
MOMENT_S: Final = 0.4
WEATHER: Final = ("cut", "cut", "cut", "bot", "bot", "referee")
PATIENCE_S: Final = 60.0


@dataclass
class Storm:
    """One match, its processes, and what has happened to them."""

    folder: Path
    deals: int
    chance: random.Random
    happened: Counter[str] = field(default_factory=Counter)
    exits: dict[str, int] = field(default_factory=dict)
    relay: Proxy = field(default_factory=Proxy)
    referee: asyncio.subprocess.Process | None = None
    bots: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)
    made: CreatedMatch | None = None

    async def run(self, progress: Callable[[int], None]) -> Report:
        """Play to the end of the match; what the verifier says, with every seat's receipts."""
        await self.relay.start()
        try:
            await self._serve("127.0.0.1:0")
            await self._open()
            for seat in SEATS:
                await self._bot(seat)
            while not self._over():
                await self._calm(progress)
                if not self._over():
                    await self._strike(self.chance.choice(WEATHER))
        finally:
            await self._end()
        assert self.made is not None
        kept = read_receipts(self.folder / "receipts")
        key = parse_key(self.made.referee_key)
        return verify_stream(BytesIO(self._transcript()), pinned=key, receipts=kept)

    async def _calm(self, progress: Callable[[int], None]) -> None:
        """Some deals of calm, and a moment more, so that a strike falls anywhere in a deal.

        Where nothing goes on any more, the next strike comes by the clock.
        """
        until = self._closed() + self.chance.randint(*CALM_DEALS)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CALM_S):
                while not self._over() and (closed := self._closed()) < until:
                    progress(closed)
                    await asyncio.sleep(0.1)
        await asyncio.sleep(self.chance.uniform(0, MOMENT_S))

    async def _serve(self, listen: str) -> None:
        told = self.folder / "address"
        told.unlink(missing_ok=True)
        self.referee = await self._start(
            *(sys.executable, "-m", "referee", "serve", "--listen", listen, "--db", "journal.db"),
            *("--key", "key.pem", "--address-file", "address"),
            log="referee",
        )
        async with asyncio.timeout(PATIENCE_S):
            while not told.exists():
                assert self.referee.returncode is None, self._said("referee")
                await asyncio.sleep(0.05)
        self.relay.target = told.read_text().strip()

    async def _open(self) -> None:
        client = Client(self.relay.target)
        self.made = await client.create(
            rule_set="quick", knobs={"deals": str(self.deals)}, policy=PATIENT
        )
        write_tokens(self.folder, self.made)
        for seat in ("north", "east"):
            seat_key(self.folder, seat)

    async def _start(self, *command: str, log: str) -> asyncio.subprocess.Process:
        with (self.folder / f"{log}.log").open("ab") as said:
            return await asyncio.create_subprocess_exec(
                *command,
                cwd=self.folder,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )

    async def _bot(self, seat: str) -> None:
        assert self.made is not None
        program = (sys.executable, "-m", "euchre_bot.bots.sensible")
        if seat == "west" and HAVE_NODE:
            program = ("node", str(NODE / "bots" / "random.mjs"), "--name")  # its name follows
        name = (seat,) if program[-1] == "--name" else ("--name", seat)
        token = next(self.folder.glob(f"*{seat}.token"))
        signs = self.folder / f"{seat}.pem"
        self.bots[seat] = await self._start(
            *(*program, *name, "--referee", self.relay.address, "--token-file", token.name),
            *("--key", self.made.referee_key, "--receipts", "receipts"),
            *("--secret-file", f"{seat}.secret", "--state-file", f"{seat}.state"),
            *(("--seat-key", signs.name) if signs.exists() else ()),
            log=seat,
        )

    async def _strike(self, what: str) -> None:
        self.happened[what] += 1
        if what == "cut":
            self.relay.drop()
        elif what == "bot":
            seat = self.chance.choice([s for s, b in self.bots.items() if b.returncode is None])
            await _kill(self.bots[seat])
            await self._bot(seat)
        elif self.referee is not None:
            await _kill(self.referee)
            await self._serve(self.relay.target)

    def _over(self) -> bool:
        """Whether every bot has left, or one has left in anger."""
        left = [bot.returncode for bot in self.bots.values()]
        return all(code is not None for code in left) or any(left)

    def _closed(self) -> int:
        with closing(SqliteReader(self.folder / "journal.db")) as reader:
            return sum(1 for _ in reader.rows(reader.matches()[0], ("deal_close",)))

    def _transcript(self) -> bytes:
        with closing(SqliteReader(self.folder / "journal.db")) as reader:
            rows = reader.rows(reader.matches()[0])
            return b"".join(row.line for row in rows if row.seq is not None)

    def _said(self, who: str) -> str:
        return (self.folder / f"{who}.log").read_text("utf-8", "replace")[-2_000:]

    async def _end(self) -> None:
        for seat, bot in self.bots.items():
            if bot.returncode is None and any(b.returncode for b in self.bots.values()):
                await _kill(bot)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    await bot.wait()
            self.exits[seat] = -1 if bot.returncode is None else bot.returncode
        for process in (*self.bots.values(), self.referee):
            if process is not None:
                await _kill(process)
        await self.relay.stop()

    def explain(self) -> str:
        """What the bots that did not end well said last."""
        return "\n".join(self._said(seat) for seat, code in self.exits.items() if code)


async def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()


def _played(storm: Storm, console: Console) -> Report:
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("deals", total=storm.deals)
        return asyncio.run(storm.run(lambda done: progress.update(task, completed=done)))


def main() -> int:
    """Play one match in a storm and say what came of it; 1 where somebody was blamed."""
    parser = argparse.ArgumentParser(description="A long sealed match in bad weather.")
    parser.add_argument("--deals", type=int, default=667, help="deals a match, at most 999")
    parser.add_argument("--matches", type=int, default=3, help="matches, one after the other")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32), help="of the storm")
    flags = parser.parse_args()
    console = Console(stderr=True)
    blamed = 0
    for number in range(flags.matches):
        with tempfile.TemporaryDirectory(prefix="euchre-storm-") as folder:
            storm = Storm(Path(folder), flags.deals, random.Random(flags.seed + number))
            report = _played(storm, console)
            sys.stderr.write(storm.explain())
        totals, failure = report.verdict.totals, report.verdict.failure
        sound = failure is None and not totals.faults and not any(storm.exits.values())
        blamed += not sound
        what = "nobody blamed" if sound else f"BLAMED: {failure} {totals.faults} {storm.exits}"
        sys.stdout.write(
            f"match {number + 1}: {totals.deals} deals, {storm.happened['cut']} cuts,"
            f" {storm.happened['bot']} bots and {storm.happened['referee']} referees killed"
            f" (seed {flags.seed + number}): {what}\n"
        )
    return 1 if blamed else 0


if __name__ == "__main__":
    sys.exit(main())
