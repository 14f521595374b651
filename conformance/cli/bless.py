"""`bless`: computed values, on which two engines agree, written into the cases."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from conformance.blessing import blessed, replace_text, with_answers
from conformance.check import Check, Step, checks_of
from conformance.cli.options import corpus_option, counting, picked, picking
from conformance.corpus import Corpus, cases_dir, load
from conformance.errors import UsageError
from conformance.generate.search import differing
from conformance.jsontypes import Record
from conformance.oracle import answer
from conformance.targets import Target, open_target
from conformance.verdict import mismatches


@click.command("bless")
@corpus_option
@picking
@click.option("--write", is_flag=True, help="Write the values into the case files.")
@click.pass_context
def bless(
    ctx: click.Context,
    *,
    folder: Path | None,
    rules: Sequence[str],
    rulesets: Sequence[str],
    levels: Sequence[str],
    words: str | None,
    write: bool,
) -> None:
    """Print the answers on which the oracle and the referee agree, or write them with --write.

    Written are the fields that a case judges already; of a perft case the leaves and the spread.
    Comments and layout of the file stay. Where the engines differ, or where a case would need
    another value under another rule set, no file is touched, and the exit is 1.
    """
    corpus = load(folder)
    cases = picked(corpus, rules=rules, rulesets=rulesets, levels=levels, words=words)
    if write and not (rules or words or levels):
        raise UsageError("--write needs -k WORDS or --rule ID: bless what you have looked at")
    checks = list(checks_of(corpus, cases, rulesets))
    if not checks:
        raise UsageError("no case is picked: widen -k, --rule, --ruleset or --level")
    agreed: dict[str, Record] = {}
    problems: list[str] = []
    referee = open_target("referee:", corpus.rulesets)
    with counting("bless", quiet=False) as tell:
        for count, check in enumerate(checks, start=1):
            tell(count, len(checks))
            found = _agreed(referee, check)
            if isinstance(found, str):
                problems.append(found)
                continue
            if not write:
                click.echo(f"{check.id}: {json.dumps(found)}")
            wanted = with_answers(check.case, found)
            if agreed.setdefault(check.case.id, wanted) != wanted and write:
                problems.append(
                    f"{check.id}: another value than under a rule set before: narrow its where"
                )
    for text in problems:
        click.echo(text, err=True)
    if write and not problems:
        for text in _written(corpus, agreed, cases_dir(folder)):
            click.echo(text)
    ctx.exit(1 if problems else 0)


def _agreed(referee: Target, check: Check) -> Record | str:
    """The answer of both engines, or what is wrong."""
    step = check.steps[-1]
    request = {"id": 1, **step.request}
    reply = next(iter(referee.ask([request])))
    ours = reply.answer if reply.answer is not None else {"error": reply.detail}
    theirs = answer(request)
    if "error" in ours and "error" in theirs:
        return f"{check.id}: both engines answer an error, nothing is blessed: {ours['error']}"
    whole = Step(op=step.op, request=request, then=with_answers(check.case, theirs))
    if "error" not in theirs and not list(mismatches(whole, whole.then, ours)):
        return theirs
    judged = {*whole.then, "error", "refused"}
    fields = [name for name in differing(theirs, ours) if name in judged]
    return (
        f"{check.id}: the engines differ in {', '.join(fields)}: "
        f"the oracle says {json.dumps(theirs)}, the referee {json.dumps(ours)}"
    )


def _written(corpus: Corpus, agreed: dict[str, Record], folder: Path) -> Iterator[str]:
    """Write every file in which something changes, all of them worked out before the first."""
    changed: dict[str, dict[str, Record]] = {}
    for case in corpus.cases:
        wanted = agreed.get(case.id)
        if wanted is not None and not _same(wanted, case.then):
            changed.setdefault(case.file, {})[case.id] = wanted
    texts = {
        name: blessed((folder / name).read_text(encoding="utf-8"), values, name)
        for name, values in changed.items()
    }
    for name, text in texts.items():
        try:
            replace_text(folder / name, text)
        except OSError as err:
            raise UsageError(f"cannot write {name!r}: {err.strerror}") from err
        yield f"{name}: {', '.join(changed[name])}"
    if not texts:
        yield "nothing to write: every value is as it was"


def _same(one: Record, two: Record) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)
