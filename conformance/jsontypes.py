"""The shape of JSON, and readers that say no in plain words."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from conformance.errors import PositionError

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
Record: TypeAlias = Mapping[str, Json]


def text_of(value: Json, what: str) -> str:
    """The value as text; anything else is refused."""
    if isinstance(value, str):
        return value
    raise PositionError(f"{what} is not a text: {value!r}")


def int_of(value: Json, what: str) -> int:
    """The value as an integer; a boolean is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise PositionError(f"{what} is not an integer: {value!r}")


def list_of(value: Json, what: str) -> Sequence[Json]:
    """The value as a list."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    raise PositionError(f"{what} is not a list: {value!r}")


def map_of(value: Json, what: str) -> Record:
    """The value as an object."""
    if isinstance(value, Mapping):
        return value
    raise PositionError(f"{what} is not an object: {value!r}")


def texts_of(value: Json, what: str) -> list[str]:
    """The value as a list of texts."""
    texts: list[str] = []
    for item in list_of(value, what):
        if not isinstance(item, str):
            raise PositionError(f"an item of {what} is not a text: {item!r}")
        texts.append(item)
    return texts
