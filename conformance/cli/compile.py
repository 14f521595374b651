"""`compile` and `bless`: the corpus as one JSON document, and its computed values."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import click

from conformance.bundle import bundle
from conformance.check import checks_of
from conformance.cli.options import corpus_option, picked, picking
from conformance.corpus import load
from conformance.errors import UsageError
from conformance.oracle import answer
from conformance.targets import open_target


@click.command("compile")
@corpus_option
@click.option("-o", "out", type=click.Path(path_type=Path, dir_okay=False), required=True)
def compile_corpus(folder: Path | None, out: Path) -> None:
    """Write the corpus as one JSON document, and print its SHA-256."""
    data = bundle(load(folder))
    try:
        out.write_bytes(data)
    except OSError as err:
        raise UsageError(f"cannot write {str(out)!r}: {err.strerror}") from err
    click.echo(f"{hashlib.sha256(data).hexdigest()}  {out}")


@click.command("bless")
@corpus_option
@picking
@click.pass_context
def bless(
    ctx: click.Context,
    *,
    folder: Path | None,
    rules: Sequence[str],
    rulesets: Sequence[str],
    levels: Sequence[str],
    words: str | None,
) -> None:
    """Print the answers on which the oracle and the referee agree, to be written into a case.

    Where they differ nothing is printed for that case, and the exit is 1.
    """
    corpus = load(folder)
    cases = picked(corpus, rules=rules, rulesets=rulesets, levels=levels, words=words)
    referee = open_target("referee:", corpus.rulesets)
    differ = 0
    for check in checks_of(corpus, cases):
        if rulesets and check.ruleset not in rulesets:
            continue
        step = check.steps[-1]
        request = {"id": 1, **step.request}
        ours = next(iter(referee.ask([request]))).answer
        theirs = answer(request)
        if ours == theirs:
            click.echo(f"{check.id}: {json.dumps(theirs)}")
        else:
            differ += 1
            click.echo(f"{check.id}: the engines differ: {ours} and {theirs}", err=True)
    ctx.exit(1 if differ else 0)
