"""The search for a question that an engine answers otherwise than the oracle and the referee."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from conformance.generate.kinds import KINDS
from conformance.generate.played import played
from conformance.generate.questions import questions
from conformance.jsontypes import Json, Record, map_of, texts_of
from conformance.knobs import RuleSets, meaningless
from conformance.oracle import answer as oracle
from conformance.verdict import AS_SETS, same

Answer = Callable[[Record], Record | None]
SHARE = 0.5
CHANGED = 3


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
        name for name, value in right_body.items() if not _equal(name, value, other_body.get(name))
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
) -> Iterator[Difference]:
    """The first difference of each deal in which one is found; rule sets are varied besides."""
    for number in range(deals):
        kind = chance.choice(list(kinds or KINDS))
        named, rules = varied(chance, rulesets, names)
        if any(rules[knob] not in values for knob, values in KINDS[kind].needs.items()):
            continue
        deal = played(chance, kind, named, rules)
        for request in questions(chance, deal):
            right = oracle(request)
            other = suspect(request)
            if differing(right, other) and not differing(right, referee(request)):
                yield Difference(
                    request=request, right=right, other=other, kind=kind, deals=number + 1
                )
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
    """The same difference in a simpler question."""
    for simpler in _simpler(found.request, rulesets):
        right = oracle(simpler)
        if "error" in right and "error" not in found.right:
            continue
        other = suspect(simpler)
        if differing(right, other) and not differing(right, referee(simpler)):
            closer = Difference(
                request=simpler, right=right, other=other, kind=found.kind, deals=found.deals
            )
            return shrunk(closer, rulesets, suspect, referee)
    return found


def _simpler(request: Record, rulesets: RuleSets) -> Iterator[Record]:
    """Requests that are one step simpler, the boldest first."""
    rules = map_of(request["rules"], "rules")
    for name in rulesets.maps:
        named: Record = {**request, "ruleset": name, "rules": rulesets.maps[name]}
        if _turned(named, rulesets) < _turned(request, rulesets):
            yield named
    base = rulesets.maps[str(request["ruleset"])]
    for knob, value in base.items():
        if rules[knob] != value:
            back = {**{key: str(one) for key, one in rules.items()}, knob: value}
            if meaningless(back) is None:
                yield {**request, "rules": back}
    if request.get("score", {"ns": 0, "ew": 0}) != {"ns": 0, "ew": 0}:
        yield {key: value for key, value in request.items() if key != "score"}
    actions = texts_of(request.get("actions", []), "actions")
    if request["op"] in ("legal", "view", "apply") and actions:
        yield {**request, "actions": actions[:-1]}
    if request["op"] in ("view", "apply"):
        words = ("seat", "by", "action")
        bare = {key: value for key, value in request.items() if key not in words} | {"op": "legal"}
        yield bare
        if "action" in request:
            yield {**bare, "actions": [*actions, str(request["action"])]}


def _turned(request: Record, rulesets: RuleSets) -> int:
    """How many knobs differ from the named rule set."""
    base = rulesets.maps[str(request["ruleset"])]
    rules = map_of(request["rules"], "rules")
    return sum(rules[knob] != value for knob, value in base.items())
