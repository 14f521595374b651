"""`freeze`: the cases of a corpus release, required from then on."""

import click

from conformance.corpus import load
from conformance.requirements import freeze, requirements


@click.command("freeze")
def freeze_corpus() -> None:
    """Write requirements/VERSION.yaml: the cases and rule sets of the corpus as it stands.

    A version is frozen once; what comes later is asked by run --requirements VERSION and not
    scored.
    """
    corpus = load()
    path = freeze(corpus)
    frozen = requirements(corpus.version)
    click.echo(f"{path.name}: {len(frozen.cases)} cases, {len(frozen.rulesets)} rule sets")
