"""A disk that fails: a layer between SQLite and its files that counts what is written and flushed.

The store's own code runs unchanged on connections of another build of SQLite (apsw), whose files
are ours to break: at the n-th write, flush or truncation, once or from then on.
"""

import itertools
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from referee.journal.driver import Driver, prepared

Error = Callable[[str], Exception]
_NAMES = itertools.count()


@dataclass
class Disk:
    """Where a fault is to happen: at which operation, with which error, and whether it stays."""

    checkpoint: int = 1_000
    at: int = 0
    error: Error = apsw.IOError
    stays: bool = False
    only: str = ""
    armed: bool = False
    done: list[str] = field(default_factory=list)
    broke: list[str] = field(default_factory=list)

    def arm(self, at: int = 0) -> None:
        """Count from here, and fail at the n-th operation."""
        self.armed, self.at = True, at
        self.done.clear()
        self.broke.clear()

    def heal(self) -> None:
        """There is room again."""
        self.armed = False

    def touch(self, what: str) -> None:
        """Something is about to be written, flushed or cut; it may fail."""
        if not self.armed or self.only not in what:
            return
        self.done.append(what)
        here = len(self.done)
        if self.at and (here == self.at or (self.stays and here > self.at)):
            self.broke.append(what)
            raise self.error("a fault that a test asks for")

    def driver(self) -> Driver:
        """Connections to files on this disk."""
        name = f"faulty-{next(_NAMES)}"
        vfs = FaultyVFS(name, self)

        def write(path: Path) -> sqlite3.Connection:
            db = Connection(apsw.Connection(str(path), vfs=name), vfs)
            db.execute(f"PRAGMA wal_autocheckpoint = {self.checkpoint}")
            ready = prepared(db)  # type: ignore[arg-type]  # it has all that a store uses
            ready.execute(f"PRAGMA wal_autocheckpoint = {self.checkpoint}")
            return ready

        def read(path: Path) -> sqlite3.Connection:
            flags = apsw.SQLITE_OPEN_READONLY
            db = apsw.Connection(str(path), vfs=name, flags=flags)
            return Connection(db, vfs)  # type: ignore[return-value]  # all that a reader uses

        return Driver(write, read)


class FaultyFile(apsw.VFSFile):
    """A file whose disk may fail."""

    def __init__(self, name: apsw.URIFilename | str | None, flags: list[int], disk: Disk) -> None:
        super().__init__("", name, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        self._name = path.rpartition("-")[2] if path.endswith(("-wal", "-journal")) else "db"
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 -- SQLite's
        self._disk.touch(f"write {self._name}")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 -- SQLite's
        self._disk.touch(f"sync {self._name}")
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 -- SQLite's
        self._disk.touch(f"truncate {self._name}")
        super().xTruncate(newsize)


class FaultyVFS(apsw.VFS):
    """All files of one disk."""

    def __init__(self, name: str, disk: Disk) -> None:
        super().__init__(name, "")
        self._disk = disk

    def xOpen(  # noqa: N802 -- SQLite's
        self, name: apsw.URIFilename | str | None, flags: list[int]
    ) -> FaultyFile:
        return FaultyFile(name, flags, self._disk)


class Connection:
    """An apsw connection with the manners of the standard library's."""

    def __init__(self, db: apsw.Connection, vfs: FaultyVFS) -> None:
        self._db = db
        self._vfs = vfs  # it has to live as long as its files

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    def execute(self, sql: str, values: Iterable[object] = ()) -> "Rows":
        return Rows(lambda: list(self._db.execute(sql, values)))  # type: ignore[arg-type]

    def executemany(self, sql: str, values: Iterable[Iterable[object]]) -> "Rows":
        return Rows(lambda: list(self._db.executemany(sql, values)))  # type: ignore[arg-type]

    def close(self) -> None:
        self._db.close()


class Rows:
    """What a statement returned; its errors are those of the standard library."""

    def __init__(self, run: Callable[[], list[tuple[object, ...]]]) -> None:
        try:
            self._rows = run()
        except apsw.ConstraintError as err:
            raise sqlite3.IntegrityError(str(err)) from err
        except apsw.Error as err:
            raise sqlite3.OperationalError(str(err)) from err

    def __iter__(self) -> Iterator[tuple[object, ...]]:
        return iter(self._rows)

    def fetchall(self) -> list[tuple[object, ...]]:
        return self._rows

    def fetchone(self) -> tuple[object, ...] | None:
        return self._rows[0] if self._rows else None


def as_a_crash_leaves_it(path: Path, folder: Path) -> Path:
    """A copy of a journal as it lies on the disk just now."""
    folder.mkdir()
    for suffix in ("", "-wal"):
        lies = path.with_name(path.name + suffix)
        if lies.exists():
            shutil.copy(lies, folder / lies.name)
    return folder / path.name
