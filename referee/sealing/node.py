"""A value of a vectors file with its path, so that whatever is wrong in it can be named."""

from collections.abc import Iterator, Sequence

from referee.sealing.chain import LONGEST
from referee.sealing.errors import UnreadableError


class Node:
    """A value of a vectors file with its path, read as what it should be."""

    __slots__ = ("path", "value")

    def __init__(self, value: object, path: str) -> None:
        self.value = value
        self.path = path

    def __getitem__(self, key: str) -> "Node":
        if not isinstance(self.value, dict) or key not in self.value:
            raise UnreadableError(f"{self.path or 'vectors'}: {key!r} is missing")
        return Node(self.value[key], f"{self.path}.{key}" if self.path else key)

    def has(self, key: str) -> bool:
        """Whether an object has a key."""
        return isinstance(self.value, dict) and key in self.value

    def items(self) -> "list[Node]":
        """The nodes of an array."""
        if not isinstance(self.value, list):
            raise UnreadableError(f"{self.path}: an array is wanted, not {self.value!r}")
        return [Node(item, f"{self.path}[{i}]") for i, item in enumerate(self.value)]

    def at(self, index: int) -> "Node":
        """One node of an array."""
        items = self.items()
        if index >= len(items):
            raise UnreadableError(f"{self.path}: it has no item {index}")
        return items[index]

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise UnreadableError(f"{self.path}: a string is wanted, not {self.value!r}")
        return self.value

    def number(self) -> int:
        """A whole number, far below what four bytes hold."""
        if not isinstance(self.value, int) or not 0 <= self.value <= LONGEST:
            raise UnreadableError(f"{self.path}: a number is wanted, not {self.value!r}")
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise UnreadableError(f"{self.path}: true or false is wanted, not {self.value!r}")
        return self.value

    def object(self) -> dict[str, object]:
        """The fields of an object."""
        if not isinstance(self.value, dict):
            raise UnreadableError(f"{self.path}: an object is wanted, not {self.value!r}")
        return self.value

    def maybe_number(self) -> int | None:
        """A whole number, or null."""
        return None if self.value is None else self.number()

    def raw(self) -> bytes:
        """The bytes of a hex string."""
        try:
            return bytes.fromhex(self.text())
        except ValueError as err:
            raise UnreadableError(f"{self.path}: hex is wanted, not {self.value!r}") from err

    def raws(self) -> list[bytes]:
        """The bytes of each hex string of an array."""
        return [item.raw() for item in self.items()]

    def differs(self, ours: bytes | int | str | Sequence[bytes]) -> Iterator[str]:
        """A sentence where the file's value is not ours."""
        shown: object
        if isinstance(ours, bytes):
            shown = ours.hex()
        elif isinstance(ours, int | str):
            shown = ours
        else:
            shown = [item.hex() for item in ours]
        if shown != self.value:
            yield f"{self.path}: the file has {_short(self.value)}, recomputed {_short(shown)}"


def _short(value: object) -> str:
    shown = repr(value)
    limit = 100
    return shown if len(shown) <= limit else f"{shown[:limit]}..."
