"""What one part of the proof found: a table, figures, and what is wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.check import Check
from conformance.corpus import Corpus
from conformance.jsontypes import Json
from conformance.prove.explained import Explained


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of the proof."""

    name: str
    title: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str]]
    problems: Sequence[str] = ()
    notes: Sequence[str] = ()
    figures: Mapping[str, Json] = field(default_factory=dict)

    @property
    def green(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What every part is given."""

    corpus: Corpus
    checks: tuple[Check, ...]
    explained: Explained
    jobs: int = 1
    seed: int = 1
    machine: int = 200
    deals: int = 2000
    cache: Path | None = None
