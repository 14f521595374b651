"""The event chain of one match: in order, unbroken, signed where it must be."""

from dataclasses import dataclass
from typing import Final

from euchre_bot.canonical import Fields
from euchre_bot.errors import DealProofError, UsageError
from euchre_bot.seal import event_head, referee_signed_bytes
from euchre_bot.signatures import PublicKey, verifies

SIGNED_KINDS: Final = frozenset(
    {"match_open", "commit_set", "deck_root", "deal_close", "match_close"}
)
_START: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Event:
    """A public event that has its place in the chain."""

    seq: int
    kind: str
    fields: Fields
    head: bytes


class EventChain:
    """The chain as far as it has been seen; `key` is the referee's, once match_open named it."""

    __slots__ = ("head", "key", "next_seq")

    def __init__(self) -> None:
        self.head = _START
        self.next_seq = 0
        self.key = b""

    def take(self, raw: bytes, sig: bytes) -> Event:
        """The next event; one that is not next, or not the referee's, is a DealProofError."""
        where = f"event {self.next_seq}"
        fields = Fields.parse(where, raw)
        kind = fields.text("kind")
        named = Fields(f"{where} ({kind})", fields.values)
        seq = named.number("seq")
        if seq != self.next_seq:
            raise DealProofError(f"event {seq} ({kind}) came where event {self.next_seq} was due")
        if named.octets("prev", 32) != self.head:
            raise DealProofError(f"{named.where} does not continue the chain of events")
        if (seq == 0) != (kind == "match_open"):
            raise DealProofError(f"{named.where}: the match has to open with match_open, once")
        if seq == 0:
            self.key = _referee_key(named).public
        head = event_head(self.head, raw)
        if kind in SIGNED_KINDS or sig:
            self._check_signature(named, head, sig)
        self.head = head
        self.next_seq += 1
        return Event(seq, kind, named, head)

    def _check_signature(self, fields: Fields, head: bytes, sig: bytes) -> None:
        if not sig:
            raise DealProofError(f"{fields.where} is not signed by the referee")
        if not verifies(self.key, sig, referee_signed_bytes(head)):
            raise DealProofError(f"{fields.where} has a signature that is not the referee's")


def _referee_key(fields: Fields) -> PublicKey:
    try:
        return PublicKey.parse(fields.text("referee_key"))
    except UsageError as err:
        raise DealProofError(f"{fields.where}: the referee's key is not a sound one") from err
