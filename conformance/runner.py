"""Running checks against a target, one verdict each."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.check import Check, Step
from conformance.corpus import Corpus
from conformance.errors import TargetStartError
from conformance.jsontypes import Record
from conformance.targets.base import Hello, Reply, Target, odd_claims
from conformance.verdict import EXECUTED, FAILURES, WORST_FIRST, Judgment, Verdict, judge

IN_A_ROW = 5
INTERRUPTED = "interrupted"
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
        """What the run ends with: interrupted, incomplete, failed, or passed."""
        if self.stopped == INTERRUPTED:
            return 130
        if self.stopped or len(self.results) < self.planned or not self.executed():
            return 6
        return 1 if self.failed() else 0


class _Pending:
    """A check whose answers are coming in."""

    def __init__(self, check: Check) -> None:
        self.check = check
        self.left = 0
        self.verdicts: list[Verdict] = []
        self.failures: list[Failure] = []
        self.alternative = ""
        self.reason_judged = True

    def add(self, step: Step, reply: Reply, judgment: Judgment) -> None:
        """Take in the judgment on one step."""
        self.left -= 1
        self.verdicts.append(judgment.verdict)
        self.reason_judged = self.reason_judged and judgment.reason_judged
        self.alternative = self.alternative or judgment.alternative
        if judgment.verdict is not Verdict.PASS:
            self.failures.append(
                Failure(
                    step=step,
                    verdict=judgment.verdict,
                    problems=judgment.problems,
                    answer=reply.answer,
                    stderr=reply.stderr,
                )
            )

    def result(self) -> Result:
        """The verdict on the whole check: the worst of its steps."""
        worst = next(verdict for verdict in WORST_FIRST if verdict in self.verdicts)
        return Result(
            check=self.check,
            verdict=worst,
            alternative=self.alternative if worst is Verdict.DISPUTED else "",
            failures=tuple(self.failures),
            reason_judged=self.reason_judged,
        )


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
) -> Run:
    """Ask a target every check, and judge what it answers; one that said `hello` has started."""
    results: list[Result] = []
    stopped = ""
    hello = hello or target.hello(greeting(corpus))
    row = 0
    made = Run(target=target.name, hello=hello, results=(), planned=len(checks), strict=strict)
    try:
        for result in _results(target, hello, corpus, checks):
            results.append(result)
            if tell is not None:
                tell(result)
            if result.verdict in EXECUTED:
                row = row + 1 if result.verdict in BREAKDOWNS else 0
            if row == IN_A_ROW:
                stopped = f"{IN_A_ROW} breakdowns in a row, the last: {_last_words(result)}"
            elif fail_fast and made.bad(result):
                stopped = "stopped at the first failure"
            if stopped and len(results) < len(checks):
                break
            stopped = ""
    except TargetStartError as err:
        stopped = f"could not be started again: {err}"
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    finally:
        target.close()
    return Run(
        target=target.name,
        hello=hello,
        results=tuple(results),
        planned=len(checks),
        stopped=stopped,
        strict=strict,
        warnings=odd_claims(hello, corpus.rulesets),
        planned_ops=Counter(check.case.op for check in checks),
    )


def _last_words(result: Result) -> str:
    return "; ".join(problem for fault in result.failures for problem in fault.problems)


def _results(
    target: Target, hello: Hello, corpus: Corpus, checks: Sequence[Check]
) -> Iterator[Result]:
    open_steps: dict[int, tuple[_Pending, Step]] = {}
    ready: list[Result] = []

    def requests() -> Iterator[Record]:
        number = 0
        for check in checks:
            pending = _Pending(check)
            if not hello.plays(check.ruleset, check.rules, corpus.rulesets):
                pending.verdicts.append(Verdict.NOT_APPLICABLE)
                ready.append(pending.result())
                continue
            asked = [step for step in check.steps if step.op in hello.ops]
            if len(asked) < len(check.steps):
                pending.verdicts.append(Verdict.UNSUPPORTED)
            if not asked:
                ready.append(pending.result())
                continue
            pending.left = len(asked)
            for step in asked:
                number += 1
                open_steps[number] = (pending, step)
                yield {"id": number, **step.request}

    for reply in target.ask(requests()):
        pending, step = open_steps.pop(reply.id)
        pending.add(step, reply, _judged(pending.check, step, reply))
        if pending.left == 0:
            ready.append(pending.result())
        yield from ready
        ready.clear()
    yield from ready


def _judged(check: Check, step: Step, reply: Reply) -> Judgment:
    if reply.answer is None:
        return Judgment(verdict=reply.fault or Verdict.PROTOCOL, problems=(reply.detail,))
    alternatives = {} if step.label else check.case.alternatives
    return judge(step, reply.answer, alternatives)
