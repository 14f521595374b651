"""Every client against every other over sealed deals, each record verified in two languages.

usage: python -m tests.clients.matrix [--deals N] [--seconds S] [--json] [--output FILE]

Exit 1 where a pair does not finish, a record does not verify, or somebody is at fault.
"""

import asyncio
import json
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from referee.arena.bots import parse_bot
from referee.arena.match import Arena, Plan
from referee.errors import RefereeError
from referee.host.clock import LoopClock
from referee.host.referee import Referee
from referee.journal.sqlite import SqliteStore
from referee.journal.verify import verify_file
from referee.sealing import SigningKey
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.events import ActionTaken, DealOpen
from referee.table.events import PublicEvent
from referee.table.policy import policy
from tests.clients.known import CLIENTS, ROOT

LIMITS: Final = {"start_ms": 60_000, "move_ms": 30_000, "commit_ms": 30_000, "reveal_ms": 30_000}
PAIR_S: Final = 120.0
JAVASCRIPT: Final = ROOT / "clients" / "node" / "verifier" / "euchre-verify.mjs"
SHELL: Final = ROOT / "clients" / "shell" / "bot.sh"
YES, NO, SKIPPED = "yes", "no", "skipped"


@dataclass(frozen=True, slots=True)
class Pair:
    """What came of one client on north-south against one on east-west."""

    north_south: str
    east_west: str
    finished: str = NO
    python: str = NO
    javascript: str = NO
    faults: int = 0
    actions: int = 0
    actions_per_second: float = 0.0
    said: tuple[str, ...] = ()

    @property
    def fine(self) -> bool:
        """Whether it was played out, without fault, and verifies wherever that was asked."""
        verified = {self.python, self.javascript} <= {YES, SKIPPED}
        return self.finished == YES and verified and self.faults == 0


@dataclass
class Pace:
    """How many actions were played, in how long, the time of starting left out."""

    actions: int = 0
    faults: int = 0
    closed: MatchClose | None = None
    _first: float = field(default=0.0)
    _last: float = field(default=0.0)

    def hear(self, event: PublicEvent) -> None:
        """Follow the match."""
        self._last = time.perf_counter()
        match event:
            case DealOpen() if not self._first:
                self._first = self._last
            case ActionTaken():
                self.actions += 1
            case DealClose():
                self.faults += len(event.faults)
            case MatchClose():
                self.closed = event
            case _:
                pass

    @property
    def per_second(self) -> float:
        """Actions a second, from the first deal to the end of the match."""
        return round(self.actions / max(self._last - self._first, 0.001), 1)


def contestants(skipped: Callable[[str], None]) -> dict[str, str]:
    """The bots that can be run here, by name."""
    found = {}
    for client in CLIENTS:
        if client.missing is None:
            found[client.name] = f"dial:{client.bot('sensible')}"
        else:
            skipped(client.missing)
    if shutil.which("sh") and shutil.which("awk"):
        found["stdio"] = f"dial:{sys.executable} -m referee.cli.bridge {shlex.quote(f'sh {SHELL}')}"
    else:
        skipped("clients/shell: sh or awk is missing")
    return found


async def _played(plan: Plan, key: SigningKey, folder: Path, pace: Pace) -> bytes:
    store = SqliteStore(folder / "journal.db")
    referee = Referee(store=store, key=key, clock=LoopClock(), chance=secrets.token_bytes)
    try:
        arena = Arena(referee, plan, chance=secrets.token_bytes, directory=folder)
        playing = asyncio.create_task(arena.play(pace.hear, lambda _text: None))
        done, _ = await asyncio.wait({playing}, timeout=PAIR_S)
        if not done:
            arena.abort()
        return (await playing).transcript
    finally:
        referee.close()


