"""Asking a bad program a small corpus, and what became of it."""

from pathlib import Path

from conformance.check import checks_of
from conformance.corpus import load
from conformance.runner import Run, run
from conformance.targets import open_instances


def ran(folder: Path, spec: str, *, seconds: float = 2.0, jobs: int = 1) -> Run:
    """The run of a target over a folder of cases."""
    corpus = load(folder)
    first, *more = open_instances(spec, corpus.rulesets, jobs=jobs, case_seconds=seconds)
    return run(first, corpus, list(checks_of(corpus)), more=more)


def words(done: Run) -> dict[str, str]:
    """The verdicts that are no pass, by case."""
    return {
        result.check.case.id: result.verdict.value
        for result in done.results
        if result.verdict.value != "pass"
    }


def said(done: Run) -> str:
    """What is said of the first failure."""
    return "; ".join(text for fault in done.failed()[0].failures for text in fault.problems)
