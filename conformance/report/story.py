"""A failure told in lines: the trick drawn, what was wanted and got, the rules, the rerun."""

from collections.abc import Iterator

from conformance.drawing import answered, question, scene
from conformance.errors import PositionError
from conformance.jsontypes import Record
from conformance.report.log import Entry, Fault, Log
from conformance.report.rerun import rerun


def story(log: Log, entry: Entry) -> list[str]:
    """All there is to say of a failure."""
    lines: list[str] = []
    for fault in entry.faults[:1]:
        lines += [*scene(fault.request), *_answers(fault)]
    more = len(entry.faults) - 1
    if more > 0:
        lines.append(f"(and {more} more answers were wrong)")
    for name in entry.rules:
        lines += _rule(log, name)
    lines.append(f"rerun: {rerun(entry.target, entry.check, log.opening.options)}")
    return lines


def _answers(fault: Fault) -> Iterator[str]:
    label = f"{fault.label}: " if fault.label else ""
    yield f"asked: {label}{asked_of(fault.request)}"
    yield f"wanted: {answered(fault.expected)}"
    yield f"got: {answered(fault.got) if fault.got is not None else 'no answer'}"
    yield from (f"wrong: {problem}" for problem in fault.problems)


def _rule(log: Log, name: str) -> Iterator[str]:
    rule = log.opening.rules.get(name)
    if rule is None:
        yield f"rule {name}"
        return
    yield f"rule {name}: {rule.text}"
    yield from (f"  {source}" for source in rule.sources)


def asked_of(request: Record) -> str:
    """The question in words; of a request that a log mangled, its op."""
    try:
        return question(request)
    except (LookupError, PositionError):
        return str(request.get("op", "nothing"))
