"""What the proof leaves open, each with its reason: `explained.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.corpus import HOME
from conformance.tree import Node, read

FORMAT = "euchre-explained/1"
MOST_LINES = 10
SECTIONS = ("accepting", "knobs", "rules", "accepted", "cases", "lines", "survivors")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the rules that the corpus cannot reach; a `def` stands for its function."""

    file: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A machine-made mutant that no case can kill."""

    file: str
    was: str
    becomes: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Everything that is left open on purpose."""

    accepting: Mapping[str, int]
    knobs: Mapping[str, str]
    rules: Mapping[str, str]
    accepted: Mapping[str, str]
    cases: Mapping[str, str]
    lines: tuple[Line, ...]
    survivors: tuple[Survivor, ...]


def explained(path: Path | None = None) -> Explained:
    """The explanations of a file, ours where none is named."""
    root = read(path or HOME / "explained.yaml", "explained.yaml")
    fields = root.fields("the file", required=("format", *SECTIONS))
    if fields["format"].text("format") != FORMAT:
        fields["format"].fail(f"format must be {FORMAT}")
    lines = tuple(_line(node) for node in fields["lines"].sequence("lines"))
    if len(lines) > MOST_LINES:
        fields["lines"].fail(f"more than {MOST_LINES} lines are excluded")
    return Explained(
        accepting={
            chapter: node.integer("a share")
            for chapter, node in fields["accepting"].mapping("accepting").items()
        },
        knobs=_reasons(fields["knobs"], "knobs"),
        rules=_reasons(fields["rules"], "rules"),
        accepted=_reasons(fields["accepted"], "accepted"),
        cases=_reasons(fields["cases"], "cases"),
        lines=lines,
        survivors=tuple(_survivor(node) for node in fields["survivors"].sequence("survivors")),
    )


def _reasons(node: Node, what: str) -> dict[str, str]:
    return {name: sub.text("a reason") for name, sub in node.mapping(what).items()}


def _line(node: Node) -> Line:
    fields = node.fields("a line", required=("file", "text", "reason"))
    return Line(
        file=fields["file"].text("file"),
        text=fields["text"].raw("text"),
        reason=fields["reason"].text("reason"),
    )


def _survivor(node: Node) -> Survivor:
    fields = node.fields("a survivor", required=("file", "was", "becomes", "reason"))
    return Survivor(
        file=fields["file"].text("file"),
        was=fields["was"].raw("was"),
        becomes=fields["becomes"].raw("becomes"),
        reason=fields["reason"].text("reason"),
    )
