"""The rule book with its cases, one record a line: what `euchre-referee rules` reads."""

from collections.abc import Iterator

from conformance.case import Case
from conformance.corpus import Corpus, canonical, spread
from conformance.drawing import drawn
from conformance.jsontypes import Json
from conformance.knobwords import knobwords

FORMAT = "euchre-book/1"
LIVE = ("stable", "disputed")


def live(corpus: Corpus) -> list[Case]:
    """The cases that are asked, critical ones first within a topic."""
    found = [case for case in corpus.cases if case.status in LIVE]
    return sorted(found, key=lambda case: (case.importance != "critical", case.id))


def book(corpus: Corpus) -> bytes:
    """The document."""
    return b"".join(canonical(record) + b"\n" for record in _records(corpus))


def _records(corpus: Corpus) -> Iterator[dict[str, Json]]:
    yield {"record": "book", "format": FORMAT, "license": "CC0-1.0"}
    for name, text in corpus.rulebook.chapters.items():
        yield {"record": "chapter", "name": name, "text": text}
    for rule in corpus.rulebook.rules.values():
        yield {
            "record": "rule",
            "name": rule.id,
            "chapter": rule.chapter,
            "text": rule.text,
            "level": rule.level,
            "knobs": list(rule.knobs),
            "sources": [
                {
                    "title": corpus.rulebook.pages[quote.page].title,
                    "line": quote.line,
                    "quote": quote.quote,
                }
                for quote in rule.sources
            ],
        }
    words = knobwords(corpus.rulesets.knobs)
    for knob in corpus.rulesets.knobs.values():
        yield {
            "record": "knob",
            "name": knob.name,
            "rule": knob.rule,
            "values": knob.shown(),
            "default": knob.default,
            "asks": words[knob.name].asks,
            "words": {value: words[knob.name].of(value) for value in knob.values},
            "number": words[knob.name].number,
        }
    for name, rules in corpus.rulesets.maps.items():
        text = corpus.rulesets.texts[name]
        yield {"record": "ruleset", "name": name, "text": text, "knobs": dict(rules)}
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
