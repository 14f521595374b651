"""`smoke`: the first steps with a target, in plain words."""

from pathlib import Path

import click

from conformance.cli.options import corpus_option, timeout_option
from conformance.corpus import load
from conformance.report.lines import line
from conformance.report.terminal import on_one_line
from conformance.smoke import as_json, walk


@click.command("smoke")
@click.option("-t", "--target", "spec", required=True, help="What to try.")
@corpus_option
@timeout_option(2.0)
@click.option("--json", "json_lines", is_flag=True, help="Print the findings as JSON lines.")
@click.pass_context
def smoke(
    ctx: click.Context, *, spec: str, folder: Path | None, timeout: float, json_lines: bool
) -> None:
    """Walk through the first steps with TARGET, and explain the first thing that is wrong.

    Does it start, flush, echo the id, write JSON, say all in hello? Then a few cases, easy ones
    first; the first wrong answer is drawn.

    Exit: 0 all is well, 1 something is wrong, 2 usage, 5 a broken corpus.
    """
    wrong = False
    for finding in walk(spec, load(folder), seconds=timeout):
        wrong = wrong or not finding.ok
        if json_lines:
            click.echo(line(as_json(finding)))
            continue
        click.echo(f"{'ok   ' if finding.ok else 'WRONG'} {on_one_line(finding.said)}")
        for text in finding.shown:
            click.echo(f"      {on_one_line(text)}")
        if finding.advice:
            click.echo(f"      → {on_one_line(finding.advice)}")
    if not wrong and not json_lines:
        click.echo(f"all is well so far: go on with euchre-conformance run -t {spec!r}")
    ctx.exit(1 if wrong else 0)
