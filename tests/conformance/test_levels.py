"""Levels, and a hello that claims too much, too little or nonsense."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.case import OPS
from conformance.check import checks_of
from conformance.corpus import load
from conformance.errors import TargetStartError
from conformance.jsontypes import Json, Record
from conformance.levels import LEVELS, level_lines, standing
from conformance.runner import Run, run
from conformance.targets.base import InProcess, hello_from

HELLO: Record = {"protocol": 1, "ops": ["legal"], "rulesets": ["standard"]}
RIGHT: Record = {"turn": "east", "phase": "round_one", "legal": ["pass", "order", "order alone"]}
APPLY = ("when: {ask: legal}\nthen: {turn: east}", "when: {apply: pass}\nthen: {turn: south}")


def ran(folder: Path, answer: Record, **claims: Json) -> Run:
    corpus = load(folder)
    hello: Record = {**HELLO, **claims}
    target = InProcess("py:toy", lambda asked: hello if asked["op"] == "hello" else answer)
    return run(target, corpus, list(checks_of(corpus)))


def test_every_op_belongs_to_one_level() -> None:
    listed = [op for ops in LEVELS.values() for op in ops]
    assert sorted(listed) == sorted(OPS)


def test_a_level_whose_cases_all_pass_is_passed(corpus_dir: Callable[..., Path]) -> None:
    found = standing(ran(corpus_dir(), RIGHT))
    assert found["L0"] == "passed"
    assert found["L1"] == "not claimed"


def test_a_level_with_a_wrong_answer_is_failed(corpus_dir: Callable[..., Path]) -> None:
    assert standing(ran(corpus_dir(), {"turn": "west"}))["L0"] == "failed"


def test_a_level_of_which_an_op_is_not_offered_is_incomplete(
    corpus_dir: Callable[..., Path],
) -> None:
    done = ran(corpus_dir(*APPLY), RIGHT, ops=["view"])
    assert standing(done)["L1"] == "incomplete"
    assert done.exit_code() == 6


def test_a_level_without_cases_says_so(corpus_dir: Callable[..., Path]) -> None:
    done = ran(corpus_dir(), RIGHT, ops=["legal", "verify"])
    assert list(level_lines(done))[4] == "L4 sealed deals (verify): no cases"


def test_unsupported_where_op_and_rule_set_are_claimed_fails(
    corpus_dir: Callable[..., Path],
) -> None:
    done = ran(corpus_dir(), {"unsupported": "legal"})
    assert done.failed() == list(done.results)
    assert standing(done)["L0"] == "failed"


def test_a_claim_that_nobody_can_ask_is_said(corpus_dir: Callable[..., Path]) -> None:
    knobs: Json = {"targt": ["any"], "all_pass": ["trow_in"], "target": ["0"]}
    done = ran(corpus_dir(), RIGHT, ops=["legal", "legl"], rulesets=["standrad"], knobs=knobs)
    assert done.warnings == (
        "hello claims an unknown op 'legl', did you mean 'legal'?",
        "hello claims an unknown rule set 'standrad', did you mean 'standard'?",
        "hello claims an unknown knob 'targt', did you mean 'target'?",
        "hello claims an unknown value 'trow_in' of the knob all_pass, did you mean 'throw_in'?",
        "hello claims an unknown value '0' of the knob target (it has 1..99)",
    )


MALFORMED: list[tuple[Record, str]] = [
    ({"protocol": "1"}, "speaks protocol '1'"),
    ({"protocol": True}, "speaks protocol True"),
    ({"id": 1}, "hello has the id 1"),
    ({"ops": []}, "hello lists no ops"),
    ({"ops": [1]}, "ops in hello is not a list of texts"),
    ({"knobs": ["target"]}, "knobs in hello is not an object"),
    ({"knobs": {"target": "any"}}, "knobs.target in hello is not a list of texts"),
    ({"knobs": {"target": []}}, "knobs.target in hello has no value"),
    ({"rulesets": "standard"}, "rulesets in hello is not a list of texts"),
    ({"name": 7}, "name in hello is not a text: 7"),
    ({"parallel": "yes"}, "parallel in hello is 'yes': write true or false"),
]


@pytest.mark.parametrize(("wrong", "words"), MALFORMED)
def test_a_malformed_hello_is_no_start(wrong: Record, words: str) -> None:
    with pytest.raises(TargetStartError, match=words.replace(".", r"\.")):
        hello_from({**HELLO, **wrong}, "cmd:toy")
