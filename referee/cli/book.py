"""The rule book as it is shipped: rules, knobs, named rule sets and cases."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TypeGuard

from referee.errors import InternalError, RefereeError

FORMAT = "euchre-book/2"


class UnknownRuleError(RefereeError, ValueError):
    """A name that is neither a rule nor a rule set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A place in a page, with a few of its words."""

    title: str
    line: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule."""

    name: str
    chapter: str
    text: str
    level: str
    standing: str
    knobs: Sequence[str]
    table: Sequence[str]
    sources: Sequence[Source]
    also: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookKnob:
    """A point on which houses differ, or a table rule, in the words of a table."""

    name: str
    rule: str
    values: str
    default: str
    asks: str
    words: Mapping[str, str]
    number: str

    def of(self, value: str) -> str:
        """The sentence of a value; empty where it is not worth one."""
        return self.words.get(value, self.number.replace("{n}", value))


@dataclass(frozen=True, slots=True, kw_only=True)
class BookRuleSet:
    """A named rule set."""

    name: str
    text: str
    sources: Sequence[str]
    knobs: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookCase:
    """A case, drawn."""

    name: str
    title: str
    why: str
    rules: Sequence[str]
    rulesets: Sequence[str]
    changes: Mapping[str, str]
    drawn: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """Everything in the shipped rule book."""

    chapters: Mapping[str, str]
    rules: Mapping[str, Rule]
    knobs: Mapping[str, BookKnob]
    table: Mapping[str, BookKnob]
    rulesets: Mapping[str, BookRuleSet]
    cases: Sequence[BookCase]

    def rule(self, name: str) -> Rule:
        """The rule of an id."""
        if name not in self.rules:
            known = [*self.rules, *self.rulesets]
            raise UnknownRuleError(
                f"no such rule or rule set: {name!r}{_near(name, known)}; "
                f"the rule sets are {', '.join(self.rulesets)}"
            )
        return self.rules[name]

    def ruleset(self, name: str) -> BookRuleSet:
        """The rule set of a name."""
        if name not in self.rulesets:
            raise UnknownRuleError(f"no such rule set: {name!r}{_near(name, self.rulesets)}")
        return self.rulesets[name]

    def cases_of(self, rule: str) -> list[BookCase]:
        """The cases of a rule."""
        return [case for case in self.cases if rule in case.rules]

    def telling(self, one: str, other: str, rule: str) -> list[BookCase]:
        """Cases of a rule that are asked under one of two rule sets only."""
        return [
            case
            for case in self.cases_of(rule)
            if (one in case.rulesets) is not (other in case.rulesets) and not case.changes
        ]


def _near(name: str, known: Sequence[str] | Mapping[str, object]) -> str:
    match = get_close_matches(name, list(known), n=1)
    hint = f"did you mean {match[0]!r}? " if match else ""
    return f" ({hint}euchre-referee rules list, or rules list --rules)"


@cache
def book() -> Book:
    """The rule book as it is shipped."""
    path = files("referee") / "data" / "book.jsonl"
    kinds: dict[str, list[_Record]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = _Record(json.loads(line))
        kinds.setdefault(record.text("record"), []).append(record)
    if [head.text("format") for head in kinds.get("book", [])] != [FORMAT]:
        raise InternalError(f"{path} is not a rule book of the format {FORMAT}")
    return Book(
        chapters={one.text("name"): one.text("text") for one in kinds["chapter"]},
        rules={one.text("name"): _rule(one) for one in kinds["rule"]},
        knobs={one.text("name"): _knob(one) for one in kinds["knob"]},
        table={one.text("name"): _knob(one) for one in kinds["table"]},
        rulesets={
            one.text("name"): BookRuleSet(
                name=one.text("name"),
                text=one.text("text"),
                sources=one.texts("sources"),
                knobs=one.words("knobs"),
            )
            for one in kinds["ruleset"]
        },
        cases=[_case(one) for one in kinds["case"]],
    )


def _rule(one: "_Record") -> Rule:
    return Rule(
        name=one.text("name"),
        chapter=one.text("chapter"),
        text=one.text("text"),
        level=one.text("level"),
        standing=one.text("standing"),
        knobs=one.texts("knobs"),
        table=one.texts("table"),
        sources=[
            Source(title=part.text("title"), line=part.number("line"), quote=part.text("quote"))
            for part in one.parts("sources")
        ],
        also=one.texts("also"),
    )


def _knob(one: "_Record") -> BookKnob:
    return BookKnob(
        name=one.text("name"),
        rule=one.text("rule"),
        values=one.text("values"),
        default=one.text("default"),
        asks=one.text("asks"),
        words=one.words("words"),
        number=one.text("number"),
    )


def _case(one: "_Record") -> BookCase:
    return BookCase(
        name=one.text("name"),
        title=one.text("title"),
        why=one.text("why"),
        rules=one.texts("rules"),
        rulesets=one.texts("rulesets"),
        changes=one.words("with"),
        drawn=one.texts("drawn"),
    )


class _Record:
    """One line of the data; the file is our own, so what does not fit is our fault."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        self.fields = fields

    def text(self, name: str) -> str:
        """A text."""
        return str(self.fields[name])

    def number(self, name: str) -> int:
        """A number."""
        return int(self.text(name))

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        return [str(item) for item in self._list(name)]

    def words(self, name: str) -> dict[str, str]:
        """A map of texts."""
        found = self.fields[name]
        return {str(key): str(item) for key, item in found.items()} if _is_map(found) else {}

    def parts(self, name: str) -> list["_Record"]:
        """A list of records."""
        return [_Record(item) for item in self._list(name) if _is_map(item)]

    def _list(self, name: str) -> list[object]:
        found = self.fields[name]
        return list(found) if isinstance(found, list) else []


def _is_map(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, dict)
