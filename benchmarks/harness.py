"""What every benchmark shares: interleaved rounds, a table, and JSON beside it."""

import json
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

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


def table(rows: Iterable[tuple[str, float | int | str]]) -> None:
    """Print one row a figure."""
    kept = list(rows)
    width = max((len(key) for key, _ in kept), default=0)
    for key, value in kept:
        shown = f"{value:,.3f}" if isinstance(value, float) else str(value)
        sys.stdout.write(f"{key:<{width}}  {shown}\n")


def report(name: str, rows: Mapping[str, float | int | str]) -> None:
    """Print one row a figure, and write the same as `out/NAME.json`."""
    table(rows.items())
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{name}.json").write_text(json.dumps(dict(rows), indent=2) + "\n", encoding="ascii")
