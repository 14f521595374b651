"""JSON read with care: a field that is not what it should be is an error that names it."""

import json
import re
from fractions import Fraction
from pathlib import Path

FRACTION = re.compile(r"[+-]?[0-9]{1,40}([.][0-9]{1,40}|/[0-9]{1,40})?")


class WrongFileError(Exception):
    """A published file that cannot be read as what it is."""


def load(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as err:
        raise WrongFileError(f"cannot read {path.name!r}: {err.strerror}") from err


def parsed(name: str, content: bytes) -> dict[str, object]:
    """The JSON object that bytes are."""
    try:
        value: object = json.loads(content)
    except (ValueError, RecursionError) as err:
        raise WrongFileError(f"{name!r} is not JSON: {content[:48]!r}") from err
    return as_map(name, value)


def as_map(name: str, value: object) -> dict[str, object]:
    """A value that is an object."""
    if not isinstance(value, dict):
        raise WrongFileError(f"{name}: not an object: {value!r:.60}")
    return value


def maps(value: dict[str, object], name: str) -> list[dict[str, object]]:
    """The objects of a list."""
    return [as_map(name, item) for item in items(value, name)]


def items(value: dict[str, object], name: str) -> list[object]:
    """A list."""
    found = value.get(name, [])
    if not isinstance(found, list):
        raise WrongFileError(f"{name}: not a list: {found!r:.60}")
    return found


def texts(value: dict[str, object], name: str) -> list[str]:
    """A list of texts."""
    return [str(item) for item in items(value, name)]


def text(value: dict[str, object], name: str) -> str:
    """A text; empty where it is missing."""
    found = value.get(name)
    return found if isinstance(found, str) else ""


def number(value: dict[str, object], name: str) -> int:
    """A whole number."""
    found = value.get(name)
    if not isinstance(found, int) or isinstance(found, bool):
        raise WrongFileError(f"{name}: not a whole number: {found!r:.60}")
    return found


def fraction(value: object) -> Fraction:
    """An exact fraction, written as a text: `3/2`, `1.5`."""
    text = str(value)
    if not FRACTION.fullmatch(text):  # Fraction itself would take 1e999999999, and all memory
        raise WrongFileError(f"not a fraction: {value!r:.60}")
    try:
        return Fraction(text)
    except ZeroDivisionError as err:
        raise WrongFileError(f"not a fraction: {value!r:.60}") from err
