"""The events of a match as bytes: restricted canonical JSON, read strictly."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

from euchre_bot.dealing import SEATS
from euchre_bot.errors import DealProofError

JSON: TypeAlias = "bool | int | str | list[JSON] | dict[str, JSON]"

_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
_TEXT: Final = re.compile(r"[ !#-\[\]-~]*")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
_LARGEST: Final = 2**53 - 1
_DEPTH: Final = 6


def dump(value: JSON) -> bytes:
    """The one spelling of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def is_canonical(value: JSON) -> bool:
    """Whether a value has a spelling at all."""
    return _allowed(value, 0)


def _allowed(value: object, depth: int) -> bool:
    match value:
        case bool():
            return True
        case int():
            return 0 <= value <= _LARGEST
        case str():
            return _TEXT.fullmatch(value) is not None
        case list():
            return depth < _DEPTH and all(_allowed(item, depth + 1) for item in value)
        case dict():
            return depth < _DEPTH and all(
                _KEY.fullmatch(key) and _allowed(item, depth + 1) for key, item in value.items()
            )
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of an event, read with their types; a wrong one is a DealProofError."""

    where: str
    values: Mapping[str, JSON]

    @classmethod
    def parse(cls, where: str, event: bytes) -> Self:
        """The fields of an event that is spelt in the one allowed way."""
        try:
            value = json.loads(event.decode("ascii"))
        except (ValueError, RecursionError) as err:
            raise DealProofError(f"{where} is not JSON in ASCII") from err
        if not isinstance(value, dict) or not _allowed(value, 0) or dump(value) != event:
            raise DealProofError(f"{where} is not an object in canonical form")
        return cls(where, value)

    def _get(self, key: str) -> JSON:
        try:
            return self.values[key]
        except KeyError:
            raise DealProofError(f"{self.where} has no {key}") from None

    def _wrong(self, key: str, wanted: str) -> DealProofError:
        return DealProofError(f"{self.where}: {key} is not {wanted}")

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def text(self, key: str) -> str:
        """A string."""
        value = self._get(key)
        if not isinstance(value, str):
            raise self._wrong(key, "a string")
        return value

    def truth(self, key: str) -> bool:
        """True or false."""
        value = self._get(key)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def number(self, key: str) -> int:
        """A whole number."""
        value = self._get(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(key, "a number")
        return value

    def seat(self, key: str) -> int:
        """A seat, from its word."""
        word = self.text(key)
        if word not in SEATS:
            raise self._wrong(key, f"a seat but {word!r}")
        return SEATS.index(word)

    def octets(self, key: str, size: int) -> bytes:
        """Bytes of a size, from lower-case hex."""
        return self._octets(key, self._get(key), (size,))

    def octets_list(self, key: str, count: int, *sizes: int) -> tuple[bytes, ...]:
        """A list of so many bytes, each of one of the sizes."""
        items = self._list(key)
        if len(items) != count:
            raise self._wrong(key, f"a list of {count} but of {len(items)}")
        return tuple(self._octets(key, item, sizes) for item in items)

    def _octets(self, key: str, value: JSON, sizes: tuple[int, ...]) -> bytes:
        if isinstance(value, str) and _HEX.fullmatch(value) and len(value) // 2 in sizes:
            return bytes.fromhex(value)
        wanted = " or ".join(str(size) for size in sizes)
        raise self._wrong(key, f"{wanted} bytes in lower-case hex")

    def _list(self, key: str) -> list[JSON]:
        value = self._get(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list")
        return value

    def numbers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        items = self._list(key)
        found = tuple(n for n in items if isinstance(n, int) and not isinstance(n, bool))
        if len(found) != len(items):
            raise self._wrong(key, "a list of numbers")
        return found

    def child(self, key: str) -> "Fields":
        """An object."""
        value = self._get(key)
        if not isinstance(value, dict):
            raise self._wrong(key, "an object")
        return Fields(f"{self.where}, {key}", value)

    def children(self, key: str) -> "tuple[Fields, ...]":
        """A list of objects."""
        items = self._list(key)
        found = tuple(
            Fields(f"{self.where}, {key} {place}", item)
            for place, item in enumerate(items)
            if isinstance(item, dict)
        )
        if len(found) != len(items):
            raise self._wrong(key, "a list of objects")
        return found

    def texts(self) -> dict[str, str]:
        """The whole object, where every value is a string."""
        return {key: self.text(key) for key in self.values}
