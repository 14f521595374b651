"""`report` and `diff`: what a log says, and what two of them say together."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from conformance.cli.options import outputs_option
from conformance.errors import UsageError
from conformance.report.diff import KINDS, changes
from conformance.report.lines import line
from conformance.report.log import read_log
from conformance.report.outputs import EVENTS, outputs_from, write_reports
from conformance.report.terminal import tell
from conformance.report.totals import exit_of, totals_of

log_file = click.Path(path_type=Path, dir_okay=False)


@click.command("report")
@click.argument("log", type=log_file)
@outputs_option
@click.option("--json", "as_json", is_flag=True, help="Print the totals as JSON lines.")
@click.pass_context
def report(ctx: click.Context, *, log: Path, outputs: Sequence[str], as_json: bool) -> None:
    """Say what LOG holds, as the run did, and write other reports of it.

    LOG is what `run -o jsonl=LOG` wrote; one of a run that was killed is read as far as it goes.
    The exit is that of the run.
    """
    wanted = outputs_from(outputs)
    for output in wanted:
        if output.kind == EVENTS:
            raise UsageError(f"the log is there already: {str(log)!r} (leave out -o jsonl=)")
    found = read_log(log)
    totals = totals_of(found)
    for total in totals:
        if as_json:
            click.echo(line(total.as_json()))
        else:
            tell(total)
    write_reports(found, wanted)
    ctx.exit(exit_of(totals))


@click.command("diff")
@click.argument("before", type=log_file)
@click.argument("after", type=log_file)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a change.")
@click.pass_context
def diff_logs(ctx: click.Context, *, before: Path, after: Path, as_json: bool) -> None:
    """Say what changed from the log BEFORE to the log AFTER.

    Logs of one target each are compared whatever the targets are called, so that two programs can
    be held against each other. Exit: 0 nothing is worse, 1 something fails newly.
    """
    found = changes(read_log(before), read_log(after))
    for change in found:
        click.echo(line(change.as_json()) if as_json else change.line())
    if not as_json:
        counts = Counter(change.kind for change in found)
        said = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
        click.echo(said or "nothing changed")
    ctx.exit(1 if any(change.worse for change in found) else 0)
