"""`divide`: find the branch of a tree that a target counts wrongly."""

from collections.abc import Sequence
from pathlib import Path

import click

from conformance.check import Check, checks_of
from conformance.cli.options import corpus_option
from conformance.corpus import load
from conformance.divide import Level, divide
from conformance.errors import UsageError
from conformance.report.terminal import on_one_line
from conformance.runner import greeting
from conformance.targets import open_target
from conformance.tree import near
from conformance.verdict import shown


@click.command("divide")
@click.argument("case_id", metavar="ID")
@click.option("-t", "--target", "spec", required=True, help="What to ask.")
@click.option(
    "--ruleset", help="Under which rule set; the first that the case runs under if absent."
)
@corpus_option
@click.pass_context
def divide_case(
    ctx: click.Context, *, case_id: str, spec: str, ruleset: str | None, folder: Path | None
) -> None:
    """Count the tree of a perft case below each action, and go down the first wrong branch.

    Exit: 0 all branches agree, 1 a branch differs.
    """
    corpus = load(folder)
    case = corpus.case(case_id)
    if case is None:
        known = [item.id for item in corpus.cases]
        raise UsageError(f"unknown case {case_id!r}{near(case_id, known)} (list shows all)")
    if case.op != "perft":
        raise UsageError(f"case {case_id} asks {case.op}, not perft: only trees are divided")
    check = _picked(list(checks_of(corpus, [case])), ruleset)
    target = open_target(spec, corpus.rulesets)
    wrong = False
    try:
        target.hello(greeting(corpus))
        for level in divide(target, check.steps[-1].request):
            wrong = _print(level) or wrong
    finally:
        target.close()
    ctx.exit(1 if wrong else 0)


def _picked(checks: Sequence[Check], ruleset: str | None) -> Check:
    for check in checks:
        if ruleset in (None, check.ruleset):
            return check
    names = ", ".join(check.ruleset for check in checks)
    raise UsageError(f"the case does not run under {ruleset!r}: use one of {names}")


def _print(level: Level) -> bool:
    """Print a position and its branches; whether something is wrong there."""
    click.echo(f"after {', '.join(level.actions) or 'nothing'}:")
    for branch in level.branches:
        mark = "same" if branch.right else "DIFFERS"
        click.echo(f"  {branch.action:<16} {mark:<8} {shown(branch.wanted)}")
        if not branch.right:
            click.echo(f"  {'':<16} {'got':<8} {on_one_line(shown(branch.got))}")
    if level.legal:
        click.echo(f"  {on_one_line(level.legal)}")
    return bool(level.legal) or any(not branch.right for branch in level.branches)
