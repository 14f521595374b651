"""Whether the statistics of a tournament keep what they promise: simulated, and told in a table.

The scores are drawn from populations whose mean is known, most boards level as in duplicate. An
interval is refused where hardly a board differs; how often is told. Where nineteen runs in twenty
give one, they are held to what they hold; else to how many of all runs give one that misses. A
share of runs may miss by two standard errors.
Nothing here is timed; the same seed prints the same table.

python -m benchmarks.coverage [--runs N] [--jobs N] [--seed TEXT]
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import log, sqrt
from multiprocessing import get_context
from random import Random
from typing import Final

from rich.progress import Progress

from benchmarks.harness import OUT, table
from benchmarks.populations import SHAPES, Population
from referee.arena.statistics import (
    Bounds,
    Sprt,
    TooFewBoardsError,
    Verdict,
    after_sprt,
    boards_needed,
    mean_interval,
)
from referee.arena.statistics.watch import log_stake

BOUNDS: Final = Bounds(-4.0, 4.0)
MOST_BOARDS: Final = 20_000
RESAMPLES: Final = 499
LOOK: Final = 16
PATHS: Final = 60


@dataclass(frozen=True, slots=True)
class Case:
    """A population, the boards of a run, and how often it is run."""

    shape: str
    ties: float
    boards: int
    runs: int
    mean: float | None = None
    seed: str = "0"

    @property
    def population(self) -> Population:
        """What the scores are drawn from."""
        return Population(self.shape, self.ties, self.mean)

    @property
    def rng(self) -> Random:
        """The chance of this case, the same in every run of the program."""
        return Random(f"{self.seed}/{self.shape}/{self.ties}/{self.boards}/{self.mean}")


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of the table, and between what it is to lie; `runs` where it is a share of runs."""

    name: str
    value: float
    low: float
    high: float
    runs: int = 0


@dataclass(frozen=True, slots=True)
class Coverage:
    """The runs that gave an interval, those whose interval held the mean, and all of them."""

    held: int
    given: int
    runs: int

    @property
    def share(self) -> float:
        """How many of the intervals that were given hold the true mean."""
        return self.held / self.given if self.given else 0.0

    @property
    def often(self) -> bool:
        """Whether nineteen runs in twenty gave one.

        Where many are refused the rest are no fair sample: of a lopsided population those with few
        swings are also those whose mean lies low.
        """
        return self.given >= 0.95 * self.runs


def interval_covers(case: Case, resamples: int = RESAMPLES) -> Coverage:
    """How many of the bootstrap intervals of 95 % hold the true mean."""
    population, rng = case.population, case.rng
    held = given = 0
    for _ in range(case.runs):
        with suppress(TooFewBoardsError):
            figure = mean_interval(population.draw(rng, case.boards), rng, resamples=resamples)
            given += 1
            held += figure.low - 1e-9 <= population.mean <= figure.high + 1e-9
    return Coverage(held, given, case.runs)


def interval_excludes_zero(case: Case) -> float:
    """The share of runs whose bootstrap interval of 95 % leaves 0 out: the power."""
    population, rng = case.population, case.rng
    shown = 0
    for _ in range(case.runs):
        with suppress(TooFewBoardsError):
            figure = mean_interval(population.draw(rng, case.boards), rng, resamples=RESAMPLES)
            shown += figure.low > 0.0 or figure.high < 0.0
    return shown / case.runs


def watching_misses(case: Case) -> float:
    """The share of streams in which the always-valid interval ever left the true mean out."""
    population, rng = case.population, case.rng
    limit = log(2 / 0.05)
    missed = 0
    for _ in range(case.runs):
        counts: Counter[float] = Counter()
        for score in population.draw(rng, case.boards):
            counts[score] += 1
            if max(log_stake(counts, population.mean, BOUNDS)) >= limit:
                missed += 1
                break
    return missed / case.runs


def sprt_errs(case: Case, m1: float) -> tuple[float, float]:
    """The share of wrong verdicts where the mean is 0 or `m1`, and the boards of a test.

    The test is looked at after every board.
    """
    population, rng = case.population, case.rng
    test = Sprt(m0=0.0, m1=m1, bounds=BOUNDS)
    right = Verdict.H1 if case.mean else Verdict.H0
    wrong = boards = 0
    for _ in range(case.runs):
        counts: Counter[float] = Counter()
        verdict = Verdict.CONTINUE
        while verdict is Verdict.CONTINUE and counts.total() < MOST_BOARDS:
            counts[population.draw(rng, 1)[0]] += 1
            verdict = test.verdict(counts)
        wrong += verdict is not right
        boards += counts.total()
    return wrong / case.runs, boards / case.runs


def adjusted(case: Case, m1: float) -> tuple[float, float]:
    """The share of adjusted means that lie above the true one, and of intervals that hold it.

    The test is looked at every sixteen boards.
    """
    population, rng = case.population, case.rng
    test = Sprt(m0=0.0, m1=m1, bounds=BOUNDS)
    larger = held = 0
    for _ in range(case.runs):
        counts: Counter[float] = Counter()
        while test.verdict(counts) is Verdict.CONTINUE and counts.total() < MOST_BOARDS:
            counts.update(population.draw(rng, LOOK))
        figure = after_sprt(test, counts, rng, every=LOOK, paths=PATHS)
        larger += figure.mean > population.mean
        held += figure.low <= population.mean <= figure.high
    return larger / case.runs, held / case.runs


