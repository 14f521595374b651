"""`fuzz` and `shrink`: questions that a target answers otherwise than our two engines."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from time import monotonic

import click

from conformance.check import first_request, with_view
from conformance.cli.options import Seconds, counting, timeout_option, topic_option
from conformance.cli.session import ended_in_order
from conformance.corpus import Corpus, cases_in, load
from conformance.errors import CorpusError, UsageError
from conformance.generate import KINDS
from conformance.generate.draft import draft, file_head
from conformance.generate.search import Answer, Difference, difference, search, shrinking
from conformance.jsontypes import Json, Record
from conformance.readable import text_of_file
from conformance.runner import greeting
from conformance.targets import Target, open_target
from conformance.targets.base import OPS, Hello
from conformance.tree import parse

INTERRUPTED = 130
LAST = 999
"""The highest number that an id of a case may have."""


@click.command("fuzz")
@click.option("--against", "spec", help="The target that is asked.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only deals of a kind."
)
@click.option("--ruleset", "names", multiple=True, help="Only this rule set, and near it.")
@click.option("--everything", is_flag=True, help="Ask also what the target does not claim.")
@click.option(
    "--deals", type=click.IntRange(min=1), default=1000, show_default=True, help="Deals to try."
)
@click.option("--seconds", type=Seconds(), help="Stop after so many seconds.")
@timeout_option(2.0)
@click.option("--seed", default=1, show_default=True, help="What the deals are drawn by.")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Stop after so many differences.",
)
@topic_option("draft")
@click.option(
    "-o", "out", type=click.Path(path_type=Path, dir_okay=False), help="Append the drafts here."
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a difference.")
@click.option("--list", "listing", is_flag=True, help="List the kinds and stop.")
@click.pass_context
def fuzz(
    ctx: click.Context,
    *,
    spec: str | None,
    kinds: Sequence[str],
    names: Sequence[str],
    everything: bool,
    deals: int,
    seconds: float | None,
    timeout: float,
    seed: int,
    count: int,
    topic: str,
    out: Path | None,
    as_json: bool,
    listing: bool,
) -> None:
    """Search deals until a target answers otherwise than oracle and referee; print a draft case.

    A target is what `run` takes, a mutant too. Only what it claims is asked. What is found is made
    simpler first: fewer actions, rules nearer to a named rule set, cards nearer to their order. A
    breakdown is a difference too. The same seed finds the same.

    When the seconds are over, or at Ctrl-C, what was found is printed as simple as it is by then.

    Exit: 0 no difference, 1 a difference, 2 usage, 4 the target did not start, 130 interrupted.
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
    asker = _Asker(spec, corpus, timeout)
    ctx.call_on_close(asker.target.close)
    ctx.with_resource(ended_in_order())
    hello = asker.target.hello(greeting(corpus))
    wanted = _wanted(hello, corpus, names, everything=everything)
    until = monotonic() + seconds if seconds is not None else None
    drafts = _Drafts(spec, corpus, out, topic, deals, as_json=as_json)

    def time_left() -> bool:
        return until is None or monotonic() < until

    try:
        with counting(spec, quiet=as_json) as tell:
            for one in search(
                Random(seed),  # noqa: S311 -- a search repeats itself
                corpus.rulesets,
                asker.suspect,
                asker.referee,
                deals=deals,
                kinds=kinds,
                names=wanted,
                ops=OPS if everything or not hello.ops else hello.ops,
                plays=_plays(hello, corpus, everything=everything),
                tell=tell,
                time_left=time_left,
            ):
                drafts.take(asker.shrinking(one, time_left))
                if drafts.count == count or drafts.full():
                    break
    except KeyboardInterrupt:
        plural = "" if drafts.count == 1 else "s"
        click.echo(f"interrupted after {drafts.count} difference{plural}", err=True)
        ctx.exit(INTERRUPTED)
    if not drafts.count and not as_json:
        click.echo(f"no difference in {deals} deals" if until is None else "no difference in time")
    ctx.exit(1 if drafts.count else 0)


@click.command("shrink")
@click.argument("file", metavar="FILE|-")
@click.option("--against", "-t", "spec", required=True, help="The target that is asked.")
@click.option("-k", "words", metavar="WORDS", help="Only cases whose id has this.")
@timeout_option(2.0)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a case.")
@click.pass_context
def shrink(
    ctx: click.Context, *, file: str, spec: str, words: str | None, timeout: float, as_json: bool
) -> None:
    """Make the cases of a file simpler as long as a target answers them wrongly; print drafts.

    FILE is a case file, or drafts as `fuzz` prints them; - reads standard input.

    Exit: 0 no case is answered wrongly, 1 one is, 2 usage, 4 the target did not start.
    """
    corpus = load()
    requests = list(_requests(file, corpus, words or ""))
    asker = _Asker(spec, corpus, timeout)
    asker.target.hello(greeting(corpus))
    ctx.call_on_close(asker.target.close)
    found = 0
    for name, request in requests:
        one = difference(request, asker.suspect, asker.referee)
        if one is None:
            click.echo(f"{name}: {spec} answers as both engines do: nothing to shrink", err=True)
            continue
        *_, simple = asker.shrinking(one)
        found += 1
        text = draft(simple, corpus.rulesets, found)
        _say(simple, text, name, spec, as_json)
    ctx.exit(1 if found else 0)


