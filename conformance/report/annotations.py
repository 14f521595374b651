"""A log as workflow commands of GitHub Actions: each failed case a line that GitHub annotates."""

from collections.abc import Iterator
from typing import Final

from conformance.report.log import Entry, Log
from conformance.report.rerun import rerun
from conformance.report.totals import Total, totals_of

SHOWN: Final = 9
"""GitHub shows ten errors of a step: nine cases, and how many more there are."""


def annotations(log: Log) -> str:
    """The commands, one a line; nothing where nothing failed."""
    return "".join(f"{text}\n" for total in totals_of(log) for text in _commands(log, total))


def _commands(log: Log, total: Total) -> Iterator[str]:
    cases: dict[str, list[Entry]] = {}
    for entry in total.entries:
        if entry.bad:
            cases.setdefault(f"{entry.verdict} {entry.case}", []).append(entry)
    for heading, entries in list(cases.items())[:SHOWN]:
        first = entries[0]
        rulesets = ", ".join(entry.ruleset for entry in entries)
        rules = ", ".join(first.rules)
        again = rerun(first.target, first.check, log.opening.options)
        said = f"{first.said}\nunder {rulesets}; rules {rules}\nrerun: {again}"
        yield command(f"{heading}: {first.title}", said)
    if len(cases) > SHOWN:
        yield command(
            total.asked.target, f"{len(cases) - SHOWN} more cases failed: see the summary"
        )
    yield from (command("baseline", problem) for problem in total.baseline)
    why = total.asked.error or total.stopped
    if why:
        yield command(total.asked.target, f"incomplete: {why}")


def command(title: str, message: str) -> str:
    r"""An error as GitHub reads it from the output of a step.

    >>> command("a, b: c", "100 %\nall")
    '::error title=a%2C b%3A c::100 %25%0Aall'
    """
    return f"::error title={_escaped(title, ':,')}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    for letter in ("%", "\r", "\n", *more):
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text
