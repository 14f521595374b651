"""How an answer is compared with what is wanted."""

import pytest

from conformance.check import Step
from conformance.jsontypes import Record
from conformance.verdict import Verdict, judge

BEFORE = {"turn": "east", "legal": ["pass", "order"]}


def verdict(op: str, then: Record, answer: Record) -> str:
    step = Step(op=op, request={}, then=then, before=BEFORE)
    return judge(step, answer, {}).verdict.value


PASSES: list[tuple[str, Record, Record]] = [
    ("legal", {"legal": ["a", "b"]}, {"legal": ["b", "a"], "turn": "x"}),
    ("legal", {"turn": "none"}, {"legal": []}),
    ("legal", {"turn": "none"}, {"turn": "none"}),
    ("legal", {"closed": False}, {"legal": ["a"]}),
    ("apply", {"refused": "none"}, {"turn": "east"}),
    ("apply", {"refused": "R"}, {"refused": "R"}),
    ("apply", {"refused": "R"}, {"refused": True}),
    ("apply", {"refused": "R", "unchanged": True}, {"refused": "R", **BEFORE}),
    ("replay", {"points": {"ns": 2}}, {"points": {"ns": 2, "ew": 0}}),
    ("view", {"hidden": ["AH"]}, {"view": {"hand": ["AC"]}}),
    ("view", {"trick": [{"card": "AH"}]}, {"view": {"trick": [{"card": "AH", "seat": "east"}]}}),
    ("deck", {"hands": {"north": ["9C", "TC"]}}, {"hands": {"north": ["TC", "9C"]}}),
    ("game", {"error": True}, {"error": "the wrong dealer"}),
]

FAILS: list[tuple[str, Record, Record]] = [
    ("legal", {"legal": ["a", "b"]}, {"legal": ["a"]}),
    ("legal", {"legal": ["a"]}, {"legal": ["a", "b"]}),
    ("legal", {"legal": ["a"]}, {"legal": ["a", "a"]}),
    ("legal", {"legal": ["a"]}, {"legal": "a"}),
    ("legal", {"turn": "none"}, {"turn": "east"}),
    ("legal", {"turn": "east"}, {"error": "cannot"}),
    ("legal", {"closed": True}, {"closed": 1}),
    ("apply", {"turn": "east"}, {"refused": "R", "turn": "east"}),
    ("apply", {"refused": "none"}, {"refused": "R"}),
    ("apply", {"refused": "R"}, {"refused": "Q"}),
    ("apply", {"refused": "R"}, {}),
    ("apply", {"refused": "R", "unchanged": True}, {"refused": "R"}),
    ("apply", {"refused": "R", "unchanged": True}, {"refused": "R", "turn": "east", "legal": []}),
    ("replay", {"winners": ["east", "west"]}, {"winners": ["west", "east"]}),
    ("replay", {"points": {"ns": 1}}, {"points": {"ns": True}}),
    ("replay", {"points": {"ns": 2}}, {"points": {"ew": 2}}),
    ("view", {"hidden": ["AH"]}, {"view": {"note": "north holds AH"}}),
    ("view", {"hidden": ["AH"]}, {"view": {}, "debug": {"AH": 1}}),
    ("view", {"hand": ["9C"]}, {"hand": ["9C"]}),
    ("view", {"trick": [{"card": "AH"}]}, {"view": {"trick": []}}),
    ("deck", {"hands": {"north": ["9C"]}}, {"hands": {"north": ["9C"], "east": []}}),
    ("perft", {"spread": {"played/ns/2": 1}}, {"spread": {"played/ns/2": 1, "open/none/0": 1}}),
    ("game", {"error": True}, {"scores": []}),
]


@pytest.mark.parametrize(("op", "then", "answer"), PASSES)
def test_an_answer_that_says_what_is_wanted_passes(op: str, then: Record, answer: Record) -> None:
    assert verdict(op, then, answer) == "pass"


@pytest.mark.parametrize(("op", "then", "answer"), FAILS)
def test_an_answer_that_does_not_fails(op: str, then: Record, answer: Record) -> None:
    assert verdict(op, then, answer) == "fail"


def test_a_target_without_reason_codes_is_judged_on_refusal_alone() -> None:
    step = Step(op="apply", request={}, then={"refused": "R"}, before=BEFORE)
    assert not judge(step, {"refused": True}, {}).reason_judged
    assert judge(step, {"refused": "R"}, {}).reason_judged


def test_an_answer_equal_to_an_alternative_is_disputed() -> None:
    step = Step(op="legal", request={}, then={"turn": "east"})
    found = judge(step, {"turn": "west"}, {"other-house": {"turn": "west"}})
    assert (found.verdict, found.alternative) == (Verdict.DISPUTED, "other-house")
