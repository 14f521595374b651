"""The corpus as one JSON document, for people who never run this program."""

from typing import TYPE_CHECKING

from conformance.check import checks_of
from conformance.corpus import Corpus, canonical

if TYPE_CHECKING:
    from conformance.jsontypes import Json


def bundle(corpus: Corpus) -> bytes:
    """Every check with its requests and the answers wanted, the rule book and the rule sets."""
    checks: list[Json] = [
        {
            "check": check.id,
            "case": check.case.id,
            "title": check.case.title,
            "why": check.case.why,
            "chapter": check.case.chapter,
            "rules": list(check.case.rules),
            "importance": check.case.importance,
            "ruleset": check.ruleset,
            "alternatives": dict(check.case.alternatives),
            "steps": [
                {"request": step.request, "then": step.then, "before": step.before}
                for step in check.steps
            ],
        }
        for check in checks_of(corpus)
    ]
    book = corpus.rulebook
    rules: dict[str, Json] = {
        name: {
            "chapter": rule.chapter,
            "text": rule.text,
            "level": rule.level,
            "knobs": list(rule.knobs),
            "sources": [
                {"page": quote.page, "line": quote.line, "quote": quote.quote}
                for quote in rule.sources
            ],
            "table_knobs": list(rule.table_knobs),
            "also": list(rule.also),
        }
        for name, rule in book.rules.items()
    }
    document: dict[str, Json] = {
        "format": "euchre-conformance-bundle/1",
        "corpus": corpus.sha256,
        "version": corpus.version,
        "license": "CC0-1.0",
        "rules": rules,
        "pages": {
            page.key: {"file": page.file, "sha256": page.sha256, "title": page.title}
            for page in book.pages.values()
        },
        "others": {key: {"title": it.title, "by": it.by} for key, it in book.others.items()},
        "chapters": dict(book.chapters),
        "knobs": {knob.name: knob.shown() for knob in corpus.rulesets.knobs.values()},
        "rulesets": dict(corpus.rulesets.maps),
        "checks": checks,
    }
    return canonical(document) + b"\n"
