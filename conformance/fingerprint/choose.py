"""Choosing the cases that a fingerprint asks: few, and enough to tell all that can be told."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from conformance.check import Check, checks_of
from conformance.corpus import Corpus, canonical
from conformance.fingerprint.predict import Predictor
from conformance.fingerprint.variations import variations
from conformance.knobs import RuleSets

TIMES = 2
LONGEST = 8000
KINDS: tuple[tuple[str, ...], ...] = (
    ("legal",),
    ("replay",),
    ("apply",),
    ("view",),
    ("legal", "apply", "view", "replay", "score", "draw", "deck", "game", "adjudicate"),
)
"""What a target may answer at least; every kind of target is served."""

Pair = tuple[int, int]
Rules = Mapping[str, str]


def chosen(corpus: Corpus) -> list[str]:
    """The checks to ask, in the order of the corpus."""
    pool = _pool(corpus)
    rules, pairs = _pairs(corpus.rulesets)
    predictor = Predictor([one.steps[-1].request for one in pool], list(corpus.rulesets.knobs))
    told: list[set[Pair | str]] = []
    for number, one in enumerate(pool):
        marks = _marks(predictor, number, rules)
        told.append({pair for pair in pairs if marks[pair[0]] != marks[pair[1]]})
        told[-1] |= _followed(predictor, number, one, corpus.rulesets)
    picked: set[int] = set()
    for kinds in KINDS:
        open_to = [number for number, one in enumerate(pool) if one.case.op in kinds]
        _cover(told, open_to, picked, TIMES if len(kinds) > 1 else 1)
    return [pool[number].id for number in sorted(picked)]


def _pool(corpus: Corpus) -> list[Check]:
    """Every case once; trees, disputed cases and long games apart."""
    first: dict[str, Check] = {}
    for check in checks_of(corpus):
        short = len(canonical(check.steps[-1].request)) < LONGEST
        if check.case.op != "perft" and check.case.status == "stable" and short:
            first.setdefault(check.case.id, check)
    return list(first.values())


def _pairs(rulesets: RuleSets) -> tuple[list[Rules], list[Pair]]:
    """The rule sets, and the pairs of them that must be told apart.

    Every named rule set from every other, and the values of each knob within a named rule set.
    """
    rules: list[Rules] = list(rulesets.maps.values())
    pairs = list(combinations(range(len(rules)), 2))
    for place, name in enumerate(rulesets.maps):
        families: dict[str, list[int]] = {}
        for turned in variations(rulesets, name):
            families.setdefault(turned.knob, [place]).append(len(rules))
            rules.append(turned.rules)
        for family in families.values():
            pairs += combinations(family, 2)
    return rules, pairs


def _marks(predictor: Predictor, number: int, rules: Sequence[Rules]) -> list[bytes]:
    spelt: dict[int, bytes] = {}
    marks = []
    for one in rules:
        leaf = predictor.leaf(number, one.__getitem__)
        if id(leaf) not in spelt:
            said = {"error": True} if "error" in leaf.answer else dict(leaf.answer)
            spelt[id(leaf)] = canonical(said)
        marks.append(spelt[id(leaf)])
    return marks


def _followed(predictor: Predictor, number: int, one: Check, rulesets: RuleSets) -> set[Pair | str]:
    """The knobs that are seen to be followed: turned back to standard, the answer is another."""
    standard = rulesets.maps["standard"]
    right = predictor.leaf(number, one.rules.__getitem__).answer
    found: set[Pair | str] = set()
    for knob, value in one.rules.items():
        if value != standard[knob]:
            back = {**one.rules, knob: standard[knob]}
            if predictor.leaf(number, back.__getitem__).answer != right:
                found.add(f"{knob}={value}")
    return found


def _cover(
    told: Sequence[set[Pair | str]], open_to: Iterable[int], picked: set[int], times: int
) -> None:
    """Pick questions until each pair that these can tell apart is told so many times."""
    numbers = list(open_to)
    need: dict[Pair | str, int] = {}
    for number in numbers:
        for pair in told[number]:
            need[pair] = min(times, need.get(pair, 0) + 1)
    for number in numbers:
        if number in picked:
            _pay(need, told[number])
    left = [number for number in numbers if number not in picked]
    while need and left:
        best = max(left, key=lambda number: (len(told[number] & need.keys()), -number))
        left.remove(best)
        picked.add(best)
        _pay(need, told[best])


def _pay(need: dict[Pair | str, int], told: set[Pair | str]) -> None:
    for pair in told & need.keys():
        need[pair] -= 1
        if need[pair] == 0:
            del need[pair]
