"""What a referee has acknowledged of its matches, held against the journal that it left behind."""

import sqlite3
from dataclasses import dataclass, field
from typing import Final

from referee.sealing.keys import VerifyKey
from referee.sealing.messages import ReceiptItem, receipt_bytes
from referee.sealing.transcript import ZERO_HEAD, event_hash

ROWS: Final = "SELECT kind, seq, body, sig, request_id FROM rows WHERE match = ? ORDER BY n"


@dataclass
class Acknowledged:
    """One match, as anybody was told of it; `wrong` lists where two tellings differ."""

    match: bytes
    key: VerifyKey
    events: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    heads: list[bytes] = field(default_factory=list)
    answered: dict[bytes, str] = field(default_factory=dict)
    receipts: dict[int, bytes] = field(default_factory=dict)
    seated: set[int] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    count: int = 0

    def event(self, seq: int, raw: bytes, sig: bytes) -> None:
        """A public event, told to a seat or to a watcher."""
        known = self.events.setdefault(seq, (raw, sig))
        if known != (raw, sig):
            self.wrong.append(f"event {seq} was told in two ways")
        if seq == len(self.heads):
            self.heads.append(event_hash(self.heads[-1] if self.heads else ZERO_HEAD, raw))
        self.count += 1

    def answer(self, request_id: bytes, what: str) -> None:
        """A ruling on an attempt, or an attempt that was no action and counts."""
        self.answered[request_id] = what
        self.count += 1

    def receipt(self, seq: int, head: bytes) -> None:
        """One item of a receipt whose signature holds."""
        if self.receipts.setdefault(seq, head) != head:
            self.wrong.append(f"two receipts for event {seq} differ")
        self.count += 1

    def seat(self, seat: int) -> None:
        """A welcome."""
        self.seated.add(seat)
        self.count += 1

    def lost(self, db: sqlite3.Connection) -> list[str]:
        """Everything acknowledged that the journal does not hold."""
        rows = db.execute(ROWS, (self.match,)).fetchall()
        if not rows:
            return ["the match itself"]
        public = {seq: (body, sig) for _, seq, body, sig, _ in rows if seq is not None}
        kept = {request_id for *_, request_id in rows}
        seats = sum(kind == "seated" for kind, *_ in rows)
        heads = [ZERO_HEAD]
        for seq in sorted(public):
            heads.append(event_hash(heads[-1], public[seq][0]))
        known = dict(enumerate(heads[1:]))
        return [
            *self.wrong,
            *(f"event {seq}" for seq, told in self.events.items() if public.get(seq) != told),
            *(f"the answer to {what}" for rid, what in self.answered.items() if rid not in kept),
            *(
                f"event {s} of a receipt"
                for s, head in self.receipts.items()
                if known.get(s) != head
            ),
            *(["a seat that was welcomed"] if seats < len(self.seated) else []),
        ]

    def forget(self) -> None:
        """Let go of what has been found in the journal, once the match is over."""
        self.events.clear()
        self.heads.clear()
        self.answered.clear()
        self.receipts.clear()


def signed_by(key: VerifyKey, items: list[ReceiptItem], sig: bytes) -> bool:
    """Whether a receipt is the referee's."""
    return key.accepts(sig, receipt_bytes(items))
