"""The transcript: one line an event, each bound to all before it by a hash chain.

A line is exactly `{"event":E,"sig":"S"}` and a line feed, so a verifier takes the bytes of E by
slicing. The head after event n is h_n = TH("event", h_{n-1}, E); the referee signs heads.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from referee.sealing.boardevents import BoardEvent, read_board_event
from referee.sealing.canonical import Json, dump, parse
from referee.sealing.closing import Event, read_event
from referee.sealing.encode import EVENT, HASH_SIZE, PREFIX, u32
from referee.sealing.errors import UnreadableError
from referee.sealing.fields import Fields
from referee.sealing.keys import SIGNATURE_SIZE, SigningKey
from referee.sealing.messages import referee_bytes, rule_set_id
from referee.sealing.patterns import write_at_one_go

ZERO_HEAD: Final = bytes(HASH_SIZE)
_START: Final = b'{"event":'
_UNSIGNED: Final = b',"sig":""}'
_SIGNED: Final = b',"sig":"'
_SIGNED_TAIL: Final = len(_SIGNED) + 2 * SIGNATURE_SIZE + 2
BOARD_OPENS: Final = re.compile(rb'\{"event":\{"board":"[0-9a-f]*","dealer":')
"""How the line of board_open begins, and no other."""
LONGEST_LINE: Final = 1 << 20
# An event is hashed as lp(tag, head, E): all before the head is known ahead.
_EVENT_START: Final = u32(3) + u32(len(PREFIX + EVENT)) + PREFIX + EVENT + u32(HASH_SIZE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line taken apart: the event, its place in the chain, its own bytes and signature."""

    event: Event
    seq: int
    prev: bytes
    raw: bytes
    sig: bytes


def event_bytes(event: Event | BoardEvent, seq: int, prev: bytes) -> bytes:
    """E: the canonical bytes of an event at its place in the chain."""
    written = write_at_one_go(event, seq, prev)
    if written is not None:
        return written
    fields: dict[str, Json] = dict(event.fields())
    fields["kind"] = event.kind
    fields["seq"] = seq
    fields["prev"] = prev.hex()
    return dump(fields)


def event_hash(prev: bytes, raw: bytes) -> bytes:
    """h_n: the head of the chain after an event's bytes."""
    return sha256(_EVENT_START + prev + u32(len(raw)) + raw).digest()


def sign_event(key: SigningKey, head: bytes) -> bytes:
    """The referee's signature of the event whose head this is."""
    return key.sign(referee_bytes(head))


def line_bytes(raw: bytes, sig: bytes) -> bytes:
    """The line of an event, line feed included."""
    return b"".join((_START, raw, _SIGNED, sig.hex().encode("ascii"), b'"}\n'))


def split_line(line: bytes) -> tuple[bytes, bytes]:
    """The bytes of E and of the signature in a line without its line feed."""
    if len(line) > LONGEST_LINE:
        raise UnreadableError(f"a line over {LONGEST_LINE} bytes: {line[:48]!r}")
    if not line.startswith(_START):
        raise UnreadableError(
            f"not a transcript line, which starts {_START.decode()}: {line[:48]!r}"
        )
    if line.endswith(_UNSIGNED):
        return line[len(_START) : -len(_UNSIGNED)], b""
    tail = line[-_SIGNED_TAIL:]
    if not (tail.startswith(_SIGNED) and tail.endswith(b'"}')):
        raise UnreadableError(f"not the end of a transcript line: {line[-48:]!r}")
    digits = tail[len(_SIGNED) : -2]
    try:
        sig = bytes.fromhex(digits.decode("ascii"))
    except ValueError as err:
        raise UnreadableError(f"not a signature in lower-case hex: {digits[:48]!r}") from err
    if sig.hex().encode("ascii") != digits:
        raise UnreadableError(f"not a signature in lower-case hex: {digits[:48]!r}")
    return line[len(_START) : -_SIGNED_TAIL], sig


def read_line(raw: bytes, sig: bytes = b"") -> Line:
    """The event that canonical bytes stand for."""
    fields = Fields(parse(raw), "event")
    kind = fields.text("kind")
    seq = fields.number("seq")
    prev = fields.raw("prev", HASH_SIZE)
    return Line(read_event(kind, fields), seq, prev, raw, sig)


def read_board_line(raw: bytes) -> BoardEvent:
    """The event of a board that canonical bytes stand for."""
    fields = Fields(parse(raw), "event")
    kind = fields.text("kind")
    fields.number("seq")
    fields.raw("prev", HASH_SIZE)
    return read_board_event(kind, fields)


def rule_set_hash(rules: Mapping[str, str]) -> bytes:
    """The id of a rule set from its whole knob map."""
    return rule_set_id(dump(rules))


class Writer:
    """The chain of one transcript as it grows: numbers, links and signs events.

    It holds no lines; the journal stores what it returns.
    """

    __slots__ = ("_key", "head", "seq")

    def __init__(self, key: SigningKey | None, *, seq: int = 0, head: bytes = ZERO_HEAD) -> None:
        self._key = key
        self.seq = seq
        self.head = head

    def append(self, event: Event | BoardEvent) -> tuple[bytes, bytes]:
        """E and signature of the next event; the chain moves on."""
        raw = event_bytes(event, self.seq, self.head)
        self.head = event_hash(self.head, raw)
        self.seq += 1
        sig = sign_event(self._key, self.head) if event.signed and self._key else b""
        return raw, sig

    def pass_by(self, raw: bytes) -> None:
        """Move the chain behind an event that stands already."""
        self.head = event_hash(self.head, raw)
        self.seq += 1
