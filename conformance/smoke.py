"""The first steps with a target, one finding after another, in plain words.

It starts the program, says hello, asks one question and then another, and looks at the bytes: most
first adapters fail there, not at Euchre.  Then come a few cases from easy to hard, and the first
wrong answer is explained.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Final

from conformance.check import Check, checks_of
from conformance.corpus import Corpus
from conformance.drawing import drawn
from conformance.errors import TargetStartError
from conformance.jsontypes import Json, Record
from conformance.levels import level_of
from conformance.runner import Result, greeting, run
from conformance.startable import shebang_trouble, trouble
from conformance.targets import open_target
from conformance.targets.base import (
    OPS,
    BrokenError,
    Hello,
    hello_from,
    odd_claims,
    parsed,
    unsaid_claim,
)
from conformance.targets.conversation import Conversation
from conformance.verdict import Verdict
from conformance.words import unreadable

HELLO_TIMES: Final = 5
LATE_SECONDS: Final = 2.0
IDS: Final = (17, 4711)
CASES: Final = 16
FLUSH: Final = (
    "flush after every line: print(…, flush=True), fflush(stdout), and do not wait for the end of "
    "the input before you answer"
)
LOOP: Final = "read lines in a loop until the input ends, and answer each"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one step has found, and what to do about it."""

    ok: bool
    said: str
    advice: str = ""
    shown: tuple[str, ...] = ()


class _WrongError(Exception):
    """A step that failed."""

    def __init__(self, said: str, advice: str) -> None:
        super().__init__(said)
        self.finding = Finding(ok=False, said=said, advice=advice)


def walk(spec: str, corpus: Corpus, *, seconds: float) -> Iterator[Finding]:
    """Every finding up to the first that is wrong."""
    if spec.startswith("cmd:"):
        try:
            yield from _bytes(spec, corpus, seconds)
        except _WrongError as err:
            yield err.finding
            return
    try:
        yield from _cases(spec, corpus, seconds)
    except TargetStartError as err:
        yield Finding(ok=False, said=str(err), advice="see targets/README.md, hello")


def _bytes(spec: str, corpus: Corpus, seconds: float) -> Iterator[Finding]:
    """The program on the wire: its start, its hello, two questions."""
    found = trouble(spec)
    if isinstance(found, tuple):
        raise _WrongError(*found)
    talk = Conversation(found)
    try:
        line = _line(talk, greeting(corpus), seconds * HELLO_TIMES, found[0])
        yield Finding(ok=True, said="it starts, and answers hello")
        answer = _read(line, talk)
        _same_id(answer, 0)
        hello = _hello(answer, spec)
        yield from _told(hello, line, corpus)
        yield from _questions(talk, hello, corpus, seconds)
    finally:
        talk.close()


def _line(talk: Conversation, request: Record, seconds: float, program: str) -> bytes:
    """The line that comes back for a request; silence is diagnosed."""
    talk.send(json.dumps(request, separators=(",", ":")).encode("ascii") + b"\n")
    try:
        return talk.line(monotonic() + seconds)
    except BrokenError as err:
        what = request["op"]
        if err.fault is Verdict.HANG:
            raise _late(talk, f"{what} was not answered within {seconds:g} seconds") from err
        number = talk.unstarted()
        if number is not None:
            raise _WrongError(*shebang_trouble(program, number)) from err
        stderr = talk.said().splitlines()
        tail = f"; it said: {stderr[-1]}" if stderr else ""
        advice = LOOP if what != "hello" else "run it by hand and type a line: it must not end"
        raise _WrongError(f"it {err.detail} instead of answering {what}{tail}", advice) from err


def _late(talk: Conversation, said: str) -> _WrongError:
    """Why nothing came: once the input is closed, much that was held back comes."""
    before = talk.rest()
    if talk.reads_nothing():
        said = f"{said}: it has read nothing from its standard input"
    lines = talk.finish(LATE_SECONDS)
    if before.strip():
        return _WrongError(
            f"{said}: a line was begun and not ended: {unreadable_start(before)}",
            "end every answer with a line feed, and flush",
        )
    if lines or talk.rest().strip():
        return _WrongError(f"{said}: the answer came only when the input was closed", FLUSH)
    return _WrongError(said, "read a line, write one line of JSON, and flush; no prompt, no menu")


def unreadable_start(data: bytes) -> str:
    """The beginning of what stood on a line."""
    return ascii(data[:60].decode("utf-8", "replace"))


def _read(line: bytes, talk: Conversation) -> Record:
    try:
        return parsed(line)
    except BrokenError as err:
        more = talk.gathered(0.3)
        raise _WrongError(*unreadable(line, more, err.detail)) from err


