"""`run`: ask targets the corpus and say what they got wrong."""

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path

import click

from conformance.baseline import Known, baseline_from
from conformance.case import Case
from conformance.check import Check, checks_of
from conformance.choosing import (
    Shard,
    failing,
    last_failed,
    named,
    named_cases,
    remember,
    shard_from,
    shuffled,
)
from conformance.cli.options import (
    corpus_option,
    outputs_option,
    picked,
    picking,
    timeout_option,
    today_option,
)
from conformance.cli.session import Session, ended_in_order, greeted_targets, opened_log
from conformance.corpus import Corpus, load
from conformance.errors import UsageError
from conformance.jsontypes import Json
from conformance.report.log import Log
from conformance.report.outputs import outputs_from, write_reports
from conformance.report.records import Recorder, run_record
from conformance.report.totals import exit_of, totals_of
from conformance.requirements import requirements
from conformance.scoring import Terms
from conformance.targets import check_spec

SECONDS = 2.0


@click.command("run")
@click.option("-t", "--target", "targets", multiple=True, required=True, help="What to ask.")
@corpus_option
@picking
@click.option("--check", "names", multiple=True, help="Only this check: follow-001@standard.")
@click.option("--shard", metavar="I/N", help="Only share I of N; each check is in one share.")
@click.option(
    "--last-failed",
    "failed",
    is_flag=False,
    flag_value="",
    metavar="[LOG]",
    help="Only what failed in the last run here, or in LOG.",
)
@click.option("--seed", type=int, help="Ask in an order shuffled by this number.")
@outputs_option
@click.option("--json", "as_json", is_flag=True, help="Print the totals as JSON lines.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option("--strict-rulings", is_flag=True, help="Count a disputed alternative as a failure.")
@click.option("--requirements", "required", help="Score only what this corpus release froze.")
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Failures that are known; they must be exactly these.",
)
@today_option
@timeout_option(SECONDS)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Instances of a program or service to spread the checks over.",
)
@click.pass_context
def run_targets(
    ctx: click.Context,
    *,
    targets: Sequence[str],
    folder: Path | None,
    rules: Sequence[str],
    rulesets: Sequence[str],
    levels: Sequence[str],
    words: str | None,
    names: Sequence[str],
    shard: str | None,
    failed: str | None,
    seed: int | None,
    outputs: Sequence[str],
    as_json: bool,
    fail_fast: bool,
    strict_rulings: bool,
    required: str | None,
    baselines: Sequence[Path],
    today: date,
    timeout: float,
    jobs: int,
) -> None:
    """Ask each TARGET every case, and exit 0 only if all answers are right.

    A target is cmd:COMMAND (a program that speaks JSON lines), grpc://HOST:PORT (a service),
    py:MODULE:OBJECT, referee: (ours), openspiel: (OpenSpiel's Euchre), null: or wrong: (which must
    fail).

    Exit: 0 all pass, 1 a failure, 2 usage, 3 a baseline that is not exact, 4 a target did not
    start, 5 an error of our own (a broken corpus, a report that cannot be written), 6 incomplete,
    130 interrupted.
    """
    for spec in targets:
        check_spec(spec)
        if targets.count(spec) > 1:
            raise UsageError(f"the target {spec!r} is named twice")
    wanted = outputs_from(outputs)
    share = shard_from(shard) if shard else None
    known: list[Known] = [entry for path in baselines for entry in baseline_from(path)]
    terms = Terms(
        today=today,
        strict=strict_rulings,
        required=requirements(required) if required else None,
        baseline=known,
    )
    before = None if failed is None else last_failed(Path(failed) if failed else None, Path.cwd())
    corpus = load(folder)
    for warning in corpus.warnings:
        click.echo(f"warning: {warning}", err=True)
    cases = picked(corpus, rules=rules, rulesets=rulesets, levels=levels, words=words)
    checks = _chosen(corpus, named_cases(cases, names), names, rulesets, share)
    checks = shuffled(checks, seed)
    plan = {spec: failing(checks, before, spec) for spec in targets}
    options: dict[str, Json] = {
        "corpus": None if folder is None else str(folder),
        "rules": list(rules),
        "rulesets": list(rulesets),
        "levels": list(levels),
        "words": words,
        "checks": list(names),
        "shard": shard,
        "last_failed": failed,
        "fail_fast": fail_fast,
        "strict_rulings": strict_rulings,
        "requirements": required,
        "baselines": [str(path) for path in baselines],
        "timeout": timeout,
        "default_timeout": SECONDS,
    }
    with ExitStack() as stack:
        stack.enter_context(ended_in_order())
        greeted = greeted_targets(stack, plan, corpus, timeout, jobs)
        session = Session(
            corpus=corpus,
            terms=terms,
            recorder=Recorder(opened_log(stack, wanted)),
            fail_fast=fail_fast,
            as_json=as_json,
        )
        session.recorder.write(
            run_record(
                corpus,
                version=version("euchre-referee"),
                started=datetime.now(UTC).isoformat(timespec="seconds"),
                seed=seed,
                options=options,
                targets=[one.record(corpus.rulesets) for one in greeted],
            )
        )
        log = session.ask(greeted)
    write_reports(log, wanted)
    _remember(log)
    ctx.exit(exit_of(totals_of(log)))


def _chosen(
    corpus: Corpus,
    cases: Sequence[Case],
    names: Sequence[str],
    rulesets: Sequence[str],
    share: Shard | None,
) -> list[Check]:
    """The checks that the options leave, in the order of the corpus."""
    found = list(checks_of(corpus, cases, rulesets))
    return [check for check in named(found, names) if share is None or share.holds(check.id)]


def _remember(log: Log) -> None:
    try:
        remember(log, Path.cwd())
    except OSError as err:
        click.echo(f"warning: failures are not remembered: {err.strerror}", err=True)
