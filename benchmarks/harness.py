"""What every benchmark shares: interleaved rounds, a table, and JSON beside it."""

import json
import math
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeAlias

OUT = Path(__file__).parent / "out"


def interleave(
    contenders: Mapping[str, Callable[[], int]],
    *,
    rounds: int,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, list[float]]:
    """Rates (units of work a second) of each contender, one run of each in every round.

    A contender does its work and returns how many units it did.
    """
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, work in contenders.items():
            start = clock()
            units = work()
            rates[name].append(units / (clock() - start))
    return rates


def ratio(rates: Mapping[str, Sequence[float]], ours: str, theirs: str) -> float:
    """The median over rounds of our rate divided by theirs in the same round."""
    pairs = zip(rates[ours], rates[theirs], strict=True)
    return statistics.median(a / b for a, b in pairs)


@dataclass(frozen=True, slots=True)
class Goal:
    """A ratio and how far it is to come: at least `least`, or at most `most`."""

    value: float
    least: float | None = None
    most: float | None = None

    @property
    def reached(self) -> bool:
        """Whether it has come that far."""
        low = -math.inf if self.least is None else self.least
        high = math.inf if self.most is None else self.most
        return low <= self.value <= high

    @property
    def reach(self) -> str:
        """How far it is to come, in words."""
        return f">= {self.least:g}" if self.least is not None else f"<= {self.most:g}"

    def as_map(self) -> dict[str, float | str | bool]:
        """The goal as the file has it."""
        return {"value": self.value, "reach": self.reach, "reached": self.reached}

    def __str__(self) -> str:
        """The ratio, and what is to be said of it."""
        said = "reached" if self.reached else f"NOT reached, {self.reach} is wanted"
        return f"{self.value:,.3f}  ({said})"


Figure: TypeAlias = float | int | str | Goal


def table(rows: Iterable[tuple[str, Figure]]) -> None:
    """Print one row a figure."""
    kept = list(rows)
    width = max((len(key) for key, _ in kept), default=0)
    for key, value in kept:
        shown = f"{value:,.3f}" if isinstance(value, float) else str(value)
        sys.stdout.write(f"{key:<{width}}  {shown}\n")


def report(name: str, rows: Mapping[str, Figure]) -> None:
    """Print one row a figure, and write the same as `out/NAME.json`."""
    table(rows.items())
    OUT.mkdir(parents=True, exist_ok=True)
    kept = {key: v.as_map() if isinstance(v, Goal) else v for key, v in rows.items()}
    (OUT / f"{name}.json").write_text(json.dumps(kept, indent=2) + "\n", encoding="ascii")
