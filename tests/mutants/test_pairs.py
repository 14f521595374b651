"""Every ordered pair of rule sets is told apart: one played in place of the other is found."""

from dataclasses import replace
from functools import cache
from itertools import permutations

import pytest

from conformance.check import Check, checks_of
from conformance.corpus import Corpus, load
from conformance.jsontypes import Record
from conformance.runner import run
from conformance.targets.base import InProcess, claims_everything
from conformance.targets.referee import answer

NAMES = tuple(load().rulesets.maps)


@cache
def corpus() -> Corpus:
    return load()


@cache
def checks_under(name: str) -> tuple[Check, ...]:
    found = [check for check in checks_of(corpus()) if check.ruleset == name]
    return tuple(
        replace(check, steps=check.steps[-1:]) for check in found if not check.case.changes
    )


@pytest.mark.parametrize(("asked", "played"), list(permutations(NAMES, 2)))
def test_one_rule_set_played_in_place_of_another_is_found(asked: str, played: str) -> None:
    rules = corpus().rulesets.maps[played]

    def plays_the_other(request: Record) -> Record:
        return answer({**request, "rules": rules})

    target = InProcess("other", plays_the_other, claims_everything("other", corpus().rulesets))
    done = run(target, corpus(), checks_under(asked), fail_fast=True)
    assert len(done.failed()) == 1
