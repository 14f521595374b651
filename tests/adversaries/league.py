"""A league in bad weather: thousands of matches at once through a proxy that breaks connections.

    python -m tests.adversaries.league --matches 2000 --minutes 10

Afterwards every match is open and playing or closed as it should be, the journal is sound, every
answer that a seat was given is what the offline replay gives, each fault is one that the proxy's
log explains, and the referee's memory has not grown with the time.
"""

import argparse
import asyncio
import json
import secrets
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from referee.journal.sqlite import SqliteReader
from tests.adversaries.crowd import GROUP
from tests.adversaries.explain import unexplained
from tests.adversaries.judge import Judged, judge
from tests.adversaries.stage import Sample, Stage, StageError, slope

PLAN: Final = (
    "cut=3,reset=3,half_open=2,delay=4,slice=2,throttle=2,blackout=1,dark=0.05,"
    "blackout_s=3,longest_blackout_s=40"
)
CALM_S: Final = 40.0
"""Fair weather at the end, in which every open match has to move on."""
SETTLING_S: Final = 300.0
"""How long it may take to make the matches and seat everybody."""
MOST_SHOWN: Final = 40
WARM: Final = 0.25
"""The part of the time before which growing memory is not held against the referee."""
DOOR_EVERY_S: Final = 60.0
"""Where nothing else is said, each door is struck once in so many seconds on average."""
MOST_GROWTH: Final = 25.0
"""KiB a second for each 100 actions a second, and never held to less than this: every attempt
leaves 17 bytes, and the allocator rounds. A referee that kept what it told grew by 190."""


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How big a league is."""

    matches: int
    seconds: float
    seed: int
    rate: float
    plan: str = PLAN
    every: float = 0.0
    calm_s: float = CALM_S


@dataclass
class Result:
    """What came of it; `wrong` is empty where all is well."""

    seed: int
    figures: dict[str, int | float | bool | list[str]] = field(default_factory=dict)
    states: Counter[str] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)
    rulings: int = 0
    faults: int = 0
    seconds: float = 0.0
    making_s: float = 0.0
    rss_mib: tuple[float, float, float] = (0.0, 0.0, 0.0)
    growth_kib_s: float = 0.0
    actions_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


class League:
    """One run of it."""

    def __init__(self, folder: Path, scale: Scale, shown: Progress) -> None:
        self.stage = Stage(folder)
        self.result = Result(scale.seed)
        self._scale = scale
        self._shown = shown

    async def play(self) -> None:
        """Let the matches be played in the weather, then in calm, then end everything."""
        scale, stage = self._scale, self.stage
        groups = -(-scale.matches // GROUP)
        every = scale.every or DOOR_EVERY_S / (2 * groups)
        plan = f"{scale.plan},every={every:.3f}"
        try:
            await stage.serve()
            doors = await stage.proxy(doors=2 * groups, seed=scale.seed, plan=plan)
            think_s = scale.matches / scale.rate if scale.rate else 0.0
            await stage.crowd(
                *("--doors", str(doors), "--matches", str(scale.matches)),
                *("--think", f"{think_s:.3f}", "--seed", str(scale.seed)),
            )
            await self._settle()
            stage.tell("proxy", "storm")
            began = len(stage.samples)
            await self._watch("in the storm", scale.seconds)
            stage.tell("proxy", "calm")
            self._measure(stage.samples[began:])
            before = self._reached()
            await self._watch("in the calm", scale.calm_s)
            self._compare(before)
            await self._end()
        finally:
            await stage.strike()

    async def _settle(self) -> None:
        """Make every match, and let every seat come."""
        began = time.monotonic()
        task = self._shown.add_task("matches made", total=self._scale.matches)
        while self.stage.number("back") < 2 * -(-self._scale.matches // GROUP):
            await self._moment(task, self.stage.number("made"))
            if time.monotonic() - began > SETTLING_S:
                raise StageError(f"the seats do not settle: {self.stage.figures()}")
        self._shown.update(task, completed=self._scale.matches)
        self.result.making_s = time.monotonic() - began

    async def _watch(self, what: str, seconds: float) -> None:
        task = self._shown.add_task(what, total=seconds)
        began = time.monotonic()
        while (gone := time.monotonic() - began) < seconds and self.stage.playing():
            await self._moment(task, gone)
        self._shown.update(task, completed=seconds)

    async def _moment(self, task: TaskID, done: float) -> None:
        sample = self.stage.sample()
        told = sample.figures
        text = (
            f"{told.get('actions', 0)} actions, {told.get('lost', 0)} streams lost,"
            f" {sample.rss_kib >> 10} MiB"
        )
        self._shown.update(task, completed=done, description=text)
        await asyncio.sleep(1)

    def _measure(self, samples: list[Sample]) -> None:
        """Memory after the warm-up, and the speed."""
        warm = samples[int(len(samples) * WARM) :]
        if not warm:
            raise StageError("the crowd has ended before the storm did")
        rss = [sample.rss_kib / 1024 for sample in warm]
        self.result.rss_mib = (rss[0], max(rss), rss[-1])
        self.result.growth_kib_s = slope(warm)
        spent = warm[-1].at_s - warm[0].at_s
        done = _actions(warm[-1]) - _actions(warm[0])
        self.result.actions_s = done / spent if spent else 0.0
        self.result.seconds = samples[-1].at_s - samples[0].at_s

    def _reached(self) -> dict[str, int]:
        """How many rows each open match has."""
        return rows_of(self.stage.journal)

    def _compare(self, before: dict[str, int]) -> None:
        """In the calm every match that is open has moved on."""
        after = rows_of(self.stage.journal)
        for match, count in before.items():
            if after.get(match) == count:
                self.result.wrong.append(f"match {match} stands still at row {count}")

    async def _end(self) -> None:
        code = await self.stage.end("crowd")
        self.result.figures = self.stage.figures()
        if not self.result.figures.get("over"):
            said = self.stage.said("crowd")[-2_000:]
            self.result.wrong.append(f"the crowd ended with {code}: {said}")
        for name in ("referee", "proxy"):
            if code := await self.stage.end(name):
                self.result.wrong.append(f"{name} ended with {code}")

    def check(self) -> None:
        """Everything that is checked offline."""
        result, folder = self.result, self.stage.folder
        errors = result.figures.get("errors")
        result.wrong += errors if isinstance(errors, list) else []
        result.wrong += self.stage.trouble()
        task = self._shown.add_task("matches replayed", total=self._scale.matches)
        judged = judge(
            folder, self.stage.journal, lambda done: self._shown.update(task, completed=done)
        )
        if len(judged) != self._scale.matches:
            result.wrong.append(f"{len(judged)} matches of {self._scale.matches} are recorded")
        for one in judged:
            result.states[one.state] += 1
            result.rulings += one.rulings
            result.wrong += [f"match {one.match}: {what}" for what in one.wrong]
        result.wrong += unexplained(folder)
        result.wrong += self._unblamed(judged)
        for line in (folder / "proxy.jsonl").read_text("ascii").splitlines():
            result.struck[json.loads(line)["what"]] += 1
        limit = max(MOST_GROWTH * result.actions_s / 100, MOST_GROWTH)
        if result.seconds >= 120 and result.growth_kib_s > limit:
            result.wrong.append(
                f"memory grows by {result.growth_kib_s:.1f} KiB a second (limit {limit:.1f})"
            )

    def _unblamed(self, judged: list[Judged]) -> list[str]:
        """Forfeits of which the crowd was told no fault."""
        path = self.stage.folder / "faults.jsonl"
        told = [json.loads(line) for line in path.read_text("ascii").splitlines()]
        self.result.faults = len(told)
        blamed = {fault["match"] for fault in told}
        return [
            f"match {one.match}: forfeited, and nobody was told why"
            for one in judged
            if one.state == "forfeit" and one.match not in blamed
        ]

    def lines(self) -> list[str]:
        """The figures, for people."""
        r, f = self.result, self.result.figures
        states = ", ".join(f"{count} {state}" for state, count in r.states.most_common())
        weather = ", ".join(f"{n} {what}" for what, n in r.struck.most_common() if what != "close")
        first, most, last = r.rss_mib
        return [
            f"{self._scale.matches} matches: {states} (made and seated in {r.making_s:.0f} s)",
            (
                f"{f.get('actions')} actions, {r.actions_s:.0f} a second; answers within"
                f" {f.get('p50_ms')} ms (p50), {f.get('p99_ms')} ms (p99)"
            ),
            (
                f"{r.rulings} answers replayed, {f.get('refused', 0)} of them refusals;"
                f" {f.get('receipts')} receipts"
            ),
            f"{f.get('lost', 0)} streams lost, {f.get('said again', 0)} inputs said again",
            f"the proxy's log: {weather}",
            (
                f"{r.faults} faults: DISCONNECT {f.get('DISCONNECT', 0)}, TIMEOUT"
                f" {f.get('TIMEOUT', 0)}, WITHHELD {f.get('WITHHELD', 0)}"
            ),
            (
                f"memory {first:.0f} MiB after the warm-up, {most:.0f} at most, {last:.0f} at last:"
                f" {r.growth_kib_s:+.1f} KiB a second"
            ),
        ]


def _actions(sample: Sample) -> int:
    found = sample.figures.get("actions", 0)
    return int(found) if isinstance(found, int) else 0


def rows_of(journal: Path) -> dict[str, int]:
    """How many rows each match that is not over has."""
    with closing(SqliteReader(journal)) as reader:
        return {m.hex(): len(list(reader.rows(m))) for m in reader.open_matches()}


def run(scale: Scale, folder: Path, console: Console) -> League:
    """Play and check."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as shown:
        league = League(folder, scale, shown)
        try:
            asyncio.run(league.play())
            league.check()
        except StageError as err:
            league.result.wrong.append(str(err))
    return league


