"""RULEBOOK.md: every rule for people, with its sources, its knob, and its cases drawn."""

from collections.abc import Iterator

from conformance.book import live, others, standing
from conformance.case import Case
from conformance.corpus import Corpus, spread
from conformance.drawing import drawn
from conformance.knobwords import knobwords
from conformance.rulebook import Rule

DRAWN = 3


def rulebook_page(corpus: Corpus) -> str:
    """The page as Markdown."""
    return "\n".join(_lines(corpus)) + "\n"


def _lines(corpus: Corpus) -> Iterator[str]:
    yield "# The rules of Euchre, with cases"
    yield ""
    yield "Made by `euchre-conformance rulebook` from `rulebook.yaml` and the cases: edit those."
    yield "Quoted is one of the three rule pages; *also in* names sources that are not quoted."
    yield "A rule without any source is a ruling of ours where the pages are silent or differ."
    yield "In a drawing `[AD] led` is the card that was led, `?` the seat that is to act."
    cases: dict[str, list[Case]] = {}
    for case in live(corpus):
        for name in case.rules:
            cases.setdefault(name, []).append(case)
    for chapter, title in corpus.rulebook.chapters.items():
        rules = [rule for rule in corpus.rulebook.rules.values() if rule.chapter == chapter]
        if rules:
            yield ""
            yield f"## {title}"
        for rule in rules:
            yield from _rule(corpus, rule, cases.get(rule.id, []))


def _rule(corpus: Corpus, rule: Rule, cases: list[Case]) -> Iterator[str]:
    yield ""
    yield f"### `{rule.id}`"
    yield rule.text
    yield ""
    yield standing(rule, played=bool(cases))
    for quote in rule.sources:
        page = corpus.rulebook.pages[quote.page]
        yield f"- {page.title}, line {quote.line}: “{quote.quote}”"
    if rule.also:
        yield f"- Also in: {'; '.join(others(corpus.rulebook, rule.also))}"
    yield from _knobs(corpus, rule)
    for case in cases[:DRAWN]:
        yield ""
        yield f"**{case.id}** {case.title}" + (f". {case.why}" if case.why else ".")
        yield "```"
        yield from drawn(case, corpus.rulesets)
        yield f"under: {_under(corpus, case)}"
        yield "```"
    rest = cases[DRAWN:]
    if rest:
        yield ""
        yield f"{len(rest)} more: " + "; ".join(f"{case.id} {case.title}" for case in rest) + "."


def _under(corpus: Corpus, case: Case) -> str:
    changes = " ".join(f"{knob}: {value}" for knob, value in case.changes.items())
    names = " ".join(spread(case, corpus.rulesets))
    return f"{names} with {changes}" if changes else names


def _knobs(corpus: Corpus, rule: Rule) -> Iterator[str]:
    words = knobwords(corpus.rulesets)
    for name in rule.knobs:
        knob = corpus.rulesets.knobs[name]
        yield f"- Knob `{name}`: {words[name].asks.lower()}. Values: {knob.shown()}."
    for name in rule.table_knobs:
        knob = corpus.rulesets.table_knobs[name]
        yield f"- Table rule `{name}`: {words[name].asks.lower()}. At first: {knob.default}."
        for value in knob.values:
            yield f"  - `{value}`: {words[name].of(value)}"
        if knob.span:
            low, high = knob.span
            yield f"  - a number n from {low} to {high}: {words[name].of('n')}"
