"""Reading the fields of an event: each is taken once, in its one form, and none is left over."""

from typing import Final

from referee.sealing.errors import UnreadableError
from referee.sealing.packs import SEAT_NUMBERS, SEATS, SIDES

LONGEST_LIST: Final = 4096
_LONGEST_SHOWN: Final = 80


class Fields:
    """The fields of one JSON object, which is emptied as they are read."""

    __slots__ = ("_left", "_where")

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise UnreadableError(f"{where}: an object is wanted, not {value!r}")
        self._left: dict[str, object] = value
        self._where = where

    def has(self, name: str) -> bool:
        """Whether an optional field is there and not read yet."""
        return name in self._left

    def end(self) -> None:
        """Refuse whatever has not been read."""
        if self._left:
            raise UnreadableError(f"{self._where}: unknown field {min(self._left)!r}")

    def fault(self, name: str, value: object, wanted: str) -> UnreadableError:
        """The error that a field is not what is wanted."""
        return UnreadableError(f"{self._where}: {name} is {_short(value)}, and {wanted} is wanted")

    def take(self, name: str) -> object:
        """A field as it stands."""
        if name not in self._left:
            raise UnreadableError(f"{self._where}: field {name!r} is missing")
        return self._left.pop(name)

    def text(self, name: str, *, shortest: int = 0, longest: int = 256) -> str:
        """A string of so many characters."""
        value = self.take(name)
        if type(value) is not str or not shortest <= len(value) <= longest:
            raise self.fault(name, value, f"a string of {shortest} to {longest} characters")
        return value

    def word(self, name: str, words: tuple[str, ...]) -> str:
        """A string that is one of a list."""
        value = self.take(name)
        if type(value) is not str or value not in words:
            raise self.fault(name, value, f"one of {', '.join(words)}")
        return value

    def number(self, name: str, *, largest: int = 2**53 - 1) -> int:
        """A whole number from 0 on."""
        value = self.take(name)
        if type(value) is not int or not 0 <= value <= largest:
            raise self.fault(name, value, f"a number from 0 to {largest}")
        return value

    def flag(self, name: str) -> bool:
        """A boolean."""
        value = self.take(name)
        if type(value) is not bool:
            raise self.fault(name, value, "true or false")
        return value

    def seat(self, name: str) -> int:
        """A seat's number, written as its word."""
        value = self.take(name)
        if type(value) is not str or value not in SEAT_NUMBERS:
            raise self.fault(name, value, f"one of {', '.join(SEATS)}")
        return SEAT_NUMBERS[value]

    def side(self, name: str) -> int:
        """A side's number, written as its word."""
        return SIDES.index(self.word(name, SIDES))

    def raw(self, name: str, size: int) -> bytes:
        """So many bytes, written in lower-case hex."""
        return self.bytes_of(name, self.take(name), size)

    def bytes_of(self, name: str, value: object, *sizes: int) -> bytes:
        """The bytes of a lower-case hex string, of one of the sizes."""
        if type(value) is str:
            try:
                raw = bytes.fromhex(value)
            except ValueError:
                raw = b""
            if len(raw) in sizes and raw.hex() == value:
                return raw
        wanted = " or ".join(map(str, sizes))
        raise self.fault(name, value, f"lower-case hex of {wanted} bytes")

    def items(self, name: str, *, exactly: int | None = None) -> list[object]:
        """An array, of a given length where one is given."""
        value = self.take(name)
        if not isinstance(value, list) or len(value) > LONGEST_LIST:
            raise self.fault(name, value, "an array")
        if exactly is not None and len(value) != exactly:
            raise self.fault(name, value, f"an array of {exactly}")
        return value

    def raws(self, name: str, *sizes: int, exactly: int | None = None) -> tuple[bytes, ...]:
        """An array of byte strings in lower-case hex, each of one of the sizes."""
        items = self.items(name, exactly=exactly)
        if len(sizes) == 1:
            together = _all_of(items, sizes[0])
            if together is not None:
                return together
        return tuple([self.bytes_of(name, item, *sizes) for item in items])

    def numbers(self, name: str, *, largest: int) -> tuple[int, ...]:
        """An array of integers from 0 on."""
        numbers: list[int] = []
        for item in self.items(name):
            if type(item) is not int or not 0 <= item <= largest:
                raise self.fault(name, item, f"a number from 0 to {largest}")
            numbers.append(item)
        return tuple(numbers)

    def objects(self, name: str, *, exactly: int | None = None) -> "list[Fields]":
        """An array of objects, each to be read in turn."""
        where = f"{self._where}: {name}"
        return [Fields(item, where) for item in self.items(name, exactly=exactly)]

    def object(self, name: str) -> "Fields":
        """An object to be read in turn."""
        return Fields(self.take(name), f"{self._where}: {name}")

    def texts(self, name: str) -> dict[str, str]:
        """An object whose values are all strings."""
        value = self.take(name)
        if not isinstance(value, dict):
            raise self.fault(name, value, "an object of strings")
        texts: dict[str, str] = {}
        for key, text in value.items():
            if type(text) is not str:
                raise self.fault(f"{name}.{key}", text, "a string")
            texts[key] = text
        return texts


def _all_of(items: list[object], size: int) -> tuple[bytes, ...] | None:
    """The bytes of many hex strings at once, or None where one of them is not in its form."""
    texts = [item for item in items if type(item) is str and len(item) == 2 * size]
    if len(texts) != len(items):
        return None
    text = "".join(texts)
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        return None
    if raw.hex() != text:
        return None
    return tuple([raw[at : at + size] for at in range(0, len(raw), size)])


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}..."
