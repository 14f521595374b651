"""YAML that people write, read strictly: every value knows its line, nothing is guessed.

No alias, no tag, no second document, no key twice, no file beyond a megabyte: a tournament file has
no use for them, and each has been somebody's way to make a reader hang or to hide a value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, NoReturn

import yaml

from referee.errors import RefereeError

LARGEST: Final = 1 << 20
DEEPEST: Final = 12
LONGEST_SHOWN: Final = 60
_TAG: Final = "tag:yaml.org,2002:"
_KINDS: Final = {
    "str": "text",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "timestamp": "a date",
}


class SheetError(RefereeError, ValueError):
    """A tournament file that cannot be played as it is; the message has the file and the line."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a file, and where it stands."""

    file: str
    node: yaml.Node
    name: str = ""

    @property
    def line(self) -> int:
        """Its line, from 1."""
        return int(self.node.start_mark.line) + 1

    def refuse(self, text: str) -> NoReturn:
        """Raise a SheetError at this line."""
        raise SheetError(f"{self.file}:{self.line}: {text}")

    @property
    def _named(self) -> str:
        return self.name or "the file"

    @property
    def kind(self) -> str:
        """What it is, in words."""
        match self.node:
            case yaml.MappingNode():
                return "a map"
            case yaml.SequenceNode():
                return "a list"
            case _:
                return _KINDS.get(str(self.node.tag).removeprefix(_TAG), "something else")

    def _tagged(self, *kinds: str) -> str | None:
        node = self.node
        if isinstance(node, yaml.ScalarNode) and str(node.tag).removeprefix(_TAG) in kinds:
            return str(node.value)
        return None

    def _expected(self, what: str, do: str) -> NoReturn:
        shown = ""
        if isinstance(self.node, yaml.ScalarNode):
            value = str(self.node.value)
            cut = value[:LONGEST_SHOWN] + ("…" if len(value) > LONGEST_SHOWN else "")
            shown = f" {cut!r}"
        self.refuse(f"{self._named} is {self.kind}{shown}, and {what} is meant ({do})")

    def text(self) -> str:
        """A text that is not empty; what YAML takes for a number or a date is one too if quoted."""
        value = self._tagged("str")
        if value is None:
            self._expected("a text", "put it in quotes")
        if not value:
            self.refuse(f"{self._named} is empty (write something, or leave the key out)")
        return value

    def scalar(self) -> str:
        """A text or a number, as it is written."""
        value = self._tagged("str", "int", "float")
        if value is None:
            self._expected("a text or a number", "put it in quotes")
        return value

    def word(self, words: Sequence[str]) -> str:
        """One of some words."""
        value = self._tagged("str", "bool", "null")  # off, no and none are words here
        if value is None:
            self._expected(f"one of {', '.join(words)}", "use one of them")
        if value not in words:
            self.refuse(f"{self._named} is {value!r} ({meant(value, words)})")
        return value

    def number(self, low: int, high: int) -> int:
        """A whole number in a range."""
        value = self._tagged("int")
        if value is None or not value.removeprefix("-").isdecimal():
            self._expected("a whole number", f"use one from {low} to {high}")
        if len(value) > len(str(high)) + 1 or not low <= int(value) <= high:
            self.refuse(f"{self._named} is {value[:LONGEST_SHOWN]}: use one from {low} to {high}")
        return int(value)

    def real(self, low: float, high: float) -> float:
        """A number in a range."""
        value = self._tagged("int", "float")
        try:
            found = float("nan" if value is None else value)
        except ValueError:
            found = float("nan")
        if value is None or not low <= found <= high:
            self._expected("a number", f"use one from {low:g} to {high:g}")
        return found

    def flag(self) -> bool:
        """True or false."""
        value = self._tagged("bool")
        if value is None:
            self._expected("true or false", "use one of them")
        return value.lower() in {"true", "yes", "on"}

    def items(self) -> Sequence["Value"]:
        """The values of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self._expected("a list", "start each item with a dash, or use [a, b]")
        return [Value(self.file, node, self.name) for node in self.node.value]

    @property
    def is_map(self) -> bool:
        """Whether it is a map."""
        return isinstance(self.node, yaml.MappingNode)

    def fields(self, known: Sequence[str] = ()) -> "Fields":
        """The keys and values of a map; a key that is not `known` is refused, but for none known.

        A key twice is refused.
        """
        if not isinstance(self.node, yaml.MappingNode):
            self._expected("a map", "write `key: value` lines below it")
        found: dict[str, Value] = {}
        for key_node, node in self.node.value:
            key = Value(self.file, key_node, "a key").scalar()
            if key in found:
                first = found[key].line
                Value(self.file, key_node).refuse(
                    f"the key {key!r} stands here again, after line {first} (remove one)"
                )
            if known and key not in known:
                Value(self.file, key_node).refuse(
                    f"no such key: {key!r} in {self._named} ({meant(key, known)})"
                )
            found[key] = Value(self.file, node, key)
        return Fields(self, found)


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a map."""

    of: Value
    found: dict[str, Value]

    def get(self, key: str) -> Value | None:
        """The value of a key that may be missing; a null counts as missing."""
        value = self.found.get(key)
        return None if value is None or value.kind == "nothing" else value

    def need(self, key: str, do: str) -> Value:
        """The value of a key that has to be there."""
        value = self.get(key)
        if value is None:
            where = f"{self.of.name} has" if self.of.name else "the file has"
            self.of.refuse(f"{where} no {key!r} ({do})")
        return value

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """A whole number in a range, or its default."""
        value = self.get(key)
        return default if value is None else value.number(low, high)

    def word(self, key: str, default: str, words: Sequence[str]) -> str:
        """One of some words, or its default."""
        value = self.found.get(key)
        return default if value is None else value.word(words)

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        return iter(self.found.items())


