"""The search for a question that an engine answers otherwise than the oracle and the referee."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from conformance.generate.kinds import KINDS
from conformance.generate.played import played
from conformance.generate.questions import questions
from conformance.generate.simpler import fewer, nearer
from conformance.jsontypes import Json, Record
from conformance.knobs import RuleSets, meaningless
from conformance.oracle import answer as oracle
from conformance.targets.base import OPS
from conformance.verdict import AS_SETS, same

Answer = Callable[[Record], Record | None]
Simpler = Callable[[Record, RuleSets], Iterator[Record]]
SHARE = 0.5
MAY_LACK = ("phase", "closed")
"""What an answer need not say."""
CHANGED = 3
CARDS = 2000
"""How often a suspect is asked with cards exchanged, while a difference is made simpler."""
BREAKDOWNS = 40
"""How often one that breaks down is asked at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A question, the right answer, and the other one."""

    request: Record
    right: Record
    other: Record | None
    kind: str
    deals: int

    def fields(self) -> list[str]:
        """The fields of the right answer that the other one does not have."""
        return differing(self.right, self.other)


def differing(right: Record, other: Record | None) -> list[str]:
    """The fields of an answer in which another differs; a field too many is told as well."""
    right_body, other_body = _body(right), _body(other or {})
    found = [
        name
        for name, value in right_body.items()
        if not _equal(name, value, other_body.get(name))
        and not (name in MAY_LACK and other_body and name not in other_body)
    ]
    return found + [
        name
        for name in ("refused", "winner", "closed")
        if name in other_body and name not in right_body
    ]


def _body(answer: Record) -> Record:
    view = answer.get("view")
    return view if isinstance(view, Mapping) else answer


def _equal(name: str, one: Json, two: Json) -> bool:
    if name == "error":
        return two is not None
    if name == "refused" and two is True:
        return True
    if name in AS_SETS and isinstance(one, list) and isinstance(two, list):
        return sorted(map(str, one)) == sorted(map(str, two))
    return same(one, two)


def search(
    chance: Random,
    rulesets: RuleSets,
    suspect: Answer,
    referee: Answer,
    *,
    deals: int,
    kinds: Sequence[str] = (),
    names: Sequence[str] = (),
    ops: Collection[str] = OPS,
    plays: Callable[[str, Mapping[str, str]], bool] = lambda _name, _rules: True,
    tell: Callable[[int, int], None] = lambda _done, _all: None,
    time_left: Callable[[], bool] = lambda: True,
) -> Iterator[Difference]:
    """The first difference of each deal in which one is found; rule sets are varied besides.

    Only `ops` are asked, and only rules that the suspect plays.
    """
    for number in range(deals):
        if not time_left():
            return
        tell(number, deals)
        kind = chance.choice(list(kinds or KINDS))
        named, rules = varied(chance, rulesets, names)
        if not plays(named, rules):
            rules = rulesets.maps[named]
        if not plays(named, rules):
            continue
        if any(rules[knob] not in values for knob, values in KINDS[kind].needs.items()):
            continue
        deal = played(chance, kind, named, rules)
        for request in questions(chance, deal):
            if not time_left():
                return
            if str(request["op"]) not in ops:
                continue
            found = difference(request, suspect, referee, kind=kind, deals=number + 1)
            if found is not None:
                yield found
                break


def varied(
    chance: Random, rulesets: RuleSets, names: Sequence[str]
) -> tuple[str, Mapping[str, str]]:
    """A named rule set, in half of the deals with a few knobs turned."""
    named = chance.choice(list(names or rulesets.maps))
    while True:
        rules = dict(rulesets.maps[named])
        for _ in range(chance.randint(1, CHANGED) if chance.random() < SHARE else 0):
            knob = chance.choice(list(rulesets.knobs.values()))
            numbers = [str(chance.randint(*knob.span))] if knob.span else []
            rules[knob.name] = chance.choice([*knob.built, *numbers])
        if meaningless(rules) is None:
            return named, rules


def shrunk(found: Difference, rulesets: RuleSets, suspect: Answer, referee: Answer) -> Difference:
    """The same difference in the simplest question that is found."""
    *_, simplest = shrinking(found, rulesets, suspect, referee)
    return simplest


def shrinking(
    found: Difference,
    rulesets: RuleSets,
    suspect: Answer,
    referee: Answer,
    *,
    time_left: Callable[[], bool] = lambda: True,
) -> Iterator[Difference]:
    """The difference, and each simpler question that still shows one.

    First all that can be left out is left out, then cards are put in order, at most so many times.
    The last question is one from which nothing more can be left out, unless the time ran out or
    the suspect broke down too often.
    """
    best = found
    left: dict[Simpler, int] = {fewer: sys.maxsize, nearer: CARDS}
    breakdowns = BREAKDOWNS

    def closer(simpler: Simpler) -> Difference | None:
        nonlocal breakdowns
        for request in simpler(best.request, rulesets):
            if "error" in oracle(request) and "error" not in found.right:
                continue
            if not time_left() or not left[simpler] or not breakdowns:
                return None
            left[simpler] -= 1
            breakdowns -= best.other is None
            one = difference(request, suspect, referee, kind=found.kind, deals=found.deals)
            if one is not None:
                return one
        return None

    yield best
    while True:
        start = best
        for simpler in (fewer, nearer):
            while (one := closer(simpler)) is not None:
                best = one
                yield best
        if best is start:
            return


def difference(
    request: Record, suspect: Answer, referee: Answer, *, kind: str = "", deals: int = 0
) -> Difference | None:
    """Where the suspect answers otherwise than both engines, which agree."""
    right = oracle(request)
    other = suspect(request)
    if other is not None and "unsupported" in other:
        return None
    if not differing(right, other) or differing(right, referee(request)):
        return None
    return Difference(request=request, right=right, other=other, kind=kind, deals=deals)
