"""The corpus: every case, the rule book, the rule sets, and how a case spreads over them."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.case import Case, case_from
from conformance.errors import CorpusError, UsageError
from conformance.knobs import RuleSets, chosen_rules, rulesets_from
from conformance.rulebook import RuleBook, check_quotes, rulebook_from, seeds_dir
from conformance.tree import Node, near, read

FORMAT = "euchre-conformance/1"
VERSION = "0.1"
"""The version of our own corpus, which moves apart from that of the package."""
HOME = Path(__file__).parent
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*-[0-9]{3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Everything that was read."""

    cases: tuple[Case, ...]
    rulebook: RuleBook
    rulesets: RuleSets
    sha256: str
    warnings: tuple[str, ...]
    lock: Mapping[str, str] | None
    version: str = ""

    def case(self, wanted: str) -> Case | None:
        """The case of an id."""
        return next((case for case in self.cases if case.id == wanted), None)


def load(folder: Path | None = None) -> Corpus:
    """Our own corpus, or the cases of another folder beside our rule book and rule sets."""
    rulebook = rulebook_from(
        read(HOME / "rulebook.yaml", "rulebook.yaml"), read(HOME / "sources.yaml", "sources.yaml")
    )
    rulesets = rulesets_from(read(HOME / "rulesets.yaml", "rulesets.yaml"))
    _check_names(rulebook, rulesets)
    for problem in check_quotes(rulebook, seeds_dir(HOME)).problems:
        raise CorpusError(problem)
    where = cases_dir(folder)
    if not where.is_dir():
        wrong = "a file, not a folder" if where.exists() else "no such folder"
        raise UsageError(f"{wrong}: {str(where)!r} (name a folder of *.yaml files)")
    own = folder is None
    cases: list[Case] = []
    warnings: list[str] = []
    first: dict[str, Case] = {}
    for path in sorted(where.rglob("*.yaml")):
        name = path.relative_to(where).as_posix()
        for case in cases_of(path, name, rulesets, own=own):
            if case.id in first:
                raise CorpusError(
                    f"{case.place()}: the id {case.id!r} stands twice, first at "
                    f"{first[case.id].place()}"
                )
            first[case.id] = case
            cases.append(case)
            for rule in case.rules:
                if rule not in rulebook.rules:
                    problem = f"{case.place()}: case {case.id}: unknown rule {rule!r}"
                    if own:
                        raise CorpusError(problem)
                    warnings.append(problem)
    if not cases:
        raise CorpusError(f"no cases in {str(where)!r}")
    _check_successors(first)
    lock = read_lock(HOME / "ids.lock") if own else None
    for problem in changed_meanings(cases, lock or {}):
        raise CorpusError(problem)
    return Corpus(
        cases=tuple(cases),
        rulebook=rulebook,
        rulesets=rulesets,
        sha256=digest([{"id": case.id, **case.meaning()} for case in cases]),
        warnings=tuple(warnings),
        lock=lock,
        version=VERSION if own else "",
    )


def _check_successors(cases: Mapping[str, Case]) -> None:
    """Refuse a case that is superseded by one that is not there."""
    for case in cases.values():
        if case.superseded_by is not None and case.superseded_by not in cases:
            raise CorpusError(
                f"{case.place()}: case {case.id} is superseded by {case.superseded_by!r}, "
                f"which is no case{near(case.superseded_by, cases)}"
            )


def cases_dir(folder: Path | None) -> Path:
    """The folder of the cases; of a copy of the corpus the folder `cases` in it."""
    if folder is None:
        return HOME / "cases"
    copied = (folder / "rulebook.yaml").is_file() and (folder / "cases").is_dir()
    return folder / "cases" if copied else folder


def _check_names(book: RuleBook, rulesets: RuleSets) -> None:
    """Refuse a rule book and rule sets that name what the other does not know."""
    for rule in book.rules.values():
        for knob in rule.knobs:
            if knob not in rulesets.knobs:
                raise CorpusError(f"rulebook.yaml:{rule.line}: rule {rule.id}: no knob {knob!r}")
        for knob in rule.table_knobs:
            if knob not in rulesets.table_knobs:
                raise CorpusError(
                    f"rulebook.yaml:{rule.line}: rule {rule.id}: no table knob {knob!r}"
                )
    for known in (*rulesets.knobs.values(), *rulesets.table_knobs.values()):
        if known.rule not in book.rules:
            raise CorpusError(f"rulesets.yaml: knob {known.name}: unknown rule {known.rule!r}")
    for name, keys in rulesets.sources.items():
        for key in keys:
            if key not in book.pages and key not in book.others:
                raise CorpusError(f"rulesets.yaml: rule set {name}: unknown source {key!r}")


def cases_of(path: Path, name: str, rulesets: RuleSets, *, own: bool) -> Iterator[Case]:
    """The cases of one file."""
    return cases_in(read(path, name), name, rulesets, own=own)


def cases_in(root: Node, name: str, rulesets: RuleSets, *, own: bool) -> Iterator[Case]:
    """The cases of the tree of a file."""
    fields = root.fields(
        "the file", required=("format", "chapter", "topic", "cases"), optional=("deals", "actions")
    )
    if fields["format"].text("format") != FORMAT:
        fields["format"].fail(f"format must be {FORMAT}")
    chapter = fields["chapter"].text("chapter")
    topic = fields["topic"].text("topic")
    if own and name != f"{chapter}/{topic}.yaml":
        root.fail(f"chapter {chapter} and topic {topic} belong in {chapter}/{topic}.yaml")
    for node in fields["cases"].sequence("cases"):
        case = case_from(node, chapter, topic, rulesets)
        if not ID.fullmatch(case.id):
            node.fail(f"the id {case.id!r} is not words and three digits, as follow-001")
        yield case


def spread(case: Case, rulesets: RuleSets) -> dict[str, Mapping[str, str]]:
    """The rule sets a case runs under, each as a complete map of knob values."""
    found: dict[str, Mapping[str, str]] = {}
    for name, rules in rulesets.maps.items():
        if "ruleset" in case.where and name not in case.where["ruleset"]:
            continue
        knobs = {knob: values for knob, values in case.where.items() if knob != "ruleset"}
        if all(rules[knob] in values for knob, values in knobs.items()):
            try:
                found[name] = chosen_rules(rulesets, name, case.changes)
            except CorpusError as err:
                raise CorpusError(f"{case.place()}: case {case.id}: {err}") from err
    return found


def canonical(value: object) -> bytes:
    """One spelling of a JSON value, to be hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def digest(value: object) -> str:
    """The SHA-256 of a JSON value in its one spelling."""
    return hashlib.sha256(canonical(value)).hexdigest()


def meaning_hash(case: Case) -> str:
    """The hash that `ids.lock` keeps of a case."""
    return digest(case.meaning())[:16]


def changed_meanings(cases: Iterable[Case], lock: Mapping[str, str]) -> Iterator[str]:
    """The cases whose id was given to another meaning before."""
    for case in cases:
        if lock.get(case.id, meaning_hash(case)) != meaning_hash(case):
            yield (
                f"{case.place()}: the id {case.id} was used before, and the meaning of case "
                f"{case.id} has changed: give it a new id and let the old one say superseded_by"
            )


def read_lock(path: Path) -> dict[str, str]:
    """Every id that was ever given, and the hash of its meaning."""
    if not path.is_file():
        return {}
    lock: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), start=1):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if len(words) != 2 or words[0] in lock:  # noqa: PLR2004 -- an id and a hash
            raise CorpusError(f"{path.name}:{number}: not an id and a hash, or an id given twice")
        lock[words[0]] = words[1]
    return lock
