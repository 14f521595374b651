"""A claim of the derivation vectors, and how one changed part makes it false."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from conformance.jsontypes import Json

MATCH = bytes(range(0x40, 0x50))
OTHER_MATCH = bytes(range(0x50, 0x60))


@dataclass(frozen=True)
class Claim:
    """One claim and whether it holds."""

    id: str
    comment: str
    flags: tuple[str, ...]
    op: str
    input: Mapping[str, Json]
    exit: int = 0
    party: str | None = None


@dataclass(frozen=True)
class Truth:
    """A claim that holds, from which false ones are made."""

    op: str
    flag: str
    input: Mapping[str, Json]
    party: str = "referee"
    exit: int = 3

    def valid(self, name: str, comment: str, *flags: str, **other: Json) -> Claim:
        """The claim itself, with other parts where that does not make it false."""
        return Claim(name, comment, (self.flag, *flags), self.op, {**self.input, **other})

    def invalid(self, name: str, comment: str, *flags: str, **other: Json) -> Claim:
        """The claim with other parts, which make it false."""
        return Claim(
            name, comment, (self.flag, *flags), self.op, {**self.input, **other},
            self.exit, self.party,
        )  # fmt: skip


def drawn(*words: object) -> bytes:
    """32 bytes that can be drawn again."""
    return sha256(repr(words).encode()).digest()


def flipped(text: str) -> str:
    """Hex with the lowest bit of its first byte changed."""
    return bytes((bytes.fromhex(text)[0] ^ 1, *bytes.fromhex(text)[1:])).hex()


def hexes(values: list[bytes]) -> list[str]:
    """Each in hex."""
    return [value.hex() for value in values]


def numbers(start: int = 0) -> Iterator[int]:
    """Numbers to try, until one gives what a case is about."""
    yield from range(start, start + 100_000)
