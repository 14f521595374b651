"""Running checks against a target, one verdict each."""

import shlex
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from conformance.check import Check, Step
from conformance.corpus import Corpus
from conformance.errors import SuiteError, SuiteFaultError, TargetStartError
from conformance.instances import our_fault, spread_over
from conformance.jsontypes import Record
from conformance.targets.base import Hello, Reply, Target, warnings_of
from conformance.verdict import EXECUTED, FAILURES, WORST_FIRST, Judgment, Verdict, judge

IN_A_ROW = 5
INTERRUPTED = "interrupted"
ENOUGH = "stopped at the first failure"
BREAKDOWNS = (Verdict.CRASH, Verdict.HANG, Verdict.PROTOCOL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One step that was not answered as wanted."""

    step: Step
    verdict: Verdict
    problems: tuple[str, ...]
    answer: Record | None
    stderr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The verdict on one check."""

    check: Check
    verdict: Verdict
    alternative: str
    failures: tuple[Failure, ...]
    reason_judged: bool

    @property
    def word(self) -> str:
        """The verdict as reports write it."""
        return f"disputed:{self.alternative}" if self.alternative else self.verdict.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All that came of asking one target."""

    target: str
    hello: Hello
    results: tuple[Result, ...]
    planned: int
    stopped: str = ""
    strict: bool = False
    warnings: tuple[str, ...] = ()
    fault: str = ""
    planned_ops: Mapping[str, int] = field(default_factory=dict)

    def failed(self) -> list[Result]:
        """The results that are not good enough."""
        return [result for result in self.results if self.bad(result)]

    def bad(self, result: Result) -> bool:
        """Whether a result makes the run fail."""
        if result.verdict in FAILURES:
            return True
        if result.verdict is Verdict.DISPUTED:
            return self.strict
        claimed = all(step.op in self.hello.ops for step in result.check.steps)
        return result.verdict is Verdict.UNSUPPORTED and claimed

    def executed(self) -> int:
        """How many checks were answered at all."""
        return sum(result.verdict in EXECUTED for result in self.results)

    def exit_code(self) -> int:
        """What the run ends with: our own error, interrupted, incomplete, failed, or passed."""
        if self.fault:
            return SuiteFaultError.exit_code
        if self.stopped == INTERRUPTED:
            return 130
        if self.stopped or len(self.results) < self.planned or not self.executed():
            return 6
        return 1 if self.failed() else 0


class _Pending:
    """A check whose answers are coming in."""

    def __init__(self, check: Check) -> None:
        self.check = check
        self.unsupported = False
        self.broken = False
        self._waited: set[int] = set()
        self._judged: dict[int, tuple[Step, Reply, Judgment]] = {}

    def wait(self, number: int) -> None:
        """A step is to be asked under a number."""
        self._waited.add(number)

    def add(self, step: Step, reply: Reply, judgment: Judgment) -> None:
        """Take in the judgment on one step; where there is one already, the last counts."""
        self._waited.discard(reply.id)
        self._judged[reply.id] = (step, reply, judgment)

    def complete(self) -> bool:
        """Whether nothing more is waited for."""
        return not self._waited

    def give_up(self) -> set[int]:
        """Wait for nothing more; what has been waited for."""
        left, self._waited = self._waited, set()
        self.broken = True
        return left

    def result(self) -> Result:
        """The verdict on the whole check: the worst of its steps."""
        judged = [self._judged[number] for number in sorted(self._judged)]
        verdicts = {judgment.verdict for _, _, judgment in judged}
        if self.unsupported:
            verdicts.add(Verdict.UNSUPPORTED)
        worst = next((one for one in WORST_FIRST if one in verdicts), Verdict.NOT_APPLICABLE)
        alternatives = [one.alternative for _, _, one in judged if one.alternative]
        return Result(
            check=self.check,
            verdict=worst,
            alternative=alternatives[0] if worst is Verdict.DISPUTED else "",
            failures=tuple(
                Failure(
                    step=step,
                    verdict=judgment.verdict,
                    problems=judgment.problems,
                    answer=reply.answer,
                    stderr=reply.stderr,
                )
                for step, reply, judgment in judged
                if judgment.verdict is not Verdict.PASS
            ),
            reason_judged=all(judgment.reason_judged for _, _, judgment in judged),
        )


class EnoughError(SuiteError):
    """No more shall be asked: why."""

    def __init__(self, why: str = ENOUGH) -> None:
        super().__init__(why)


def greeting(corpus: Corpus) -> Record:
    """The first message to a target."""
    return {
        "id": 0,
        "op": "hello",
        "protocol": 1,
        "runner": "euchre-conformance",
        "corpus": corpus.sha256,
    }


def run(
    target: Target,
    corpus: Corpus,
    checks: Sequence[Check],
    *,
    fail_fast: bool = False,
    strict: bool = False,
    tell: Callable[[Result], None] | None = None,
    hello: Hello | None = None,
    more: Sequence[Target] = (),
) -> Run:
    """Ask a target every check, and judge what it answers; one that said `hello` has started.

    `more` are instances of the same target, among which the checks are spread.
    `tell` is called with each result, once more where a verdict changes afterwards (a question
    answered twice), and may raise `EnoughError`.
    """
    instances = (target, *more)
    try:
        hello = hello or target.hello(greeting(corpus))
        for one in more:
            one.hello(greeting(corpus))
    except BaseException:
        _close(instances)
        raise
    made = Run(
        target=target.name,
        hello=hello,
        results=(),
        planned=len(checks),
        strict=strict,
        warnings=warnings_of(hello, corpus.rulesets),
        planned_ops=Counter(check.case.op for check in checks),
    )
    kept = _Kept(made, tell, fail_fast=fail_fast)
    stopped = fault = ""
    asking = _Asking(hello, corpus, checks)
    try:
        _take(spread_over(instances, asking.results), kept, len(checks))
    except TargetStartError as err:
        stopped = f"could not be started again: {err}"
    except EnoughError as err:
        stopped = str(err)
    except SuiteFaultError as err:
        stopped = fault = str(err)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    finally:
        asking.stop()
        _close(instances)
    return replace(made, results=tuple(kept.results), stopped=stopped, fault=fault)


def _take(results: Generator[Result, None, None], kept: "_Kept", planned: int) -> None:
    """Take in results until all are there or it is enough."""
    with closing(results):
        for result in results:
            kept.add(result)
            if kept.stopped and len(kept.results) < planned:
                raise EnoughError(kept.stopped)


def _close(instances: Iterable[Target]) -> None:
    for one in instances:
        one.close()


class _Kept:
    """The results so far, and whether they end the run."""

    def __init__(
        self, made: Run, tell: Callable[[Result], None] | None, *, fail_fast: bool
    ) -> None:
        self.results: list[Result] = []
        self.stopped = ""
        self._made = made
        self._tell = tell
        self._fail_fast = fail_fast
        self._place: dict[str, int] = {}
        self._executed: list[str] = []
        self._ordinal: dict[str, int] = {}

    def add(self, result: Result) -> None:
        """Take in a result, or the changed verdict of one that is known."""
        known = self._place.get(result.check.id)
        if known is None:
            self._place[result.check.id] = len(self.results)
            self.results.append(result)
            if result.verdict in EXECUTED:
                self._executed.append(result.check.id)
                self._ordinal[result.check.id] = len(self._executed)
        elif self.results[known] == result:
            return
        else:
            self.results[known] = result
        if self._tell is not None:
            with our_fault(f"reporting {result.check.id}"):
                self._tell(result)
        self.stopped = self._why(result)

    def _why(self, result: Result) -> str:
        last = self._executed_up_to(result)
        if len(last) == IN_A_ROW and all(one.verdict in BREAKDOWNS for one in last):
            return (
                f"{IN_A_ROW} breakdowns in a row, the last: {_last_words(result)} "
                f"(euchre-conformance smoke -t {shlex.quote(self._made.target)} looks closer)"
            )
        if self._fail_fast and self._made.bad(result):
            return ENOUGH
        return ""

    def _executed_up_to(self, result: Result) -> list[Result]:
        """The last few executed checks, up to one whose verdict is new or has changed."""
        end = self._ordinal.get(result.check.id, len(self._executed))
        names = self._executed[max(0, end - IN_A_ROW) : end]
        return [self.results[self._place[name]] for name in names]


def _last_words(result: Result) -> str:
    """What is said of the breakdown, and not of what else was wrong."""
    said = [fault.problems for fault in result.failures if fault.verdict in BREAKDOWNS]
    return "; ".join(dict.fromkeys(problem for problems in said for problem in problems))


class _Asking:
    """The checks that are still to be asked, taken by each instance of a target in turn."""

    def __init__(self, hello: Hello, corpus: Corpus, checks: Sequence[Check]) -> None:
        self._hello = hello
        self._rulesets = corpus.rulesets
        self._left = deque(checks)
        self._plays: dict[tuple[str, ...], bool] = {}

    def stop(self) -> None:
        """Ask nothing more."""
        self._left.clear()

    def _next(self) -> Check | None:
        try:
            return self._left.popleft()
        except IndexError:
            return None

    def results(self, target: Target) -> Iterator[Result]:
        """The results of the checks that one instance takes."""
        with our_fault(f"asking {target.name}"):
            yield from self._results(target)

    def _results(self, target: Target) -> Iterator[Result]:
        asked: dict[int, tuple[_Pending, Step]] = {}
        ready: list[Result] = []
        for reply in target.ask(self._requests(asked, ready)):
            pending, step = asked[reply.id]
            with our_fault(f"judging {pending.check.id}"):
                judgment = _judged(pending.check, step, reply)
            pending.add(step, reply, judgment)
            if judgment.verdict in BREAKDOWNS:
                target.forget(pending.give_up())
            if pending.complete():
                ready.append(pending.result())
            yield from ready
            ready.clear()
        yield from ready

    def _requests(
        self, asked: dict[int, tuple[_Pending, Step]], ready: list[Result]
    ) -> Iterator[Record]:
        """The questions of the checks; a check that broke the target down is asked no further."""
        while (check := self._next()) is not None:
            pending = _Pending(check)
            first = len(asked) + 1
            asked |= {at: (pending, step) for at, step in enumerate(self._steps(pending), first)}
            for number in range(first, len(asked) + 1):
                pending.wait(number)
            if pending.complete():
                ready.append(pending.result())
            for number in range(first, len(asked) + 1):
                if pending.broken:
                    break
                yield {"id": number, **asked[number][1].request}

    def _claimed(self, check: Check) -> bool:
        key = (check.ruleset, *check.rules.values())
        found = self._plays.get(key)
        if found is None:
            found = self._hello.plays(check.ruleset, check.rules, self._rulesets)
            self._plays[key] = found
        return found

    def _steps(self, pending: _Pending) -> list[Step]:
        check = pending.check
        if not self._claimed(check):
            return []
        steps = [step for step in check.steps if step.op in self._hello.ops]
        pending.unsupported = len(steps) < len(check.steps)
        return steps


def _judged(check: Check, step: Step, reply: Reply) -> Judgment:
    if reply.answer is None:
        return Judgment(verdict=reply.fault or Verdict.PROTOCOL, problems=(reply.detail,))
    alternatives = {} if step.label else check.case.alternatives
    return judge(step, reply.answer, alternatives)
