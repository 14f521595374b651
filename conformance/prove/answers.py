"""The questions of the corpus asked of an engine directly, without a run around them."""

from collections.abc import Callable, Iterable, Iterator

from conformance.check import Check, Step
from conformance.jsontypes import Record
from conformance.verdict import Verdict, judge

Answer = Callable[[Record], Record]


def wrong_step(answer: Answer, check: Check, step: Step) -> bool:
    """Whether an engine answers a question wrongly, or not at all."""
    try:
        found: object = answer({"id": 1, **step.request})
    except Exception:  # noqa: BLE001 -- whatever a wrong engine raises is its crash
        return True
    if not isinstance(found, dict):
        return True
    return judge(step, found, check.case.alternatives).verdict is not Verdict.PASS


def wrong(answer: Answer, check: Check) -> bool:
    """Whether an engine fails a check: its own question, the projected ones apart."""
    return wrong_step(answer, check, check.steps[-1])


def failed(answer: Answer, checks: Iterable[Check]) -> Iterator[Check]:
    """The checks that an engine fails."""
    return (check for check in checks if wrong(answer, check))


def one_a_case(checks: Iterable[Check]) -> list[Check]:
    """Every case once, under the first rule set that it runs under; perft apart, which is slow."""
    first: dict[str, Check] = {}
    for check in checks:
        if check.case.op != "perft":
            first.setdefault(check.case.id, check)
    return list(first.values())
