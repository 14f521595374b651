"""The record of one match as it grows: events become rows, chained and signed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.host.items import EventItem
from referee.journal.codec import private_bytes
from referee.journal.store import Row
from referee.sealing.keys import SigningKey
from referee.sealing.transcript import ZERO_HEAD, event_bytes, event_hash, sign_event
from referee.table.events import Event, PrivateEvent, PublicEvent

ANSWERING: Final = frozenset({"action", "attempt", "seat_commit", "seed", "deal_close"})
"""The kinds whose row keeps the attempt that it answers; the first one of a decision does."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the record: rows and public events so far, and the head of the chain.

    `commit_head` is the head after the newest commit_set.
    """

    rows: int = 0
    events: int = 0
    head: bytes = ZERO_HEAD
    commit_head: bytes = b""


class Record:
    """Where the next row goes."""

    __slots__ = ("_key", "_match", "mark")

    def __init__(self, match: bytes, key: SigningKey) -> None:
        self._match = match
        self._key = key
        self.mark = Mark()

    def rows(
        self, events: Sequence[Event], request_id: bytes = b""
    ) -> tuple[tuple[Row, ...], tuple[EventItem, ...]]:
        """The rows of a decision, and its public events; the mark moves behind them."""
        rows: list[Row] = []
        told: list[EventItem] = []
        for event in events:
            rid = request_id if event.kind in ANSWERING else b""
            request_id = b"" if rid else request_id
            n = self.mark.rows
            if isinstance(event, PrivateEvent):
                body = private_bytes(event)
                rows.append(Row(self._match, n, None, event.kind, body, b"", rid))
                self._move(event.kind, None)
            else:
                item = self.told(event)
                told.append(item)
                rows.append(Row(self._match, n, item.seq, event.kind, item.raw, item.sig, rid))
                self._move(event.kind, item.head)
        return tuple(rows), tuple(told)

    def told(self, event: PublicEvent) -> EventItem:
        """A public event at the next place of the chain, signed where it must be."""
        mark = self.mark
        raw = event_bytes(event, mark.events, mark.head)
        head = event_hash(mark.head, raw)
        sig = sign_event(self._key, head) if event.signed else b""
        return EventItem(mark.events, raw, sig, event, head)

    def pass_by(self, row: Row) -> None:
        """Move the mark behind a row."""
        head = None if row.seq is None else event_hash(self.mark.head, row.body)
        self._move(row.kind, head)

    def _move(self, kind: str, head: bytes | None) -> None:
        """Move the mark by a row; `head` is the chain's after it, where it is public."""
        mark = self.mark
        if head is None:
            self.mark = Mark(mark.rows + 1, mark.events, mark.head, mark.commit_head)
            return
        commit_head = head if kind == "commit_set" else mark.commit_head
        self.mark = Mark(mark.rows + 1, mark.events + 1, head, commit_head)
