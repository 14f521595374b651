"""The options that several verbs share: which corpus, and which of its cases."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from conformance.case import Case
from conformance.corpus import ID, Corpus
from conformance.errors import UsageError
from conformance.levels import LEVELS, level_of
from conformance.seconds import seconds_of
from conformance.tree import near

Verb = TypeVar("Verb", bound=Callable[..., object])

corpus_option = click.option(
    "--corpus",
    "folder",
    type=click.Path(path_type=Path),
    help="Another folder of cases instead of ours.",
)


class Seconds(click.ParamType[float]):
    """Seconds to wait: more than none, and not for ever."""

    name = "seconds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The seconds, or a usage error that says what they can be."""
        try:
            return seconds_of(str(value))
        except ValueError as err:
            self.fail(str(err), param, ctx)


def timeout_option(default: float) -> Callable[[Verb], Verb]:
    """How long an answer may take."""
    return click.option(
        "--timeout", type=Seconds(), default=default, show_default=True, help="Seconds an answer."
    )


def _topic(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    if ID.fullmatch(f"{value}-001"):
        return value
    raise click.BadParameter(
        f"not a topic: {value!r} (write small letters, digits and hyphens, as left-bower)"
    )


def topic_option(default: str) -> Callable[[Verb], Verb]:
    """The topic of drafts, which begins their ids."""
    return click.option(
        "--topic",
        default=default,
        show_default=True,
        callback=_topic,
        help="The topic of the drafts.",
    )


outputs_option = click.option(
    "-o",
    "outputs",
    multiple=True,
    metavar="KIND=PATH,...",
    help="Also write a report: jsonl=FILE, junit=FILE, md=FILE, badge=FILE, html=FOLDER, or "
    "github=FILE (lines that annotate a job of GitHub Actions).",
)


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date:
    if value is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(value)
    except ValueError as err:
        raise click.BadParameter(f"not a day: {value!r} (write it as 2027-01-31)") from err


today_option = click.option(
    "--today", metavar="DAY", callback=_day, help="The day that baselines are held against."
)


def bar(*, quiet: bool) -> Progress | nullcontext[None]:
    """A progress bar, where somebody looks at a terminal."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        return nullcontext()
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
    )


def picking(verb: Verb) -> Verb:
    """The options that pick cases."""
    for option in (
        click.option("-k", "words", metavar="WORDS", help="Only cases whose id or title has this."),
        click.option("--ruleset", "rulesets", multiple=True, help="Only under this rule set."),
        click.option(
            "--level",
            "levels",
            multiple=True,
            type=click.Choice(list(LEVELS)),
            help="Only cases of this level, from L0 (one position) to L4 (sealed deals).",
        ),
        click.option("--rule", "rules", multiple=True, help="Only cases of this rule id."),
    ):
        verb = option(verb)
    return verb


def picked(
    corpus: Corpus,
    *,
    rules: Sequence[str],
    rulesets: Sequence[str],
    levels: Sequence[str],
    words: str | None,
) -> list[Case]:
    """The cases that the options pick."""
    for rule in rules:
        if rule not in corpus.rulebook.rules:
            raise UsageError(f"unknown rule {rule!r}{near(rule, corpus.rulebook.rules)}")
    for name in rulesets:
        corpus.rulesets.named(name)
    found = list(corpus.cases)
    if rules:
        found = [case for case in found if set(rules) & set(case.rules)]
    if levels:
        found = [case for case in found if level_of(case.op) in levels]
    if words:
        wanted = re.compile(re.escape(words), re.IGNORECASE)
        found = [case for case in found if wanted.search(case.id) or wanted.search(case.title)]
    return found


@contextmanager
def counting(title: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar that is told how much of how much is done."""
    with bar(quiet=quiet) as progress:
        if progress is None:
            yield lambda _done, _all: None
            return
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
