"""Wrong engines, one wrong rule each: the corpus fails every one of them."""

from functools import cache

import pytest

from conformance.check import Check
from conformance.mutants import mutants
from conformance.oracle import Hand
from conformance.oracle import answer as right_answer
from conformance.prove.answers import failed, one_a_case
from conformance.prove.explained import explained
from tests.corpus import checks, corpus


@cache
def shuffled() -> list[Check]:
    """Every case once, each topic in turn, so that a wrong engine is soon found."""
    topics: dict[str, list[Check]] = {}
    for check in one_a_case(checks()):
        topics.setdefault(check.case.topic, []).append(check)
    rounds = range(max(map(len, topics.values())))
    return [found[n] for n in rounds for found in topics.values() if n < len(found)]


ASKED = [
    one.name
    for one in mutants(corpus().rulesets).values()
    if one.knob not in explained().knobs and "leaf" not in one.name
]


@pytest.mark.parametrize("name", ASKED)
def test_an_engine_with_one_wrong_rule_is_killed(name: str) -> None:
    wrong = mutants(corpus().rulesets)[name]
    every = [check for check in checks() if check.case.op != "perft"]
    assert next(failed(wrong.answer, [*shuffled(), *every]), None) is not None


def test_there_are_eighty_named_mutants_and_each_says_what_it_gets_wrong() -> None:
    known = mutants(corpus().rulesets)
    assert len(known) >= 80
    assert all(one.text.endswith(".") for one in known.values())


def test_the_engine_that_the_mutants_are_made_of_passes_and_stays_right_after_them() -> None:
    for wrong in list(mutants(corpus().rulesets).values())[::20]:
        next(failed(wrong.answer, shuffled()), None)
    assert list(failed(right_answer, shuffled())) == []


def test_no_engine_overrides_a_method_that_the_right_one_does_not_have() -> None:
    for wrong in Hand.__subclasses__():
        names = {name for name in vars(wrong) if not name.startswith("__")}
        assert names <= set(dir(Hand)), wrong