def _same_id(answer: Record, wanted: int) -> None:
    number = answer.get("id")
    if number != wanted or type(number) is not int:
        got = "no id" if number is None else f"the id {number!r}"
        raise _WrongError(
            f"the request had the id {wanted}, the answer has {got}",
            "copy the id of the request into the answer, as a number; do not count",
        )


def _hello(answer: Record, spec: str) -> Hello:
    try:
        return hello_from(answer, spec)
    except TargetStartError as err:
        said = str(err).removeprefix(f"{spec}: ")
        raise _WrongError(said, "see “hello” in conformance/targets/README.md") from err


def _told(hello: Hello, line: bytes, corpus: Corpus) -> Iterator[Finding]:
    """What hello says, and what is odd about it."""
    ops = ", ".join(sorted(hello.ops))
    claims = ", ".join(sorted(hello.rulesets)) or "standard, as it names no rule set"
    yield Finding(ok=True, said=f"hello is complete: it answers {ops}; it claims {claims}")
    if line.endswith(b"\r"):
        yield Finding(
            ok=True, said="lines end in CRLF", advice="that is read, but a line feed is enough"
        )
    for text in odd_claims(hello, corpus.rulesets):
        yield Finding(ok=True, said=text, advice="it is not asked: correct hello")
    unsaid = unsaid_claim(hello, corpus.rulesets)
    if unsaid is not None:
        yield Finding(ok=True, said=unsaid[0], advice=unsaid[1])


def _questions(
    talk: Conversation, hello: Hello, corpus: Corpus, seconds: float
) -> Iterator[Finding]:
    """Two questions, each with an id that nobody would guess."""
    checks = easy_to_hard(hello, corpus)
    if not checks:
        raise _WrongError(
            "there is nothing to ask: no case has an op and rules that hello claims",
            'claim an op and a rule set, as "ops": ["legal"] and "rulesets": ["standard"]',
        )
    for number, ordinal in zip(IDS, ("a first", "a second"), strict=True):
        request = {"id": number, **checks[0].steps[-1].request}
        answer = _read(_line(talk, request, seconds, ""), talk)
        _same_id(answer, number)
        yield Finding(ok=True, said=f"it answers {ordinal} question, with its id")
    extra = talk.gathered(0.2)
    if extra:
        raise _WrongError(
            f"it says more than it was asked: {unreadable_start(extra[0])}",
            "one line for one request; what you print for yourself goes to standard error",
        )


def easy_to_hard(hello: Hello, corpus: Corpus) -> list[Check]:
    """A few checks that hello claims: of each op and chapter the shortest, easy ones first."""
    first: dict[tuple[str, str], Check] = {}
    claimed = [
        check
        for check in checks_of(corpus)
        if check.case.status == "stable"
        and all(step.op in hello.ops for step in check.steps)
        and hello.plays(check.ruleset, check.rules, corpus.rulesets)
    ]
    for check in sorted(claimed, key=_hardness):
        first.setdefault((check.case.op, check.case.chapter), check)
    return sorted(first.values(), key=_hardness)[:CASES]


def _hardness(check: Check) -> tuple[str, int, int, str]:
    op = check.case.op
    return level_of(op), OPS.index(op), len(json.dumps(check.case.given)), check.id


def _cases(spec: str, corpus: Corpus, seconds: float) -> Iterator[Finding]:
    """A few cases, up to the first wrong answer."""
    target = open_target(spec, corpus.rulesets, case_seconds=seconds)
    hello = target.hello(greeting(corpus))
    checks = easy_to_hard(hello, corpus)
    done = run(target, corpus, checks, hello=hello, fail_fast=True)
    bad = done.failed()
    for result in done.results:
        if result not in bad:
            yield Finding(ok=True, said=f"{result.check.case.id}: {result.check.case.title}")
    for result in bad[:1]:
        yield _explained(result, corpus)


def _explained(result: Result, corpus: Corpus) -> Finding:
    """A wrong answer, with the table drawn and the rule that it breaks."""
    case = result.check.case
    problems = [text for fault in result.failures for text in fault.problems]
    rules = [corpus.rulebook.rules[rule] for rule in case.rules if rule in corpus.rulebook.rules]
    shown = [
        *drawn(case, corpus.rulesets),
        *(f"wrong: {text}" for text in problems),
        *(f"why: {text}" for text in (case.why,) if text),
        *(f"rule {rule.id}: {rule.text}" for rule in rules),
    ]
    return Finding(
        ok=False,
        said=f"{case.id} under {result.check.ruleset}: {case.title}",
        advice=f"euchre-conformance show {case.id} says more",
        shown=tuple(shown),
    )


def as_json(finding: Finding) -> dict[str, Json]:
    """A finding as a program reads it."""
    return {
        "ok": finding.ok,
        "said": finding.said,
        "advice": finding.advice,
        "shown": list(finding.shown),
    }
