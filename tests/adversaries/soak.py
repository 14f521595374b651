"""A soak: matches are made, played and finished for half an hour, and the referee stays as it was.

    python -m tests.adversaries.soak --minutes 30

Memory, open files and threads are read from the running process, from outside. What grows is told
for an hour and for a thousand matches; more than the limit fails. A match that is over leaves its
tokens in memory for a day, and nothing else.
"""

import argparse
import asyncio
import json
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from tests.adversaries.stage import Sample, Stage, StageError, slope

WARM: Final = 1 / 3
"""The part of the time in which caches fill and the allocator finds its size."""
MOST_KIB_A_MATCH: Final = 6.0
"""What may stay of a match that is over: five tokens for a day, and what the allocator rounds."""
THINK_S: Final = 0.25
"""A seat's mean time to an answer: the load is steady, and below what the machine can do. A match
is held for half a minute after its end, so that memory follows the rate."""
MOST_FILES: Final = 16
"""More open files, or threads, at the end than after the warm-up."""


@dataclass
class Result:
    """What the soak found."""

    seed: int
    minutes: float
    matches: int = 0
    actions: int = 0
    rss_mib: tuple[float, float] = (0.0, 0.0)
    mib_an_hour: float = 0.0
    kib_a_match: float = 0.0
    files: tuple[int, int] = (0, 0)
    threads: tuple[int, int] = (0, 0)
    journal_mib: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The figures, for people."""
        return [
            (
                f"{self.matches} matches and {self.actions} actions in {self.minutes:g} minutes"
                f" (seed {self.seed})"
            ),
            f"answers within {self.p50_ms} ms (p50), {self.p99_ms} ms (p99)",
            (
                f"memory {self.rss_mib[0]:.1f} MiB after the warm-up, {self.rss_mib[1]:.1f} at"
                f" last: {self.mib_an_hour:+.1f} MiB an hour, {self.kib_a_match:+.2f} MiB a"
                " thousand matches"
            ),
            (
                f"open files {self.files[0]} and {self.files[1]}, threads {self.threads[0]} and"
                f" {self.threads[1]}, journal {self.journal_mib:.0f} MiB"
            ),
        ]


async def soak(
    folder: Path, result: Result, *, tables: int, deals: int, shown: Callable[[float, str], None]
) -> None:
    """Play for so long, and measure."""
    stage = Stage(folder)
    try:
        await stage.serve()
        rules = ("--rules", "quick", "--knob", f"deals={deals}", "--seed", str(result.seed))
        steady = ("--think", f"{THINK_S:g}")
        await stage.crowd("--again", "--matches", str(tables), *steady, *rules)
        began = time.monotonic()
        while (gone := time.monotonic() - began) < result.minutes * 60 and stage.playing():
            sample = stage.sample()
            shown(gone, f"{sample.figures.get('finished', 0)} matches, {sample.rss_kib >> 10} MiB")
            await asyncio.sleep(1)
        measure(result, stage.samples)
        if code := await stage.end("crowd"):
            result.wrong.append(f"the crowd ended with {code}")
        errors = stage.figures().get("errors")
        result.wrong += errors if isinstance(errors, list) else ["the crowd has said nothing"]
        if code := await stage.end("referee"):
            result.wrong.append(f"the referee ended with {code}")
        result.wrong += stage.trouble()
    finally:
        await stage.strike()


def measure(result: Result, samples: list[Sample]) -> None:
    """What has grown since the warm-up."""
    warm = samples[int(len(samples) * WARM) :]
    first, last = warm[0], warm[-1]
    result.matches, result.actions = _count(last, "finished"), _count(last, "actions")
    result.rss_mib = (first.rss_kib / 1024, last.rss_kib / 1024)
    result.files, result.threads = (first.files, last.files), (first.threads, last.threads)
    result.journal_mib = last.journal_kib / 1024
    result.p50_ms, result.p99_ms = _count(last, "p50_ms"), _count(last, "p99_ms")
    growth = slope(warm)
    done = _count(last, "finished") - _count(first, "finished")
    result.mib_an_hour = growth * 3_600 / 1_024
    result.kib_a_match = growth * (last.at_s - first.at_s) / done if done else 0.0
    if not done:
        result.wrong.append("no match has been finished after the warm-up")
    if result.kib_a_match > MOST_KIB_A_MATCH:
        result.wrong.append(
            f"memory grows by {result.kib_a_match:.1f} KiB a match (limit {MOST_KIB_A_MATCH:g})"
        )
    for what, (before, after) in (("open files", result.files), ("threads", result.threads)):
        if after > before + MOST_FILES:
            result.wrong.append(f"{what} have grown from {before} to {after}")


def _count(sample: Sample, name: str) -> int:
    found = sample.figures.get(name, 0)
    return int(found) if isinstance(found, int | float) else 0


def main() -> int:
    """Soak, and say what came of it; 1 where anything grows or is wrong."""
    parser = argparse.ArgumentParser(description="Matches without end, and a referee measured.")
    parser.add_argument("--minutes", type=float, default=30.0, help="how long")
    parser.add_argument("--tables", type=int, default=64, help="matches at a time")
    parser.add_argument("--deals", type=int, default=2, help="deals a match")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32), help="of chance")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    flags = parser.parse_args()
    result = Result(flags.seed, flags.minutes)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with (
        tempfile.TemporaryDirectory(prefix="euchre-soak-") as folder,
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task("soaking", total=flags.minutes * 60)
        try:
            asyncio.run(
                soak(
                    Path(folder),
                    result,
                    tables=flags.tables,
                    deals=flags.deals,
                    shown=lambda done, text: progress.update(
                        task, completed=done, description=text
                    ),
                )
            )
        except StageError as err:
            result.wrong.append(str(err))
    if flags.json:
        sys.stdout.write(json.dumps(asdict(result)) + "\n")
    else:
        sys.stdout.write("\n".join(result.lines()) + "\n")
        sys.stdout.write("".join(f"WRONG: {what}\n" for what in result.wrong))
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
