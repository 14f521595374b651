"""Messages by their descriptors: likely ones, unlikely ones, and bytes that are none.

All chance comes from one `Random`, so that a script draws from a seed and hypothesis from its own.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from referee.service.reflecting import OLD_NAME
from referee.service.server import HEALTH, SERVICES

DEEPEST: Final = 6
CARDS: Final = [rank + suit for suit in "CDHS" for rank in "9TJQKA"]
ACTIONS: Final = [
    *("pass", "order", "order alone", "decline", "make H", "make S alone", "defend", "play 9"),
    *(f"play {card}" for card in CARDS[:8]),
    *(f"discard {card}" for card in CARDS[:4]),
    *("swap 9C 9D 9H", "give 9C", "?", ""),
]
WORDS: Final[Mapping[str, Sequence[str]]] = {
    "rule_set": ["", "standard", "quick", "bicycle", "british", "none-such", "Standard"],
    "name": ["bot", "", "standard", "a b", "x" * 65, "\u00e9"],
    "upcard": CARDS,
    "north": CARDS,
    "east": CARDS,
    "south": CARDS,
    "west": CARDS,
    "action": ACTIONS,
    "actions": ACTIONS,
    "at": ["", "deal", "closed", "later", "never"],
    "rules": ["deals", "target", "pack", "cut", "1", "yes", "no", "24", "E25J", "none"],
}
SPECIALS: Final = [0, 1, 2, 3, 4, 5, 15, 16, 255, 4_095, 30_000, (1 << 31) - 1, (1 << 32) - 1]
TEXTS: Final = ["", "\0", "x" * 300, "\u2665", '"', "\\", "%s", "'; --", "../../etc", "0" * 32]
WIDE: Final = {
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
}


@dataclass(frozen=True)
class Chair:
    """A seat of a match that is open to the attack; without a number, the place of a watcher."""

    match: str
    seat: int | None
    token: str


@dataclass
class Pool:
    """Values that are worth sending: files, and seats with their tokens."""

    bytes: dict[str, list[bytes]] = field(default_factory=dict)
    chairs: list[Chair] = field(default_factory=list)


def rpcs() -> list[MethodDescriptor]:
    """Every rpc that the referee answers."""
    pool, names = descriptor_pool.Default(), (*SERVICES, HEALTH.full_name, OLD_NAME)
    return [rpc for name in names for rpc in pool.FindServiceByName(name).methods]


class Fuzzer:
    """Draws requests; the same chance gives the same ones."""

    def __init__(self, chance: random.Random, pool: Pool) -> None:
        self._chance = chance
        self._pool = pool
        self._chair: Chair | None = None

    def request(self, kind: Descriptor, chair: Chair | None = None) -> bytes:
        """The bytes of a request: mostly of its kind, sometimes bent, sometimes none at all.

        Most of it is said as of the chair, where one is given.
        """
        self._chair = chair
        roll = self._chance.random()
        if roll < 0.05:
            return self._chance.randbytes(self._chance.choice((0, 1, 9, 200, 3_000)))
        data = self.message(kind).SerializeToString()
        return self._bent(data) if roll < 0.30 else data

    def message(self, kind: Descriptor, depth: int = 0) -> Message:
        """A message whose fields are filled by chance."""
        message = GetMessageClass(kind)()
        for one in kind.fields:
            if self._chance.random() < (0.85 if depth < 3 else 0.5):
                self._fill(message, one, depth)
        return message

    def _fill(self, message: Message, one: FieldDescriptor, depth: int) -> None:
        if one.message_type is not None and one.message_type.GetOptions().map_entry:
            self._fill_map(message, one)
        elif one.message_type is not None:
            if depth >= DEEPEST:
                return
            if one.is_repeated:
                for _ in range(self._number()):
                    getattr(message, one.name).add().MergeFrom(
                        self.message(one.message_type, depth + 1)
                    )
            else:
                getattr(message, one.name).MergeFrom(self.message(one.message_type, depth + 1))
        elif one.is_repeated:
            getattr(message, one.name).extend(self._value(one) for _ in range(self._number()))
        else:
            setattr(message, one.name, self._value(one))

    def _fill_map(self, message: Message, one: FieldDescriptor) -> None:
        assert one.message_type is not None
        key, value = (
            one.message_type.fields_by_name["key"],
            one.message_type.fields_by_name["value"],
        )
        for _ in range(self._number()):
            getattr(message, one.name)[self._value(key, one.name)] = self._value(value, one.name)

    def _number(self) -> int:
        roll = self._chance.random()
        if roll < 0.97:
            return self._chance.randint(0, 5)
        return self._chance.randint(6, 60) if roll < 0.999 else 5_000

    def _value(self, one: FieldDescriptor, name: str = "") -> object:
        name = name or one.name
        aimed = self._aimed(name)
        if aimed is not None:
            return aimed
        if name == "seq" and self._chance.random() < 0.7:
            return self._chance.randint(5, 25)
        if name == "wait_ms":
            return self._chance.choice((0, 1, 50, (1 << 32) - 1))
        makers: dict[int, Callable[[], object]] = {
            FieldDescriptor.CPPTYPE_STRING: lambda: self._text(name),
            FieldDescriptor.CPPTYPE_BOOL: lambda: self._chance.random() < 0.5,
            FieldDescriptor.CPPTYPE_ENUM: lambda: self._enum(one),
            FieldDescriptor.CPPTYPE_DOUBLE: self._chance.random,
            FieldDescriptor.CPPTYPE_FLOAT: self._chance.random,
        }
        if one.type == FieldDescriptor.TYPE_BYTES:
            return self._bytes(name)
        if one.cpp_type in WIDE:
            return self._integer(*WIDE[one.cpp_type])
        return makers[one.cpp_type]()

    def _aimed(self, name: str) -> str | int | None:
        """The value that goes with the chair, if the field is one of those and chance says so."""
        chair = self._chair
        if chair is None or self._chance.random() < 0.2:
            return None
        seat = None if chair.seat is None else chair.seat + 1
        return {"match": chair.match, "token": chair.token, "seat": seat}.get(name)

    def _integer(self, low: int, high: int) -> int:
        if self._chance.random() < 0.9:
            return self._chance.choice([n for n in SPECIALS if low <= n <= high])
        return self._chance.choice((low, high, self._chance.randint(low, high)))

    def _enum(self, one: FieldDescriptor) -> int:
        assert one.enum_type is not None
        numbers = [value.number for value in one.enum_type.values]
        return self._chance.choice([*numbers, *numbers, *numbers, 99, -1])

    def _text(self, name: str) -> str:
        known = WORDS.get(name, ())
        likely = known and self._chance.random() < 0.85
        return self._chance.choice(known if likely else TEXTS)

    def _bytes(self, name: str) -> bytes:
        known = self._pool.bytes.get(name, [])
        if known and self._chance.random() < 0.7:
            data = self._chance.choice(known)
            return self._bent(data) if self._chance.random() < 0.7 else data
        return self._chance.randbytes(
            self._chance.choice((0, 1, 15, 16, 16, 16, 32, 32, 32, 64, 96))
        )

    def _bent(self, data: bytes) -> bytes:
        """The same bytes with some of them changed, cut out, doubled or put elsewhere."""
        bent = bytearray(data)
        for _ in range(self._chance.choice((1, 1, 2, 5, 20))):
            at = self._chance.randint(0, len(bent))
            match self._chance.randint(0, 4):
                case 0:
                    bent[at : at + 1] = self._chance.randbytes(1)
                case 1:
                    del bent[at : at + self._chance.randint(1, 9)]
                case 2:
                    bent[at:at] = self._chance.randbytes(self._chance.randint(1, 9))
                case 3:
                    bent[at:at] = bent[at : at + self._chance.randint(1, 200)]
                case _:
                    if at < len(bent):
                        bent[at] ^= 1 << self._chance.randint(0, 7)
        return bytes(bent)

    def bent_lines(self, data: bytes) -> bytes:
        """A file of lines, bent: in its bytes, or in the order and number of its lines."""
        if self._chance.random() < 0.5:
            return self._bent(data)
        lines = data.splitlines(keepends=True)
        for _ in range(self._chance.choice((1, 1, 2, 5))):
            at, other = self._chance.randrange(len(lines)), self._chance.randrange(len(lines))
            match self._chance.randint(0, 3):
                case 0:
                    lines[at], lines[other] = lines[other], lines[at]
                case 1 if len(lines) > 1:
                    del lines[at]
                case 2:
                    lines.insert(at, lines[other])
                case _:
                    lines[at] = self._bent(lines[at])
        return b"".join(lines)
