"""Baselines written: entries made of a log, and a file brought up to date, comments and all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

from conformance.baseline import Covering, Known, Ledger, Outcome, baseline_from
from conformance.report.log import Entry, Log
from conformance.report.words import KNOWN_FAIL, NOT_SCORED

UNEXPLAINED = "not yet looked at"
HEAD = (
    "# Failures that are known, each with its reason. euchre-conformance baseline update keeps\n"
    "# the list exact; reasons, issues and dates are written by hand.\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A baseline held against a log."""

    unlisted: tuple[Entry, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """A baseline brought up to date: its text, and what was done."""

    text: str
    kept: int
    removed: int
    added: int


def outcome_of(entry: Entry) -> Outcome:
    """A result before any baseline was held against it."""
    return Outcome(
        check=entry.check, word=entry.judged, said=entry.said, bad=entry.bad or known(entry)
    )


def known(entry: Entry) -> bool:
    """Whether a result failed and a baseline bore it."""
    return entry.verdict == KNOWN_FAIL


def hold(log: Log, entries: Sequence[Known], checks: Sequence[str], today: date) -> Checked:
    """What a baseline lacks, and what is wrong with it."""
    unlisted: list[Entry] = []
    problems: list[str] = []
    for asked in log.opening.targets:
        ledger = Ledger(entries, asked.target, asked.name)
        for entry in log.of(asked.target):
            if entry.verdict == NOT_SCORED:
                continue
            stands = ledger.stand(outcome_of(entry))
            if stands.bad and not stands.differs:
                unlisted.append(entry)
        problems += ledger.problems(checks, today)
    return Checked(unlisted=tuple(unlisted), problems=tuple(dict.fromkeys(problems)))


def written(log: Log, *, reason: str = UNEXPLAINED) -> str:
    """A baseline of all that fails in a log."""
    failed = [entry for entry in log.entries if entry.bad or known(entry)]
    body = list(_entries(log, failed, reason))
    return HEAD + ("\n".join(body) + "\n" if body else "[]\n")


def _entries(log: Log, failed: Iterable[Entry], reason: str) -> Iterator[str]:
    """One entry a case and kind of failure, with the checks that fail so."""
    groups: dict[tuple[str, str, str, str], list[Entry]] = {}
    for entry in failed:
        key = (entry.target, entry.case, entry.judged, entry.said)
        groups.setdefault(key, []).append(entry)
    several = len(log.opening.targets) > 1
    for (target, _, kind, said), entries in groups.items():
        yield from entry_lines(
            cases=[entry.check for entry in entries],
            kind=kind,
            got=said,
            reason=reason,
            target=target if several else "*",
            issue="",
            until=None,
            title=entries[0].title,
        )


def entry_lines(
    *,
    cases: Sequence[str],
    kind: str,
    got: str,
    reason: str,
    target: str,
    issue: str,
    until: date | None,
    title: str = "",
) -> Iterator[str]:
    """The lines of one entry."""
    if title:
        yield f"# {title}"
    yield f"- cases: {_text(' '.join(cases))}"
    yield f"  kind: {_text(kind)}"
    if got:
        yield f"  got: {_text(got)}"
    yield f"  reason: {_text(reason)}"
    if issue:
        yield f"  issue: {_text(issue)}"
    if until:
        yield f"  until: {until.isoformat()}"
    if target != "*":
        yield f"  target: {_text(target)}"


def _text(text: str) -> str:
    """A text as a YAML scalar on one line."""
    shown = yaml.safe_dump([text], width=1_000_000, allow_unicode=True, default_flow_style=True)
    return shown.strip()[1:-1]


def update(path: Path, log: Log) -> Updated:
    """Take out of a baseline what no longer fails, and add what fails newly.

    What is kept is kept to the letter, with the comments before it.
    """
    entries = baseline_from(path)
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    starts = [_begin(lines, entry.first - 1) for entry in entries]
    head = lines[: starts[0]] if starts else [one for one in lines if one.startswith("#")]
    body = list(head)
    kept = removed = 0
    covered: set[tuple[str, str]] = set()
    results = _results(entries, log)
    asked = frozenset(one.check for one in log.entries)
    for number, entry in enumerate(entries):
        end = starts[number + 1] if number + 1 < len(entries) else len(lines)
        still, lost = _split(entry, results.get(entry.place, []), covered)
        if not lost:
            body += lines[starts[number] : end]
            kept += 1
        elif still or _unasked(entry, asked):
            body += entry_lines(
                cases=[*(check for _, check in still), *_unasked(entry, asked)],
                kind=entry.kind,
                got=entry.got,
                reason=entry.reason,
                target=entry.target,
                issue=entry.issue,
                until=entry.until,
            )
            kept += 1
        else:
            removed += 1
        covered |= set(still)
    fresh = [
        entry
        for entry in log.entries
        if (entry.bad or known(entry)) and (entry.target, entry.check) not in covered
    ]
    added = list(_entries(log, fresh, UNEXPLAINED))
    body += added
    if not (kept or added):
        body.append("[]")
    return Updated(
        text="\n".join(body) + "\n",
        kept=kept,
        removed=removed,
        added=sum(one.startswith("- ") for one in added),
    )


def _begin(lines: Sequence[str], first: int) -> int:
    """Where an entry begins, with the comments right above it."""
    while first > 0 and lines[first - 1].startswith("#") and first - 1 > _head_end(lines):
        first -= 1
    return first


def _head_end(lines: Sequence[str]) -> int:
    """The last line of our own heading, or -1."""
    head = HEAD.splitlines()
    return len(head) - 1 if list(lines[: len(head)]) == head else -1


def _unasked(entry: Known, asked: frozenset[str]) -> list[str]:
    """The checks that an entry names and that the log has not asked, so that nothing is known."""
    return [case for case in entry.cases if "*" not in case and case not in asked]


def _results(entries: Sequence[Known], log: Log) -> dict[str, list[Entry]]:
    """The results that each entry covers, by its place."""
    found: dict[str, list[Entry]] = {}
    for asked in log.opening.targets:
        covering = Covering(Ledger(entries, asked.target, asked.name).entries)
        for one in log.of(asked.target):
            for entry in covering.of(one.check):
                found.setdefault(entry.place, []).append(one)
    return found


def _split(
    entry: Known, results: Sequence[Entry], covered: set[tuple[str, str]]
) -> tuple[list[tuple[str, str]], bool]:
    """The checks of an entry that still fail as it says, and whether any others do not."""
    still: list[tuple[str, str]] = []
    lost = False
    for one in results:
        outcome = outcome_of(one)
        key = (one.target, one.check)
        if outcome.bad and entry.fits(outcome.word, outcome.said) and key not in covered:
            still.append(key)
        else:
            lost = True
    return still, lost
