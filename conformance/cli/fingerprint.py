"""`fingerprint`: which house rules a target plays, told from its answers."""

import json

import click

from conformance.cli.options import counting, timeout_option
from conformance.corpus import load
from conformance.fingerprint import questions, take
from conformance.runner import greeting
from conformance.targets import open_target

INCOMPLETE = 6


@click.command("fingerprint")
@click.option("-t", "--target", "spec", required=True, help="What to ask.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
@timeout_option(2.0)
@click.pass_context
def fingerprint(ctx: click.Context, *, spec: str, as_json: bool, timeout: float) -> None:
    """Tell from a target's answers which rule set it plays, and each knob that differs.

    The target is asked under rules that it claims and under rules that it does not, so that one
    which plays its own rules whatever it is sent is told from one that follows what it is sent.

    Exit: 0 a rule set explains every answer under rules that are claimed, 1 none does, 2 usage,
    4 the target did not start, 6 it answered nothing, 130 interrupted.
    """
    corpus = load()
    asked = questions(corpus)
    target = open_target(spec, corpus.rulesets, case_seconds=timeout)
    try:
        with counting(spec, quiet=as_json) as tell:
            hello = target.hello(greeting(corpus))
            found = take(target, hello, asked, corpus.rulesets, tell=tell)
    finally:
        target.close()
    if as_json:
        click.echo(json.dumps(found.as_json()))
    else:
        for text in found.lines():
            click.echo(text)
    ctx.exit(INCOMPLETE if not found.answers else 0 if found.fits else 1)
