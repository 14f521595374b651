"""Kill -9 of a director, its workers and its bots at random moments over one event.

    python -m tests.adversaries.directors --kills 200

A real `euchre-referee tournament run` plays an event while its processes are killed; a director
that was killed is started again. At every death what was known before is held against what is
known after: no result of a finished board changes, no announcement, no published file. In the end
every board has one result, no deck was dealt twice, every board verifies, and nothing runs.
"""

import argparse
import contextlib
import hashlib
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from referee.arena.tournament.actionlog import ActionLog
from referee.arena.tournament.announcing import read_announced
from referee.arena.tournament.eventdb import EventDb, EventError
from referee.arena.tournament.model import BoardKey
from referee.arena.tournament.place import EventPlace
from referee.arena.tournament.signedlog import ANNOUNCED, read_log
from referee.arena.tournament.textform import played_text
from referee.journal.boardverify import sets_of, verify_set
from referee.journal.verify import Asked
from referee.sealing.keys import parse_key

KINDS: Final = ("director", "worker", "bot")
WEIGHTS: Final = (2, 2, 1)
EARLY: Final = 0.2
LOOK_S: Final = 0.05
CALM_S: Final = 20.0
LONGEST_S: Final = 2.0
START_S: Final = 2.5
PATIENCE_S: Final = 1_200.0
KILLS_A_LINE: Final = 10
MEETINGS: Final = 6
"""Encounters each time that everybody meets everybody."""
BOARDS_A_KILL: Final = 24
"""A fast machine plays twenty from one kill to the next: the event is to last for all of them."""
BOT: Final = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({"name": "victim"}), flush=True)
    if asked["op"] == "choose":
        print(json.dumps({"id": asked["id"], "action": asked["legal"][-1]}), flush=True)
"""
SHEET: Final = """
name: An event under fire
format: {{kind: round_robin, times: {times}}}
entries:
  - {{name: ann, bot: sensible}}
  - {{name: bob, bot: random}}
  - {{name: cat, bot: random}}
  - {{name: victim, bot: 'cmd:python3 {bot}'}}
