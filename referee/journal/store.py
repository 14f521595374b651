"""The journal's rows, and the door that every store stands behind.

A store keeps rows in the order they were appended, for each match its own count. An append is
durable when its future is done: not before, and not at all if the future fails.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Protocol

from referee.errors import RefereeError

SCHEMA_VERSION: Final = 1


class StoreError(RefereeError):
    """The database cannot be used as it is; the message says what to do."""

    exit_code = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One event of a match.

    `n` counts all rows of the match from 0, `seq` only the public ones. `body` holds the exact
    bytes of the event, `sig` the referee's signature (64 bytes) or nothing. `request_id` is the
    attempt that the row answers, 16 bytes, or nothing.
    """

    match: bytes
    n: int
    seq: int | None
    kind: str
    body: bytes
    sig: bytes = b""
    request_id: bytes = b""

    @property
    def line(self) -> bytes:
        """The row as a line of the transcript, with its LF."""
        return b'{"event":' + self.body + b',"sig":"' + self.sig.hex().encode("ascii") + b'"}\n'


class Store(Protocol):
    """Where rows are kept."""

    def append(self, rows: Sequence[Row]) -> Future[None]:
        """Queue rows, all or none; the future is done once they are durable.

        It fails with StoreError, or where a row (match, n) is there already.
        """
        ...

    def heal(self, match: bytes) -> None:
        """Take appends of this match again, after one has failed.

        Until then the store refuses them, so that nothing is kept that follows what was lost.
        """
        ...

    def rows(self, match: bytes, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """Every row of a match, or those of some kinds, in order."""
        ...

    def matches(self, *, newest_first: bool = False) -> list[bytes]:
        """Every match that has a row, in order of creation."""
        ...

    def open_matches(self) -> list[bytes]:
        """Every match without a closing row, in order of creation."""
        ...

    def close(self) -> None:
        """Finish what is queued, then let go of everything."""
        ...
