"""`list` and `show`: what the corpus holds."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from conformance.case import Case
from conformance.check import checks_of
from conformance.cli.options import corpus_option, picked, picking
from conformance.corpus import Corpus, load, spread
from conformance.errors import UsageError
from conformance.report import line
from conformance.tree import near


@click.command("list")
@corpus_option
@picking
@click.option("--json", "as_json", is_flag=True, help="One JSON object a case.")
def list_cases(
    folder: Path | None,
    rules: Sequence[str],
    rulesets: Sequence[str],
    levels: Sequence[str],
    words: str | None,
    *,
    as_json: bool,
) -> None:
    """List the cases: id, how many rule sets each runs under, title."""
    corpus = load(folder)
    checks = 0
    found = picked(corpus, rules=rules, rulesets=rulesets, levels=levels, words=words)
    for case in found:
        names = [name for name in spread(case, corpus.rulesets) if not rulesets or name in rulesets]
        if not names:
            continue
        checks += len(names)
        if as_json:
            click.echo(line({**_summary(case), "rulesets": names}))
        else:
            click.echo(f"{case.id:<24} {len(names):>2}  {case.title}")
    if not as_json:
        click.echo(f"{len(found)} cases, {checks} checks", err=True)


@click.command("show")
@click.argument("wanted", metavar="ID")
@corpus_option
@click.option("--json", "as_json", is_flag=True, help="The requests as a target gets them.")
def show_case(wanted: str, folder: Path | None, *, as_json: bool) -> None:
    """Show one case: what it tests, under which rule sets, and what must be answered."""
    corpus = load(folder)
    name, _, ruleset = wanted.partition("@")
    case = corpus.case(name)
    if case is None:
        known = [other.id for other in corpus.cases]
        raise UsageError(f"no case {name!r}{near(name, known)} (euchre-conformance list)")
    checks = [
        check for check in checks_of(corpus, [case]) if not ruleset or check.ruleset == ruleset
    ]
    if as_json:
        for check in checks:
            for step in check.steps:
                click.echo(line({"check": check.id, "request": step.request, "then": step.then}))
        return
    click.echo(f"{case.id}  {case.title}")
    if case.why:
        click.echo(f"why: {case.why}")
    click.echo(f"stands in: {case.place()} ({case.importance}, {case.status})")
    _rules(corpus, case)
    click.echo("runs under: " + ", ".join(check.ruleset for check in checks))
    click.echo(f"given: {json.dumps(case.given, ensure_ascii=False)}")
    click.echo(f"asked: {case.op} {json.dumps(case.ask, ensure_ascii=False)}")
    click.echo(f"wanted: {json.dumps(case.then, ensure_ascii=False)}")
    click.echo(f"run it: euchre-conformance run -t TARGET -k {case.id}")


def _rules(corpus: Corpus, case: Case) -> None:
    for name in case.rules:
        rule = corpus.rulebook.rules.get(name)
        if rule is None:
            click.echo(f"rule {name}: not in our rule book")
            continue
        click.echo(f"rule {name}: {rule.text}")
        for quote in rule.sources:
            page = corpus.rulebook.pages[quote.page]
            click.echo(f'  {page.title}, line {quote.line}: "{quote.quote}"')
        for key in rule.also:
            other = corpus.rulebook.others[key]
            click.echo(f"  see also: {other.title} ({other.by})")


def _summary(case: Case) -> dict[str, str | list[str]]:
    return {
        "id": case.id,
        "title": case.title,
        "chapter": case.chapter,
        "topic": case.topic,
        "rules": list(case.rules),
        "importance": case.importance,
        "status": case.status,
    }
