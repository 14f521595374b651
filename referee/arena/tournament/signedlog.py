"""Lines that are chained by hash and signed one by one: what is announced, and what is decided.

A line is `{"event":E,"sig":"S"}` and a line feed, E the canonical JSON of a transcript, with
`kind`, `seq` (0, 1, 2 …) and `prev`, the head before it in hex. For a log of the name N:

    head_n = SHA256( lp("euchre-event/v1/" ‖ N, head_{n-1}, E) )        head_{-1} = 32 zero bytes
    S      = Ed25519( lp("euchre-event/v1/sig/" ‖ N, head_n) )          by the referee's key

so that no line can be left out, changed, added in between or moved to another log.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from referee.errors import RefereeError
from referee.sealing.canonical import Json, dump, parse
from referee.sealing.encode import lp
from referee.sealing.errors import DealProofError
from referee.sealing.keys import SigningKey, VerifyKey

PREFIX: Final = b"euchre-event/v1/"
ANNOUNCED: Final = "announced"
ACTIONS: Final = "actions"
FIRST: Final = bytes(32)
_HEAD: Final = b'{"event":'
_MIDDLE: Final = b',"sig":"'
_TAIL: Final = b'"}\n'
_SIGNATURE: Final = 128


class LogError(RefereeError, ValueError):
    """A log whose lines do not follow from each other, or are not the key's."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line, what it says, and the head after it."""

    line: bytes
    event: Mapping[str, object]
    head: bytes


def head_after(name: str, head: bytes, event: bytes) -> bytes:
    """The head after an event."""
    return sha256(lp(PREFIX + name.encode("ascii"), head, event)).digest()


def signed_bytes(name: str, head: bytes) -> bytes:
    """What the key signs."""
    return lp(PREFIX + b"sig/" + name.encode("ascii"), head)


def next_line(
    name: str, last: LogLine | None, fields: Mapping[str, Json], key: SigningKey
) -> LogLine:
    """The line after the last one; `fields` have a `kind`, seq and prev are added.

    LogError where a field cannot be written: a text that is not printable ASCII, or has a quote or
    a backslash.
    """
    seq = 0 if last is None else _seq(last.event) + 1
    before = FIRST if last is None else last.head
    whole = {**fields, "seq": seq, "prev": before.hex()}
    try:
        event = dump(whole)
    except (DealProofError, ValueError) as err:
        raise LogError(
            f"it cannot be written to the log: {err}"
            " (use printable ASCII without quotes and backslashes)"
        ) from err
    head = head_after(name, before, event)
    signature = key.sign(signed_bytes(name, head)).hex().encode("ascii")
    return LogLine(_HEAD + event + _MIDDLE + signature + _TAIL, whole, head)


def read_log(name: str, lines: Iterable[bytes], key: VerifyKey | None) -> list[LogLine]:
    """The lines of a log, each after the one before it and signed.

    LogError names the first that is not; with no key only the chain is checked.
    """
    read: list[LogLine] = []
    for number, line in enumerate(lines):
        event, signature = _split(name, number, line)
        before = read[-1].head if read else FIRST
        try:
            fields = parse(event)
        except DealProofError as err:
            raise LogError(f"{name} line {number + 1}: {err}") from err
        if fields.get("seq") != number or fields.get("prev") != before.hex():
            raise LogError(
                f"{name} line {number + 1} does not follow from the line before it"
                " (a line is missing, changed or moved)"
            )
        head = head_after(name, before, event)
        if key is not None and not key.accepts(signature, signed_bytes(name, head)):
            raise LogError(f"{name} line {number + 1} is not signed by {key.text}")
        read.append(LogLine(line, fields, head))
    return read


def _split(name: str, number: int, line: bytes) -> tuple[bytes, bytes]:
    end = len(line) - len(_TAIL) - _SIGNATURE
    middle = end - len(_MIDDLE)
    whole = line.startswith(_HEAD) and line.endswith(_TAIL) and middle > len(_HEAD)
    if not whole or line[middle:end] != _MIDDLE:
        raise LogError(f"{name} line {number + 1} is no line of a signed log: {line[:60]!r}")
    try:
        signature = bytes.fromhex(line[end : end + _SIGNATURE].decode("ascii"))
    except ValueError as err:
        raise LogError(f"{name} line {number + 1}: its signature is no hex") from err
    return line[len(_HEAD) : middle], signature


def _seq(event: Mapping[str, object]) -> int:
    seq = event["seq"]
    if not isinstance(seq, int):
        raise TypeError(f"a line without a number: {event!r}")
    return seq
