"""Matches that were closed long ago leave a journal, and the file becomes smaller.

Nobody else may write the journal meanwhile. Matches go a few at a time, each group in one
transaction, so that a prune that is stopped has done its work so far and can be started again.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from referee.journal.driver import connect
from referee.journal.sqlite import SqliteReader, own, unusable
from referee.journal.store import Deed, StoreError
from referee.journal.transact import NOTE

AT_A_TIME: Final = 64


def old_matches(reader: SqliteReader, before_ms: int) -> list[bytes]:
    """The matches that were closed before a time, in order of creation."""
    return [match for match, closed_ms in reader.closed().items() if closed_ms < before_ms]


def prune(
    path: Path,
    matches: Sequence[bytes],
    *,
    deed: Deed,
    keep: Callable[[bytes, bytes], None] = lambda _match, _text: None,
) -> Iterator[int]:
    """Take closed matches out of a journal; how many went, group by group, then the file shrinks.

    `keep` is given each match's transcript before it goes. The deed is noted with the first group.
    Raises StoreError where another process writes the journal, or a match is not closed.
    """
    with closing(own(path)), closing(SqliteReader(path)) as reader, closing(connect(path)) as db:
        closed = reader.closed()
        for start in range(0, len(matches), AT_A_TIME):
            group = matches[start : start + AT_A_TIME]
            for match in group:
                if match not in closed:
                    raise StoreError(f"match {match.hex()} is not closed (it stays in the journal)")
                text = b"".join(row.line for row in reader.rows(match) if row.seq is not None)
                if text:
                    keep(match, text)
            try:
                _remove(db, group, () if start else (deed,))
            except sqlite3.Error as err:
                raise unusable(path, err) from err
            yield len(group)
        _shrink(db, path)


def _remove(db: sqlite3.Connection, matches: Sequence[bytes], deeds: Sequence[Deed]) -> None:
    ids = [(match,) for match in matches]
    db.execute("BEGIN IMMEDIATE")
    try:
        db.executemany("DELETE FROM rows WHERE match = ?", ids)
        db.executemany("DELETE FROM matches WHERE match = ? AND closed_ms IS NOT NULL", ids)
        db.executemany(NOTE, [(d.at_ms, d.who, d.what, d.match, d.detail) for d in deeds])
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _shrink(db: sqlite3.Connection, path: Path) -> None:
    try:
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as err:
        raise StoreError(
            f"the matches are gone, but {str(path)!r} could not be made smaller: {err} (free as"
            " much of the disk as it takes, then prune again)"
        ) from err
