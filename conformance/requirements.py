"""Requirements: the cases and rule sets that a release of the corpus froze.

A run against a frozen set still asks the newer cases, and scores none of them, so that an engine
which passed a release goes on passing it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from conformance.case import Case
from conformance.corpus import HOME, Corpus
from conformance.errors import CorpusError, UsageError
from conformance.tree import Node, near, read

FORMAT = "euchre-requirements/1"
FOLDER = HOME / "requirements"
WIDTH = 96


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """One frozen set."""

    version: str
    sha256: str
    rulesets: frozenset[str]
    cases: Mapping[str, str]

    def score(self, case: str, ruleset: str) -> bool:
        """Whether a check is part of the set."""
        return case in self.cases and ruleset in self.rulesets


def versions(folder: Path = FOLDER) -> list[str]:
    """The releases that were frozen, oldest first."""
    return sorted((path.stem for path in folder.glob("*.yaml")), key=_numbers)


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdecimal() else 0 for part in version.split(".")]


def requirements(version: str, folder: Path = FOLDER) -> Requirements:
    """The frozen set of one release."""
    known = versions(folder)
    if version not in known:
        raise UsageError(
            f"no requirements of corpus {version!r}{near(version, known)} (there are: "
            f"{', '.join(known) or 'none'})"
        )
    return requirements_from(read(folder / f"{version}.yaml", f"requirements/{version}.yaml"))


def requirements_from(root: Node) -> Requirements:
    """The set that a file states."""
    fields = root.fields("the file", required=("format", "corpus", "sha256", "rulesets", "cases"))
    if fields["format"].text("format") != FORMAT:
        fields["format"].fail(f"format must be {FORMAT}")
    cases: dict[str, str] = {}
    for topic, node in fields["cases"].mapping("cases").items():
        for number in node.raw(topic).split():
            name = f"{topic}-{number}"
            if name in cases:
                node.fail(f"the case {name} stands twice")
            cases[name] = f"{node.file}:{node.line}"
    return Requirements(
        version=fields["corpus"].text("corpus"),
        sha256=fields["sha256"].raw("sha256"),
        rulesets=frozenset(fields["rulesets"].words("rulesets")),
        cases=cases,
    )


def freeze(corpus: Corpus, folder: Path = FOLDER) -> Path:
    """Write the frozen set of the corpus as it stands; a set is never written twice."""
    path = folder / f"{corpus.version}.yaml"
    if path.exists():
        raise UsageError(
            f"corpus {corpus.version} is frozen already: give the corpus a new version first "
            "(VERSION in conformance/corpus.py)"
        )
    folder.mkdir(exist_ok=True)
    path.write_text("".join(f"{text}\n" for text in frozen_lines(corpus)), encoding="ascii")
    return path


def frozen_lines(corpus: Corpus) -> Iterator[str]:
    """The lines of a frozen set."""
    yield f"# The cases that corpus {corpus.version} requires. Never edit: freeze a new version."
    yield f"format: {FORMAT}"
    yield f'corpus: "{corpus.version}"'
    yield f'sha256: "{corpus.sha256}"'
    yield f"rulesets: [{', '.join(corpus.rulesets.maps)}]"
    yield "cases:"
    topics: dict[str, list[str]] = {}
    for case in sorted(corpus.cases, key=_id):
        if case.status in ("stable", "disputed"):
            topic, number = case.id.rsplit("-", 1)
            topics.setdefault(topic, []).append(number)
    for topic, numbers in topics.items():
        yield f"  {topic}: >-"
        yield from wrap(" ".join(numbers), WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 4)


def _id(case: Case) -> str:
    return case.id


def requirement_problems(corpus: Corpus, folder: Path = FOLDER) -> Iterator[str]:
    """Where a frozen set names what the corpus does not hold."""
    present = {case.id: case for case in corpus.cases}
    for version in versions(folder):
        try:
            found = requirements(version, folder)
        except CorpusError as err:
            yield str(err)
            continue
        if found.version != version:
            yield f"requirements/{version}.yaml: corpus is {found.version!r}, not {version!r}"
        for name, place in found.cases.items():
            if name not in present:
                yield f"{place}: the frozen case {name} is gone: mark a case withdrawn instead"
            elif present[name].status == "draft":
                yield f"{place}: the frozen case {name} is a draft"
        for ruleset in sorted(found.rulesets - set(corpus.rulesets.maps)):
            yield f"requirements/{version}.yaml: the frozen rule set {ruleset} is gone"
