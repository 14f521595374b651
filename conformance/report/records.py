"""The records of the event log, made while a run goes on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

from conformance.corpus import Corpus
from conformance.errors import SuiteFaultError
from conformance.jsontypes import Json, Record
from conformance.levels import level_of
from conformance.report.lines import line, sound
from conformance.report.log import FORMAT, Closing, Log, Reading, said_of
from conformance.report.totals import exit_of, totals_of
from conformance.rulebook import Rule
from conformance.runner import Failure, Result
from conformance.targets.base import Hello

RUNNER = "euchre-conformance"
LONGEST_ANSWER = 8192
SHOWN_ANSWER = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What a verdict counts for, once the baseline and the requirements are known."""

    word: str
    bad: bool
    differs: bool = False
    note: str = ""


class Recorder:
    """Takes each record in, and writes it at once where a file is wanted."""

    def __init__(self, out: TextIO | None) -> None:
        self._out = out
        self._reading = Reading()

    def write(self, record: Record) -> None:
        """One more record."""
        whole, text = sound(record)
        self._reading.take(whole)
        if self._out is not None:
            try:
                self._out.write(text + "\n")
                self._out.flush()
            except OSError as err:
                raise SuiteFaultError(f"cannot write {self._out.name!r}: {err.strerror}") from err

    def log(self) -> Log:
        """What was recorded so far."""
        return self._reading.log()


def run_record(
    corpus: Corpus,
    *,
    version: str,
    started: str,
    seed: int | None,
    options: Record,
    targets: Sequence[Mapping[str, Json]],
) -> dict[str, Json]:
    """The first record: what is asked of whom, and the rules it is about."""
    return {
        "record": "run",
        "format": FORMAT,
        "runner": RUNNER,
        "version": version,
        "corpus": corpus.sha256,
        "corpus_version": corpus.version,
        "cases": len(corpus.cases),
        "seed": seed,
        "started": started,
        "options": options,
        "targets": list(targets),
        "rulesets": dict(corpus.rulesets.maps),
        "book": {
            "chapters": dict(corpus.rulebook.chapters),
            "rules": {rule.id: _rule(corpus, rule) for rule in corpus.rulebook.rules.values()},
        },
    }


def _rule(corpus: Corpus, rule: Rule) -> dict[str, Json]:
    pages = corpus.rulebook.pages
    others = [corpus.rulebook.others[key] for key in rule.also]
    return {
        "chapter": rule.chapter,
        "text": rule.text,
        "level": rule.level,
        "sources": [
            *(f"{pages[it.page].title}, line {it.line}: “{it.quote}”" for it in rule.sources),
            *(f"see also {other.title} ({other.by})" for other in others),
        ],
    }


def target_record(
    target: str, hello: Hello, planned: Mapping[str, int], warnings: Sequence[str]
) -> dict[str, Json]:
    """A target that said hello."""
    return {
        "target": target,
        "name": hello.name,
        "version": hello.version,
        "language": hello.language,
        "ops": sorted(hello.ops),
        "rulesets": sorted(hello.rulesets),
        "knobs": {knob: list(values) for knob, values in hello.knobs.items()},
        "parallel": hello.parallel,
        "planned": dict(planned),
        "warnings": list(warnings),
    }


def result_record(
    target: str, result: Result, scored: Scored, seconds: float | None
) -> dict[str, Json]:
    """One result; requests and answers stand only where something was wrong."""
    case = result.check.case
    record: dict[str, Json] = {
        "record": "result",
        "target": target,
        "check": result.check.id,
        "case": case.id,
        "ruleset": result.check.ruleset,
        "chapter": case.chapter,
        "topic": case.topic,
        "title": case.title,
        "rules": list(case.rules),
        "importance": case.importance,
        "level": level_of(case.op),
        "op": case.op,
        "verdict": scored.word,
        "bad": scored.bad,
        "reason_judged": result.reason_judged,
    }
    if case.why:
        record["why"] = case.why
    if scored.word != result.word:
        record["judged"] = result.word
    if scored.differs:
        record["differs"] = True
    if scored.note:
        record["note"] = scored.note
    if seconds is not None:
        record["seconds"] = round(seconds, 6)
    if result.failures:
        changed = bool(case.changes)
        record["failures"] = [_failure(fault, changed=changed) for fault in result.failures]
    return record


def _failure(fault: Failure, *, changed: bool) -> dict[str, Json]:
    """One bad answer; the rules of a rule set as it is named stand in the first record only."""
    request = fault.step.request
    if not changed:
        request = {name: value for name, value in request.items() if name != "rules"}
    return {
        "label": fault.step.label,
        "verdict": fault.verdict.value,
        "problems": list(fault.problems),
        "request": request,
        "expected": fault.step.then,
        "got": _kept(fault.answer),
        "stderr": fault.stderr,
    }


def _kept(answer: Record | None) -> Record | None:
    """An answer as the log keeps it: one of many thousand bytes is cut."""
    text = line(answer or {})
    if len(text) <= LONGEST_ANSWER:
        return answer
    return {"cut": f"{len(text)} bytes, which begin {text[:SHOWN_ANSWER]}"}


def said(result: Result) -> str:
    """What was wrong with the first bad answer, in one line."""
    fault = next(iter(result.failures), None)
    if fault is None:
        return ""
    return said_of(fault.step.label, fault.problems)


def end_record(
    log: Log, stopped: Mapping[str, str], baseline: Mapping[str, Sequence[str]]
) -> dict[str, Json]:
    """The last record: the totals, and whether every target was asked to the end."""
    closing = Closing(
        complete=not any(stopped.values()) and not any(it.error for it in log.opening.targets),
        exit=0,
        stopped=stopped,
        baseline={target: tuple(problems) for target, problems in baseline.items()},
    )
    totals = totals_of(replace(log, closing=closing))
    return {
        "record": "end",
        "complete": closing.complete,
        "exit": exit_of(totals),
        "totals": [total.as_json() for total in totals],
    }
