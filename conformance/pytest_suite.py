"""The tests that the pytest plugin adds: one a check, and one that holds a baseline exact."""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest

from conformance.baseline import Known, baseline_from
from conformance.check import Check, checks_of
from conformance.choosing import named, named_cases
from conformance.cli.options import bar, picked
from conformance.corpus import load
from conformance.drawing import drawn
from conformance.report.lines import line
from conformance.report.records import Scored
from conformance.report.words import FIXED, KNOWN_FAIL
from conformance.runner import Result, greeting, run
from conformance.scoring import Terms
from conformance.targets import open_target
from conformance.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is asked of whom."""

    target: str
    corpus: Path | None
    rules: tuple[str, ...]
    rulesets: tuple[str, ...]
    checks: tuple[str, ...]
    baselines: tuple[Path, ...]
    timeout: float

    def known(self) -> list[Known]:
        """The failures that the baselines state."""
        return [entry for path in self.baselines for entry in baseline_from(path)]

    def again(self, check: str) -> Iterator[str]:
        """The two commands that ask one check again."""
        corpus = [] if self.corpus is None else ["--corpus", str(self.corpus)]
        yield shlex.join(
            ["euchre-conformance", "run", "-t", self.target, "--check", check, *corpus]
        )
        ours = [word.replace("--corpus", "--euchre-corpus") for word in corpus]
        words = ["pytest", "--euchre-target", self.target, "--euchre-check", check]
        yield shlex.join([*words, *ours])


@dataclass(slots=True)
class Told:
    """What came of asking."""

    results: dict[str, tuple[Result, Scored]] = field(default_factory=dict)
    stopped: str = ""
    baseline: list[str] = field(default_factory=list)


class Suite:
    """A target that has said hello, and the checks that it claims to play."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        known = choice.known()
        self.corpus = load(choice.corpus)
        cases = picked(
            self.corpus, rules=choice.rules, rulesets=choice.rulesets, levels=(), words=None
        )
        checks = [
            check
            for check in checks_of(self.corpus, named_cases(cases, choice.checks))
            if not choice.rulesets or check.ruleset in choice.rulesets
        ]
        checks = named(checks, choice.checks)
        spec = choice.target
        self.target = open_target(spec, self.corpus.rulesets, case_seconds=choice.timeout)
        self.hello = self.target.hello(greeting(self.corpus))
        rulesets = self.corpus.rulesets
        self.checks = [
            check for check in checks if self.hello.plays(check.ruleset, check.rules, rulesets)
        ]
        terms = Terms(
            today=datetime.now(UTC).astimezone().date(),
            strict=False,
            required=None,
            baseline=known,
        )
        self.scorer = terms.scorer(spec, self.hello)
        self.exact = bool(known)
        self.told = Told()
        self.heading = (
            f"euchre: {spec} ({self.hello.name} {self.hello.version}) plays by the rules of "
            f"{len(self.checks)} of {len(checks)} checks"
        )

    def items(self, session: pytest.Session) -> Iterator[pytest.Item]:
        """The tests."""
        for check in self.checks:
            topic = f"euchre/{check.case.chapter}/{check.case.topic}"
            item: CheckItem = CheckItem.from_parent(
                session, name=check.id, nodeid=f"{topic}::{check.id}"
            )
            item.suite, item.check = self, check
            item.extra_keyword_matches.update([check.case.chapter, check.case.topic])
            yield item
        if self.exact:
            exact: BaselineItem = BaselineItem.from_parent(
                session, name="exact", nodeid="euchre/baseline::exact"
            )
            exact.suite = self
            yield exact

    def ask(self, items: Iterable[pytest.Item]) -> None:
        """Ask what is still wanted; the suite's own runner asks and judges."""
        checks = [item.check for item in items if isinstance(item, CheckItem)]
        with bar(quiet=False) as progress:
            task = progress.add_task(self.choice.target, total=len(checks)) if progress else None

            def tell(_: Result) -> None:
                if progress is not None and task is not None:
                    progress.advance(task)

            done = run(self.target, self.corpus, checks, tell=tell, hello=self.hello)
        self.told.stopped = done.stopped
        for result in done.results:
            self.told.results[result.check.id] = (result, self.scorer.score(result))
        self.told.baseline = self.scorer.baseline_problems(self.corpus)

    def story(self, check: Check, result: Result) -> Iterator[str]:
        """A failure, from what was wrong to the command that asks again."""
        yield f"{result.word} {check.id}: {check.case.title}"
        for fault in result.failures:
            label = f"{fault.step.label}: " if fault.step.label else ""
            yield from (f"  {label}{problem}" for problem in fault.problems)
            yield from (f"  it said: {text}" for text in fault.stderr.splitlines()[-3:])
        if not result.failures:
            yield f"  the target does not offer {check.case.op!r}"
        yield ""
        yield from drawn(check.case, self.corpus.rulesets)
        answer = result.failures[0].answer if result.failures else None
        if answer is not None:
            yield f"got: {line(answer)[:400]}"
        yield ""
        for rule in check.case.rules:
            if rule in self.corpus.rulebook.rules:
                yield f"rule {rule}: {self.corpus.rulebook.rules[rule].text}"
        yield from (f"again: {command}" for command in self.choice.again(check.id))


class CheckFailedError(Exception):
    """A check was not answered as wanted."""


class _SuiteItem(pytest.Item):
    """A test whose failure is told in the suite's words."""

    suite: Suite

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None
    ) -> str:
        """The failure alone, without the path that it took through pytest."""
        if isinstance(excinfo.value, (CheckFailedError, pytest.xfail.Exception)):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style="short" if style is None else "long"))


class CheckItem(_SuiteItem):
    """One check."""

    check: Check

    def runtest(self) -> None:
        """Tell what came of asking."""
        found = self.suite.told.results.get(self.check.id)
        if found is None:
            why = self.suite.told.stopped or "the run was not begun"
            raise CheckFailedError(f"{self.check.id} was not asked: {why}")
        result, scored = found
        if scored.word == KNOWN_FAIL:
            pytest.xfail(scored.note)
        if scored.word == FIXED:
            self._fail(f"passes now, though a baseline says that it fails: {scored.note}")
        if scored.bad:
            self._fail("\n".join(self.suite.story(self.check, result)))
        if result.verdict is Verdict.UNSUPPORTED:
            pytest.skip(f"the target does not offer {self.check.case.op!r}")
        if result.alternative:
            self.user_properties.append(("disputed", result.alternative))

    def _fail(self, text: str) -> NoReturn:
        raise CheckFailedError(text)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The headline of the test."""
        return self.path, None, f"{self.check.id} {self.check.case.title}"


class BaselineItem(_SuiteItem):
    """Whether the baseline states what fails, and nothing else."""

    def runtest(self) -> None:
        """Fail with every entry that is stale, different, unknown or expired."""
        if self.suite.told.baseline:
            raise CheckFailedError("\n".join(self.suite.told.baseline))

    def reportinfo(self) -> tuple[Path, None, str]:
        """The headline of the test."""
        return self.path, None, "the baseline is exact"
