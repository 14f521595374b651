"""The referee's receipts: checked at once against the record, and kept as JSON Lines."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from euchre_bot.canonical import JSON, dump, is_canonical
from euchre_bot.deal import HASH, Opened
from euchre_bot.dealing import SEATS
from euchre_bot.errors import DealProofError, UsageError
from euchre_bot.files import add, check_regular, make_parent
from euchre_bot.seal import private_deal_bytes, receipt_bytes
from euchre_bot.signatures import verifies

_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class ReceiptItem:
    """One thing that the referee has accepted: the event it stands in, and the head there."""

    match: bytes
    deal: int
    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class PrivateDeal:
    """Cards that the referee's signature deals to a seat."""

    match: bytes
    deal: int
    seat: int
    root: bytes
    cards: tuple[Opened, ...]
    sig: bytes

    @property
    def signed_bytes(self) -> bytes:
        """What the referee has signed, if it has."""
        parts = [(card.position, card.card, card.salt) for card in self.cards]
        return private_deal_bytes(self.match, self.deal, self.seat, self.root, parts)


class ReceiptFile:
    """Receipts, one JSON line each, as `euchre-referee verify --receipts` reads them.

    Private deals stand among them where they were wrong.
    """

    __slots__ = ("_file", "_path")

    def __init__(self, path: Path) -> None:
        make_parent(path)
        self._path = path
        try:
            check_regular(path, "the receipts")
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _PRIVATE)
            self._file = os.fdopen(descriptor, "r+b", buffering=0)
            whole = self._file.read().rfind(b"\n") + 1
            self._file.truncate(whole)  # a line that a crash has torn proves nothing
            self._file.seek(whole)
        except OSError as err:
            raise UsageError(f"cannot open the receipts {str(path)!r}: {err.strerror}") from err

    def keep(self, items: Sequence[ReceiptItem], sig: bytes) -> None:
        """Write down a receipt."""
        rows: list[JSON] = [
            {"match": i.match.hex(), "deal": i.deal, "seq": i.seq, "head": i.head.hex()}
            for i in items
        ]
        self._write({"items": rows, "sig": sig.hex()})

    def keep_deal(self, dealt: PrivateDeal) -> bool:
        """Write down cards that we were dealt; False where they are nothing that can be read."""
        cards: list[JSON] = [
            {"card": c.card, "position": c.position, "salt": c.salt.hex()} for c in dealt.cards
        ]
        row: dict[str, JSON] = {
            "cards": cards,
            "deal": dealt.deal,
            "match": dealt.match.hex(),
            "root": dealt.root.hex(),
            "seat": SEATS[dealt.seat],
            "sig": dealt.sig.hex(),
        }
        hashes = {len(dealt.root), *(len(c.salt) for c in dealt.cards)}
        if hashes != {HASH} or not is_canonical(row):
            return False
        self._write(row)
        return True

    def _write(self, row: dict[str, JSON]) -> None:
        try:
            add(self._file, dump(row) + b"\n")
        except OSError as err:
            raise UsageError(f"cannot write {str(self._path)!r}: {err.strerror}") from err

    def close(self) -> None:
        """Give the file back."""
        self._file.close()


class Receipts:
    """What the referee has acknowledged to one seat of one match."""

    __slots__ = ("_due", "_file", "_heads", "_key", "_match", "_promised")

    def __init__(self, match: bytes, key: bytes, file: ReceiptFile) -> None:
        self._match = match
        self._key = key
        self._file = file
        self._due: list[tuple[int, int | None]] = []
        self._heads: dict[int, bytes] = {}
        self._promised: dict[int, bytes] = {}

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def accepted(self, deal: int, seq: int | None) -> None:
        """An input of ours was accepted: a receipt for it has to come in the same message.

        `seq` is the event it became or answered; None where that event is still to come.
        """
        self._due.append((deal, seq))

    def take(self, items: Sequence[ReceiptItem], sig: bytes) -> None:
        """Check a receipt against the record as far as it is known, and keep it."""
        parts = [(item.match, item.deal, item.seq, item.head) for item in items]
        if not verifies(self._key, sig, receipt_bytes(parts)):
            raise DealProofError("a receipt has a signature that is not the referee's")
        self._file.keep(items, sig)
        for item in items:
            if item.match != self._match:
                continue
            covered = next(
                ((d, n) for d, n in self._due if d == item.deal and n in (None, item.seq)), None
            )
            if covered is not None:
                self._due.remove(covered)
            self._compare(item.seq, self._heads.get(item.seq), item.head)
            self._compare(item.seq, self._promised.get(item.seq), item.head)
            if item.seq not in self._heads:
                self._promised[item.seq] = item.head

    def keep_deal(self, dealt: PrivateDeal) -> bool:
        """Keep cards that the referee signed and did not seal; False where they cannot be."""
        return self._file.keep_deal(dealt)

    def end_of_message(self) -> None:
        """Insist on a receipt for everything that the message accepted."""
        if self._due:
            deal, seq = self._due[0]
            what = "our commitment" if seq is None else f"what stands in event {seq}"
            raise DealProofError(f"deal {deal}: the referee accepted {what} without a receipt")

    def saw(self, seq: int, head: bytes) -> None:
        """An event has come: what was promised of it must hold."""
        self._compare(seq, head, self._promised.pop(seq, None))
        self._heads[seq] = head

    def forget_before(self, seq: int) -> None:
        """Let go of events that no receipt will name any more."""
        self._heads = {n: head for n, head in self._heads.items() if n >= seq}

    @staticmethod
    def _compare(seq: int, head: bytes | None, other: bytes | None) -> None:
        if head is not None and other is not None and head != other:
            raise DealProofError(
                f"event {seq} is not the one that the referee gave us a receipt for"
                " (the receipt is kept: it is the proof)"
            )
