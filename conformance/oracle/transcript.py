"""A transcript read plainly: its form, its chain, its signatures (a second reading of the seal)."""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from conformance.jsontypes import Json
from conformance.oracle import seal

LINE = re.compile(r'\{"event":(\{.*\}),"sig":"((?:[0-9a-f]{128})?)"\}')
SIGNED = ("match_open", "commit_set", "deck_root", "deal_close", "match_close")
PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
SMALL = (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
)


@dataclass(frozen=True)
class Verdict:
    """What is to be said of a file."""

    exit: int
    party: str | None = None
    event: int | None = None


class WrongError(Exception):
    """A check has failed at an event."""

    def __init__(self, event: int) -> None:
        super().__init__(f"event {event}")
        self.event = event


@dataclass(frozen=True)
class Event:
    """One line: the event's fields, its own bytes, the head after it, and its signature."""

    seq: int
    fields: Mapping[str, Json]
    before: bytes
    head: bytes
    sig: bytes

    @property
    def kind(self) -> str:
        """The kind of the event."""
        return str(self.fields["kind"])


class FormError(Exception):
    """The file cannot be read on: the verdict is final."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(str(verdict))
        self.verdict = verdict


def read(text: str) -> tuple[list[Event], bool]:
    """The events of a file, and whether its last line is whole; FormError where it has no form."""
    *lines, rest = text.split("\n")
    if text and not '{"event":'.startswith(text[:9]) and not text.startswith('{"event":'):
        raise FormError(Verdict(6, "file"))
    events: list[Event] = []
    head = bytes(32)
    for number, line in enumerate(lines):
        raw, fields, sig = one_line(line, number)
        if fields.get("seq") != number or fields.get("prev") != head.hex():
            raise FormError(broken(events, raw, fields, sig, number))
        if not events and fields.get("kind") != "match_open":
            raise FormError(Verdict(6, "file", 0))
        before, head = head, seal.event_head(head, raw.encode())
        events.append(Event(number, fields, before, head, sig))
    return events, not rest


def one_line(line: str, number: int) -> tuple[str, dict[str, Json], bytes]:
    """The event's text, its fields and the signature."""
    found = LINE.fullmatch(line)
    if found is None:
        raise FormError(Verdict(6, "file", number))
    raw, sig = found.groups()
    try:
        value: Json = json.loads(raw)
    except ValueError as err:
        raise FormError(Verdict(6, "file", number)) from err
    if not isinstance(value, dict) or not canonical(value, raw):
        raise FormError(Verdict(6, "file", number))
    return raw, value, bytes.fromhex(sig)


def canonical(value: Json, raw: str) -> bool:
    """Whether a text is the one spelling of a value that the protocol allows."""
    return written(value, 1) == raw


def written(value: Json, depth: int) -> str | None:
    """The one text of a value, or None where the protocol does not allow it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if 0 <= value < 2**53 else None
    if isinstance(value, str):
        plain = all(" " <= letter <= "~" and letter not in '"\\' for letter in value)
        return f'"{value}"' if plain else None
    if depth > 6:  # noqa: PLR2004 -- the protocol's depth
        return None
    parts: list[str] = []
    if isinstance(value, Mapping):
        for key in sorted(value):
            inner = written(value[key], depth + 1)
            if inner is None or not re.fullmatch("[a-z][a-z0-9_]{0,31}", key):
                return None
            parts.append(f'"{key}":{inner}')
        return "{" + ",".join(parts) + "}"
    if isinstance(value, list):
        for item in value:
            inner = written(item, depth + 1)
            if inner is None:
                return None
            parts.append(inner)
        return "[" + ",".join(parts) + "]"
    return None


def broken(
    events: list[Event], raw: str, fields: Mapping[str, Json], sig: bytes, number: int
) -> Verdict:
    """The chain breaks; two signed events of one number speak against the referee."""
    seq, prev = fields.get("seq"), fields.get("prev")
    if not events:
        return Verdict(3, "file", seq if type(seq) is int else 0)
    key = key_of(str(events[0].fields.get("referee_key")))
    at = seq if type(seq) is int else number
    if key and sig and isinstance(prev, str) and at < len(events):
        first, head = events[at], seal.event_head(bytes.fromhex(prev), raw.encode())
        told = first.sig and signed(key, first.sig, first.head) and signed(key, sig, head)
        if told and head != first.head:
            return Verdict(3, "referee", at)
    return Verdict(3, "file", at)


def key_of(text: str) -> bytes | None:
    """The bytes of a key in its printed form; none where it may not be used, None for no form."""
    parts = text.split("+", 2)
    try:
        raw = b64decode(parts[2], validate=True)
    except (IndexError, ValueError):
        return None
    if len(raw) != len(SMALL[0]) // 2 or b64encode(raw).decode() != parts[2]:
        return None
    if parts[1] != seal.key_id(parts[0], raw):
        return None
    y = int.from_bytes(raw, "little") % 2**255
    return b"" if y >= PRIME or y.to_bytes(32, "little").hex() in SMALL else raw


def accepts(key: bytes, sig: bytes, message: bytes) -> bool:
    """Whether a signature in reduced form is that of a message."""
    if len(sig) != 64 or int.from_bytes(sig[:32], "little") % 2**255 >= PRIME:  # noqa: PLR2004
        return False
    if int.from_bytes(sig[32:], "little") >= ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(sig, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def signed(key: bytes, sig: bytes, head: bytes) -> bool:
    """Whether the referee has signed a head."""
    return accepts(key, sig, seal.tagged("sig/referee", head))
