"""`baseline`: failures that are known, written from a log and held against one."""

from datetime import date
from pathlib import Path

import click

from conformance.baseline import baseline_from
from conformance.baselinefile import UNEXPLAINED, hold, update, written
from conformance.cli.options import corpus_option, today_option
from conformance.corpus import load
from conformance.errors import UsageError
from conformance.report.lines import line
from conformance.report.log import CUT, Log, read_log
from conformance.scoring import check_ids

NOT_EXACT = 3
INCOMPLETE = 6
file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
log_argument = click.argument("log", type=click.Path(path_type=Path, dir_okay=False))


@click.group("baseline")
def baseline() -> None:
    """Known failures: a YAML list of cases, kind, got, reason, issue and until.

    FILE is the baseline, LOG what `run -o jsonl=LOG` wrote. `run --baseline FILE` uses it.
    """


@baseline.command("write")
@file_argument
@log_argument
@click.option("--reason", default=UNEXPLAINED, show_default=True, help="The reason of each entry.")
@click.option("--force", is_flag=True, help="Replace a baseline that is there.")
def write(*, file: Path, log: Path, reason: str, force: bool) -> None:
    """Write FILE anew: one entry for every case and way of failing in LOG."""
    if file.exists() and not force:
        raise UsageError(f"{str(file)!r} is there already (baseline update it, or --force)")
    found = _whole(log)
    if not reason.strip():
        raise UsageError("the reason is empty (say why the failures are borne)")
    text = written(found, reason=reason)
    _write(file, text)
    click.echo(f"{len(baseline_from(file))} entries")


@baseline.command("check")
@file_argument
@log_argument
@corpus_option
@today_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(
    ctx: click.Context, *, file: Path, log: Path, folder: Path | None, today: date, as_json: bool
) -> None:
    """Say whether FILE lists exactly what fails in LOG.

    Exit: 0 exactly, 1 something fails that is not listed, 3 an entry is stale, fails differently,
    is unknown or has expired, 6 the log is of a run that did not end.
    """
    found = read_log(log)
    held = hold(found, baseline_from(file), check_ids(load(folder)), today)
    incomplete = found.closing is None or not found.closing.complete
    if as_json:
        click.echo(
            line(
                {
                    "unlisted": [entry.check for entry in held.unlisted],
                    "problems": list(held.problems),
                    "complete": not incomplete,
                }
            )
        )
    else:
        for entry in held.unlisted:
            click.echo(f"not listed: {entry.check} {entry.verdict}: {entry.said}")
        for problem in held.problems:
            click.echo(problem)
        click.echo(f"{len(held.unlisted)} not listed, {len(held.problems)} problems")
    if incomplete:
        click.echo("incomplete: the log is of a run that did not end", err=True)
        ctx.exit(INCOMPLETE)
    ctx.exit(1 if held.unlisted else NOT_EXACT if held.problems else 0)


@baseline.command("update")
@file_argument
@log_argument
def update_file(*, file: Path, log: Path) -> None:
    """Take out of FILE what no longer fails in LOG, and add what fails newly.

    Entries that still hold are kept to the letter, comments and all.
    """
    done = update(file, _whole(log))
    _write(file, done.text)
    click.echo(f"{done.kept} kept, {done.removed} removed, {done.added} added")


def _whole(path: Path) -> Log:
    found = read_log(path)
    if found.closing is None or not found.closing.complete:
        why = CUT if found.closing is None else "the run was not complete"
        raise UsageError(f"{path}: {why}, so it cannot say what fails (run it to the end)")
    return found


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as err:
        raise UsageError(f"cannot write {str(path)!r}: {err.strerror}") from err
