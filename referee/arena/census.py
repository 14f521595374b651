"""The processes of this machine, and which of them belong to a bot."""

import contextlib
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.arena.limits import MIB, Limits

_PROC: Final = Path("/proc")
_OLD_S: Final = 0.25
_TMPDIR: Final = b"TMPDIR="
_PARENT, _GROUP, _SESSION, _PAGES = 1, 2, 3, 21
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Member:
    """A process that runs: its parent, group and session, and the bytes of memory it holds."""

    pid: int
    parent: int
    group: int
    session: int
    memory: int


def read_stat(text: str) -> Member | None:
    """A process from its line in /proc/PID/stat; None where it has ended or the line is none.

    >>> read_stat("7 (a) b) S 1 7 7 " + "0 " * 17 + "2 0").group
    7
    """
    start, _, rest = text.rpartition(")")
    fields = rest.split()
    pid = start.partition(" ")[0]
    if len(fields) <= _PAGES or not pid.isdigit() or fields[0] in {"Z", "X"}:
        return None
    return Member(
        pid=int(pid),
        parent=int(fields[_PARENT]),
        group=int(fields[_GROUP]),
        session=int(fields[_SESSION]),
        memory=int(fields[_PAGES]) * _PAGE,
    )


def census(proc: Path = _PROC) -> tuple[Member, ...]:
    """Every process that runs now; none where the system does not tell."""
    found: list[Member] = []
    with contextlib.suppress(OSError):
        for entry in proc.iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError, ValueError):
                    text = (entry / "stat").read_bytes().decode("utf-8", "replace")
                    member = read_stat(text)
                    if member is not None:
                        found.append(member)
    return tuple(found)


class Census:
    """A census that is taken anew once it is old, for all who look at about the same time."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._taken_s = -math.inf
        self._members: tuple[Member, ...] = ()

    def members(self) -> tuple[Member, ...]:
        """The processes as they were a moment ago at most."""
        now = self._now()
        if now - self._taken_s > _OLD_S:
            self._taken_s, self._members = now, census()
        return self._members


RECENTLY: Final = Census()
"""The census that all bots of this process are looked at in."""


def family(members: Iterable[Member], root: int) -> tuple[Member, ...]:
    """Those of a bot's group and session, and whatever any of them started."""
    all_members = tuple(members)
    own = {m.pid for m in all_members if root in {m.pid, m.group, m.session}}
    grown = True
    while grown:
        more = {m.pid for m in all_members if m.parent in own} - own
        own |= more
        grown = bool(more)
    return tuple(member for member in all_members if member.pid in own)


def strays(members: Iterable[Member], scratch: Path) -> tuple[Member, ...]:
    """Those that were started with a directory as their TMPDIR, whoever is their parent now."""
    return tuple(member for member in members if _temporary(member.pid) == str(scratch))


def orphans(prefix: Path) -> tuple[int, ...]:
    """The processes whose TMPDIR begins so, and is gone: whoever started them was killed."""
    found = ((member.pid, _temporary(member.pid)) for member in census())
    return tuple(
        pid for pid, place in found if place.startswith(str(prefix)) and not Path(place).exists()
    )


def _temporary(pid: int) -> str:
    """The TMPDIR that a process was started with; empty where none is to be seen."""
    try:
        words = (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    found = (word for word in words if word.startswith(_TMPDIR))
    return next(found, _TMPDIR)[len(_TMPDIR) :].decode("utf-8", "replace")


def excess(bot: Sequence[Member], limits: Limits, *, beside: int = 0) -> str:
    """What a bot has too much of, in words; empty where it keeps its limits.

    `beside` is how many of the processes are not its own: those of its sandbox.
    """
    own = len(bot) - beside
    if own > limits.processes:
        return f"it runs {own} processes (at most {limits.processes})"
    used = sum(member.memory for member in bot)
    if used > limits.memory_mb * MIB:
        return f"it holds {used // MIB} MiB of memory (at most {limits.memory_mb})"
    return ""
