"""What seats kept that the referee signed, held against the transcript of their match.

JSON Lines in canonical form, of two kinds. A receipt acknowledges what was accepted:
`{"items":[{"deal":D,"head":H,"match":M,"seq":N},...],"sig":SIG}`. A private deal shows the cards
that a seat was dealt: `{"cards":[{"card":C,"position":P,"salt":S},...],"deal":D,"match":M,"root":R,
"seat":SEAT,"sig":SIG}`.
One file holds what one seat kept. A line that the referee signed and the transcript contradicts is
proof against the referee; one that it did not sign proves nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from referee.sealing.canonical import parse
from referee.sealing.closing import DealClose, Event
from referee.sealing.encode import HASH_SIZE, LARGEST_U32, MATCH_SIZE
from referee.sealing.events import (
    ActionTaken,
    CommitSet,
    DealOpen,
    DeckRoot,
    MatchOpen,
    SeatCommit,
)
from referee.sealing.fields import Fields
from referee.sealing.keys import SIGNATURE_SIZE, VerifyKey
from referee.sealing.leaves import leaf
from referee.sealing.messages import Opening, ReceiptItem, private_deal_bytes, receipt_bytes
from referee.sealing.packs import SEATS, SWAP_POSITIONS

_LARGEST_DEAL: Final = LARGEST_U32 - 1

Places: TypeAlias = Callable[[str, int, int], tuple[int, ...]]
"""The positions of a seat, by the word for the packets, the dealer and the seat: a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A line that the referee has signed, and where it was kept."""

    sig: bytes
    file: str
    line: int

    @property
    def place(self) -> str:
        """The file and the line, for people."""
        return f"line {self.line} of {self.file!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(_Kept):
    """The items that one signature of the referee acknowledges."""

    items: tuple[ReceiptItem, ...]

    @property
    def matches(self) -> Iterable[bytes]:
        """The matches that it speaks of, each once."""
        return dict.fromkeys(item.match for item in self.items)

    @property
    def signed_bytes(self) -> bytes:
        """What the referee has signed, if it has."""
        return receipt_bytes(self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateDeal(_Kept):
    """Cards that one signature of the referee deals to a seat."""

    match: bytes
    deal: int
    seat: int
    root: bytes
    cards: tuple[Opening, ...]

    @property
    def matches(self) -> Iterable[bytes]:
        """The match that it speaks of."""
        return (self.match,)

    @property
    def signed_bytes(self) -> bytes:
        """What the referee has signed, if it has."""
        return private_deal_bytes(self.match, self.deal, self.seat, self.root, self.cards)


Evidence: TypeAlias = Receipt | PrivateDeal


def read_receipt(text: bytes, file: str, line: int) -> Evidence:
    """What stands in a line without its line feed; UnreadableError where it is neither kind."""
    fields = Fields(parse(text), "a receipt")
    sig = fields.raw("sig", SIGNATURE_SIZE)
    kept: Evidence
    if fields.has("cards"):
        kept = PrivateDeal(
            match=fields.raw("match", MATCH_SIZE),
            deal=fields.number("deal", largest=_LARGEST_DEAL),
            seat=fields.seat("seat"),
            root=fields.raw("root", HASH_SIZE),
            cards=tuple(_opening(card) for card in fields.objects("cards")),
            sig=sig,
            file=file,
            line=line,
        )
    else:
        items = tuple(_item(item) for item in fields.objects("items"))
        kept = Receipt(items=items, sig=sig, file=file, line=line)
    fields.end()
    return kept


def _opening(fields: Fields) -> Opening:
    """A card as it was dealt, be it none of the pack."""
    opening = Opening(
        position=fields.number("position", largest=LARGEST_U32),
        card=fields.text("card"),
        salt=fields.raw("salt", HASH_SIZE),
    )
    fields.end()
    return opening


def _item(fields: Fields) -> ReceiptItem:
    item = ReceiptItem(
        match=fields.raw("match", MATCH_SIZE),
        deal=fields.number("deal", largest=_LARGEST_DEAL),
        seq=fields.number("seq", largest=LARGEST_U32),
        head=fields.raw("head", HASH_SIZE),
    )
    fields.end()
    return item


@dataclass(slots=True)
class Watch:
    """What was kept of one match, each looked at when its event is read."""

    kept: tuple[Evidence, ...]
    places: Places
    agreed: int = 0
    _due: dict[int, list[tuple[ReceiptItem, Receipt]]] = field(default_factory=dict)
    _dealt: dict[int, list[PrivateDeal]] = field(default_factory=dict)
    _seats: dict[str, set[int]] = field(default_factory=dict)
    _revealed: set[str] = field(default_factory=set)
    _packets: str = ""
    _dealer: int | None = None

    def unsigned(self, match: bytes, key: VerifyKey) -> Iterator[str]:
        """A sentence for each line that the key did not sign; the others are due."""
        for kept in self.kept:
            if not key.accepts(kept.sig, kept.signed_bytes):
                yield f"{kept.place}: the referee's key has not signed this receipt"
            elif isinstance(kept, PrivateDeal):
                self._dealt.setdefault(kept.deal, []).append(kept)
            else:
                for item in kept.items:
                    if item.match == match:
                        self._due.setdefault(item.seq, []).append((item, kept))

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
        """What was kept against an event: cards dealt otherwise, a fault that was none."""
        files = {receipt.file for _, receipt in self._due.pop(seq, ())}
        match event:
            case SeatCommit() | ActionTaken():
                for file in files:
                    self._seats.setdefault(file, set()).add(event.seat)
            case CommitSet():
                self._revealed = files
            case DealClose():
                return self._denied_reveal(event)
            case MatchOpen():
                self._packets = event.rules.get("packets", "")
            case DealOpen():
                self._dealer = event.dealer
            case DeckRoot():
                return self._denied_deal(event)
            case _:
                pass
        return None

    def _denied_deal(self, event: DeckRoot) -> str | None:
        """What the private deals of a deck say against it."""
        found = None
        for dealt in self._dealt.pop(event.deal, ()):
            fault = self._deal_fault(dealt, event)
            if fault is None:
                self.agreed += 1
            elif found is None:
                found = f"{dealt.place} deals {SEATS[dealt.seat]} {fault}"
        return found

    def _deal_fault(self, dealt: PrivateDeal, event: DeckRoot) -> str | None:
        """How the cards that the referee dealt are not those that it sealed for a seat."""
        if dealt.root != event.root:
            return "cards under another root than that of the deck"
        if self._dealer is None:
            return "cards in the draw for the deal"
        at = tuple(card.position for card in dealt.cards)
        due = self.places(self._packets, self._dealer, dealt.seat)
        if at not in {due, SWAP_POSITIONS} and len(at) != 1:
            return f"positions {list(at)}, which are not its own"
        for card in dealt.cards:
            where = dealt.match, dealt.deal, card.position
            sealed = event.leaves[card.position : card.position + 1]
            if (leaf(*where, card.card, card.salt),) != sealed:
                return f"{card.card} at position {card.position}, which is not the sealed card"
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
        """What was kept of the time after the event that closes the match, or of no deck."""
        for seq in sorted(self._due):
            if seq > last:
                receipt = self._due[seq][0][1]
                return f"{receipt.place} acknowledges event {seq}, which the file has not"
        for number in sorted(self._dealt):
            dealt = self._dealt[number][0]
            return f"{dealt.place} deals cards of deal {number}, whose deck the file has not"
        return None


class Receipts:
    """All that seats kept and handed in, by the matches that it speaks of."""

    __slots__ = ("_of", "_places")

    def __init__(self, kept: Iterable[Evidence], places: Places) -> None:
        self._places = places
        self._of: dict[bytes, list[Evidence]] = {}
        for one in kept:
            for match in one.matches:
                self._of.setdefault(match, []).append(one)

    def watch(self, match: bytes) -> Watch:
        """What was kept of one match."""
        return Watch(tuple(self._of.get(match, ())), self._places)
