"""Which checks a run asks, and in which order: named ones, a share, those that failed last time."""

import hashlib
import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.baseline import matches
from conformance.case import Case
from conformance.check import Check
from conformance.errors import PositionError, UsageError
from conformance.jsontypes import map_of, texts_of
from conformance.report.log import Log, read_log, record_from
from conformance.tree import near

FORMAT = "euchre-last-failed/1"
FOLDER = ".euchre-conformance"
MEMORY = Path(FOLDER) / "last-failed.json"


@dataclass(frozen=True, slots=True)
class Shard:
    """The share number `index` of `count`, counted from 1."""

    index: int
    count: int

    def holds(self, check: str) -> bool:
        """Whether a check is in this share: decided by its id, so that it stays where it is."""
        number = int.from_bytes(hashlib.sha256(check.encode()).digest()[:8], "big")
        return number % self.count == self.index - 1


def shard_from(text: str) -> Shard:
    """The share that a word as `2/5` names."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", text)
    if found is None or int(found[1]) > int(found[2]):
        raise UsageError(f"not a share: {text!r} (write the second of five as --shard 2/5)")
    return Shard(int(found[1]), int(found[2]))


def named_cases(cases: Sequence[Case], wanted: Sequence[str]) -> list[Case]:
    """The cases that some of the words may name; all of them where there is no word."""
    patterns = [word.partition("@")[0] for word in wanted]
    for word, pattern in zip(wanted, patterns, strict=True):
        ids = [case.id for case in cases]
        if not any(matches(pattern, name) for name in ids):
            raise UsageError(f"no check {word!r}{near(pattern, ids)} (see euchre-conformance list)")
    return [
        case
        for case in cases
        if not wanted or any(matches(pattern, case.id) for pattern in patterns)
    ]


def named(checks: Sequence[Check], wanted: Sequence[str]) -> list[Check]:
    """The checks whose id one of the words names: `follow-001`, or `follow-*@standard`."""
    patterns = [word if "@" in word else f"{word}@*" for word in wanted]
    for word, pattern in zip(wanted, patterns, strict=True):
        if not any(matches(pattern, check.id) for check in checks):
            there = ", ".join(check.ruleset for check in checks) or "none"
            raise UsageError(f"no check {word!r}: its case runs under {there}")
    return [
        check
        for check in checks
        if not wanted or any(matches(pattern, check.id) for pattern in patterns)
    ]


def shuffled(checks: Sequence[Check], seed: int | None) -> list[Check]:
    """The checks in the order that a seed gives them, or in that of the corpus."""
    order = list(checks)
    if seed is not None:
        random.Random(seed).shuffle(order)  # noqa: S311 -- an order, not a secret
    return order


def failed_in(log: Log) -> dict[str, list[str]]:
    """The checks of each target that were not good enough."""
    return {
        asked.target: [entry.check for entry in log.of(asked.target) if entry.bad]
        for asked in log.opening.targets
    }


def last_failed(log: Path | None, folder: Path) -> dict[str, list[str]]:
    """What failed in a log, or else in the last runs in a folder."""
    if log is not None:
        return failed_in(read_log(log))
    if not (folder / MEMORY).is_file():
        raise UsageError(
            f"no failures are remembered here: there is no {MEMORY} (run once without "
            "--last-failed, or name a log after it)"
        )
    return _remembered(folder / MEMORY)


def _remembered(path: Path) -> dict[str, list[str]]:
    try:
        record = record_from(path.read_bytes())
        targets = map_of(record.get("targets"), "targets")
        return {name: texts_of(checks, name) for name, checks in targets.items()}
    except OSError as err:
        raise UsageError(f"cannot read {str(path)!r}: {err.strerror}") from err
    except PositionError as err:
        raise UsageError(f"{path}: {err} (remove the file)") from err


def failing(
    checks: Sequence[Check], failed: Mapping[str, Sequence[str]] | None, target: str
) -> list[Check]:
    """The checks that a target failed before; all of them where nothing else is wanted."""
    if failed is None:
        return list(checks)
    if target not in failed:
        known = ", ".join(failed) or "no target"
        raise UsageError(f"no failures of {target!r} are remembered (there are those of: {known})")
    wanted = frozenset(failed[target])
    return [check for check in checks if check.id in wanted]


def remember(log: Log, folder: Path) -> None:
    """Keep what failed; what was not asked this time stays as it was."""
    path = folder / MEMORY
    known: dict[str, list[str]] = {}
    if path.is_file():
        try:
            known = _remembered(path)
        except UsageError:
            known = {}
    for target, failed in failed_in(log).items():
        asked = {entry.check for entry in log.of(target)}
        kept = [check for check in known.get(target, ()) if check not in asked]
        if asked:
            known[target] = sorted({*kept, *failed})
    if any(known.values()) or path.is_file():
        _write(path, known)


def _write(path: Path, known: Mapping[str, Iterable[str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    ignore = path.parent / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="ascii")
    document = {
        "format": FORMAT,
        "targets": {target: list(failed) for target, failed in known.items()},
    }
    rest = path.with_suffix(".part")
    rest.write_text(json.dumps(document) + "\n", encoding="ascii")
    rest.replace(path)
