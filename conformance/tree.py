"""YAML read as a tree of located nodes, so that every complaint names a file and a line.

Scalars are text.
A plain scalar that YAML would turn into something else (`off`, `12`, `~`, `1e3`) is an error where
text is wanted: quote it, or write another word.
Duplicate keys, merge keys and recursive aliases are errors.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

import yaml

from conformance.errors import CorpusError

TEXT = "tag:yaml.org,2002:str"
INTEGER = "tag:yaml.org,2002:int"
FLOAT_TO_OTHERS = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+")
"""Numbers of YAML 1.2 that the loader here, which knows YAML 1.1, takes for texts."""
MAX_DEPTH = 40
LOADER: type[yaml.SafeLoader] | type[yaml.CSafeLoader]
try:
    LOADER = yaml.CSafeLoader
except AttributeError:  # a build of PyYAML without the C library
    LOADER = yaml.SafeLoader


@dataclass(frozen=True, slots=True)
class Node:
    """A scalar, a list or a map, and where it stands."""

    file: str
    line: int
    scalar: str | None = None
    tag: str = ""
    plain: bool = False
    items: tuple["Node", ...] | None = None
    pairs: Mapping[str, "Node"] | None = None

    def error(self, message: str) -> CorpusError:
        """What is wrong here, with the place."""
        return CorpusError(f"{self.file}:{self.line}: {message}")

    def fail(self, message: str) -> NoReturn:
        """Refuse this node."""
        raise self.error(message)

    def text(self, what: str) -> str:
        """The scalar as text; one that YAML would retype is refused."""
        if self.scalar is None:
            self.fail(f"{what} is not a text")
        floating = self.plain and FLOAT_TO_OTHERS.fullmatch(self.scalar)
        if self.tag != TEXT or floating:
            kind = "float" if floating else self.tag.rsplit(":", 1)[-1]
            self.fail(f"{what}: {self.scalar!r} would be read as {kind}, put it in quotes")
        return self.scalar

    def raw(self, what: str) -> str:
        """The scalar as it is written, whatever YAML would make of it."""
        if self.scalar is None:
            self.fail(f"{what} is not a text")
        return self.scalar

    def integer(self, what: str) -> int:
        """The scalar as an integer in plain decimal digits."""
        if self.scalar is None or self.tag != INTEGER:
            self.fail(f"{what} is not an integer")
        try:
            return int(self.scalar)
        except ValueError:
            self.fail(f"{what} is not a decimal integer: {self.scalar!r}")

    def count(self, what: str) -> int:
        """The scalar as an integer that is not negative."""
        number = self.integer(what)
        if number < 0:
            self.fail(f"{what} is {number}: it cannot be negative")
        return number

    def sequence(self, what: str) -> tuple["Node", ...]:
        """The items of a list."""
        if self.items is None:
            self.fail(f"{what} is not a list")
        return self.items

    def texts(self, what: str) -> tuple[str, ...]:
        """A list of texts, or one text."""
        if self.scalar is not None:
            return (self.text(what),)
        return tuple(item.text(f"an item of {what}") for item in self.sequence(what))

    def words(self, what: str) -> tuple[str, ...]:
        """A list of texts, which may be written as one text with spaces."""
        if self.scalar is not None:
            return tuple(self.text(what).split())
        return self.texts(what)

    def mapping(self, what: str) -> Mapping[str, "Node"]:
        """The pairs of a map."""
        if self.pairs is None:
            self.fail(f"{what} is not a map")
        return self.pairs

    def fields(
        self, what: str, *, required: Iterable[str] = (), optional: Iterable[str] = ()
    ) -> Mapping[str, "Node"]:
        """The pairs of a map whose keys are known."""
        pairs = self.mapping(what)
        known = [*required, *optional]
        for key, node in pairs.items():
            if key not in known:
                node.fail(f"{what} has an unknown key {key!r}{near(key, known)}")
        for key in required:
            if key not in pairs:
                self.fail(f"{what} has no {key!r}")
        return pairs

    def one_of(self, what: str, choices: Iterable[str]) -> str:
        """A text out of a closed list."""
        known = list(choices)
        text = self.text(what)
        if text not in known:
            self.fail(f"{what} is {text!r}: it must be one of {', '.join(known)}")
        return text


def near(word: str, known: Iterable[str]) -> str:
    """The words to add to a message where `word` is a slip for a known one."""
    match = get_close_matches(word, list(known), n=1)
    return f", did you mean {match[0]!r}?" if match else ""


def read(path: Path, name: str | None = None) -> Node:
    """The tree of one file."""
    shown = name or str(path)
    try:
        return parse(path.read_text(encoding="utf-8"), shown)
    except OSError as err:
        raise CorpusError(f"{shown}: cannot be read: {err.strerror}") from err
    except UnicodeDecodeError as err:
        raise CorpusError(f"{shown}: byte {err.start} is not UTF-8") from err


def parse(text: str, name: str) -> Node:
    """The tree of one YAML text."""
    try:
        _check_depth(text, name)
        root = yaml.compose(text, Loader=LOADER)
        if root is None:
            raise CorpusError(f"{name}:1: the file is empty")
        return _convert(root, name, 0)
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark or err.context_mark
        line = mark.line + 1 if mark else 1
        raise CorpusError(f"{name}:{line}: {err.problem or err.context}") from err
    except yaml.YAMLError as err:
        detail = str(err).splitlines()[0]
        raise CorpusError(f"{name}:1: {detail}") from err


def _check_depth(text: str, name: str) -> None:
    """Refuse deep nesting before anything recurses into it."""
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            depth += 1
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            depth -= 1
        if depth > MAX_DEPTH:
            mark = event.start_mark
            raise CorpusError(f"{name}:{mark.line + 1 if mark else 1}: nested too deeply")


def _convert(node: yaml.Node, name: str, depth: int) -> Node:
    line = node.start_mark.line + 1
    if depth > MAX_DEPTH:
        raise CorpusError(f"{name}:{line}: nested too deeply, or an alias contains itself")
    if isinstance(node, yaml.ScalarNode):
        return Node(name, line, scalar=node.value, tag=node.tag, plain=not node.style)
    if isinstance(node, yaml.SequenceNode):
        return Node(name, line, items=tuple(_convert(sub, name, depth + 1) for sub in node.value))
    if isinstance(node, yaml.MappingNode):
        return Node(name, line, pairs=dict(_pairs(node, name, depth)))
    raise CorpusError(f"{name}:{line}: not a scalar, a list or a map")


def _pairs(node: yaml.MappingNode, name: str, depth: int) -> Iterator[tuple[str, Node]]:
    seen: dict[str, int] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
            raise CorpusError(f"{name}:{line}: a key must be a plain word")
        text = str(key.value)
        if text in seen:
            raise CorpusError(
                f"{name}:{line}: the key {text!r} stands twice, first in line {seen[text]}"
            )
        seen[text] = line
        yield text, _convert(value, name, depth + 1)


def integers(node: Node, what: str) -> dict[str, int]:
    """A map of integers, none of them negative."""
    return {key: sub.count(f"{what}.{key}") for key, sub in node.mapping(what).items()}


def each(node: Node, what: str, take: Callable[[Node], str]) -> dict[str, str]:
    """A map whose values are read by `take`."""
    return {key: take(sub) for key, sub in node.mapping(what).items()}