def main() -> int:
    """Play a league and say what came of it; 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description="Thousands of matches in bad weather.")
    parser.add_argument("--matches", type=int, default=2_000, help="matches at once")
    parser.add_argument("--minutes", type=float, default=10.0, help="of bad weather")
    parser.add_argument("--rate", type=float, default=500.0, help="actions a second aimed at")
    parser.add_argument("--every", type=float, default=0.0, help="mean seconds between faults")
    parser.add_argument("--plan", default=PLAN, help="what strikes, as cut=3,half_open=1")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32), help="of chance")
    parser.add_argument("--keep", type=Path, help="keep journal and logs in this new folder")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    flags = parser.parse_args()
    scale = Scale(
        matches=flags.matches,
        seconds=flags.minutes * 60,
        seed=flags.seed,
        rate=flags.rate,
        plan=flags.plan,
        every=flags.every,
    )
    with tempfile.TemporaryDirectory(prefix="euchre-league-") as folder:
        league = run(scale, Path(folder), Console(stderr=True))
        if flags.keep:
            shutil.copytree(folder, flags.keep)
    if flags.json:
        sys.stdout.write(json.dumps(asdict(league.result)) + "\n")
    else:
        sys.stdout.write("\n".join(league.lines()) + "\n")
        for what in league.result.wrong[:MOST_SHOWN]:
            sys.stdout.write(f"WRONG: {what}\n")
        verdict = f"{len(league.result.wrong)} WRONG" if league.result.wrong else "all is well"
        sys.stdout.write(f"{verdict} (seed {flags.seed})\n")
    return 1 if league.result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