boards: {boards}
chunk: 4
workers: 2
attempts: 100
"""


@dataclass
class Outcome:
    """What came of it."""

    seed: int
    kills: Counter[str] = field(default_factory=Counter)
    results: int = 0
    void: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def line(self) -> str:
        """The summary."""
        told = ", ".join(f"{self.kills[kind]} of a {kind}" for kind in KINDS)
        verdict = f"WRONG {len(self.wrong)}" if self.wrong else "nothing changed, lost or twice"
        return (
            f"{self.kills.total()} kills ({told}): {self.results} boards finished and verified,"
            f" {self.void} void and replaced: {verdict} (seed {self.seed}, {self.seconds:.0f} s)"
        )


@dataclass(frozen=True, slots=True)
class Known:
    """What was known at a moment: results by try, and what was published."""

    results: dict[BoardKey, str]
    announced: bytes
    records: dict[str, str]


class Siege:
    """One event, and all that is done to it."""

    def __init__(self, folder: Path, *, boards: int, times: int, seed: int) -> None:
        self.outcome = Outcome(seed)
        self._chance = random.Random(seed)
        self._folder = folder
        self._bot = folder / f"victim-{folder.name}.py"
        self._bot.write_text(BOT)
        (folder / "cup.yaml").write_text(
            SHEET.format(times=times, boards=boards, bot=self._bot.name)
        )
        self._expected = MEETINGS * times * boards
        self._place = EventPlace(folder / "cup")
        self._director: subprocess.Popen[bytes] | None = None
        self._known = Known({}, b"", {})
        self._seen = 0, 0

    def run(self, kills: int, progress: Callable[[int, int], None]) -> None:
        """Kill so often, or as long as there is something to play; then let it end, and judge."""
        began = time.monotonic()
        try:
            self._start()
            while self.outcome.kills.total() < kills and not self.outcome.wrong:
                if not self._strike():
                    break
                self._check()
                progress(self.outcome.kills.total(), len(self._known.results))
            self._play_out()
        finally:
            self._kill_director()
        if self._place.db.exists():  # else it never began, which was said
            self._judge()
        self.outcome.seconds = time.monotonic() - began

    def _start(self) -> None:
        with (self._folder / "director.log").open("ab") as said:
            self._director = subprocess.Popen(
                (sys.executable, "-m", "referee", "tournament", "run", "cup.yaml", "--quiet"),
                cwd=self._folder,
                env={**os.environ, "XDG_STATE_HOME": str(self._folder / "state")},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )

    @property
    def _running(self) -> bool:
        return self._director is not None and self._director.poll() is None

    def _kill_director(self) -> None:
        if self._director is not None:
            self._director.kill()
            self._director.wait()

    def _strike(self) -> bool:
        """Kill something at a moment of chance; False where the event is over first."""
        kind = self._chance.choices(KINDS, WEIGHTS)[0]
        if self._chance.random() < EARLY:
            time.sleep(self._chance.uniform(0, START_S))  # the moment is chance
        else:
            self._wait_for_play()
            time.sleep(self._chance.uniform(0, LONGEST_S))
        if not self._running:
            return self._ended_well()
        match kind:
            case "director":
                self._kill_director()
                self._start()
            case "worker":
                kind = kind if self._kill_one(self._workers()) else ""
            case _:
                kind = kind if self._kill_one(self._bots()) else ""
        if kind:
            self.outcome.kills[kind] += 1
        return True

    def _wait_for_play(self) -> None:
        """Until a board was opened or closed since the last time, or the director is no more."""
        deadline = time.monotonic() + CALM_S
        while self._running and time.monotonic() < deadline:
            now = self._moved()
            if now != self._seen:
                self._seen = now
                return
            time.sleep(LOOK_S)

    def _moved(self) -> tuple[int, int]:
        """How many boards were opened, and how many are closed."""
        if not self._place.db.exists():
            return self._seen
        try:
            db = EventDb(self._place.db, write=False)
            opened, left = len(db.openings()), db.in_play()
            db.close()
        except EventError:  # its tables may not be there yet
            return self._seen
        return opened, opened - left

    def _ended_well(self) -> bool:
        """False where the event is over; a director that gave up is wrong."""
        if self._director is not None and self._director.returncode:
            self.outcome.wrong.append(f"the director gave up: {self._said()}")
        return False

    def _said(self) -> str:
        return (self._folder / "director.log").read_text("utf-8", "replace")[-2_000:]

    def _kill_one(self, pids: list[int]) -> bool:
        if not pids:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._chance.choice(pids), signal.SIGKILL)
        return True

    def _workers(self) -> list[int]:
        return _running_with("referee.arena.tournament.worker", str(self._place.directory))

    def _bots(self) -> list[int]:
        return _running_with(self._bot.name)

    def _look(self) -> Known:
        if not self._place.db.exists():
            return self._known
        db = EventDb(self._place.db, write=False)
        _last, results = db.results()
        db.close()
        announced = self._place.announced
        records = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self._place.records.glob("[0-9a-f]*.jsonl")
            if path.name not in self._known.records
        }
        return Known(
            {played.key: played_text(played) for played in results},
            announced.read_bytes() if announced.exists() else b"",
            {**self._known.records, **records},
        )

    def _check(self) -> None:
        """Hold what is known now against what was known before."""
        try:
            now = self._look()
        except EventError:  # killed before its tables were made
            if self._known.results:
                raise
            return
        before = self._known
        for key, text in before.results.items():
            if now.results.get(key) != text:
                self.outcome.wrong.append(f"{key} was {text} and is {now.results.get(key)}")
        whole = before.announced[: before.announced.rfind(b"\n") + 1]
        if not now.announced.startswith(whole):
            self.outcome.wrong.append("what was announced has changed")
        self._known = now

    def _play_out(self) -> None:
        """Let the event end by itself."""
        for _ in range(3):
            if self.outcome.wrong:
                return
            if not self._running:
                self._start()
            if self._director is not None and self._director.wait(PATIENCE_S) == 0:
                return
        self.outcome.wrong.append(f"the event does not end: {self._said()}")

    def _judge(self) -> None:
        """The event as a whole."""
        self._check()
        db = EventDb(self._place.db, write=False)
        _last, results = db.results()
        key = parse_key(db.about()["referee_key"])
        actions = ActionLog(db, key).actions()
        db.close()
        self.outcome.wrong += [f"nobody decided: {action.told}" for action in actions]
        lines = read_log(ANNOUNCED, self._known.announced.splitlines(keepends=True), key)
        told = {a.key: a for line in lines if (a := read_announced(line)) is not None}
        finished = [played for played in results if not played.void]
        places = Counter((p.key.round, p.key.encounter, p.key.board) for p in finished)
        if len(places) != self._expected or set(places.values()) != {1}:
            self.outcome.wrong.append(f"{len(places)} of {self._expected} boards have a result")
        for played in results:
            announced = told.get(played.key)
            if announced is None or (announced.id, announced.matches) != (
                played.id,
                played.matches,
            ):
                self.outcome.wrong.append(f"{played.key} was played as it was not announced")
        ids = Counter(played.id for played in results)
        ids.update(match for played in results for match in played.matches)
        self.outcome.wrong += [f"{board} was used twice" for board, n in ids.items() if n > 1]
        self._judge_records([played.id for played in results])
        self._judge_files(self._place, changed=self._known.records)
        self.outcome.results, self.outcome.void = len(finished), len(results) - len(finished)
        left = self._workers() + self._bots()
        deadline = time.monotonic() + 30.0
        while left and time.monotonic() < deadline:
            time.sleep(0.1)
            left = self._workers() + self._bots()
        if left:
            self.outcome.wrong.append(f"still running: {left}")

    def _judge_files(self, place: EventPlace, *, changed: dict[str, str]) -> None:
        for name, digest in changed.items():
            if hashlib.sha256((place.records / name).read_bytes()).hexdigest() != digest:
                self.outcome.wrong.append(f"{name} has changed since it was published")

    def _judge_records(self, ids: list[str]) -> None:
        """Every board's files are there and verify, and no two boards had one deck."""
        roots: Counter[str] = Counter()
        asked = Asked(pinned=None, strict=False, roster=None, receipts=None)
        for board in ids:
            paths = sorted(self._place.records.glob(f"{board}.*.jsonl"))
            for files in sets_of(paths):
                for _path, report in verify_set(files, asked):
                    if report.exit:
                        self.outcome.wrong.append(f"{board}: {report.verdict.failure}")
            whole = self._place.records / f"{board}.board.jsonl"
            for line in whole.read_bytes().splitlines():
                event = json.loads(line)["event"]
                sealed = event.get("root") or event.get("seeds")
                roots[json.dumps(sealed)] += sealed is not None
        if any(count > 1 for count in roots.values()):
            self.outcome.wrong.append("a deck or its seeds were used twice")


