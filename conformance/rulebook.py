"""The rule book: every rule id, what it says in our words, and where a page says it."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.tree import Node, near

FORMAT = "euchre-rulebook/1"
SOURCES_FORMAT = "euchre-sources/1"
LEVELS = ("must", "should", "may")
LONGEST_QUOTE = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A place in a source page, with at most twelve of its words."""

    page: str
    line: int
    quote: str
    where: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule."""

    id: str
    chapter: str
    text: str
    level: str
    knobs: tuple[str, ...]
    table_knobs: tuple[str, ...]
    sources: tuple[Quote, ...]
    also: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A source page: its file name and the SHA-256 of its bytes."""

    key: str
    file: str
    sha256: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """A source that is named and not quoted, for its page is not at hand."""

    key: str
    title: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBook:
    """Every rule and every source."""

    rules: Mapping[str, Rule]
    pages: Mapping[str, Page]
    others: Mapping[str, Other]
    chapters: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteReport:
    """What comparing the quotes with the pages found."""

    checked: int
    unchecked: int
    problems: tuple[str, ...]


def rulebook_from(root: Node, sources: Node) -> RuleBook:
    """The rule book of its two files."""
    pages, others = _sources(sources)
    fields = root.fields("the file", required=("format", "chapters", "rules"))
    if fields["format"].text("format") != FORMAT:
        fields["format"].fail(f"format must be {FORMAT}")
    chapters = {
        name: node.text("a chapter")
        for name, node in fields["chapters"].mapping("chapters").items()
    }
    rules = {
        name: _rule(name, node, chapters, pages, others)
        for name, node in fields["rules"].mapping("rules").items()
    }
    return RuleBook(rules=rules, pages=pages, others=others, chapters=chapters)


def _sources(root: Node) -> tuple[dict[str, Page], dict[str, Other]]:
    fields = root.fields("the file", required=("format", "pages", "others"))
    if fields["format"].text("format") != SOURCES_FORMAT:
        fields["format"].fail(f"format must be {SOURCES_FORMAT}")
    pages: dict[str, Page] = {}
    for key, node in fields["pages"].mapping("pages").items():
        entry = node.fields(f"page {key}", required=("file", "sha256", "title"))
        pages[key] = Page(
            key=key,
            file=entry["file"].text("file"),
            sha256=entry["sha256"].raw("sha256"),
            title=entry["title"].text("title"),
        )
    others: dict[str, Other] = {}
    for key, node in fields["others"].mapping("others").items():
        entry = node.fields(f"source {key}", required=("title", "by"))
        others[key] = Other(key=key, title=entry["title"].text("title"), by=entry["by"].text("by"))
    return pages, others


def _rule(
    name: str,
    node: Node,
    chapters: Mapping[str, str],
    pages: Mapping[str, Page],
    others: Mapping[str, Other],
) -> Rule:
    fields = node.fields(
        f"rule {name}",
        required=("chapter", "text", "level"),
        optional=("knob", "table", "sources", "also"),
    )
    also = fields["also"].words("also") if "also" in fields else ()
    for key in also:
        if key not in others:
            fields["also"].fail(f"unknown source {key!r}{near(key, others)}")
    quotes: list[Quote] = []
    if "sources" in fields:
        for sub in fields["sources"].sequence("sources"):
            entry = sub.fields("a source", required=("page", "line", "quote"))
            quote = Quote(
                page=entry["page"].one_of("page", pages),
                line=entry["line"].integer("line"),
                quote=entry["quote"].text("quote"),
                where=sub,
            )
            if len(quote.quote.split()) > LONGEST_QUOTE:
                sub.fail(f"the quote has more than {LONGEST_QUOTE} words")
            quotes.append(quote)
    return Rule(
        id=name,
        chapter=fields["chapter"].one_of("chapter", chapters),
        text=fields["text"].text("text"),
        level=fields["level"].one_of("level", LEVELS),
        knobs=fields["knob"].words("knob") if "knob" in fields else (),
        table_knobs=fields["table"].words("table") if "table" in fields else (),
        sources=tuple(quotes),
        also=also,
        line=node.line,
    )


def seeds_dir(root: Path) -> Path | None:
    """Where the source pages lie, if they are at hand."""
    named = os.environ.get("EUCHRE_SEEDS")
    found = Path(named) if named else root.parent.parent / "shared" / "seeds"
    return found if found.is_dir() else None


def check_quotes(book: RuleBook, folder: Path | None) -> QuoteReport:
    """Compare every quote with its page, where the page is at hand."""
    lines: dict[str, list[str]] = {}
    problems: list[str] = []
    for page in book.pages.values():
        path = folder / page.file if folder else None
        if path is None or not path.is_file():
            continue
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != page.sha256:
            problems.append(f"{page.file}: its SHA-256 is not the one in sources.yaml")
            continue
        lines[page.key] = data.decode("utf-8").splitlines()
    checked = unchecked = 0
    for rule in book.rules.values():
        for quote in rule.sources:
            if quote.page not in lines:
                unchecked += 1
                continue
            checked += 1
            page_lines = lines[quote.page]
            line = page_lines[quote.line - 1] if 0 < quote.line <= len(page_lines) else ""
            if quote.quote not in line:
                where = quote.where
                found = [n for n, text in enumerate(page_lines, start=1) if quote.quote in text]
                hint = f"it stands in line {found[0]}" if found else f"it begins {line[:40]!r}"
                problems.append(
                    f"{where.file}:{where.line}: rule {rule.id}: line {quote.line} of page "
                    f"{quote.page} does not say {quote.quote!r} ({hint})"
                )
    return QuoteReport(checked=checked, unchecked=unchecked, problems=tuple(problems))