class _Asker:
    """A target and the referee, each asked one question after another."""

    def __init__(self, spec: str, corpus: Corpus, timeout: float) -> None:
        self.target = open_target(spec, corpus.rulesets, case_seconds=timeout)
        self._rulesets = corpus.rulesets
        ask = _asking(self.target)
        self.suspect: Answer = lambda request: ask(with_view(request))
        self.referee = _asking(open_target("referee:", corpus.rulesets))

    def shrinking(
        self, found: Difference, time_left: Callable[[], bool] = lambda: True
    ) -> Iterator[Difference]:
        """The difference, simpler and simpler."""
        return shrinking(found, self._rulesets, self.suspect, self.referee, time_left=time_left)


class _Drafts:
    """What was found: printed, and appended to a file if there is one."""

    def __init__(
        self, spec: str, corpus: Corpus, out: Path | None, topic: str, deals: int, *, as_json: bool
    ) -> None:
        self.count = 0
        self._spec, self._rulesets = spec, corpus.rulesets
        self._out, self._topic, self._deals, self._as_json = out, topic, deals, as_json
        self._number = _last_number(out, topic) if out is not None else 0
        if self._number >= LAST:
            raise UsageError(f"{str(out)!r} has {topic}-{LAST} already (--topic names another)")

    def full(self) -> bool:
        """Whether the last number of the topic is given; said once."""
        last = self._number + self.count == LAST
        if last:
            click.echo(
                f"{self._topic}-{LAST} is the last of its topic (--topic names another)", err=True
            )
        return last

    def take(self, simpler: Iterator[Difference]) -> None:
        """Write the last of ever simpler questions; the one before that was come to at Ctrl-C."""
        best = None
        try:
            for one in simpler:
                best = one
        finally:
            if best is not None:
                self._write(best)

    def _write(self, found: Difference) -> None:
        self.count += 1
        number = self._number + self.count
        text = draft(found, self._rulesets, number, topic=self._topic)
        where = f"deal {found.deals} of {self._deals}, kind {found.kind}"
        _say(found, text, where, self._spec, self._as_json)
        if self._out is not None:
            _append(self._out, text, self._topic)


def _asking(target: Target) -> Answer:
    """Ask a target one question after another; nothing where it breaks down."""
    number = 0

    def answer(request: Record) -> Record | None:
        nonlocal number
        number += 1
        return next(iter(target.ask([{"id": number, **request}]))).answer

    return answer


def _wanted(
    hello: Hello, corpus: Corpus, names: Sequence[str], *, everything: bool
) -> Sequence[str]:
    """The rule sets to ask about: those of the command line, or those that are claimed."""
    if names or everything:
        return names
    rulesets = corpus.rulesets
    claimed = [name for name, rules in rulesets.maps.items() if hello.plays(name, rules, rulesets)]
    if not claimed:
        raise UsageError("the target claims no rule set (ask with --everything)")
    return claimed


def _plays(hello: Hello, corpus: Corpus, *, everything: bool) -> Callable[[str, "Record"], bool]:
    def plays(name: str, rules: Record) -> bool:
        known = {knob: str(value) for knob, value in rules.items()}
        return everything or hello.plays(name, known, corpus.rulesets)

    return plays


def _say(found: Difference, text: str, where: str, spec: str, as_json: bool) -> None:  # noqa: FBT001
    if as_json:
        report: dict[str, Json] = {
            "found": where,
            "request": found.request,
            "right": found.right,
            "got": found.other,
            "fields": found.fields(),
            "draft": text,
        }
        click.echo(json.dumps(report))
        return
    said = "broke down" if found.other is None else f"said {json.dumps(found.other)}"
    click.echo(f"  # {where}; {spec} {said}")
    click.echo(text, nl=False)


def _last_number(path: Path, topic: str) -> int:
    """The highest number of a draft of the topic that is in the file already."""
    try:
        text = text_of_file(path) if path.exists() else ""
    except OSError as err:
        raise UsageError(f"cannot read {str(path)!r}: {err.strerror}") from err
    found = re.findall(rf"^  - id: {re.escape(topic)}-(\d+)$", text, re.MULTILINE)
    return max(map(int, found), default=0)


def _append(path: Path, text: str, topic: str) -> None:
    try:
        new = not path.exists() or path.stat().st_size == 0
        with path.open("a", encoding="utf-8") as out:
            out.write((file_head(topic) if new else "") + text)
    except OSError as err:
        raise UsageError(f"cannot write {str(path)!r}: {err.strerror}") from err


def _requests(file: str, corpus: Corpus, words: str) -> Iterator[tuple[str, Record]]:
    """The requests of the cases of a file, each under its first rule set."""
    try:
        text = sys.stdin.read() if file == "-" else text_of_file(Path(file))
    except UnicodeDecodeError as err:
        raise UsageError(f"{file}: byte {err.start} is not UTF-8") from err
    if not text.lstrip().startswith("format:"):
        text = file_head("draft") + text
    try:
        cases = list(cases_in(parse(text, file), "", corpus.rulesets, own=False))
    except CorpusError as err:
        raise UsageError(str(err)) from err
    picked = [case for case in cases if words in case.id]
    if not picked:
        raise UsageError(f"no case of {file!r} has {words!r} in its id")
    for case in picked:
        request = first_request(case, corpus.rulesets)
        yield case.id, {key: value for key, value in request.items() if key != "view"}
