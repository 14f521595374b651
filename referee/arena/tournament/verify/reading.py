"""A published event as it lies on disk: every file read once, nothing believed yet."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import Bye, Encounter, RoundPlan
from referee.arena.tournament.publish.document import FORMAT
from referee.arena.tournament.publish.facts import Paired
from referee.arena.tournament.verify.report import FILE, INCOMPLETE, UNREADABLE, Finding
from referee.errors import RefereeError

LARGEST_FILE: Final = 1 << 28
MOST_FILES: Final = 1_000_000


class UnreadableEventError(RefereeError):
    """A folder that is no published event, or one of whose files cannot be read at all."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.file}: {finding.message}")
        self.finding = finding


@dataclass(frozen=True, slots=True)
class Told:
    """What only `event.json` says: its rounds, what was measured of the machines.

    `boards` are the ids of those that it says are closed.
    """

    name: str
    referee_key: str
    finished: bool
    boards: frozenset[str]
    rounds: tuple[Paired, ...]
    noisy: bool
    noise: tuple[str, ...]


def read_files(folder: Path) -> dict[str, bytes]:
    """Every file by its name with slashes; hidden ones are no part of the site.

    Errors: UnreadableEventError where the folder or a file cannot be read.
    """
    found: dict[str, bytes] = {}
    try:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_dir() or any(part.startswith(".") for part in name.split("/")):
                continue
            if "__pycache__" in name:
                continue  # left by the program that computes the numbers again
            if not path.is_file() or path.stat().st_size > LARGEST_FILE:
                raise _unreadable(name, f"no file of at most {LARGEST_FILE} bytes")
            found[name] = path.read_bytes()
            if len(found) > MOST_FILES:
                raise _unreadable(str(folder), f"more than {MOST_FILES} files")
    except OSError as err:
        raise _unreadable(str(err.filename or folder), f"{err.strerror}") from err
    return found


def need(files: Mapping[str, bytes], name: str) -> bytes:
    """A file that must be there."""
    if name not in files:
        raise UnreadableEventError(
            Finding(INCOMPLETE, FILE, name, "the file is missing (get the whole folder)")
        )
    return files[name]


def read_told(content: bytes) -> Told:
    """What `event.json` says that nothing else does."""
    try:
        whole: object = json.loads(content)
        if not isinstance(whole, dict) or whole.get("format") != FORMAT:
            raise _unreadable("event.json", f"it is not of the format {FORMAT!r}")
        return Told(
            name=str(whole["name"]),
            referee_key=str(whole["referee_key"]),
            finished=whole["state"] == "finished",
            boards=frozenset(str(each["id"]) for each in whole["boards"]),
            rounds=tuple(_paired(each) for each in whole["rounds"]),
            noisy=whole["noise"]["noisy"] is True,
            noise=tuple(str(text) for text in whole["noise"]["told"]),
        )
    except (
        ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError, RecursionError,
        FormatError,
    ) as err:  # fmt: skip
        raise _unreadable("event.json", f"it cannot be read: {err!s:.80}") from err


def _paired(told: Mapping[str, object]) -> Paired:
    encounters, byes = told["encounters"], told["byes"]
    number, actions = told["round"], told["actions"]
    if not isinstance(encounters, list) or not isinstance(byes, list):
        raise TypeError("encounters and byes are lists")
    if not isinstance(number, int) or not isinstance(actions, int):
        raise TypeError("round and actions are numbers")
    plan = RoundPlan(
        number=number,
        encounters=tuple(
            Encounter(
                entries=tuple(str(name) for name in each["entries"]),
                reason=str(each["reason"]),
                label=str(each["label"]),
            )
            for each in encounters
        ),
        byes=tuple(
            Bye(
                entry=str(bye["entry"]),
                reason=str(bye["reason"]),
                worth=Fraction(str(bye["worth"])),
            )
            for bye in byes
        ),
    )
    return Paired(plan, actions)


def _unreadable(name: str, what: str) -> UnreadableEventError:
    return UnreadableEventError(Finding(UNREADABLE, FILE, name, what))
