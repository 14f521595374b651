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
from stat import S_ISREG
from typing import NoReturn
from unicodedata import category

import yaml

from conformance.errors import CorpusError

TEXT = "tag:yaml.org,2002:str"
INTEGER = "tag:yaml.org,2002:int"
MERGE = "tag:yaml.org,2002:merge"
FLOAT_TO_OTHERS = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+")
"""Numbers of YAML 1.2 that the loader here, which knows YAML 1.1, takes for texts."""
PLAIN_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
MAX_DEPTH = 40
MAX_BYTES = 4_000_000
MAX_SHOWN = 60
MAX_DIGITS = 18
HINTS: Mapping[str, str] = {
    "found undefined alias": "what follows the * must stand before it in this file, after a &",
    "but found another document": "a file holds one document: take out the line ---",
    "mapping values are not allowed": "put a text that has a colon in quotes",
    "found character that cannot": "put a text that begins with it in quotes; indent with spaces",
    "found a tab character": "indent with spaces",
    "did not find expected ',' or": "a bracket is not closed, or a comma is missing",
    "could not find expected ':'": "a key is followed by a colon and a space",
    "found incompatible": "leave out the line %YAML",
    "found unexpected end": "a quote is not closed",
}
"""What would be right where YAML itself cannot be read, by how its complaint begins."""
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
            self.fail(f"{what}: {shown(self.scalar)} would be read as {kind}, put it in quotes")
        return self.scalar

    def prose(self, what: str) -> str:
        """The scalar as words for a reader: some, and none that a terminal would obey."""
        text = self.text(what)
        if not text.strip():
            self.fail(f"{what} is empty: say it in words")
        for letter in text:
            if category(letter) == "Cc" and letter != "\n":
                self.fail(f"{what} holds the control character {letter!r}: leave it out")
        return text

    def raw(self, what: str) -> str:
        """The scalar as it is written, whatever YAML would make of it."""
        if self.scalar is None:
            self.fail(f"{what} is not a text")
        return self.scalar

    def integer(self, what: str) -> int:
        """The scalar as an integer in plain decimal digits."""
        if self.scalar is None or self.tag != INTEGER:
            self.fail(f"{what} is not an integer: write it in plain digits, without quotes")
        if len(self.scalar) > MAX_DIGITS or not PLAIN_INTEGER.fullmatch(self.scalar):
            self.fail(
                f"{what} is {shown(self.scalar)}: write an integer in plain digits,"
                f" {MAX_DIGITS} at most"
            )
        return int(self.scalar)

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
                slip = near(key, known) or f" (the keys are {', '.join(known)})"
                node.fail(f"{what} has an unknown key {shown(key)}{slip}")
        for key in required:
            if key not in pairs:
                self.fail(f"{what} has no {key!r}")
        return pairs

    def one_of(self, what: str, choices: Iterable[str]) -> str:
        """A text out of a closed list."""
        known = list(choices)
        text = self.text(what)
        if text not in known:
            self.fail(f"{what} is {shown(text)}: it must be one of {', '.join(known)}")
        return text


def shown(text: str) -> str:
    """A text in quotes, cut short where it is long.

    >>> shown("x" * 100)[-5:]
    "x'..."
    """
    return repr(text) if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]!r}..."


def near(word: str, known: Iterable[str]) -> str:
    """The words to add to a message where `word` is a slip for a known one."""
    match = get_close_matches(word, list(known), n=1)
    return f", did you mean {match[0]!r}?" if match else ""


def read(path: Path, name: str | None = None) -> Node:
    """The tree of one file."""
    place = name or str(path)
    try:
        _check_file(path, place)
        content = path.read_bytes()
        text = content.decode("utf-8")
    except OSError as err:
        raise CorpusError(f"{place}: cannot be read: {err.strerror}") from err
    except UnicodeDecodeError as err:
        line = content.count(b"\n", 0, err.start) + 1
        message = f"byte {err.start} is not UTF-8: save the file as UTF-8"
        raise CorpusError(f"{place}:{line}: {message}") from err
    return parse(text, place)


def _check_file(path: Path, place: str) -> None:
    """Refuse what could be read for ever: a pipe, a device, a file far too large."""
    status = path.stat()
    if not S_ISREG(status.st_mode):
        raise CorpusError(f"{place}: not a file: put the cases in a file of text")
    if status.st_size > MAX_BYTES:
        raise CorpusError(f"{place}: {status.st_size} bytes: split it, {MAX_BYTES} at most")


def parse(text: str, name: str) -> Node:
    """The tree of one YAML text."""
    try:
        _check_depth(text, name)
        root = yaml.compose(text, Loader=LOADER)
        if root is None:
            raise CorpusError(f"{name}:1: the file is empty")
        return _convert(root, name, 0, {})
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark or err.context_mark
        line = mark.line + 1 if mark else 1
        raise CorpusError(f"{name}:{line}: {_complaint(err, line)}") from err
    except yaml.reader.ReaderError as err:
        letter = chr(err.character)
        line = text.count("\n", 0, max(text.find(letter), 0)) + 1
        message = f"the character {letter!r} cannot stand in YAML: leave it out"
        raise CorpusError(f"{name}:{line}: {message}") from err


def _complaint(err: yaml.MarkedYAMLError, line: int) -> str:
    """What YAML says, where that began, and what would be right."""
    problem = err.problem or err.context or "not YAML"
    began = err.context_mark.line + 1 if err.context and err.context_mark else line
    since = f", {err.context} that begins in line {began}" if began != line else ""
    hint = next((hint for start, hint in HINTS.items() if problem.startswith(start)), "")
    return f"{problem}{since}{hint and f' ({hint})'}"


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


def _convert(node: yaml.Node, name: str, depth: int, known: dict[int, Node]) -> Node:
    """The node of ours; one that aliases repeat is made once, however often they do."""
    line = node.start_mark.line + 1
    if id(node) in known:
        return known[id(node)]
    if depth > MAX_DEPTH:
        raise CorpusError(f"{name}:{line}: nested too deeply, or an alias contains itself")
    if isinstance(node, yaml.ScalarNode):
        made = Node(name, line, scalar=node.value, tag=node.tag, plain=not node.style)
    elif isinstance(node, yaml.SequenceNode):
        items = tuple(_convert(sub, name, depth + 1, known) for sub in node.value)
        made = Node(name, line, items=items)
    elif isinstance(node, yaml.MappingNode):
        made = Node(name, line, pairs=dict(_pairs(node, name, depth, known)))
    else:
        raise CorpusError(f"{name}:{line}: not a scalar, a list or a map")
    known[id(node)] = made
    return made


def _pairs(
    node: yaml.MappingNode, name: str, depth: int, known: dict[int, Node]
) -> Iterator[tuple[str, Node]]:
    seen: dict[str, int] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise CorpusError(f"{name}:{line}: a key must be a plain word")
        if key.tag == MERGE:
            message = "merge keys are not read: write the keys out, or alias the whole map"
            raise CorpusError(f"{name}:{line}: {message}")
        text = str(key.value)
        if text in seen:
            raise CorpusError(
                f"{name}:{line}: the key {shown(text)} stands twice, first in line {seen[text]}"
            )
        seen[text] = line
        yield text, _convert(value, name, depth + 1, known)


def integers(node: Node, what: str) -> dict[str, int]:
    """A map of integers, none of them negative."""
    return {key: sub.count(f"{what}.{key}") for key, sub in node.mapping(what).items()}


def each(node: Node, what: str, take: Callable[[Node], str]) -> dict[str, str]:
    """A map whose values are read by `take`."""
    return {key: take(sub) for key, sub in node.mapping(what).items()}
