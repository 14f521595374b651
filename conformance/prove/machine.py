"""Machine-made mutants: how many of them the corpus kills, and which it does not."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from conformance.check import Check
from conformance.corpus import HOME
from conformance.jsontypes import Json
from conformance.machine import Change, every_change, load_changed, rules_dir
from conformance.prove.answers import one_a_case, wrong_step
from conformance.prove.nonsense import Odd, odd_requests
from conformance.prove.part import Part, Setting
from conformance.prove.workers import forked

SECONDS = 30.0
ENOUGH = 0.95
STILLBORN = "does not load"
HUNG = "hangs, or ends the process"
SURVIVED = "survives"
SPARE = 1.15


def in_turn(checks: Sequence[Check]) -> list[Check]:
    """Every case once, chapters in turn, then everything else: so that kills come soon."""
    chapters: dict[str, list[Check]] = {}
    for check in one_a_case(checks):
        chapters.setdefault(check.case.chapter, []).append(check)
    rounds = range(max(map(len, chapters.values())))
    first = [found[n] for n in rounds for found in chapters.values() if n < len(found)]
    known = {check.id for check in first}
    rest = [check for check in checks if check.id not in known]
    return first + sorted(rest, key=lambda check: check.case.op == "perft")


def verdict(change: Change, checks: Sequence[Check], odd_ones: Sequence[Odd]) -> str:
    """The check that kills a change first, or why none does; called in a child of its own."""
    try:
        answer = load_changed(change)
    except Exception:  # noqa: BLE001 -- a change may break the loading in any way
        return STILLBORN
    for check in checks:
        if wrong_step(answer, check, check.steps[-1]):
            return check.id
    for odd in odd_ones:
        if ("error" in answer(odd.request)) is odd.sense:
            return odd.about
    return SURVIVED


def machine_made(setting: Setting) -> Part:
    """Of the changes that load and behave otherwise at least 95 % are killed; the rest is told."""
    order = every_change([line.text for line in setting.explained.lines], setting.seed)
    checks = in_turn(setting.checks)
    key = _key(checks)
    kept = _kept(setting.cache, key)
    wanted = setting.machine
    batch = order[: round(wanted * SPARE)]
    while True:
        _judge([one for one in batch if one.id not in kept], checks, setting, kept)
        _keep(setting.cache, key, kept)
        alive = [one for one in batch if kept[one.id] != STILLBORN]
        same = [one for one in alive if kept[one.id] == SURVIVED and _reason(setting, one)]
        live = [one for one in alive if one not in same]
        if len(live) >= wanted or len(batch) == len(order):
            break
        batch = order[: len(batch) + wanted - len(live) + 1]
    return _part(setting, live[:wanted], same, len(order), kept)


def _judge(
    changes: Sequence[Change], checks: Sequence[Check], setting: Setting, kept: dict[str, str]
) -> None:
    odd_ones = list(odd_requests(setting.corpus))

    def work(change: Change) -> Json:
        return verdict(change, checks, odd_ones)

    for change, said in forked(changes, work, jobs=setting.jobs, seconds=SECONDS):
        kept[change.id] = said if isinstance(said, str) else HUNG


def _part(
    setting: Setting,
    live: Sequence[Change],
    same: Sequence[Change],
    possible: int,
    verdicts: Mapping[str, str],
) -> Part:
    survivors = [one for one in live if verdicts[one.id] == SURVIVED]
    killed = len(live) - len(survivors)
    files = Counter(one.file for one in live)
    lost = Counter(one.file for one in survivors)
    return Part(
        name="machine",
        title="Machine-made mutants of the rules",
        heading=("module", "mutants", "killed"),
        rows=[[name, str(count), str(count - lost[name])] for name, count in sorted(files.items())],
        problems=list(_problems(survivors, killed / max(1, len(live)))),
        notes=[f"behaves the same: {_said(one)}: {_reason(setting, one)}" for one in same],
        figures={
            "possible": possible,
            "drawn": len(live),
            "killed": killed,
            "share": f"{killed / max(1, len(live)):.1%}",
            "behave the same": len(same),
            "share with those": f"{killed / max(1, len(live) + len(same)):.1%}",
            "hung or died": sum(verdicts[one.id] == HUNG for one in live),
            "seed": setting.seed,
            "survivors": [f"machine:{one.id} {_said(one)}" for one in survivors],
        },
    )


def _problems(survivors: Sequence[Change], share: float) -> Iterator[str]:
    if share < ENOUGH:
        yield f"only {share:.1%} are killed, wanted {ENOUGH:.0%}"
    for one in survivors:
        yield f"survives unexplained: machine:{one.id} {_said(one)}"


def _said(change: Change) -> str:
    return f"{change.file}:{change.line}: {change.was} -> {change.becomes}"


def _reason(setting: Setting, change: Change) -> str:
    """Why a change behaves as what it is made of, where that is known."""
    return next(
        (
            known.reason
            for known in setting.explained.survivors
            if (known.file, known.was, known.becomes) == (change.file, change.was, change.becomes)
        ),
        "",
    )


def _key(checks: Sequence[Check]) -> str:
    """What verdicts depend on: the rules, the table's view, the suite itself, and the checks."""
    digest = hashlib.sha256()
    own = [*HOME.glob("*.py"), *(HOME / "machine").glob("*.py"), *(HOME / "targets").glob("*.py")]
    view = rules_dir().parent / "table" / "view.py"
    for path in sorted([*rules_dir().glob("*.py"), view, *own]):
        digest.update(path.read_bytes())
    for check in checks:
        said = {"id": check.id, "ask": check.steps[-1].request, "then": check.steps[-1].then}
        digest.update(json.dumps(said, sort_keys=True).encode())
    return digest.hexdigest()


def _kept(path: Path | None, key: str) -> dict[str, str]:
    """The verdicts of an earlier run over the same sources and checks."""
    if path is None or not path.is_file():
        return {}
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    if not isinstance(held, dict) or held.get("key") != key:
        return {}
    return {str(name): str(said) for name, said in held.get("verdicts", {}).items()}


def _keep(path: Path | None, key: str, kept: Mapping[str, str]) -> None:
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    held = {"key": key, "verdicts": dict(sorted(kept.items()))}
    path.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
