"""The corpus tells every two rule sets apart, and every two values of a knob."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations

import pytest

from conformance.check import FILLED, Check
from conformance.jsontypes import Json
from conformance.oracle import answer
from conformance.verdict import Verdict, judge
from tests.corpus import checks as every_check
from tests.corpus import corpus

UNSEEN = {
    "cut": "the cut is part of the seal; no question of the protocol shows it",
    "enforcement": "records are judged alike under both values, and a referee refuses under both",
}
"""Knobs that no answer can show, each with its reason."""


@cache
def checks() -> tuple[Check, ...]:
    return tuple(check for check in every_check() if check.case.op != "perft")


def told_apart(check: Check, rules: Mapping[str, str]) -> bool:
    """Whether an engine that plays other rules fails the check."""
    step = check.steps[-1]
    request: dict[str, Json] = {**step.request, "rules": dict(rules)}
    if step.op in FILLED:
        field, knob = FILLED[step.op]
        if request[field] == check.rules[knob]:
            request[field] = rules[knob]
    verdict = judge(step, answer(request), {}).verdict
    return verdict is not Verdict.PASS


def of_rule_set(name: str) -> Iterator[Check]:
    return (check for check in checks() if check.ruleset == name and not check.case.changes)


@pytest.mark.parametrize(("one", "other"), list(permutations(corpus().rulesets.maps, 2)))
def test_a_case_of_one_rule_set_fails_an_engine_that_plays_another(one: str, other: str) -> None:
    rules = corpus().rulesets.maps[other]
    assert any(told_apart(check, rules) for check in of_rule_set(one))


def values_of(knob: str) -> list[str]:
    """The words of a knob; of one with numbers its default and one number that a case has."""
    known = corpus().rulesets.knobs[knob]
    if known.span is None:
        return list(known.values)
    seen = {check.rules[knob] for check in checks()} - {known.default}
    return [known.default, min(seen, key=lambda text: (text == "0", text))]


KNOBS = [name for name in corpus().rulesets.knobs if name not in UNSEEN]


@pytest.mark.parametrize("knob", KNOBS)
def test_every_value_of_a_knob_has_a_case_that_fails_an_engine_fixed_to_another(knob: str) -> None:
    asked = sorted(
        checks(), key=lambda check: knob not in {**check.case.changes, **check.case.where}
    )
    missing = []
    for here, there in permutations(values_of(knob), 2):
        if not any(
            told_apart(check, {**check.rules, knob: there})
            for check in asked
            if check.rules[knob] == here
        ):
            missing.append((here, there))
    assert missing == []


def test_every_knob_that_no_answer_shows_is_a_knob() -> None:
    assert set(UNSEEN) <= set(corpus().rulesets.knobs)
