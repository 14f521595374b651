"""The rule book with its cases, one record a line: what `euchre-referee rules` reads."""

from collections.abc import Iterable, Iterator

from conformance.case import Case
from conformance.corpus import Corpus, canonical, spread
from conformance.drawing import drawn
from conformance.jsontypes import Json
from conformance.knobs import Knob
from conformance.knobwords import Words, knobwords
from conformance.rulebook import Rule, RuleBook

FORMAT = "euchre-book/2"
LIVE = ("stable", "disputed")


def live(corpus: Corpus) -> list[Case]:
    """The cases that are asked, critical ones first within a topic."""
    found = [case for case in corpus.cases if case.status in LIVE]
    return sorted(found, key=lambda case: (case.importance != "critical", case.id))


def standing(rule: Rule, *, played: bool) -> str:
    """Whom a rule binds, in a sentence; played is whether any case asks it."""
    if rule.level == "must":
        return "It binds wherever a rule set has it."
    if rule.level == "should":
        return "It is expected wherever a rule set has it."
    if rule.knobs or rule.table_knobs or played:
        return "A house rule: it binds where a rule set or a table turns it on."
    return "Named so that the book is whole: no rule set here plays it."


def others(book: RuleBook, keys: Iterable[str]) -> list[str]:
    """Sources by their keys, each as its title and by whom; a page that is quoted by its title."""
    return [
        book.pages[key].title
        if key in book.pages
        else f"{book.others[key].title} ({book.others[key].by})"
        for key in keys
    ]


def book(corpus: Corpus) -> bytes:
    """The document."""
    return b"".join(canonical(record) + b"\n" for record in _records(corpus))


def _records(corpus: Corpus) -> Iterator[dict[str, Json]]:
    yield {"record": "book", "format": FORMAT, "license": "CC0-1.0"}
    for name, text in corpus.rulebook.chapters.items():
        yield {"record": "chapter", "name": name, "text": text}
    asked = {name for case in live(corpus) for name in case.rules}
    for rule in corpus.rulebook.rules.values():
        yield _rule(corpus, rule, played=rule.id in asked)
    words = knobwords(corpus.rulesets)
    for knob in corpus.rulesets.knobs.values():
        yield {"record": "knob", **_knob(knob, words[knob.name])}
    for knob in corpus.rulesets.table_knobs.values():
        yield {"record": "table", **_knob(knob, words[knob.name])}
    for name, rules in corpus.rulesets.maps.items():
        yield {
            "record": "ruleset",
            "name": name,
            "text": corpus.rulesets.texts[name],
            "sources": list(others(corpus.rulebook, corpus.rulesets.sources[name])),
            "knobs": dict(rules),
        }
    for case in live(corpus):
        yield {
            "record": "case",
            "name": case.id,
            "title": case.title,
            "why": case.why,
            "rules": list(case.rules),
            "rulesets": list(spread(case, corpus.rulesets)),
            "with": dict(case.changes),
            "drawn": list(drawn(case, corpus.rulesets)),
        }


def _rule(corpus: Corpus, rule: Rule, *, played: bool) -> dict[str, Json]:
    pages = corpus.rulebook.pages
    return {
        "record": "rule",
        "name": rule.id,
        "chapter": rule.chapter,
        "text": rule.text,
        "level": rule.level,
        "standing": standing(rule, played=played),
        "knobs": list(rule.knobs),
        "table": list(rule.table_knobs),
        "sources": [
            {"title": pages[quote.page].title, "line": quote.line, "quote": quote.quote}
            for quote in rule.sources
        ],
        "also": list(others(corpus.rulebook, rule.also)),
    }


def _knob(knob: Knob, words: Words) -> dict[str, Json]:
    return {
        "name": knob.name,
        "rule": knob.rule,
        "values": knob.shown(),
        "default": knob.default,
        "asks": words.asks,
        "words": {value: words.of(value) for value in knob.values},
        "number": words.number,
    }
