"""Messages that nobody should send: the referee answers each as documented and goes on."""

import random
from pathlib import Path

import pytest

from tests.adversaries.found import Found, Plan
from tests.adversaries.fuzz import run
from tests.adversaries.fuzzing import Fuzzer, Pool, rpcs


def fuzzed(folder: Path, plan: Plan) -> Found:
    found = run(folder, plan, quiet=True)
    assert not found.wrong, found.wrong
    assert found.messages >= plan.messages
    assert found.honest_actions > 0
    return found


def test_fuzzed_messages_and_files_are_answered_as_documented(tmp_path: Path) -> None:
    found = fuzzed(tmp_path, Plan(messages=800, transcript_bytes=100_000, seed=3))
    assert {name.split(" ")[0].split("/")[1] for name in found.statuses} == {r.name for r in rpcs()}


@pytest.mark.heavy
def test_ten_thousand_fuzzed_messages_leave_nothing_behind(tmp_path: Path) -> None:
    fuzzed(tmp_path, Plan(messages=10_000, transcript_bytes=1_000_000, seed=4))


@pytest.mark.parametrize("seed", range(3))
def test_a_fuzzer_draws_the_same_from_the_same_chance(seed: int) -> None:
    first, second = (Fuzzer(random.Random(seed), Pool()) for _ in range(2))
    for rpc in rpcs():
        assert first.request(rpc.input_type) == second.request(rpc.input_type)
