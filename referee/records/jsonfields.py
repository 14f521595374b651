"""Fields of JSON read leniently: what has the wrong shape is noted, and treated as absent."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from referee.records.model import Problem, UnreadableRecordError

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
LARGEST = 1 << 24
_DIGITS: Final = 18


def parse(text: bytes) -> Mapping[str, Json]:
    """The object that a JSON file holds."""
    try:
        value: Json = json.loads(text, object_pairs_hook=_no_duplicates, parse_int=_whole)
    except RecursionError as err:
        raise UnreadableRecordError("the JSON is nested too deeply (write it flat)") from err
    except UnicodeDecodeError as err:
        raise UnreadableRecordError(f"not JSON: {not_utf8(text, err)}") from err
    except ValueError as err:
        raise UnreadableRecordError(f"not JSON: {err} (give a record as it was written)") from err
    if not isinstance(value, Mapping):
        raise UnreadableRecordError("a JSON record is an object, which begins with '{'")
    return value


def not_utf8(text: bytes, err: UnicodeDecodeError) -> str:
    """Where a text stops being one, and what to do."""
    line = text.count(b"\n", 0, err.start) + 1
    return f"byte {err.start}, in line {line}, is not UTF-8 (save the record as UTF-8)"


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _no_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {name[:40]!r} is there twice")
        found[name] = value
    return found


class Reader:
    """The fields of one object; what is wrong is gathered in `problems`."""

    def __init__(self, value: Json, at: str, problems: list[Problem]) -> None:
        self.at = at
        self.problems = problems
        self._read: set[str] = set()
        if value is not None and not isinstance(value, Mapping):
            self.wrong("", value, "an object")
        self.fields: Mapping[str, Json] = value if isinstance(value, Mapping) else {}

    def wrong(self, name: str, value: object, wanted: str) -> None:
        """Note a field that is not what it should be."""
        place = f"{self.at}.{name}" if name else self.at
        self.problems.append(Problem(place, f"{_shown(value)} is not {wanted}"))

    def __contains__(self, name: str) -> bool:
        return self.fields.get(name) is not None

    def raw(self, name: str) -> Json:
        """A field as it stands."""
        self._read.add(name)
        return self.fields.get(name)

    def text(self, name: str) -> str | None:
        """A text, where it is there."""
        value = self.raw(name)
        if value is None or isinstance(value, str):
            return value
        self.wrong(name, value, "a text")
        return None

    def number(self, name: str, most: int = 999) -> int | None:
        """A whole number from 0, where it is there."""
        value = self.raw(name)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most:
            return value
        self.wrong(name, value, f"a whole number from 0 to {most}")
        return None

    def flag(self, name: str) -> bool | None:
        """True or false, where it is there."""
        value = self.raw(name)
        if value is None or isinstance(value, bool):
            return value
        self.wrong(name, value, "true or false")
        return None

    def items(self, name: str) -> Sequence[Json]:
        """A list; empty where it is absent."""
        value = self.raw(name)
        if value is None:
            return ()
        if isinstance(value, Sequence) and not isinstance(value, str):
            return value
        self.wrong(name, value, "a list")
        return ()

    def part(self, name: str) -> "Reader":
        """An object inside; empty where it is absent."""
        return Reader(self.raw(name), f"{self.at}.{name}", self.problems)

    def parts(self, name: str) -> list["Reader"]:
        """The objects of a list."""
        return [
            Reader(item, f"{self.at}.{name}[{n}]", self.problems)
            for n, item in enumerate(self.items(name))
        ]

    def texts(self, name: str) -> list[str]:
        """A list of texts, or one text parted by spaces."""
        value = self.raw(name)
        if isinstance(value, str):
            return value.split()
        words: list[str] = []
        for n, item in enumerate(self.items(name)):
            if isinstance(item, str):
                words.append(item)
            else:
                self.wrong(f"{name}[{n}]", item, "a text")
        return words

    def end(self, known: str = "") -> None:
        """Note fields that nobody read and that are not known to be beside the point."""
        for name in sorted(set(self.fields) - self._read - set(known.split())):
            self.problems.append(Problem(self.at, f"the field {name[:40]!r} is not known"))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."  # noqa: PLR2004 -- a line's worth
