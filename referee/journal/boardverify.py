"""The verification of a sealed board: its own file, and every table's file against it.

One file of a board says little alone: the board's has the deck and no play, a table's the play and
no deck. What is wrong comes back as a report a file; no bytes make this raise.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from referee.journal.verify import (
    BOARD_START,
    CHUNK,
    Asked,
    MissingFileError,
    Report,
    Verification,
    feed_all,
    missing_tables,
)
from referee.sealing.board import BoardRecord
from referee.sealing.boardwalk import BoardWalk
from referee.sealing.tablewalk import TableWalk
from referee.sealing.verdict import Stage

_HEAD: Final = re.compile(rb'\{"event":\{"board":"([0-9a-f]{32})","(dealer|chain)":')
_TABLE: Final = re.compile(rb',"table":([0-9]{1,4})\}')
_SNIFFED: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Sort:
    """What a file is by its first line: of which board, and of which of its tables.

    `board` is empty where it belongs to no board, `table` absent in a board's own file.
    """

    board: bytes = b""
    table: int | None = None


def sort_of(first: bytes) -> Sort:
    """What a file is that begins with some bytes."""
    if not first.startswith(BOARD_START):
        return Sort()
    found = _HEAD.match(first)
    if found is None:
        return Sort()
    if found[2] == b"dealer":
        return Sort(found[1])
    table = _TABLE.search(first.partition(b"\n")[0])
    return Sort() if table is None else Sort(found[1], int(table[1]))


def sort_of_file(path: Path) -> Sort:
    """What a file is; MissingFileError where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return sort_of(stream.read(_SNIFFED))
    except OSError as err:
        raise MissingFileError(f"cannot read {str(path)!r}: {err.strerror}") from err


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files that are verified together: one alone, or a board's and its tables'."""

    alone: Path | None = None
    board: Path | None = None
    tables: tuple[tuple[int, Path], ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """All of them."""
        found = (self.alone, self.board, *(path for _, path in self.tables))
        return tuple(path for path in found if path is not None)


def sets_of(paths: Sequence[Path]) -> list[FileSet]:
    """Files by what is verified together, in the order in which each set is first named."""
    sorts = [(path, sort_of_file(path) if path.is_file() else Sort()) for path in paths]
    boards = {sort.board for _, sort in sorts if sort.board and sort.table is None}
    sets: dict[bytes | int, FileSet] = {}
    for number, (path, sort) in enumerate(sorts):
        if sort.board not in boards:
            sets[number] = FileSet(alone=path)
            continue
        known = sets.setdefault(sort.board, FileSet())
        if sort.table is not None:
            tables = (*known.tables, (sort.table, path))
            sets[sort.board] = FileSet(known.alone, known.board, tables)
        elif known.board is None:
            sets[sort.board] = FileSet(known.alone, path, known.tables)
        else:  # two files of one board: the second has no tables of its own
            sets[number] = FileSet(board=path)
    return list(sets.values())


def verify_set(
    files: FileSet, asked: Asked, progress: Callable[[int], None] | None = None
) -> Iterator[tuple[Path, Report]]:
    """The report on each file of a board's set, its own first; MissingFileError."""
    if files.board is None:
        return
    tables = [(number, path, _bytes(path)) for number, path in files.tables]
    text = _bytes(files.board)
    report, reports = verify_board(text, [(number, table) for number, _, table in tables], asked)
    if progress:
        progress(len(text) + sum(len(table) for _, _, table in tables))
    yield files.board, report
    yield from zip((path for _, path, _ in tables), reports, strict=True)


def verify_board(
    board: bytes, tables: Iterable[tuple[int, bytes]], asked: Asked
) -> tuple[Report, list[Report]]:
    """The report on a board's file, and on each of the files that say they are its tables'."""
    walk = BoardWalk()
    verification = _fed(board, asked, walk)
    given: set[int] = set()
    reports = []
    for number, text in tables:
        reports.append(_table(text, asked, walk.record, again=number in given))
        given.add(number)
    if walk.record is not None:
        missing = missing_tables(walk.record, given)
        if missing:
            verification.seal.fail(Stage.END, missing)
    return verification.finish(), reports


def _table(text: bytes, asked: Asked, board: BoardRecord | None, *, again: bool) -> Report:
    if board is not None and not again:
        return _fed(text, asked, TableWalk(board)).finish()
    verification = _fed(text, asked, None)
    why = "its board does not verify" if board is None else "the file of this table is given twice"
    verification.seal.fail(Stage.END, why)
    return verification.finish()


def _fed(text: bytes, asked: Asked, walk: BoardWalk | TableWalk | None) -> Verification:
    verification = Verification(asked, walk=walk)
    stream = BytesIO(text)
    feed_all(verification, stream.read(CHUNK), stream)
    return verification


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as err:
        raise MissingFileError(f"cannot read {str(path)!r}: {err.strerror}") from err