def needed_ratio(case: Case, power: float) -> float:
    """The boards that `boards_needed` says, to those at which the intervals reach the power.

    The latter are found by simulation at five numbers of boards and a straight line through them.
    """
    population = case.population
    said = boards_needed(population.mean, variance=population.variance, power=power)
    points = []
    for share in (0.7, 0.85, 1.0, 1.15, 1.3):
        boards = round(share * said)
        at = Case(case.shape, case.ties, boards, case.runs, case.mean, case.seed)
        points.append((float(boards), interval_excludes_zero(at)))
    return said / _crossing(points, power)


def _crossing(points: list[tuple[float, float]], level: float) -> float:
    """Where the line of least squares through the points reaches a level."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum(
        (x - mean_x) ** 2 for x, _ in points
    )
    return mean_x + (level - mean_y) / slope


@dataclass(frozen=True, slots=True)
class Task:
    """A row to be worked out in a process of its own."""

    kind: str
    case: Case

    def rows(self) -> list[Row]:
        """The rows of the table."""
        case = self.case
        name = f"{case.shape}, {case.ties:.0%} level"
        match self.kind:
            case "interval":
                found = interval_covers(case)
                what = f"95 % interval, {name}, {case.boards} boards"
                given = Row(f"{what}: given", found.given / found.runs, 0.0, 1.0)
                if not found.often:
                    missed = (found.given - found.held) / found.runs
                    return [given, Row(f"{what}: given and misses", missed, 0.0, 0.07, found.runs)]
                return [given, Row(f"{what}: holds", found.share, 0.93, 0.97, found.given)]
            case "watch":
                value = watching_misses(case)
                return [Row(f"always valid ever misses, {name}", value, 0.0, 0.05, case.runs)]
            case "sprt":
                wrong, boards = sprt_errs(case, 0.1)
                mean = f"mean {case.mean:g}"
                return [
                    Row(f"SPRT 0 or 0.1 errs, {name}, {mean}", wrong, 0.0, 0.05, case.runs),
                    Row(f"SPRT 0 or 0.1 boards, {name}, {mean}", boards, 0.0, float("inf")),
                ]
            case "after":
                larger, held = adjusted(case, 0.1)
                mean = f"mean {case.mean:g}"
                return [
                    Row(
                        f"after the SPRT above the mean, {name}, {mean}",
                        larger,
                        0.45,
                        0.55,
                        case.runs,
                    ),
                    Row(
                        f"after the SPRT 95 % interval, {name}, {mean}", held, 0.93, 0.97, case.runs
                    ),
                ]
            case _:
                ratio = needed_ratio(case, 0.9)
                return [Row(f"boards needed ÷ simulated, {name}, 0.2", ratio, 0.85, 1.15)]


def tasks(runs: int, seed: str) -> Iterator[Task]:
    """Every row of the table."""
    for shape in SHAPES:
        for ties in (0.6, 0.75, 0.85):
            for boards in (30, 60, 100, 200, 400):
                yield Task("interval", Case(shape, ties, boards, runs, seed=seed))
        yield Task("watch", Case(shape, 0.8, 400, runs, seed=seed))
        for mean in (0.0, 0.1):
            yield Task("sprt", Case(shape, 0.8, 0, runs, mean, seed))
            yield Task("after", Case(shape, 0.8, 0, max(1, runs // 10), mean, seed))
        yield Task("needed", Case(shape, 0.8, 0, runs, 0.2, seed))


def main() -> None:
    """Simulate and tell; exit 1 where a figure lies outside what it is held to."""
    flags = parsed()
    todo = list(tasks(flags.runs, flags.seed))
    rows: list[Row] = []
    work: Callable[[Task], list[Row]] = Task.rows
    with (
        ProcessPoolExecutor(flags.jobs, mp_context=get_context("spawn")) as pool,
        Progress(disable=not sys.stderr.isatty(), transient=True) as shown,
    ):
        progress = shown.add_task("cases", total=len(todo))
        for some in pool.map(work, todo):
            rows += some
            shown.advance(progress)
    table([(row.name, f"{row.value:,.3f}  {_told(row)}") for row in rows])
    OUT.mkdir(exist_ok=True)
    text = json.dumps({row.name: row.value for row in rows}, indent=2, ensure_ascii=True)
    (OUT / "coverage.json").write_text(text + "\n", encoding="ascii")
    outside = sum(bool(_told(row)) for row in rows)
    if outside:
        raise SystemExit(f"{outside} of {len(rows)} figures lie outside what they are held to")


def _told(row: Row) -> str:
    """What is wrong with a figure: outside its bounds by more than two standard errors."""
    chance = 2 * sqrt(row.low * (1 - row.low) / row.runs) if row.runs else 0.0
    over = 2 * sqrt(row.high * (1 - row.high) / row.runs) if row.runs else 0.0
    if row.low - chance <= row.value <= row.high + over:
        return ""
    return f"NOT in {row.low:g} to {row.high:g}"


def parsed() -> argparse.Namespace:
    """The flags."""
    parser = argparse.ArgumentParser(description="Intervals and tests, simulated.")
    add = parser.add_argument
    add("--runs", type=int, default=2_000, help="how often each case is run")
    add("--jobs", type=int, default=2, help="how many processes")
    add("--seed", default="0", help="another seed draws other boards")
    return parser.parse_args()


if __name__ == "__main__":
    main()
