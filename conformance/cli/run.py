"""`run`: ask targets the corpus and say what they got wrong."""

import os
import random
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from conformance.check import checks_of
from conformance.cli.options import corpus_option, picked, picking
from conformance.corpus import Corpus, load
from conformance.errors import UsageError
from conformance.levels import level_lines
from conformance.report import counted, event_log, failure_lines, line, rows, worst
from conformance.runner import INTERRUPTED, Result, Run, run
from conformance.targets import open_target


@click.command("run")
@click.option("-t", "--target", "targets", multiple=True, required=True, help="What to ask.")
@corpus_option
@picking
@click.option("-o", "outputs", multiple=True, metavar="jsonl=FILE", help="Also write a report.")
@click.option("--json", "as_json", is_flag=True, help="Print the totals as JSON lines.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option("--strict-rulings", is_flag=True, help="Count a disputed alternative as a failure.")
@click.option("--seed", type=int, help="Ask in an order shuffled by this number.")
@click.option("--timeout", type=float, default=2.0, show_default=True, help="Seconds an answer.")
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
    outputs: Sequence[str],
    as_json: bool,
    fail_fast: bool,
    strict_rulings: bool,
    seed: int | None,
    timeout: float,
) -> None:
    """Ask each TARGET every case, and exit 0 only if all answers are right.

    A target is cmd:COMMAND (a program that speaks JSON lines), py:MODULE:OBJECT, referee: (ours),
    null: or wrong: (which must fail).

    Exit: 0 all pass, 1 a failure, 2 usage, 4 a target did not start, 5 a broken corpus,
    6 incomplete, 130 interrupted.
    """
    files = [_output(text) for text in outputs]
    corpus = load(folder)
    for warning in corpus.warnings:
        click.echo(f"warning: {warning}", err=True)
    cases = picked(corpus, rules=rules, rulesets=rulesets, levels=levels, words=words)
    checks = [
        check for check in checks_of(corpus, cases) if not rulesets or check.ruleset in rulesets
    ]
    if seed is not None:
        random.Random(seed).shuffle(checks)  # noqa: S311 -- an order, not a secret
    runs: list[Run] = []
    for spec in targets:
        target = open_target(spec, corpus.rulesets, case_seconds=timeout)
        strict = strict_rulings or spec == "referee:"
        watch = _Watch()
        with _progress(as_json=as_json) as progress:
            tell = _teller(progress, spec, len(checks), watch)
            done = run(target, corpus, checks, fail_fast=fail_fast, strict=strict, tell=tell)
        runs.append(done)
        if as_json:
            click.echo(line(counted(done)))
        else:
            _print(done, watch)
        if done.stopped == INTERRUPTED:
            break
    for path in files:
        _write(path, corpus, runs, seed)
    ctx.exit(worst(done.exit_code() for done in runs))


class _Watch:
    """The time that the results took, that of trees apart."""

    def __init__(self) -> None:
        self.start = self.last = perf_counter()
        self.trees = 0.0

    def see(self, result: Result) -> None:
        """A result has come."""
        now = perf_counter()
        if result.check.case.op == "perft":
            self.trees += now - self.last
        self.last = now

    def shown(self) -> str:
        """The seconds in words."""
        spent = self.last - self.start
        return f"{spent:.1f} s, {spent - self.trees:.1f} s without the trees"


def _teller(
    progress: Progress | None, spec: str, total: int, watch: _Watch
) -> Callable[[Result], None]:
    """What is done about each result as it comes: a look at the watch, a step of the bar."""
    task = progress.add_task(spec, total=total) if progress else None

    def tell(result: Result) -> None:
        watch.see(result)
        if progress is not None and task is not None:
            progress.advance(task)

    return tell


def _output(text: str) -> Path:
    kind, equals, name = text.partition("=")
    if kind != "jsonl" or not equals or not name:
        raise UsageError(f"cannot write the report {text!r} (write -o jsonl=FILE)")
    path = Path(name)
    why = None
    if path.is_dir():
        why = "it is a folder"
    elif not path.parent.is_dir():
        why = f"there is no folder {str(path.parent)!r}"
    elif not os.access(path if path.exists() else path.parent, os.W_OK):
        why = "permission denied"
    if why is not None:
        raise UsageError(f"cannot write {name!r}: {why} (name another file)")
    return path


def _write(path: Path, corpus: Corpus, runs: Sequence[Run], seed: int | None) -> None:
    try:
        with path.open("w", encoding="ascii") as out:
            out.writelines(text + "\n" for text in event_log(corpus, runs, seed))
    except OSError as err:
        raise UsageError(f"cannot write {str(path)!r}: {err.strerror}") from err


def _progress(*, as_json: bool) -> Progress | nullcontext[None]:
    console = Console(stderr=True)
    if as_json or not console.is_terminal:
        return nullcontext()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
    )


def _print(done: Run, watch: _Watch) -> None:
    for text in failure_lines(done):
        click.echo(text)
    heading, body = rows(done)
    table = Table(title=f"{done.target} ({done.hello.name} {done.hello.version})".strip())
    for index, name in enumerate(heading):
        table.add_column(name, justify="left" if index == 0 else "right", no_wrap=True)
    for row in body:
        table.add_row(*row, end_section=row is body[-2] if len(body) > 1 else False)
    Console(soft_wrap=True).print(table)
    totals = counted(done)
    click.echo(
        f"{totals['cases']} cases, {totals['checks']} checks, {totals['executed']} executed, "
        f"{len(done.failed())} failed, {watch.shown()}"
    )
    for text in level_lines(done):
        click.echo(text)
    for text in done.warnings:
        click.echo(f"warning: {text}", err=True)
    if totals["reasons_not_judged"]:
        click.echo(f"refusals judged without their reason: {totals['reasons_not_judged']}")
    if done.stopped:
        click.echo(f"incomplete: {done.stopped}")
    elif not done.executed():
        click.echo("incomplete: no check was executed")
