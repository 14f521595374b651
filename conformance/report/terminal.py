"""A run in a terminal: a line a failure, tables by chapter and level, and the sum."""

from collections.abc import Iterator

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from conformance.levels import lines_of
from conformance.report.log import Entry
from conformance.report.totals import Total, table_of
from conformance.report.words import DISPUTED, FIXED, KNOWN_FAIL


def failure_lines(total: Total) -> Iterator[str]:
    """One line for every case that failed, or that was judged by an alternative."""
    told: dict[str, list[Entry]] = {}
    for entry in total.entries:
        if entry.bad or entry.verdict.startswith(DISPUTED) or entry.verdict == FIXED:
            told.setdefault(f"{entry.verdict} {entry.case}", []).append(entry)
    for heading, entries in told.items():
        first = entries[0]
        rulesets = " ".join(entry.ruleset for entry in entries)
        words = first.said or first.note
        yield on_one_line(f"{heading} [{rulesets}] {first.title}: {words}{_tail(first)}")


def on_one_line(text: str) -> str:
    """A text with what would break its line, or move a terminal, written as an escape."""
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text
    )


def _tail(entry: Entry) -> str:
    """What the target said on its standard error, and how many more answers were wrong."""
    stderr = entry.faults[0].stderr.splitlines() if entry.faults else []
    said = f"; it said: {stderr[-1]}" if stderr else ""
    return said + (f" (and {len(entry.faults) - 1} more)" if len(entry.faults) > 1 else "")


def tell(total: Total, watch: str = "") -> None:
    """Print all there is to say of one target."""
    for text in failure_lines(total):
        click.echo(text)
    if total.asked.error:
        click.echo(f"{total.asked.target}: did not start: {total.asked.error}")
        return
    _table(total)
    figures = total.as_json()
    parts = [f"{figures[name]} {name}" for name in ("cases", "checks", "executed", "failed")]
    known = sum(entry.verdict == KNOWN_FAIL for entry in total.entries)
    if known:
        parts.append(f"{known} known failures")
    click.echo(", ".join([*parts, *([watch] if watch else [])]))
    for text in lines_of(total.levels()):
        click.echo(text)
    for warning in total.asked.warnings:
        click.echo(f"warning: {warning}", err=True)
    if total.reasons_not_judged:
        click.echo(f"refusals judged without their reason: {total.reasons_not_judged}")
    for problem in total.baseline:
        click.echo(f"baseline: {problem}")
    if total.stopped:
        click.echo(f"incomplete: {total.stopped}")
    elif not total.executed:
        click.echo("incomplete: no check was executed")


def _table(total: Total) -> None:
    used, body = table_of(total.entries, lambda entry: entry.chapter)
    table = Table(title=Text(total.asked.shown))
    for index, name in enumerate(["chapter", *used]):
        table.add_column(name, justify="left" if index == 0 else "right", no_wrap=True)
    for row in body:
        table.add_row(*row, end_section=row is body[-2] if len(body) > 1 else False)
    Console(soft_wrap=True).print(table)
