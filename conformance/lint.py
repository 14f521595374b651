"""Proving the corpus consistent: every case is reachable, right by the oracle, and locked."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from conformance.check import Check, Step, checks_of
from conformance.corpus import HOME, Corpus, changed_meanings, digest, meaning_hash, spread
from conformance.jsontypes import text_of
from conformance.oracle import answer, position
from conformance.oracle.reasons import RULE_ORDER
from conformance.requirements import requirement_problems
from conformance.rulebook import QuoteReport, check_quotes, seeds_dir
from conformance.runner import run
from conformance.targets.base import InProcess, claims_everything
from conformance.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class LintReport:
    """What lint found."""

    problems: tuple[str, ...]
    cases: int
    checks: int
    quotes: QuoteReport
    untested: tuple[str, ...]


def lint(corpus: Corpus, *, locked: bool = True) -> LintReport:
    """Look at every case under every rule set it runs under."""
    checks = list(checks_of(corpus))
    problems = list(_shape(corpus))
    problems += _oracle_says(corpus, checks)
    for check in checks:
        problems += _refusals(check)
    if locked:
        problems += lock_problems(corpus)
        if corpus.lock is not None:
            problems += requirement_problems(corpus)
    quotes = check_quotes(corpus.rulebook, seeds_dir(HOME))
    problems += quotes.problems
    used = {rule for case in corpus.cases for rule in case.rules}
    return LintReport(
        problems=tuple(problems),
        cases=len(corpus.cases),
        checks=len(checks),
        quotes=quotes,
        untested=tuple(rule for rule in corpus.rulebook.rules if rule not in used),
    )


def _shape(corpus: Corpus) -> Iterator[str]:
    seen: dict[str, str] = {}
    for case in corpus.cases:
        if case.status in ("draft", "withdrawn"):
            continue
        if not spread(case, corpus.rulesets):
            yield f"{case.place()}: case {case.id}: no rule set satisfies its where"
        meaning = digest(case.meaning())
        if meaning in seen:
            yield f"{case.place()}: case {case.id} asks the same as {seen[meaning]}"
        seen[meaning] = case.id
        if " should " in f" {case.title} ":
            yield f"{case.place()}: case {case.id}: a title says what is, not what should be"


def _oracle_says(corpus: Corpus, checks: list[Check]) -> Iterator[str]:
    oracle = InProcess("oracle:", answer, claims_everything("oracle", corpus.rulesets))
    asked = [replace(check, steps=check.steps[-1:]) for check in checks]
    for result in run(oracle, corpus, asked, strict=True).results:
        if result.verdict is not Verdict.PASS:
            said = "; ".join(text for fault in result.failures for text in fault.problems)
            yield f"{result.check.case.place()}: {result.check.id}: the oracle disagrees: {said}"


def _refusals(check: Check) -> Iterator[str]:
    """Each refusal has one fault, and the same case without it is legal."""
    step = check.steps[-1]
    reason = step.then.get("refused")
    if step.op != "apply" or reason in (None, "none"):
        return
    where = f"{check.case.place()}: {check.id}"
    table = position(step.request)
    hand = table.hand
    if reason in ("GAME_OVER", "HAND_OVER"):
        return
    if not hand.legal():
        yield f"{where}: nothing is legal here, so the refusal proves nothing"
    if reason in RULE_ORDER:
        faults = hand.faults(hand.turn or "", text_of(step.request.get("action"), "action"))
        if len(faults) != 1:
            yield f"{where}: the action breaks more than one rule: {', '.join(faults)}"
    elif not _repaired(step):
        yield f"{where}: the seat on turn may not do this either, so it has two faults"


def _repaired(step: Step) -> bool:
    """Whether the action is in order for somebody at some time: form, turn and phase apart."""
    hand = position(step.request).hand
    word = text_of(step.request.get("action"), "action").split(" ")[0]
    if step.then["refused"] in ("NOT_YOUR_TURN", "SITTING_OUT"):
        return hand.turn is not None and word != ""
    return True


def lock_problems(corpus: Corpus) -> Iterator[str]:
    """Where `ids.lock` and the cases differ."""
    if corpus.lock is None:
        return
    present = {case.id: case for case in corpus.cases}
    for case in corpus.cases:
        if case.id not in corpus.lock:
            yield f"{case.place()}: case {case.id} is not in ids.lock (lint --lock adds it)"
    yield from changed_meanings(corpus.cases, corpus.lock)
    for old in corpus.lock:
        if old not in present:
            yield f"ids.lock: the case {old} is gone: mark a case withdrawn, do not delete it"


def lock_lines(corpus: Corpus) -> Iterator[str]:
    """The lines of `ids.lock`, with the ids that are new."""
    known = dict(corpus.lock or {})
    for case in corpus.cases:
        known.setdefault(case.id, meaning_hash(case))
    yield "# Every case id that was ever given, and the hash of what it tests. Never edit a line."
    for name in sorted(known):
        yield f"{name} {known[name]}"
