"""`fuzz`: deals of every kind, asked of a target and of our two engines."""

from collections.abc import Sequence
from random import Random

import click

from conformance.corpus import load
from conformance.errors import UsageError
from conformance.generate import KINDS
from conformance.generate.draft import draft
from conformance.generate.search import Answer, search, shrunk
from conformance.jsontypes import Record
from conformance.runner import greeting
from conformance.targets import Target, open_target


@click.command("fuzz")
@click.option("--against", "spec", help="The target that is asked.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only deals of a kind."
)
@click.option("--ruleset", "names", multiple=True, help="Only this rule set, and near it.")
@click.option("--deals", default=1000, show_default=True, help="Deals to try.")
@click.option("--seed", default=1, show_default=True, help="What the deals are drawn by.")
@click.option("--count", default=1, show_default=True, help="Stop after so many differences.")
@click.option("--topic", default="draft", show_default=True, help="The topic of the drafts.")
@click.option("--list", "listing", is_flag=True, help="List the kinds and stop.")
@click.pass_context
def fuzz(
    ctx: click.Context,
    *,
    spec: str | None,
    kinds: Sequence[str],
    names: Sequence[str],
    deals: int,
    seed: int,
    count: int,
    topic: str,
    listing: bool,
) -> None:
    """Search deals until a target answers otherwise than oracle and referee; print a draft case.

    A target is what `run` takes, a mutant too. What is found is made simpler first.

    Exit: 0 no difference, 1 a difference, 2 usage, 4 the target did not start.
    """
    if listing:
        for name, kind in KINDS.items():
            click.echo(f"{name:<14}{kind.text}")
        return
    if spec is None:
        raise UsageError("no target to ask (write --against TARGET)")
    corpus = load()
    for name in names:
        corpus.rulesets.named(name)
    target = open_target(spec, corpus.rulesets)
    referee = open_target("referee:", corpus.rulesets)
    target.hello(greeting(corpus))
    chance = Random(seed)  # noqa: S311 -- a search repeats itself
    found = 0
    try:
        for one in search(
            chance,
            corpus.rulesets,
            _asking(target),
            _asking(referee),
            deals=deals,
            kinds=kinds,
            names=names,
        ):
            simple = shrunk(one, corpus.rulesets, _asking(target), _asking(referee))
            found += 1
            click.echo(
                f"# deal {one.deals} of {deals}, kind {one.kind}; {spec} said: {simple.other}"
            )
            click.echo(draft(simple, corpus.rulesets, found, topic=topic), nl=False)
            if found == count:
                break
    finally:
        target.close()
    if not found:
        click.echo(f"no difference in {deals} deals")
    ctx.exit(1 if found else 0)


def _asking(target: Target) -> Answer:
    """Ask a target one question after another; nothing where it breaks down."""
    number = 0

    def answer(request: Record) -> Record | None:
        nonlocal number
        number += 1
        return next(iter(target.ask([{"id": number, **request}]))).answer

    return answer
