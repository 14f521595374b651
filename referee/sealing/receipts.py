"""Receipts that seats kept, held against the transcript of their match.

JSON Lines, one receipt a line: `{"items":[{"deal":D,"head":H,"match":M,"seq":N},...],"sig":SIG}`.
One file holds the receipts of one seat. A receipt that the referee signed and the file contradicts
is proof against the referee; one that it did not sign proves nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.sealing.canonical import parse
from referee.sealing.closing import DealClose, Event
from referee.sealing.encode import HASH_SIZE, LARGEST_U32, MATCH_SIZE
from referee.sealing.events import ActionTaken, CommitSet, SeatCommit
from referee.sealing.fields import Fields
from referee.sealing.keys import SIGNATURE_SIZE, VerifyKey
from referee.sealing.messages import ReceiptItem, receipt_bytes
from referee.sealing.packs import SEATS
from referee.sealing.parts import deal_number


@dataclass(frozen=True, slots=True)
class Receipt:
    """The items that one signature of the referee acknowledges, and where they were kept."""

    items: tuple[ReceiptItem, ...]
    sig: bytes
    file: str
    line: int

    @property
    def place(self) -> str:
        """The file and the line, for people."""
        return f"line {self.line} of {self.file!r}"


def read_receipt(text: bytes, file: str, line: int) -> Receipt:
    """The receipt in a line without its line feed; UnreadableError where it is none."""
    fields = Fields(parse(text), "a receipt")
    items = tuple(_item(item) for item in fields.objects("items"))
    sig = fields.raw("sig", SIGNATURE_SIZE)
    fields.end()
    return Receipt(items, sig, file, line)


def _item(fields: Fields) -> ReceiptItem:
    item = ReceiptItem(
        match=fields.raw("match", MATCH_SIZE),
        deal=deal_number(fields),
        seq=fields.number("seq", largest=LARGEST_U32),
        head=fields.raw("head", HASH_SIZE),
    )
    fields.end()
    return item


@dataclass(slots=True)
class Watch:
    """The receipts of one match, each looked at when its event is read."""

    receipts: tuple[Receipt, ...]
    agreed: int = 0
    _due: dict[int, list[tuple[ReceiptItem, Receipt]]] = field(default_factory=dict)
    _seats: dict[str, set[int]] = field(default_factory=dict)
    _revealed: set[str] = field(default_factory=set)

    def unsigned(self, match: bytes, key: VerifyKey) -> Iterator[str]:
        """A sentence for each receipt that the key did not sign; the others are due."""
        for receipt in self.receipts:
            if not key.accepts(receipt.sig, receipt_bytes(receipt.items)):
                yield f"{receipt.place}: the referee's key has not signed this receipt"
                continue
            for item in receipt.items:
                if item.match == match:
                    self._due.setdefault(item.seq, []).append((item, receipt))

    def contradiction(self, seq: int, deal: int | None, head: bytes) -> str | None:
        """What the receipts of an event's number say against the event that stands there."""
        found = None
        for item, receipt in self._due.get(seq, ()):
            if item.head == head and item.deal == deal:
                self.agreed += 1
            elif found is None:
                found = f"{receipt.place} acknowledges another event {seq} than the one in the file"
        return found

    def denied(self, event: Event, seq: int) -> str | None:
        """What the receipts say against a fault that the referee charges."""
        files = {receipt.file for _, receipt in self._due.pop(seq, ())}
        match event:
            case SeatCommit() | ActionTaken():
                for file in files:
                    self._seats.setdefault(file, set()).add(event.seat)
            case CommitSet():
                self._revealed = files
            case DealClose():
                return self._denied_reveal(event)
            case _:
                pass
        return None

    def _denied_reveal(self, event: DealClose) -> str | None:
        """A receipt with the number of commit_set acknowledges the reveal of its seat."""
        revealed, self._revealed = self._revealed, set()
        withheld = {fault.seat for fault in event.faults if fault.why == "WITHHELD"}
        for file in sorted(revealed):
            for seat in sorted(withheld & self._seats.get(file, set())):
                return f"{SEATS[seat]} is said to have withheld, and {file!r} holds the receipt"
        return None

    def beyond(self, last: int) -> str | None:
        """What the receipts acknowledge after the event that closes the match."""
        for seq in sorted(self._due):
            if seq > last:
                receipt = self._due[seq][0][1]
                return f"{receipt.place} acknowledges event {seq}, which the file has not"
        return None


class Receipts:
    """All receipts that were handed in, by the matches that they name."""

    __slots__ = ("_of",)

    def __init__(self, receipts: Iterable[Receipt]) -> None:
        self._of: dict[bytes, list[Receipt]] = {}
        for receipt in receipts:
            for match in dict.fromkeys(item.match for item in receipt.items):
                self._of.setdefault(match, []).append(receipt)

    def watch(self, match: bytes) -> Watch:
        """The receipts of one match."""
        return Watch(tuple(self._of.get(match, ())))
