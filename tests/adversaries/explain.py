"""Whether the proxy's log explains each fault: a seat is away because somebody cut its line.

A door is down from a fault of the proxy, or from the moment when its stream was lost, until its
stream is back. What a fault needs is counted from the policy, less what an honest way back takes.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.adversaries.book import DOORS, FAULTS
from tests.adversaries.crowd import MATCHES, POLICY

BREAKS: Final = frozenset({"cut", "reset", "half_open", "blackout"})
GRACE_MS: Final = 30_000
WAY_BACK_MS: Final = 25_000
"""To notice a dead line (16 s), dial, think and answer again."""
LATE_MS: Final = 45_000
"""So much later than it happened may a fault be told first: its other side can be down too."""
Down = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of one of the logs."""

    at_ms: int
    door: int
    what: str


def _lines(path: Path) -> Iterable[Mapping[str, str | int | None]]:
    if path.exists():
        for line in path.read_text("ascii").splitlines():
            found: dict[str, str | int | None] = json.loads(line)
            yield found


def _entries(path: Path) -> list[Entry]:
    return [
        Entry(int(line["at_ms"] or 0), int(line["door"] or 0), str(line["what"]))
        for line in _lines(path)
        if line["door"] is not None
    ]


def downs(folder: Path) -> dict[int, list[Down]]:
    """When each door was down, for a reason that the proxy's log gives."""
    events = [e for e in _entries(folder / "proxy.jsonl") if e.what in BREAKS]
    events += [e for e in _entries(folder / DOORS) if e.what == "back"]
    found: dict[int, list[Down]] = defaultdict(list)
    since: dict[int, int] = {}
    for entry in sorted(events, key=lambda e: e.at_ms):
        if entry.what in BREAKS:
            since.setdefault(entry.door, entry.at_ms)
        elif entry.door in since:
            found[entry.door].append((since.pop(entry.door), entry.at_ms))
    for door, at_ms in since.items():
        found[door].append((at_ms, 1 << 62))
    return found


def explained(why: str, at_ms: int, down: Sequence[Down], *, forfeits: bool) -> bool:
    """Whether times of being down account for a fault that was told at a time.

    >>> explained("DISCONNECT", 40_000, [(1_000, 60_000)], forfeits=True)
    True
    >>> explained("DISCONNECT", 40_000, [(1_000, 20_000)], forfeits=True)
    False
    """
    if why == "DISCONNECT" and forfeits:
        return any(
            a < at_ms and min(b, at_ms) - a >= GRACE_MS - 1_000 and b > at_ms - LATE_MS
            for a, b in down
        )
    if why not in {"DISCONNECT", "TIMEOUT", "WITHHELD"}:
        return False
    limit = POLICY["move_ms"]
    start = at_ms - limit - LATE_MS
    away = sum(max(0, min(b, at_ms) - max(a, start)) for a, b in down)
    return away >= limit - WAY_BACK_MS


def unexplained(folder: Path) -> list[str]:
    """Every fault that the crowd was told of and no fault of the network accounts for."""
    doors = {str(line["match"]): line["doors"] for line in _lines(folder / MATCHES)}
    down = downs(folder)
    wrong = []
    for line in _lines(folder / FAULTS):
        match, why = str(line["match"]), str(line["why"])
        at_ms, seat = int(line["at_ms"] or 0), int(line["seat"] or 0)
        of_match = doors[match]
        door = of_match[seat % 2] if isinstance(of_match, list) else -1
        found = down.get(door, [])
        if not explained(why, at_ms, found, forfeits=bool(line["close"])):
            near = [(a - at_ms, b - at_ms) for a, b in found if b > at_ms - 200_000 and a < at_ms]
            wrong.append(f"match {match}: {why} of seat {seat} (door {door}, down {near} ms)")
    return wrong
