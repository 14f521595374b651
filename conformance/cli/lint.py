"""`lint`: prove the corpus consistent."""

from pathlib import Path

import click

from conformance.cli.options import corpus_option
from conformance.corpus import HOME, load
from conformance.lint import lint, lock_lines


@click.command("lint")
@corpus_option
@click.option("--lock", is_flag=True, help="Add the ids that are new to ids.lock.")
@click.pass_context
def lint_corpus(ctx: click.Context, folder: Path | None, *, lock: bool) -> None:
    """Check the corpus: form, reachability, the oracle's word, ids.lock, and the quotes.

    The quotes are compared with the rule pages where EUCHRE_SEEDS names the folder that holds them.
    """
    corpus = load(folder)
    if lock and folder is None:
        text = "".join(f"{entry}\n" for entry in lock_lines(corpus))
        (HOME / "ids.lock").write_text(text, encoding="ascii")
        corpus = load(folder)
    for warning in corpus.warnings:
        click.echo(f"warning: {warning}", err=True)
    found = lint(corpus)
    for problem in found.problems:
        click.echo(problem)
    click.echo(f"{found.cases} cases, {found.checks} checks, {len(found.problems)} problems")
    click.echo(f"quotes checked: {found.quotes.checked}")
    if found.quotes.unchecked:
        click.echo(
            f"quotes not checked: {found.quotes.unchecked} "
            "(EUCHRE_SEEDS=FOLDER says where the pages lie)"
        )
    if found.untested:
        click.echo(f"rules without a case: {len(found.untested)}: {', '.join(found.untested)}")
    ctx.exit(5 if found.problems else 0)
