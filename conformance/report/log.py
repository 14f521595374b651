"""The event log read back: who was asked, every result, and how the run ended.

A log of a run that was killed has no last record, and perhaps half a line; it is read as far as it
goes and called incomplete.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.errors import PositionError, UsageError
from conformance.jsontypes import Record, int_of, list_of, map_of, text_of, texts_of
from conformance.readable import bytes_of

FORMAT = "euchre-conformance-log/1"
CUT = "the log ends before the run did"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One request that was not answered as wanted."""

    label: str
    verdict: str
    problems: tuple[str, ...]
    request: Record
    expected: Record
    got: Record | None
    stderr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One check of one target, and its verdict."""

    target: str
    check: str
    case: str
    ruleset: str
    chapter: str
    topic: str
    title: str
    why: str
    rules: tuple[str, ...]
    importance: str
    level: str
    op: str
    verdict: str
    judged: str
    bad: bool
    differs: bool
    note: str
    reason_judged: bool
    seconds: float | None
    faults: tuple[Fault, ...]

    @property
    def said(self) -> str:
        """What was wrong with the first bad answer, in one line."""
        fault = next(iter(self.faults), None)
        if fault is None:
            return f"the target does not offer {self.op!r}" if self.bad else ""
        return said_of(fault.label, fault.problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A target and what it said of itself; `error` where it did not start."""

    target: str
    name: str
    version: str
    language: str
    ops: tuple[str, ...]
    rulesets: tuple[str, ...]
    planned_ops: Mapping[str, int]
    warnings: tuple[str, ...]
    error: str

    @property
    def shown(self) -> str:
        """The target with its name and version, where they say more than the target does."""
        words = [it for it in (self.name, self.version) if it]
        return self.target if self.name in self.target else f"{self.target} ({' '.join(words)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A rule as the rule book stated it when the run was made."""

    chapter: str
    text: str
    level: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The first record."""

    version: str
    corpus: str
    corpus_version: str
    seed: int | None
    started: str
    options: Record
    targets: tuple[Asked, ...]
    chapters: Mapping[str, str]
    rules: Mapping[str, Stated]
    rulesets: Mapping[str, Record]


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The last record: why each target stopped, and what is wrong with the baseline."""

    complete: bool
    exit: int
    stopped: Mapping[str, str]
    baseline: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A whole run."""

    opening: Opening
    entries: tuple[Entry, ...]
    closing: Closing | None

    def of(self, target: str) -> list[Entry]:
        """The results of one target."""
        return [entry for entry in self.entries if entry.target == target]

    def stopped(self, asked: Asked) -> str:
        """Why a target was not asked to the end, or nothing."""
        if asked.error:
            return f"did not start: {asked.error}"
        return CUT if self.closing is None else self.closing.stopped.get(asked.target, "")

    def baseline(self, target: str) -> tuple[str, ...]:
        """What is wrong with the baseline of a target."""
        return self.closing.baseline.get(target, ()) if self.closing else ()


@dataclass(slots=True)
class Reading:
    """Records taken in one after another."""

    opening: Opening | None = None
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    closing: Closing | None = None

    def take(self, record: Record) -> None:
        """Take in the next record; one that does not fit is refused.

        Of two results of one check the later counts: the first was found wanting afterwards.
        """
        kind = text_of(record.get("record"), "record")
        if self.closing is not None:
            raise PositionError("a record after the last one")
        if (kind == "run") != (self.opening is None):
            raise PositionError("the first record, and no other, is 'run'")
        match kind:
            case "run":
                self.opening = opening_from(record)
            case "result":
                rulesets = self.opening.rulesets if self.opening else {}
                entry = entry_from(record, rulesets)
                self.entries[entry.target, entry.check] = entry
            case "end":
                self.closing = closing_from(record)
            case _:
                raise PositionError(f"unknown record {kind!r}")

    def log(self) -> Log:
        """All that was taken in."""
        if self.opening is None:
            raise PositionError("no record 'run': the file is empty")
        return Log(opening=self.opening, entries=tuple(self.entries.values()), closing=self.closing)


def said_of(label: str, problems: Sequence[str]) -> str:
    """What was wrong with an answer, in one line."""
    return (f"{label}: " if label else "") + "; ".join(problems)


def read_log(path: Path) -> Log:
    """The log in a file; complaints name the file and the line."""
    data = bytes_of(path)
    reading = Reading()
    *whole, rest = data.split(b"\n")
    number = 1
    try:
        for raw in whole:
            reading.take(record_from(raw))
            number += 1
        if rest:
            _last(reading, rest)
        return reading.log()
    except PositionError as err:
        raise UsageError(f"{path}:{number}: {err} (give a log that run -o jsonl= wrote)") from err


def _last(reading: Reading, rest: bytes) -> None:
    """The line that has no end: a record like the others, or what a killed run left."""
    try:
        record = record_from(rest)
    except PositionError:
        if reading.opening is None:
            raise
        return
    reading.take(record)


def record_from(raw: bytes) -> Record:
    """The record on one line."""
    try:
        found: object = json.loads(raw)
    except (ValueError, RecursionError) as err:
        begins = raw[:40].decode("utf-8", "replace")
        raise PositionError(f"not a line of JSON: {begins!r}") from err
    if not isinstance(found, dict):
        raise PositionError("not a JSON object")
    return found


def opening_from(record: Record) -> Opening:
    """The first record."""
    if record.get("format") != FORMAT:
        raise PositionError(f"the format is {record.get('format')!r}, not {FORMAT!r}")
    book = map_of(record.get("book"), "book")
    seed = record.get("seed")
    return Opening(
        version=text_of(record.get("version"), "version"),
        corpus=text_of(record.get("corpus"), "corpus"),
        corpus_version=text_of(record.get("corpus_version"), "corpus_version"),
        seed=None if seed is None else int_of(seed, "seed"),
        started=text_of(record.get("started"), "started"),
        options=map_of(record.get("options"), "options"),
        targets=tuple(
            _asked(map_of(item, "a target")) for item in list_of(record.get("targets"), "targets")
        ),
        rulesets={
            name: map_of(rules, name)
            for name, rules in map_of(record.get("rulesets"), "rulesets").items()
        },
        chapters=_texts_in(map_of(book.get("chapters"), "chapters")),
        rules={
            name: _stated(map_of(rule, name))
            for name, rule in map_of(book.get("rules"), "rules").items()
        },
    )


def _stated(record: Record) -> Stated:
    return Stated(
        chapter=text_of(record.get("chapter"), "chapter"),
        text=text_of(record.get("text"), "text"),
        level=text_of(record.get("level"), "level"),
        sources=tuple(texts_of(record.get("sources"), "sources")),
    )


def _texts_in(value: Record) -> dict[str, str]:
    return {name: text_of(text, name) for name, text in value.items()}


def _asked(record: Record) -> Asked:
    return Asked(
        target=text_of(record.get("target"), "target"),
        name=text_of(record.get("name", ""), "name"),
        version=text_of(record.get("version", ""), "version"),
        language=text_of(record.get("language", ""), "language"),
        ops=tuple(texts_of(record.get("ops", []), "ops")),
        rulesets=tuple(texts_of(record.get("rulesets", []), "rulesets")),
        planned_ops={
            op: int_of(count, op) for op, count in map_of(record.get("planned"), "planned").items()
        },
        warnings=tuple(texts_of(record.get("warnings", []), "warnings")),
        error=text_of(record.get("error", ""), "error"),
    )


def entry_from(record: Record, rulesets: Mapping[str, Record]) -> Entry:
    """One result; its requests get back the rules that the first record states."""
    names = ("target", "check", "case", "ruleset", "chapter", "topic", "title")
    texts = {name: text_of(record.get(name), name) for name in names}
    seconds = record.get("seconds")
    return Entry(
        target=texts["target"],
        check=texts["check"],
        case=texts["case"],
        ruleset=texts["ruleset"],
        chapter=texts["chapter"],
        topic=texts["topic"],
        title=texts["title"],
        why=text_of(record.get("why", ""), "why"),
        rules=tuple(texts_of(record.get("rules"), "rules")),
        importance=text_of(record.get("importance"), "importance"),
        level=text_of(record.get("level"), "level"),
        op=text_of(record.get("op"), "op"),
        verdict=text_of(record.get("verdict"), "verdict"),
        judged=text_of(record.get("judged", record.get("verdict")), "judged"),
        bad=record.get("bad") is True,
        differs=record.get("differs") is True,
        note=text_of(record.get("note", ""), "note"),
        reason_judged=record.get("reason_judged", True) is True,
        seconds=float(seconds) if isinstance(seconds, (int, float)) else None,
        faults=tuple(
            _fault(map_of(item, "a failure"), rulesets.get(texts["ruleset"], {}))
            for item in list_of(record.get("failures", []), "failures")
        ),
    )


def _fault(record: Record, rules: Record) -> Fault:
    got = record.get("got")
    return Fault(
        label=text_of(record.get("label", ""), "label"),
        verdict=text_of(record.get("verdict"), "verdict"),
        problems=tuple(texts_of(record.get("problems"), "problems")),
        request={"rules": rules, **map_of(record.get("request"), "request")},
        expected=map_of(record.get("expected"), "expected"),
        got=None if got is None else map_of(got, "got"),
        stderr=text_of(record.get("stderr", ""), "stderr"),
    )


def closing_from(record: Record) -> Closing:
    """The last record."""
    stopped: dict[str, str] = {}
    baseline: dict[str, tuple[str, ...]] = {}
    for item in list_of(record.get("totals"), "totals"):
        total = map_of(item, "a total")
        target = text_of(total.get("target"), "target")
        stopped[target] = text_of(total.get("stopped", ""), "stopped")
        baseline[target] = tuple(texts_of(total.get("baseline", []), "baseline"))
    return Closing(
        complete=record.get("complete") is True,
        exit=int_of(record.get("exit"), "exit"),
        stopped=stopped,
        baseline=baseline,
    )
