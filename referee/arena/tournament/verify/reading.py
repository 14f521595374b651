"""A published event as it lies on disk: nothing of it is believed yet."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import Bye, Encounter, RoundPlan
from referee.arena.tournament.bounded import LARGEST_RECORD, read_bounded
from referee.arena.tournament.publish.document import FORMAT
from referee.arena.tournament.publish.facts import Paired
from referee.arena.tournament.verify.report import FILE, INCOMPLETE, UNREADABLE, Finding
from referee.errors import RefereeError

LARGEST_FILE: Final = 1 << 28
WORTH: Final = re.compile(r"[0-9]{1,9}(/[0-9]{1,9})?")


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


def read_file(path: Path, name: str) -> bytes:
    """A file, which errors call by a name; UnreadableEventError where it cannot be, or is huge."""
    try:
        return read_bounded(path, LARGEST_RECORD if name.startswith("records/") else LARGEST_FILE)
    except OSError as err:
        raise _unreadable(name, f"{err.strerror}") from err


class SiteFiles(Mapping[str, bytes]):
    """Files of a folder by their names with slashes, each read when it is asked for.

    So an event of any size is verified in little memory.
    Errors: UnreadableEventError where the folder or a file cannot be read.
    """

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self._folder = folder
        self._names = dict.fromkeys(names)

    def __getitem__(self, name: str) -> bytes:
        if name not in self._names:
            raise KeyError(name)
        return read_file(self._folder / name, name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def site_files(folder: Path) -> SiteFiles:
    """Every file of a site; a folder that is none, which may be large, is not looked through.

    Hidden files, and what the program that computes the numbers again leaves behind, are no part
    of a site.
    Errors: UnreadableEventError where the folder cannot be read, or is an event's own.
    """
    try:
        if not (folder / "event.json").exists():
            if (folder / "event.db").exists():
                raise _unreadable(
                    str(folder),
                    "the event's own directory (verify what euchre-referee tournament publish"
                    f" wrote: {folder / 'site'}, or where its --out is)",
                )
            return SiteFiles(folder, ())
        found = sorted(path for path in folder.rglob("*") if not path.is_dir())
    except OSError as err:
        raise _unreadable(str(err.filename or folder), f"{err.strerror}") from err
    names = (path.relative_to(folder).as_posix() for path in found)
    return SiteFiles(folder, (name for name in names if not _is_aside(name)))


class Within(Mapping[str, bytes]):
    """The files of a folder of the site, by their names in it."""

    def __init__(self, files: Mapping[str, bytes], folder: str) -> None:
        self._files = files
        self._start = f"{folder}/"

    def __getitem__(self, name: str) -> bytes:
        return self._files[self._start + name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._start + name in self._files

    def __iter__(self) -> Iterator[str]:
        start = self._start
        return (name.removeprefix(start) for name in self._files if name.startswith(start))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _is_aside(name: str) -> bool:
    return "__pycache__" in name or any(part.startswith(".") for part in name.split("/"))


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
                worth=_worth(str(bye["worth"])),
            )
            for bye in byes
        ),
    )
    return Paired(plan, actions)


def _worth(text: str) -> Fraction:
    if not WORTH.fullmatch(text):  # Fraction itself would take 1e999999999, and all memory
        raise ValueError(f"not what a bye is worth: {text!r:.40}")
    return Fraction(text)


def _unreadable(name: str, what: str) -> UnreadableEventError:
    return UnreadableEventError(Finding(UNREADABLE, FILE, name, what))
