"""A log as Markdown: for a pull request, a job summary or a release note."""

from collections.abc import Iterator

from conformance.report.log import Entry, Log
from conformance.report.rerun import rerun_failed
from conformance.report.story import story
from conformance.report.totals import Total, exit_of, table_of, totals_of
from conformance.report.words import KNOWN_FAIL

SHOWN = 50
"""How many failed cases are told at length; the rest are counted."""


def markdown(log: Log) -> str:
    """The page."""
    return "\n".join(_lines(log)) + "\n"


def _lines(log: Log) -> Iterator[str]:
    opening = log.opening
    totals = totals_of(log)
    yield "# Euchre conformance"
    yield ""
    corpus = f"corpus {opening.corpus_version}" if opening.corpus_version else "another corpus"
    seed = "" if opening.seed is None else f", seed {opening.seed}"
    yield f"{corpus} (`{opening.corpus[:12]}`), {opening.started}{seed}: exit {exit_of(totals)}"
    for total in totals:
        yield ""
        yield from _target(log, total)


def _target(log: Log, total: Total) -> Iterator[str]:
    yield f"## {_text(total.asked.shown)}"
    if total.asked.error:
        yield ""
        yield f"Did not start: {_text(total.asked.error)}"
        return
    yield ""
    yield f"{total.executed} of {total.planned} checks executed, **{total.failed} failed**."
    if total.stopped:
        yield ""
        yield f"Incomplete: {_text(total.stopped)}"
    used, body = table_of(total.entries, lambda entry: entry.chapter)
    yield from _table(["chapter", *used], body)
    yield from _table(["level", "standing"], [list(pair) for pair in total.levels().items()])
    if total.baseline:
        yield ""
        yield from (f"- baseline: {_text(problem)}" for problem in total.baseline)
    known = [entry for entry in total.entries if entry.verdict == KNOWN_FAIL]
    if known:
        yield ""
        yield f"{len(known)} known failures are listed in the baseline."
    yield from _failures(log, total)


def _table(heading: list[str], body: list[list[str]]) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(heading)} |"
    yield f"|---|{'---:|' * (len(heading) - 1)}"
    for row in body:
        yield f"| {' | '.join(row)} |"


def _failures(log: Log, total: Total) -> Iterator[str]:
    told: dict[tuple[str, str], list[Entry]] = {}
    for entry in total.entries:
        if entry.bad:
            told.setdefault((entry.case, entry.said), []).append(entry)
    for entries in list(told.values())[:SHOWN]:
        first = entries[0]
        yield ""
        yield f"### {first.verdict}: {first.case} {_text(first.title)}"
        yield f"Under {', '.join(entry.ruleset for entry in entries)}."
        fence = _fence(story(log, first))
        yield fence
        yield from story(log, first)
        yield fence
    if len(told) > SHOWN:
        yield ""
        yield f"… and {len(told) - SHOWN} more. All that failed, again:"
        yield "```"
        yield from rerun_failed(total.asked.target, log.opening.options)
        yield "```"


def _fence(lines: list[str]) -> str:
    """A fence that no line within can close."""
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    return fence


def _text(text: str) -> str:
    """Words that Markdown leaves as they are."""
    flat = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>|#" else sign for sign in flat)
