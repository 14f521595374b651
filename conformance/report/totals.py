"""The totals of a log: by target, by chapter, by level, and the exit code they come to."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from conformance.errors import OUR_ERROR, SuiteFaultError
from conformance.jsontypes import Json
from conformance.levels import Told, standing_of
from conformance.report.log import Asked, Entry, Log
from conformance.report.words import NOT_SCORED, executed, place, plain
from conformance.runner import INTERRUPTED
from conformance.verdict import Verdict

PRECEDENCE = (5, 4, 130, 6, 1, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """What became of one target."""

    asked: Asked
    entries: tuple[Entry, ...]
    planned: int
    stopped: str
    baseline: tuple[str, ...]

    @property
    def executed(self) -> int:
        """How many checks were answered and count."""
        return sum(executed(it.judged) and it.verdict != NOT_SCORED for it in self.entries)

    @property
    def failed(self) -> int:
        """How many results make the run fail."""
        return sum(entry.bad and not entry.differs for entry in self.entries)

    @property
    def passed(self) -> int:
        """How many checks passed and count."""
        good = (Verdict.PASS, Verdict.DISPUTED)
        return sum(plain(it.judged) in good and it.verdict != NOT_SCORED for it in self.entries)

    @property
    def reasons_not_judged(self) -> int:
        """How many refusals came without a reason."""
        return sum(not entry.reason_judged for entry in self.entries)

    @property
    def exit(self) -> int:
        """What a run of this target alone would end with."""
        if self.asked.error:
            return 4
        if self.stopped.startswith(OUR_ERROR):
            return SuiteFaultError.exit_code
        if self.stopped == INTERRUPTED:
            return 130
        if self.stopped or len(self.entries) < self.planned or not self.executed:
            return 6
        if self.failed:
            return 1
        return 3 if self.baseline else 0

    def levels(self) -> dict[str, str]:
        """Each level in a word."""
        told = [Told(entry.op, entry.judged, entry.bad) for entry in self.entries]
        return standing_of(told, self.asked.ops, self.asked.planned_ops)

    def as_json(self) -> dict[str, Json]:
        """The totals as a program reads them."""
        verdicts = Counter(entry.verdict for entry in self.entries)
        return {
            "target": self.asked.target,
            "cases": len({entry.case for entry in self.entries}),
            "checks": len(self.entries),
            "planned": self.planned,
            "executed": self.executed,
            "failed": self.failed,
            "verdicts": dict(sorted(verdicts.items())),
            "levels": dict(self.levels()),
            "reasons_not_judged": self.reasons_not_judged,
            "stopped": self.stopped,
            "warnings": list(self.asked.warnings),
            "baseline": list(self.baseline),
            "exit": self.exit,
        }


def totals_of(log: Log) -> list[Total]:
    """The totals of every target."""
    return [
        Total(
            asked=asked,
            entries=tuple(log.of(asked.target)),
            planned=sum(asked.planned_ops.values()),
            stopped=log.stopped(asked),
            baseline=log.baseline(asked.target),
        )
        for asked in log.opening.targets
    ]


def exit_of(totals: Iterable[Total]) -> int:
    """What a run of all of them ends with."""
    return worst(total.exit for total in totals)


def worst(codes: Iterable[int]) -> int:
    """The exit code of several that counts."""
    found = set(codes)
    return next((code for code in PRECEDENCE if code in found), 0)


def table_of(
    entries: Iterable[Entry], key: Callable[[Entry], str]
) -> tuple[list[str], list[list[str]]]:
    """A table of verdicts: a heading, a row a chapter (or level), and their sum."""
    counts: dict[str, Counter[str]] = {}
    for entry in entries:
        counts.setdefault(key(entry), Counter())[entry.verdict] += 1
    sums = sum(counts.values(), Counter[str]())
    used = sorted(sums, key=place)
    body = [
        [name, *(str(row[word]) for word in used), str(row.total())]
        for name, row in sorted(counts.items())
    ]
    body.append(["all", *(str(sums[word]) for word in used), str(sums.total())])
    return [*used, "checks"], body
