"""Restricted canonical JSON: one text a value, so that what is signed is what is read.

A subset of RFC 8785: objects with sorted keys, arrays, booleans, whole numbers from 0 to 2**53 - 1
and printable ASCII strings without quote and backslash. The parser admits one spelling only, and so
refuses whatever a lenient reader would let pass: duplicate keys, a byte order mark, `1.0`, `01`,
escapes, spaces, trailing bytes.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from referee.sealing.errors import UnreadableError

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json]"

LARGEST: Final = 2**53 - 1
DEEPEST: Final = 6
LONGEST_TEXT: Final = 1 << 20
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
_STRING: Final = re.compile(r"[ !#-\[\]-~]*")
_ALLOWED: Final = bytes(b for b in range(0x20, 0x7F) if b != ord("\\"))
_OPENING: Final = b"{["
_NO_SHAPE: Final = bytes(set(range(256)) - set(b'{}[]"'))
_DIGITS: Final = str(LARGEST)
# The numbers as long as the largest one: up to some digit they are its own, there they are less.
_LONG: Final = "|".join(
    f"{_DIGITS[:at]}[{int(at == 0)}-{int(digit) - 1}][0-9]{{{len(_DIGITS) - at - 1}}}"
    for at, digit in enumerate(_DIGITS)
    if int(digit) > int(at == 0)
)
# Whole tokens, each in its one spelling, and no two ways to take a text apart.
_TOKENS: Final = re.compile(
    (
        r'(?:"[ !#-\[\]-~]*+"|[{}\[\]:,]++'
        rf"|(?:0|[1-9][0-9]{{0,{len(_DIGITS) - 2}}}|{_LONG}|{_DIGITS})(?![0-9])|true|false)*+"
    ).encode("ascii")
)
_ENCODER: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), allow_nan=False, default=dict
)


def dump(value: Mapping[str, Json]) -> bytes:
    """The canonical bytes of an object; anything outside the subset is refused."""
    fault = _shape_fault(value, 1)
    if fault:
        raise UnreadableError(fault)
    text = _ENCODER.encode(value)
    if "\\" in text:  # the encoder escapes exactly what a string may not hold
        raise UnreadableError(_fault(value, 1) or "not an object of canonical JSON")
    return text.encode("ascii")


def parse(text: bytes) -> dict[str, object]:
    """The object that canonical bytes stand for; all others are refused.

    The tokens admit one spelling of each value and no space between them; what is left to check is
    the order of keys and the depth.
    """
    if len(text) > LONGEST_TEXT:
        raise UnreadableError(f"over {LONGEST_TEXT} bytes: {text[:24]!r}")
    if not _TOKENS.fullmatch(text):
        raise UnreadableError(_token_fault(text))
    try:
        value, end = _read(text.decode("ascii"))
    except (ValueError, RecursionError) as err:
        raise UnreadableError(f"not JSON: {text[:48]!r}") from err
    if end != len(text) or not isinstance(value, dict):
        raise UnreadableError(f"not one JSON object: {text[:48]!r}")
    if text.count(b"{") + text.count(b"[") > DEEPEST and not _is_shallow(text):
        raise UnreadableError(f"nested deeper than {DEEPEST}: {text[:48]!r}")
    return value


def _is_shallow(text: bytes) -> bool:
    """Whether tokens nest no deeper than they may.

    What is left of a text is its brackets, and the quotes around those that stand in strings.
    """
    depth = 0
    skeleton = text.translate(None, _NO_SHAPE).replace(b'""', b"")
    for part in skeleton.split(b'"')[::2]:  # every other part stands in a string
        for bracket in part:
            depth += 1 if bracket in _OPENING else -1
            if depth > DEEPEST:
                return False
    return True


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON whose keys are keys, in order and once."""
    keys = tuple([key for key, _ in pairs])
    if not _are_sorted(keys):
        raise ValueError(keys)
    return dict(pairs)


def _read(text: str) -> tuple[object, int]:
    """The value at the start of a text, and where it ends."""
    value, end = _DECODER.raw_decode(text)
    return value, end


@lru_cache(maxsize=1024)
def _are_sorted(keys: tuple[str, ...]) -> bool:
    """Whether keys stand in order, each once; the few lists of keys there are come again often."""
    return _are_keys(keys) and all(a < b for a, b in pairwise(keys))


def _token_fault(text: bytes) -> str:
    """Why the bytes are no tokens of canonical JSON."""
    if text.translate(None, _ALLOWED):
        return f"not printable ASCII without backslash: {_around(text)!r}"
    found = _TOKENS.match(text)
    place = 0 if found is None else found.end()
    return f"not canonical JSON from its byte {place} on: {text[place : place + 24]!r}"


@lru_cache(maxsize=1024)
def _are_keys(keys: tuple[object, ...]) -> bool:
    """Whether all of them can be keys; the few lists of keys there are come again and again."""
    return all(isinstance(key, str) and _KEY.fullmatch(key) for key in keys)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object)


def _shape_fault(value: Mapping[str, object] | Sequence[object], depth: int) -> str | None:
    """What puts a value outside the subset, but for its strings, which `dump` looks at at once."""
    if depth > DEEPEST:
        return f"nested deeper than {DEEPEST}"
    if isinstance(value, Mapping):
        if not _are_keys(tuple(value)):
            return f"not all keys: {list(value)!r}"
        value = tuple(value.values())
    for inner in value:
        kind = type(inner)
        if kind is str or kind is bool:
            continue
        if isinstance(inner, dict | list | tuple):
            fault = _shape_fault(inner, depth + 1)
        else:
            fault = _fault(inner, depth)
        if fault:
            return fault
    return None


def _around(text: bytes) -> bytes:
    place = text.index(text.translate(None, _ALLOWED)[:1])
    return text[max(0, place - 8) : place + 8]


def _fault(value: object, depth: int) -> str | None:
    """What puts a value outside the subset, or None."""
    if isinstance(value, str):
        return None if _STRING.fullmatch(value) else f"not a printable ASCII string: {value!r}"
    if isinstance(value, int):
        within = 0 <= value <= LARGEST
        return None if within else f"not a number from 0 to 2**53 - 1: {value!r}"
    if depth > DEEPEST:
        return f"nested deeper than {DEEPEST}"
    if isinstance(value, Mapping):
        return _object_fault(value, depth)
    if isinstance(value, list | tuple):
        faults = (_fault(inner, depth + 1) for inner in value)
        return next((fault for fault in faults if fault), None)
    return f"no value of canonical JSON: {value!r}"


def _object_fault(value: Mapping[object, object], depth: int) -> str | None:
    for key, inner in value.items():
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            return f"not a key: {key!r}"
        fault = _fault(inner, depth + 1)
        if fault:
            return fault
    return None
