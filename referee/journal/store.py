"""The journal's rows, and the door that every store stands behind.

A store keeps rows in the order they were appended, for each match its own count. An append is
durable when its future is done: not before, and not at all if the future fails.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from referee.errors import RefereeError


class StoreError(RefereeError):
    """The database cannot be used as it is; the message says what to do."""

    exit_code = 6


class StoreClosedError(StoreError):
    """The store has been closed: nothing can be kept or read until it is opened again."""

    def __init__(self) -> None:
        super().__init__("the journal is closed: start the referee again")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something that an operator did, for the trail.

    `at_ms` is milliseconds since 1970, `who` the operator's name, `what` a word, `match` the match
    that it was done to, if there is one, `detail` one JSON object in canonical form.
    """

    at_ms: int
    who: str
    what: str
    match: bytes | None = None
    detail: str = "{}"


class Store(Protocol):
    """Where rows and the trail are kept."""

    @property
    def trouble(self) -> str:
        """Why the disk did not take the last append; empty once one has been kept again."""
        ...

    def append(self, rows: Sequence[Row], *, at_ms: int) -> Future[None]:
        """Queue rows, all or none; the future is done once they are durable.

        `at_ms` is now, in milliseconds since 1970; of a row that closes its match it is kept.
        It fails with StoreError, or where a row (match, n) is there already. Without rows it asks
        whether anything can be written at all.
        """
        ...

    def note(self, deed: Deed) -> Future[None]:
        """Queue a deed for the trail; the future is done once it is durable, or StoreError."""
        ...

    def heal(self, match: bytes) -> None:
        """Take appends of this match again, after one has failed.

        Until then the store refuses them, so that nothing is kept that follows what was lost.
        """
        ...

    def rows(self, match: bytes, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """Every row of a match, or those of some kinds, in order.

        It fails with StoreError, and with StoreClosedError where it will not come back by itself.
        """
        ...

    def beginnings(self, *, since_ms: int) -> Iterator[Row]:
        """The rows that say who may come in, of many matches at once, in order of creation.

        Those are of the kinds `created` and `joined`; the matches are all that are open, and those
        that were closed then or later.
        """
        ...

    def matches(self, *, newest_first: bool = False) -> list[bytes]:
        """Every match that has a row, in order of creation."""
        ...

    def open_matches(self) -> list[bytes]:
        """Every match without a closing row, in order of creation."""
        ...

    def closed_ms(self, match: bytes) -> int | None:
        """When a match was closed, in milliseconds since 1970; None while it is open, or none."""
        ...

    def closed(self, *, since_ms: int = 0) -> Mapping[bytes, int]:
        """When each match was closed that was closed then or later, in order of creation."""
        ...

    def deeds(self, first: int = 1, last: int | None = None) -> Iterator[Deed]:
        """The trail, in order: every deed that was noted, or those of some numbers, from 1 on."""
        ...

    def deed_count(self) -> int:
        """How many deeds were noted."""
        ...

    def close(self) -> None:
        """Finish what is queued, then let go of everything."""
        ...
