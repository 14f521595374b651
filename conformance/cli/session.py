"""A run of several targets: each is greeted, then asked, and every result recorded at once."""

import fcntl
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from stat import S_ISREG
from time import perf_counter
from typing import TextIO

import click
from rich.progress import Progress

from conformance.check import Check
from conformance.cli.options import bar
from conformance.corpus import Corpus
from conformance.errors import TargetStartError, UsageError
from conformance.jsontypes import Json
from conformance.knobs import RuleSets
from conformance.report.lines import line
from conformance.report.log import Log
from conformance.report.outputs import EVENTS, Output
from conformance.report.records import Recorder, end_record, result_record, target_record
from conformance.report.terminal import tell
from conformance.report.totals import totals_of
from conformance.runner import INTERRUPTED, EnoughError, Result, greeting, run
from conformance.scoring import Scorer, Terms
from conformance.targets import open_instances
from conformance.targets.base import Hello, Target, warnings_of

NOT_REACHED = "not asked: the run was interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeted:
    """A target with the checks it shall be asked, and its hello, or why there is none."""

    spec: str
    checks: Sequence[Check]
    target: Target | None
    hello: Hello | None
    error: str = ""
    more: Sequence[Target] = ()

    def record(self, rulesets: RuleSets) -> dict[str, Json]:
        """What the first record of the log says of it."""
        planned = Counter(check.case.op for check in self.checks)
        if self.hello is None:
            return {"target": self.spec, "planned": dict(planned), "error": self.error}
        return target_record(self.spec, self.hello, planned, warnings_of(self.hello, rulesets))


def greeted_targets(
    stack: ExitStack,
    plan: Mapping[str, Sequence[Check]],
    corpus: Corpus,
    timeout: float,
    jobs: int,
) -> list[Greeted]:
    """Start every target; only where none starts is there nothing to do."""
    found: list[Greeted] = []
    failed: TargetStartError | None = None
    for spec, checks in plan.items():
        try:
            target, *more = open_instances(spec, corpus.rulesets, jobs=jobs, case_seconds=timeout)
            stack.callback(target.close)
            hello = target.hello(greeting(corpus))
        except TargetStartError as err:
            failed = err
            found.append(Greeted(spec=spec, checks=checks, target=None, hello=None, error=str(err)))
        else:
            found.append(Greeted(spec=spec, checks=checks, target=target, hello=hello, more=more))
    if failed is not None and all(one.hello is None for one in found):
        for one in found[:-1]:
            click.echo(f"euchre-conformance: {one.error}", err=True)
        raise failed
    return found


@contextmanager
def ended_in_order() -> Iterator[None]:
    """SIGTERM and SIGHUP end a run as Ctrl-C does: what was judged is written and reported."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in kept.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def opened_log(stack: ExitStack, wanted: Sequence[Output]) -> TextIO | None:
    """The file of the event log, written as the run goes on."""
    for output in wanted:
        if output.kind == EVENTS:
            try:
                return _begun(stack.enter_context(output.file.open("a", encoding="ascii")))
            except BlockingIOError as err:
                why = "another run is writing it (name another file)"
                raise UsageError(f"cannot write {str(output.path)!r}: {why}") from err
            except OSError as err:
                raise UsageError(f"cannot write {str(output.path)!r}: {err.strerror}") from err
    return None


def _begun(file: TextIO) -> TextIO:
    """The log held against other runs, and empty; a pipe or a device as it is."""
    if S_ISREG(os.fstat(file.fileno()).st_mode):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.truncate(0)
    return file


@dataclass(slots=True, kw_only=True)
class Session:
    """One run: its records, and what it is held to."""

    corpus: Corpus
    terms: Terms
    recorder: Recorder
    fail_fast: bool
    as_json: bool
    stopped: dict[str, str] = field(default_factory=dict)
    baseline: dict[str, list[str]] = field(default_factory=dict)

    def ask(self, greeted: Sequence[Greeted]) -> Log:
        """Ask every target, and print what became of it; the log of it all."""
        watches: dict[str, _Watch] = {}
        for one in greeted:
            if INTERRUPTED in self.stopped.values():
                self.stopped[one.spec] = NOT_REACHED
                continue
            watches[one.spec] = watch = _Watch()
            if one.target is not None and one.hello is not None:
                self._ask(one, one.target, one.hello, watch)
        self.recorder.write(end_record(self.recorder.log(), self.stopped, self.baseline))
        log = self.recorder.log()
        for total in totals_of(log):
            if self.as_json:
                click.echo(line(total.as_json()))
            elif total.asked.target in watches:
                tell(total, watches[total.asked.target].shown())
        return log

    def _ask(self, one: Greeted, target: Target, hello: Hello, watch: "_Watch") -> None:
        scorer = self.terms.scorer(one.spec, hello)
        self.stopped[one.spec] = ""
        with bar(quiet=self.as_json) as progress:
            see = self._seer(one, scorer, watch, progress)
            try:
                done = run(
                    target,
                    self.corpus,
                    one.checks,
                    strict=scorer.strict,
                    tell=see,
                    hello=hello,
                    more=one.more,
                )
                self.stopped[one.spec] = done.stopped
            except KeyboardInterrupt:
                self.stopped[one.spec] = INTERRUPTED
        self.baseline[one.spec] = scorer.baseline_problems(self.corpus)

    def _seer(
        self,
        one: Greeted,
        scorer: Scorer,
        watch: "_Watch",
        progress: Progress | None,
    ) -> Callable[[Result], None]:
        """What is done about each result as it comes."""
        planned = len(one.checks)
        one_at_a_time = one.hello is not None and not one.hello.parallel and not one.more
        task = progress.add_task(one.spec, total=planned) if progress else None
        seen: set[str] = set()

        def see(result: Result) -> None:
            spent = watch.see(result)
            scored = scorer.score(result)
            seconds = spent if one_at_a_time else None
            self.recorder.write(result_record(one.spec, result, scored, seconds))
            if progress is not None and task is not None and result.check.id not in seen:
                progress.advance(task)
            seen.add(result.check.id)
            if self.fail_fast and scored.bad and len(seen) < planned:
                raise EnoughError

        return see


class _Watch:
    """The time that the results took, that of trees apart."""

    def __init__(self) -> None:
        self.start = self.last = perf_counter()
        self.trees = 0.0

    def see(self, result: Result) -> float:
        """A result has come: the seconds since the one before it."""
        now = perf_counter()
        spent = now - self.last
        if result.check.case.op == "perft":
            self.trees += spent
        self.last = now
        return spent

    def shown(self) -> str:
        """The seconds in words."""
        spent = self.last - self.start
        return f"{spent:.1f} s, {spent - self.trees:.1f} s without the trees"
