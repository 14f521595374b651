"""Counts of a run that is still in memory: what the proof of the corpus looks at."""

from collections import Counter

from conformance.runner import Run
from conformance.verdict import FAILURES, Verdict


def by_chapter(run: Run) -> dict[str, Counter[Verdict]]:
    """How many checks of each chapter got each verdict."""
    table: dict[str, Counter[Verdict]] = {}
    for result in run.results:
        table.setdefault(result.check.case.chapter, Counter())[result.verdict] += 1
    return table


def failing_share(run: Run) -> dict[str, float]:
    """The share of the executed checks of each chapter that failed."""
    shares: dict[str, float] = {}
    for name, counts in by_chapter(run).items():
        done = sum(counts[verdict] for verdict in (*FAILURES, Verdict.PASS, Verdict.DISPUTED))
        failed = sum(counts[verdict] for verdict in FAILURES)
        shares[name] = failed / done if done else 0.0
    return shares