def _running_with(*words: str) -> list[int]:
    """The processes whose command line has all of some words."""
    found: list[int] = []
    for path in Path("/proc").iterdir():
        if not path.name.isdecimal():
            continue
        try:
            said = (path / "cmdline").read_bytes().decode("utf-8", "replace")
            state = (path / "stat").read_text("utf-8", "replace").rpartition(") ")[2][:1]
        except OSError:
            continue
        if state not in {"Z", "X"} and all(word in said for word in words):
            found.append(int(path.name))
    return found


def main() -> int:
    """Kill, check, and say what came of it; 1 where something was wrong, or too few were killed."""
    parser = argparse.ArgumentParser(description="Kill -9 of a director, its workers, its bots.")
    parser.add_argument("--kills", type=int, default=200, help="how often something is killed")
    parser.add_argument("--boards", type=int, default=80, help="boards an encounter")
    parser.add_argument("--times", type=int, help="how often everybody meets [by the kills]")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32), help="of chance")
    flags = parser.parse_args()
    times = flags.times or ceil(flags.kills * BOARDS_A_KILL / (MEETINGS * flags.boards))
    with tempfile.TemporaryDirectory(prefix="euchre-directors-") as folder:
        siege = Siege(Path(folder), boards=flags.boards, times=times, seed=flags.seed)
        console = Console(stderr=True)
        shown = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console
        )
        with shown:
            task = shown.add_task("kills", total=flags.kills)

            def killed(kills: int, boards: int) -> None:
                text = f"kills, {boards} boards"
                shown.update(task, completed=kills, description=text)
                if kills % KILLS_A_LINE == 0 and not console.is_terminal:
                    console.print(f"{kills} {text}")

            siege.run(flags.kills, killed)
    outcome = siege.outcome
    for what in outcome.wrong:
        sys.stderr.write(f"wrong: {what}\n")
    sys.stdout.write(f"{outcome.line()}\n")
    if not outcome.wrong and outcome.kills.total() < flags.kills:
        sys.stderr.write(f"the event was over before {flags.kills} kills (give it more --times)\n")
        return 1
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
