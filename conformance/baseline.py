"""Baselines: the failures of a target that are known, each with its reason, and none besides.

A baseline is a YAML list of entries, and it must be exact: an entry whose check passes, fails in
another way, or is not asked any more, one that matches nothing, and one whose date is over, each
fail the run with exit 3.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from conformance.errors import CorpusError, UsageError
from conformance.readable import text_of_file
from conformance.report.words import DISPUTED, FIXED, KNOWN_FAIL, executed
from conformance.tree import Node, parse
from conformance.verdict import FAILURES, Verdict

KINDS = (*(verdict.value for verdict in FAILURES), Verdict.UNSUPPORTED.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One entry: which checks fail, how, and why that is borne."""

    cases: tuple[str, ...]
    kind: str
    got: str
    reason: str
    issue: str
    until: date | None
    target: str
    place: str
    first: int

    def fits(self, word: str, said: str) -> bool:
        """Whether a failure is the one that the entry states."""
        return matches(self.kind, word) and matches(self.got or "*", said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a target's answer to one check came to, before any baseline."""

    check: str
    word: str
    said: str
    bad: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The word that a baseline gives to an outcome."""

    word: str
    bad: bool
    differs: bool
    note: str


class Covering:
    """Finds the entries that cover a check; an exact name is looked up, not tried."""

    def __init__(self, entries: Sequence[Known]) -> None:
        self._exact: dict[str, list[tuple[int, Known]]] = {}
        self._wild: list[tuple[int, str, Known]] = []
        for number, entry in enumerate(entries):
            for pattern in entry.cases:
                name = pattern.removesuffix("@*")
                if "*" in name:
                    self._wild.append((number, pattern, entry))
                else:
                    self._exact.setdefault(name, []).append((number, entry))

    def of(self, check: str) -> list[Known]:
        """The entries of a check, in their order."""
        found: dict[int, Known] = {}
        for name in (check, check.partition("@")[0]):
            found.update(self._exact.get(name, ()))
        found.update((number, it) for number, text, it in self._wild if matches(text, check))
        return [found[number] for number in sorted(found)]


class Ledger:
    """The entries that apply to one target, held against its outcomes one by one."""

    def __init__(self, entries: Iterable[Known], target: str, name: str) -> None:
        self.entries = [
            entry
            for entry in entries
            if matches(entry.target, target) or matches(entry.target, name)
        ]
        self._covering = Covering(self.entries)
        self._problems: dict[str, list[str]] = {}

    def stand(self, outcome: Outcome) -> Standing:
        """The word for an outcome; what is wrong with its entry is remembered."""
        problems = self._problems[outcome.check] = []  # anew where a verdict has changed
        found = self._covering.of(outcome.check)
        if not found:
            return Standing(word=outcome.word, bad=outcome.bad, differs=False, note="")
        entry = found[0]
        problems += [
            f"{other.place}: {outcome.check} stands in an earlier entry too" for other in found[1:]
        ]
        if not outcome.bad:
            return self._stale(entry, outcome)
        if entry.fits(outcome.word, outcome.said):
            note = entry.reason + (f" ({entry.issue})" if entry.issue else "")
            return Standing(word=KNOWN_FAIL, bad=False, differs=False, note=note)
        problems.append(
            f"{entry.place}: {outcome.check} fails differently: {outcome.word}, {outcome.said!r}"
        )
        return Standing(word=outcome.word, bad=True, differs=True, note=entry.reason)

    def _stale(self, entry: Known, outcome: Outcome) -> Standing:
        asked = executed(outcome.word)
        why = "passes now" if asked else f"is not asked any more ({outcome.word})"
        self._problems[outcome.check].append(
            f"{entry.place}: stale: {outcome.check} {why} (baseline update)"
        )
        word = FIXED if asked else outcome.word
        return Standing(word=word, bad=False, differs=False, note=entry.reason)

    def problems(self, checks: Sequence[str], today: date) -> Iterator[str]:
        """What is wrong with the entries: stale, different, unknown or expired ones."""
        for problems in self._problems.values():
            yield from problems
        names = {*checks, *(check.partition("@")[0] for check in checks)}
        for entry in self.entries:
            for pattern in entry.cases:
                name = pattern.removesuffix("@*")
                there = any(matches(pattern, it) for it in checks) if "*" in name else name in names
                if not there:
                    yield f"{entry.place}: unknown: {pattern!r} matches no check of the corpus"
            if entry.until is not None and entry.until < today:
                yield f"{entry.place}: expired on {entry.until.isoformat()}"


def matches(pattern: str, text: str) -> bool:
    """Whether a text fits a pattern, in which only `*` is special and stands for anything.

    >>> matches("follow-*@standard", "follow-001@standard")
    True
    >>> matches("legal: lacks [JD]", "legal: lacks J")
    False
    """
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None


def baseline_from(path: Path) -> list[Known]:
    """The entries of a file."""
    text = text_of_file(path)
    if not text.strip():
        return []
    try:
        return [_entry(node) for node in parse(text, str(path)).sequence("the baseline")]
    except CorpusError as err:
        raise UsageError(str(err)) from err


def _entry(node: Node) -> Known:
    fields = node.fields(
        "the entry",
        required=("cases", "kind", "reason"),
        optional=("got", "issue", "until", "target"),
    )
    kind = fields["kind"].text("kind")
    if kind not in KINDS and not kind.startswith(DISPUTED):
        known = ", ".join((*KINDS, f"{DISPUTED}NAME"))
        fields["kind"].fail(f"kind is {kind!r}: it must be one of {known}")
    cases = fields["cases"].words("cases")
    if not cases:
        fields["cases"].fail("cases names no check (write one as follow-001@standard)")
    reason = fields["reason"].text("reason").strip()
    if not reason:
        fields["reason"].fail("the reason is empty (say why the failure is borne)")
    return Known(
        cases=tuple(case if "@" in case else f"{case}@*" for case in cases),
        kind=kind,
        got=fields["got"].raw("got") if "got" in fields else "",
        reason=reason,
        issue=fields["issue"].text("issue") if "issue" in fields else "",
        until=_date(fields["until"]) if "until" in fields else None,
        target=fields["target"].text("target") if "target" in fields else "*",
        place=f"{node.file}:{node.line}",
        first=node.line,
    )


def _date(node: Node) -> date:
    text = node.raw("until")
    try:
        return date.fromisoformat(text)
    except ValueError as err:
        raise node.error(f"until is not a day: {text!r} (write it as 2027-01-31)") from err
