"""Answers under the id of another question: they cost the case whose answer it was, no other."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.support import ran, said, words

Folder = Callable[..., Path]
Program = Callable[[str], str]
CULPRIT = 9
FOREIGN = "say({**right(request), 'turn': 'west', 'id': victim})"
"""A wrong answer, so that a case which is judged by it fails."""

ORDERS = {
    "instead of its own answer": FOREIGN,
    "before its own answer": f"{FOREIGN}; say(right(request))",
    "after its own answer": f"say(right(request)); {FOREIGN}",
    "late": f"say(right(request)); time.sleep(0.05); {FOREIGN}",
    "many times": f"say(right(request)); [{FOREIGN} for _ in range(200)]",
}
VICTIMS = {9: 1, 24: 23, 39: 40, 54: 80, 69: 999}
"""Culprits, and whose id each uses: long answered, just answered, next, last, nobody's."""


def answering(program: Program, does: str, victims: dict[int, int], *, parallel: bool) -> str:
    return program(
        f"""
        victims = {victims}
        hello(parallel={parallel})
        for line in sys.stdin:
            request = json.loads(line)
            victim = victims.get(request["id"])
            if victim:
                {does}
            else:
                say(right(request))
        """
    )


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_an_answer_under_the_id_of_another_costs_the_case_whose_answer_it_was(
    corpus_dir: Folder, program: Program, order: str, *, parallel: bool
) -> None:
    spec = answering(program, ORDERS[order], VICTIMS, parallel=parallel)
    done = ran(corpus_dir(count=80), spec)
    assert words(done) == {f"small-{number:03d}": "protocol" for number in VICTIMS}
    assert len(done.results) == 80
    assert not done.stopped


@pytest.mark.parametrize("order", ORDERS)
def test_the_last_question_answered_under_another_id_costs_its_own_case(
    corpus_dir: Folder, program: Program, order: str
) -> None:
    spec = answering(program, ORDERS[order], {CULPRIT: 2}, parallel=True)
    done = ran(corpus_dir(count=CULPRIT), spec)
    assert words(done) == {"small-009": "protocol"}


@pytest.mark.parametrize("order", ORDERS)
def test_the_id_of_a_question_that_was_given_up_costs_the_case_that_uses_it(
    corpus_dir: Folder, program: Program, order: str
) -> None:
    does = f"os._exit(1) if victim == 1 else None; {ORDERS[order]}"
    spec = answering(program, does, {3: 1, CULPRIT: 3}, parallel=True)
    done = ran(corpus_dir(count=20), spec)
    assert words(done) == {"small-003": "crash", "small-009": "protocol"}
    assert len(done.results) == 20


@pytest.mark.parametrize("way", ["kept", "reversed(kept)"])
def test_ids_confused_among_answers_in_any_order_cost_one_case(
    corpus_dir: Folder, program: Program, way: str
) -> None:
    spec = program(
        f"""
        import select
        hello(parallel=True)
        kept = []
        while True:
            ready, _, _ = select.select([0], [], [], 0.1)
            if ready:
                data = os.read(0, 1 << 20)
                if not data:
                    break
                kept += [json.loads(line) for line in data.splitlines()]
                continue
            for request in {way}:
                number = 4 if request["id"] == {CULPRIT} else request["id"]
                turn = "west" if request["id"] == {CULPRIT} else "east"
                say({{**right(request), "turn": turn, "id": number}})
            kept = []
        """
    )
    done = ran(corpus_dir(count=20), spec)
    assert words(done) == {"small-009": "protocol"}
    assert len(done.results) == 20


def test_a_question_answered_twice_with_two_answers_is_blamed_for_both(
    corpus_dir: Folder, program: Program
) -> None:
    does = "say(right(request)); say({**right(request), 'turn': 'west'})"
    spec = answering(program, does, {CULPRIT: 1}, parallel=True)
    done = ran(corpus_dir(count=20), spec)
    assert words(done) == {"small-009": "protocol"}
    assert said(done) == "id 9 answered twice"


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize(
    ("does", "verdict"),
    [
        ("say(right(request)); print('next?', flush=True)", "protocol"),
        ("say(right(request)); os._exit(3)", "crash"),
    ],
)
def test_what_comes_after_the_right_answer_costs_the_case_that_was_answered(
    corpus_dir: Folder, program: Program, does: str, verdict: str, *, parallel: bool
) -> None:
    spec = answering(program, does, {CULPRIT: 1}, parallel=parallel)
    assert words(ran(corpus_dir(count=20), spec)) == {"small-009": verdict}


def test_a_program_that_answers_under_the_id_before_fails_no_case_by_a_wrong_answer(
    corpus_dir: Folder, program: Program
) -> None:
    spec = program(
        """
        hello()
        before = None
        for line in sys.stdin:
            request = json.loads(line)
            say({**right(request), "id": before or request["id"]})
            before = request["id"]
        """
    )
    done = ran(corpus_dir(count=6), spec)
    assert set(words(done).values()) == {"protocol"}
    assert len(done.results) == 6
    assert done.exit_code() == 1
