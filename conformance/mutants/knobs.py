"""Engines in which one knob is stuck at one value, whatever the rule set says."""

from collections.abc import Callable, Iterator

from conformance.jsontypes import Record, map_of
from conformance.knobs import Knob, RuleSets
from conformance.mutants.making import Mutant
from conformance.oracle import answer as right_answer

ASKED_AS = {"packets": "packets", "first_dealer": "method"}
"""The knobs that the runner also sends as a field of their own."""


def stuck_knobs(rulesets: RuleSets) -> Iterator[Mutant]:
    """For every knob the engine that knows its first value only, and those that know one other."""
    for knob in rulesets.knobs.values():
        others = _others(knob)
        if others:
            yield _stuck(knob, knob.default, f"ignores-{knob.name}")
        for value in others:
            yield _stuck(knob, value, f"always-{knob.name}-{value}")


def _others(knob: Knob) -> list[str]:
    others = [value for value in knob.built if value != knob.default]
    if knob.span is None:
        return others
    number = int(knob.default) + 1 if knob.default.isdigit() else knob.span[0] + 1
    return [*others, str(min(number, knob.span[1]))]


def _stuck(knob: Knob, value: str, name: str) -> Mutant:
    return Mutant(
        name=name.replace("_", "-"),
        text=f"{knob.name} is {value} whatever the rule set says.",
        answer=_answer(knob.name, value),
        knob=knob.name,
    )


def _answer(knob: str, value: str) -> Callable[[Record], Record]:
    def answer(request: Record) -> Record:
        changed = {**request, "rules": {**map_of(request["rules"], "rules"), knob: value}}
        field = ASKED_AS.get(knob)
        if field in request and field is not None:
            changed[field] = value
        return right_answer(changed)

    return answer
