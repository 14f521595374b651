"""Two logs compared: what fails newly, what is fixed, what is new and what is gone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conformance.errors import UsageError
from conformance.jsontypes import Json
from conformance.report.log import Entry, Log

KINDS = ("newly failing", "fixed", "fails differently", "other verdict", "new", "gone")
WORSE = ("newly failing",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One check whose result is not what it was."""

    kind: str
    target: str
    before: Entry | None
    after: Entry | None

    @property
    def check(self) -> str:
        """The id of the check."""
        entry = self.after or self.before
        return entry.check if entry is not None else ""

    @property
    def worse(self) -> bool:
        """Whether the later run is worse for it."""
        fails_at_once = self.kind == "new" and self.after is not None and self.after.bad
        return self.kind in WORSE or fails_at_once

    def line(self) -> str:
        """The change in words."""
        before = self.before.verdict if self.before else "not asked"
        after = self.after.verdict if self.after else "not asked"
        said = f": {self.after.said}" if self.after is not None and self.after.bad else ""
        return f"{self.kind}: {self.target} {self.check}: {before} → {after}{said}"

    def as_json(self) -> dict[str, Json]:
        """The change as a program reads it."""
        return {
            "change": self.kind,
            "target": self.target,
            "check": self.check,
            "before": self.before.verdict if self.before else None,
            "after": self.after.verdict if self.after else None,
            "said": self.after.said if self.after else "",
            "worse": self.worse,
        }


def changes(before: Log, after: Log) -> list[Change]:
    """Every difference, in the order of `KINDS`."""
    found: list[Change] = []
    for old, new in _pairs(before, after):
        found += _of_target(new or old, _by_check(before, old), _by_check(after, new))
    return sorted(found, key=lambda change: (KINDS.index(change.kind), change.target))


def _pairs(before: Log, after: Log) -> Iterator[tuple[str, str]]:
    """The targets to compare: those of one name, or the only one with the only one."""
    olds = [asked.target for asked in before.opening.targets]
    news = [asked.target for asked in after.opening.targets]
    if len(olds) == len(news) == 1:
        yield olds[0], news[0]
        return
    if not set(olds) & set(news):
        raise UsageError(f"the logs share no target: {', '.join(olds)} and {', '.join(news)}")
    for target in dict.fromkeys([*olds, *news]):
        yield target if target in olds else "", target if target in news else ""


def _by_check(log: Log, target: str) -> dict[str, Entry]:
    return {entry.check: entry for entry in log.of(target)}


def _of_target(
    target: str, before: Mapping[str, Entry], after: Mapping[str, Entry]
) -> Iterator[Change]:
    for check in dict.fromkeys([*before, *after]):
        old, new = before.get(check), after.get(check)
        kind = _kind(old, new)
        if kind:
            yield Change(kind=kind, target=target, before=old, after=new)


def _kind(old: Entry | None, new: Entry | None) -> str:
    if old is None:
        return "new"
    if new is None:
        return "gone"
    if new.bad and not old.bad:
        return "newly failing"
    if old.bad and not new.bad:
        return "fixed"
    if new.bad and (old.verdict, old.said) != (new.verdict, new.said):
        return "fails differently"
    return "other verdict" if old.verdict != new.verdict else ""