def pair_of(names: tuple[str, str], bots: tuple[str, str], deals: int, folder: Path) -> Pair:
    """Play one pair, and have the record verified by both verifiers."""
    key = SigningKey.from_bytes("matrix", secrets.token_bytes(32))
    plan = Plan(
        rule_set="standard",
        knobs={"deals": str(deals)},
        policy=policy(LIMITS),
        north_south=parse_bot(bots[0]),
        east_west=parse_bot(bots[1]),
    )
    pair, pace = Pair(*names), Pace()
    try:
        transcript = asyncio.run(_played(plan, key, folder, pace))
    except RefereeError as err:
        return replace(pair, python=SKIPPED, javascript=SKIPPED, said=(str(err),))
    path = folder / "match.jsonl"
    path.write_bytes(transcript)
    outcome = "nothing" if pace.closed is None else pace.closed.outcome
    report = verify_file(path, pinned=key.public)
    failure = report.verdict.failure
    javascript, why = _javascript_says(path, key)
    said = (
        *((f"it ended as {outcome}",) if outcome != "finished" else ()),
        *((f"Python: {failure}",) if failure is not None else ()),
        *why,
    )
    return replace(
        pair,
        finished=YES if outcome == "finished" else NO,
        python=NO if report.exit else YES,
        javascript=javascript,
        faults=pace.faults,
        actions=pace.actions,
        actions_per_second=pace.per_second,
        said=said,
    )


def _javascript_says(path: Path, key: SigningKey) -> tuple[str, tuple[str, ...]]:
    if shutil.which("node") is None:
        return SKIPPED, ()
    command = (
        "node",
        "--no-warnings",
        str(JAVASCRIPT),
        str(path),
        "--referee-key",
        key.public.text,
    )
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode == 0:
        return YES, ()
    return NO, (f"JavaScript: {(done.stdout + done.stderr).strip()}",)


def table_of(pairs: Sequence[Pair]) -> Table:
    """The table for people."""
    table = Table("north-south", "east-west", "finished", "Python", "JavaScript", box=None)
    for name in ("faults", "actions/s"):
        table.add_column(name, justify="right")
    for pair in pairs:
        table.add_row(
            *(pair.north_south, pair.east_west, pair.finished, pair.python, pair.javascript),
            *(str(pair.faults), f"{pair.actions_per_second:.0f}"),
        )
    return table


@click.command()
@click.option("--deals", type=click.IntRange(1, 999), default=2, show_default=True)
@click.option("--seconds", type=float, default=1_200, show_default=True, help="Stop after so long.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--output", type=click.Path(path_type=Path), help="Write the JSON object there.")
def main(deals: int, seconds: float, output: Path | None, *, as_json: bool) -> None:
    """Play every client against every other, on both sides, so many sealed deals each."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    console = Console(stderr=as_json, width=100 if not sys.stdout.isatty() else None)
    skipped: list[str] = []
    bots = contestants(skipped.append)
    for why in skipped:
        console.print(f"SKIPPED: {why}", markup=False, soft_wrap=True)
    wanted = [(ns, ew) for ns in bots for ew in bots]
    pairs: list[Pair] = []
    end = time.monotonic() + seconds
    with _bar(console) as progress:
        task = progress.add_task("", total=len(wanted))
        for ns, ew in wanted:
            if time.monotonic() > end:
                why = f"the {seconds:.0f} s were over before it began"
                pairs.append(Pair(ns, ew, python=SKIPPED, javascript=SKIPPED, said=(why,)))
                continue
            progress.update(task, description=f"{ns} against {ew}")
            with tempfile.TemporaryDirectory(prefix="euchre-matrix-") as folder:
                pairs.append(pair_of((ns, ew), (bots[ns], bots[ew]), deals, Path(folder)))
            progress.advance(task)
            if not console.is_terminal:
                console.print(f"{len(pairs)} of {len(wanted)}: {ns} against {ew}", markup=False)
    told = json.dumps(
        {"deals": deals, "skipped": skipped, "pairs": [asdict(pair) for pair in pairs]}
    )
    if output is not None:
        output.write_text(f"{told}\n", encoding="ascii")
    if as_json:
        click.echo(told)
    else:
        console.print(table_of(pairs))
    failed = [pair for pair in pairs if not pair.fine]
    for pair in failed:
        for line in pair.said or ("somebody was at fault",):
            console.print(
                f"{pair.north_south} against {pair.east_west}: {line}", markup=False, soft_wrap=True
            )
    sys.exit(1 if failed else 0)


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


if __name__ == "__main__":
    main()