def meant(word: str, known: Sequence[str]) -> str:
    """What may have been meant, and all that there is.

    >>> meant("enties", ["entries", "name"])
    "did you mean 'entries'? there are: entries, name"
    """
    near = get_close_matches(word, known, n=1)
    guess = f"did you mean {near[0]!r}? " if near else ""
    return f"{guess}there are: {', '.join(known)}"


def read_marked(file: str, content: bytes) -> Value:
    """The one value of a YAML file; SheetError where it is none."""
    if len(content) > LARGEST:
        raise SheetError(
            f"{file}: it has more than the {LARGEST:,} bytes that are read (is it the file?)"
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as err:
        line = content[: err.start].count(b"\n") + 1
        raise SheetError(f"{file}:{line}: not UTF-8 (save the file as UTF-8)") from err
    try:
        _check_events(file, text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark or err.context_mark
        line = 1 if mark is None else int(mark.line) + 1
        told = " ".join(str(err.problem or err.context or "unreadable").split())
        raise SheetError(f"{file}:{line}: not YAML: {told} (mind indents and quotes)") from err
    except yaml.YAMLError as err:
        told = " ".join(str(err).split())[:LONGEST_SHOWN]
        raise SheetError(f"{file}: not YAML: {told} (save it as plain text)") from err
    if node is None:
        raise SheetError(f"{file}: it is empty (make one with euchre-referee tournament new FILE)")
    return Value(file, node)


def _check_events(file: str, text: str) -> None:
    """Refuse what a tournament file has no use for, before anything is built of it."""
    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = 1 if event.start_mark is None else int(event.start_mark.line) + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise SheetError(f"{file}:{line}: a second document starts (keep one a file)")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise SheetError(f"{file}:{line}: anchors and aliases are not read (write it out)")
        if isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None):
            raise SheetError(f"{file}:{line}: tags are not read (leave the '!' out)")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                raise SheetError(f"{file}:{line}: nested deeper than {DEEPEST} (mind the brackets)")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
