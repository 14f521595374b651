"""Where an event lies on the disk, who may run it, and which file it was started with."""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import yaml

from referee.arena.tournament.bounded import read_bounded
from referee.arena.tournament.eventdb import EventDb, EventError
from referee.arena.tournament.marked import LARGEST
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.sheetread import parse_sheet
from referee.errors import RefereeError

WAIT_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class EventPlace:
    """The directory of an event."""

    directory: Path

    @property
    def sheet(self) -> Path:
        """The tournament file as it was when the event started."""
        return self.directory / "event.yaml"

    @property
    def db(self) -> Path:
        """Everything that is known of the event."""
        return self.directory / "event.db"

    @property
    def announced(self) -> Path:
        """What was announced, for everybody."""
        return self.directory / "announced.jsonl"

    @property
    def records(self) -> Path:
        """The files of the boards that are closed or void, for everybody."""
        return self.directory / "records"

    def lacking(self, boards: Sequence[str], tables: int) -> list[str]:
        """The boards (ids) of which a file is missing among the records."""
        there = {path.name for path in self.records.iterdir()}
        parts = ("board", *map(str, range(tables)))
        return [b for b in boards if not there.issuperset(f"{b}.{part}.jsonl" for part in parts)]

    @property
    def work(self) -> Path:
        """The workers' journals, which hold secrets."""
        return self.directory / "work"

    def journal(self, slot: int) -> Path:
        """The journal of a worker."""
        return self.work / f"{slot}.db"

    def log(self, slot: int) -> Path:
        """What a worker has to say."""
        return self.work / f"{slot}.log"

    def slots(self) -> list[int]:
        """The workers that have a journal."""
        return sorted(int(path.stem) for path in self.work.glob("*.db") if path.stem.isdecimal())


def place_of(file: Path, directory: Path | None) -> EventPlace:
    """Where the event of a tournament file lies: beside it, unless told otherwise."""
    return EventPlace(directory or file.with_suffix("" if file.suffix else ".event"))


class SheetChangedError(RefereeError):
    """The tournament file is not the one that the event was started with."""


class BusyError(RefereeError):
    """Another director runs the event."""


def pinned_sheet(place: EventPlace, db: EventDb) -> Sheet:
    """The sheet that the event was started with; EventError where it is not the one pinned."""
    try:
        content = read_bounded(place.sheet, LARGEST)
    except OSError as err:
        raise EventError(
            f"cannot read {str(place.sheet)!r}: {err.strerror} (put the file back)"
        ) from err
    if sha256(content).hexdigest() != db.about().get("sheet"):
        raise EventError(
            f"{str(place.sheet)!r} is not the file that the event was started with"
            " (put it back as it was)"
        )
    return parse_sheet(str(place.sheet), content, begun=True)


def check_unchanged(file: Path, sheet: Sheet, pinned: Sheet) -> None:
    """Refuse a tournament file that was changed after its event began, and say what changed."""
    if sheet.hash == pinned.hash:
        return
    before, after = _keys(pinned.text), _keys(sheet.text)
    changed = [name for name in dict.fromkeys([*before, *after])
               if before.get(name) != after.get(name)]  # fmt: skip
    if not changed:  # only comments and spaces
        return
    told = "; ".join(f"{n}: {before.get(n)!r} became {after.get(n)!r}" for n in changed)
    raise SheetChangedError(
        f"{str(file)!r} was changed after the event began: {told[:1_000]}"
        " (put it back, take an action of the director instead, or start another event with --dir)"
    )


def _keys(text: bytes) -> dict[str, object]:
    """The top keys of a file that has been read before."""
    read: object = yaml.safe_load(text)
    return {str(key): value for key, value in read.items()} if isinstance(read, dict) else {}


def make_place(place: EventPlace) -> None:
    """Make the directory of an event; EventError where it cannot be written."""
    check_writable(place)
    try:
        place.directory.mkdir(parents=True, exist_ok=True, mode=0o755)
        place.records.mkdir(exist_ok=True)
        place.work.mkdir(exist_ok=True, mode=0o700)
    except OSError as err:
        where = err.filename or str(place.directory)
        raise EventError(
            f"cannot make the directory {where!r}: {err.strerror} (name another with --dir)"
        ) from err


def check_writable(place: EventPlace) -> None:
    """EventError where an event's directory could not be made, or it or what is in it not written.

    It makes nothing.
    """
    for where in (place.directory, place.records, place.work):
        above = where if where.exists() else next(p for p in where.absolute().parents if p.exists())
        if not above.is_dir():
            raise EventError(
                f"{str(above)!r} is there and is no directory (name another with --dir)"
            )
        if not os.access(above, os.W_OK | os.X_OK):
            raise EventError(f"cannot write to {_refused(above)} (name another with --dir)")
    kept = (place.db, place.announced, place.directory / "director.lock")
    for path in (*kept, *sorted(place.work.glob("*.db")), *sorted(place.work.glob("*.lo[gc]*"))):
        if path.exists() and not os.access(path, os.W_OK):
            raise EventError(f"cannot write to {_refused(path)} (make it writable)")


def _refused(path: Path) -> str:
    """A path that cannot be written, and why."""
    read_only = os.statvfs(path).f_flag & os.ST_RDONLY
    return f"{str(path)!r}: {os.strerror(errno.EROFS if read_only else errno.EACCES)}"


def write_whole(path: Path, content: bytes) -> None:
    """Put a file there whole, or not at all; flushed."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()  # on a disk that is full, every byte counts
        raise


@contextmanager
def only_one(path: Path, *, wait_s: float = 0.0) -> Iterator[None]:
    """Hold a lock that ends with this process; BusyError tells the process that has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise EventError(f"{str(path)!r} is a pipe or a device, not a file (remove it)")
        deadline = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as err:
                if time.monotonic() >= deadline:
                    holder = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
                    raise BusyError(
                        f"{str(path.parent)!r} is in use by process {holder or '?'}"
                        " (wait for it, or end it; it goes on where it was)"
                    ) from err
                time.sleep(WAIT_S)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def holder_of(path: Path) -> int:
    """The process that holds such a lock; 0 where none does."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return 0
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        told = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
        return int(told) if told.isdecimal() else 0
    finally:
        os.close(handle)
    return 0
