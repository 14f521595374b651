"""Targets that misbehave: each gets its verdict, and none stops the run before its time."""

import os
import select
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.check import checks_of
from conformance.corpus import load
from conformance.errors import TargetStartError, UsageError
from conformance.runner import Run, run
from conformance.targets import open_target
from conformance.verdict import Verdict

Folder = Callable[..., Path]
Program = Callable[[str], str]


def ran(folder: Path, spec: str, *, seconds: float = 2.0, fail_fast: bool = False) -> Run:
    corpus = load(folder)
    target = open_target(spec, corpus.rulesets, case_seconds=seconds)
    return run(target, corpus, list(checks_of(corpus)), fail_fast=fail_fast)


def verdicts(done: Run) -> list[str]:
    return [result.verdict.value for result in done.results]


def problem(done: Run) -> str:
    return "; ".join(done.results[0].failures[0].problems)


def test_a_right_answer_passes(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            say(right(json.loads(line)))
        """
    )
    done = ran(corpus_dir(count=3), spec)
    assert verdicts(done) == ["pass"] * 3
    assert done.exit_code() == 0


def test_answers_may_come_in_any_order(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello(parallel=True)
        kept = [json.loads(sys.stdin.readline()) for _ in range(3)]
        for request in reversed(kept):
            say(right(request))
        """
    )
    assert verdicts(ran(corpus_dir(count=3), spec)) == ["pass"] * 3


def test_a_wrong_answer_fails_and_says_how(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            say({**right(json.loads(line)), "turn": "west"})
        """
    )
    done = ran(corpus_dir(), spec)
    assert problem(done) == "turn: got west, wanted east"
    assert done.exit_code() == 1


def test_a_program_that_exits_in_mid_line_is_a_crash(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        sys.stdin.readline()
        sys.stderr.write("out of trumps")
        sys.stdout.write('{"id": 1, "tu')
        sys.stdout.flush()
        sys.exit(3)
        """
    )
    done = ran(corpus_dir(), spec)
    assert verdicts(done) == ["crash"]
    assert problem(done) == "exited with 3, in the middle of a line"
    assert done.results[0].failures[0].stderr == "out of trumps"


def test_a_program_that_kills_itself_is_a_crash(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        sys.stdin.readline()
        os.kill(os.getpid(), 9)
        """
    )
    assert problem(ran(corpus_dir(), spec)) == "killed by signal 9"


def test_a_program_that_sleeps_hangs_and_is_killed(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        sys.stdin.readline()
        time.sleep(600)
        """
    )
    start = time.monotonic()
    done = ran(corpus_dir(), spec, seconds=0.2)
    assert verdicts(done) == ["hang"]
    assert time.monotonic() - start < 60


def test_a_program_that_never_reads_hangs(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        say({"id": 0, "protocol": 1, "ops": ["legal"], "rulesets": ["standard"], "parallel": True})
        time.sleep(600)
        """
    )
    done = ran(corpus_dir(count=4), spec, seconds=0.2)
    assert verdicts(done) == ["hang"] * 4


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("'no'", "a line that is not JSON: 'no'"),
        ("'[1]'", "a line that is not a JSON object: '[1]'"),
        ("'{\"id\": 99}'", "an answer to nothing that was asked: id 99"),
        ("'{\"id\": true}'", "an answer to nothing that was asked: id True"),
        ("'{}'", "an answer to nothing that was asked: id None"),
        ("'[' * 100000", "a line that is not JSON"),
    ],
)
def test_rubbish_is_a_fault_of_protocol(
    corpus_dir: Folder, program: Program, said: str, words: str
) -> None:
    spec = program(
        f"""
        hello()
        for line in sys.stdin:
            sys.stdout.write({said} + "\\n")
            sys.stdout.flush()
        """
    )
    done = ran(corpus_dir(), spec)
    assert verdicts(done) == ["protocol"]
    assert words in problem(done)


def test_a_line_without_end_is_a_fault_of_protocol(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        sys.stdin.readline()
        while True:
            sys.stdout.write("x" * 65536)
        """
    )
    assert "a line of more than" in problem(ran(corpus_dir(), spec))


def test_a_flood_on_standard_error_stops_nothing(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            sys.stderr.write("noise " * 200000)
            say(right(json.loads(line)))
        """
    )
    assert verdicts(ran(corpus_dir(count=2), spec)) == ["pass"] * 2


def test_a_second_answer_spoils_its_own_case_only(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            request = json.loads(line)
            say(right(request))
            if request["id"] == 1:
                say(right(request))
        """
    )
    assert verdicts(ran(corpus_dir(count=3), spec)) == ["protocol", "pass", "pass"]


def test_one_crash_among_many_in_flight_is_found(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello(parallel=True)
        for line in sys.stdin:
            request = json.loads(line)
            if request["id"] == 3:
                sys.exit(1)
            say(right(request))
        """
    )
    done = ran(corpus_dir(count=6), spec)
    by_id = {result.check.case.id: result.verdict for result in done.results}
    assert by_id.pop("small-003") is Verdict.CRASH
    assert set(by_id.values()) == {Verdict.PASS}
    assert len(by_id) == 5


def test_five_breakdowns_in_a_row_stop_the_run_and_keep_the_results(
    corpus_dir: Folder, program: Program
) -> None:
    spec = program(
        """
        hello()
        sys.stdin.readline()
        sys.exit(1)
        """
    )
    done = ran(corpus_dir(count=9), spec)
    assert verdicts(done) == ["crash"] * 5
    assert done.exit_code() == 6


def test_a_grandchild_that_holds_the_pipe_is_killed_too(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    spec = program(
        f"""
        import subprocess
        hello()
        child = subprocess.Popen(["sleep", "600"])
        open({str(note)!r}, "w").write(str(child.pid))
        sys.stdin.readline()
        os._exit(0)
        """
    )
    done = ran(corpus_dir(), spec, seconds=0.3)
    assert verdicts(done) == ["crash"]
    assert problem(done) == (
        "exited with 0, and something that it started keeps its standard output"
    )
    assert ends(int(note.read_text()))


def ends(pid: int) -> bool:
    """Whether a process is gone, or ends within ten seconds."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    readable, _, _ = select.select([watched], [], [], 10)
    os.close(watched)
    return bool(readable)


def test_an_op_that_hello_does_not_list_is_unsupported_and_nothing_is_executed(
    corpus_dir: Folder, program: Program
) -> None:
    spec = program(
        """
        request = json.loads(sys.stdin.readline())
        say({"id": 0, "protocol": 1, "ops": ["perft"], "rulesets": ["standard"]})
        sys.stdin.readline()
        """
    )
    done = ran(corpus_dir(), spec)
    assert verdicts(done) == ["unsupported"]
    assert done.exit_code() == 6


def test_an_op_that_hello_lists_may_not_be_declined(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            request = json.loads(line)
            if request["id"] == 1:
                say({"id": 1, "unsupported": "legal"})
            else:
                say(right(request))
        """
    )
    done = ran(corpus_dir(count=2), spec)
    assert verdicts(done) == ["unsupported", "pass"]
    assert done.exit_code() == 1


def test_a_rule_set_that_hello_does_not_claim_is_not_applicable(
    corpus_dir: Folder, program: Program
) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            say(right(json.loads(line)))
        """
    )
    folder = corpus_dir("{ruleset: standard}", "{ruleset: [standard, quick, ontario]}")
    assert sorted(verdicts(ran(folder, spec))) == ["not-applicable", "not-applicable", "pass"]


def test_a_claimed_knob_widens_what_is_asked(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        request = json.loads(sys.stdin.readline())
        say({"id": 0, "protocol": 1, "ops": ["legal"], "knobs": {"target": ["any"]}})
        for line in sys.stdin:
            say(right(json.loads(line)))
        """
    )
    folder = corpus_dir("{ruleset: standard}", "{ruleset: [standard, quick, ontario]}")
    assert sorted(verdicts(ran(folder, spec))) == ["not-applicable", "pass", "pass"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("sys.exit(7)", "did not answer hello: exited with 7"),
        ("print('Welcome to Euchre', flush=True)\ntime.sleep(9)", "not JSON: 'Welcome to Euchre'"),
        ("say({'id': 0, 'protocol': 2})\ntime.sleep(9)", "speaks protocol 2"),
        (
            "say({'id': 0, 'protocol': 1, 'ops': 'legal'})\ntime.sleep(9)",
            "ops in hello is not a list",
        ),
        ("sys.stderr.write('no such deck'); sys.exit(1)", "it said: no such deck"),
    ],
)
def test_a_target_that_does_not_say_hello_did_not_start(
    corpus_dir: Folder, program: Program, body: str, words: str
) -> None:
    with pytest.raises(TargetStartError) as caught:
        ran(corpus_dir(), program(body))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("cmd:/no/such/program", "No such file"),
        ("py:no_such_module:answer", "cannot be loaded"),
        ("py:math:pi", "is neither a function"),
    ],
)
def test_a_target_that_is_not_there_did_not_start(
    corpus_dir: Folder, spec: str, words: str
) -> None:
    with pytest.raises(TargetStartError, match=words):
        ran(corpus_dir(), spec)


@pytest.mark.parametrize(
    "spec", ["referee", "grpcs://x", "mutant:left", "cmd:", "cmd:'unclosed", "py:json"]
)
def test_an_unknown_kind_of_target_is_a_usage_error(corpus_dir: Folder, spec: str) -> None:
    with pytest.raises(UsageError):
        ran(corpus_dir(), spec)


def test_a_python_object_can_be_the_target(
    corpus_dir: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy_engine.py").write_text(
        "class Toy:\n"
        "    def answer(self, request):\n"
        "        if request['op'] == 'hello':\n"
        "            return {'protocol': 1, 'ops': ['legal'], 'rulesets': ['standard']}\n"
        "        if request['id'] == 2:\n"
        "            raise KeyError('trump')\n"
        "        return {'turn': 'east'}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    done = ran(corpus_dir(count=2), "py:toy_engine:Toy")
    assert verdicts(done) == ["pass", "crash"]
    assert done.results[1].failures[0].problems == ("raised KeyError: 'trump'",)


ODD = {
    "sys.exit(0)": "raised SystemExit: 0",
    "raise GeneratorExit": "raised GeneratorExit",
    "return {'turn': {1, 2}}": "raised TypeError: Object of type set is not JSON serializable",
    "return {'turn': float('nan')}": "raised BrokenError: a line that is not JSON",
    "return {'legal': eval('[' * 90 + ']' * 90)}": "raised BrokenError: a line nested too deeply",
    "return ['east']": "raised TypeError: answered list, not a dict",
}


@pytest.mark.parametrize("does", ODD)
def test_a_python_object_that_misbehaves_is_a_crash_of_its_own(
    corpus_dir: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str
) -> None:
    name = f"odd_engine_{list(ODD).index(does)}"
    (tmp_path / f"{name}.py").write_text(
        "import sys\n"
        "def answer(request):\n"
        "    if request['op'] == 'hello':\n"
        "        return {'protocol': 1, 'ops': ['legal'], 'rulesets': ['standard']}\n"
        "    if request['id'] == 2:\n"
        f"        {does}\n"
        "    return {'turn': 'east'}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    done = ran(corpus_dir(count=3), f"py:{name}:answer")
    assert verdicts(done) == ["pass", "crash", "pass"]
    assert done.results[1].failures[0].problems[0].startswith(ODD[does])


def test_fail_fast_stops_at_the_first_failure(corpus_dir: Folder) -> None:
    done = ran(corpus_dir(count=3), "null:", fail_fast=True)
    assert verdicts(done) == ["fail"]
    assert done.exit_code() == 6


def test_no_process_is_left_behind(corpus_dir: Folder, program: Program, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    spec = program(
        f"""
        open({str(note)!r}, "w").write(str(os.getpid()))
        hello()
        for line in sys.stdin:
            say(right(json.loads(line)))
        """
    )
    ran(corpus_dir(), spec)
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


DISPUTED = """then: {turn: east}
status: disputed
alternatives:
  - {name: dealer-first, then: {turn: north}}
"""


def answers_turn(program: Program, seat: str) -> str:
    return program(
        f"""
        hello()
        for line in sys.stdin:
            say({{**right(json.loads(line)), "turn": {seat!r}}})
        """
    )


def test_an_alternative_of_a_disputed_case_is_recorded_by_its_name(
    corpus_dir: Folder, program: Program
) -> None:
    folder = corpus_dir("then: {turn: east}", DISPUTED.strip())
    done = ran(folder, answers_turn(program, "north"))
    assert done.results[0].word == "disputed:dealer-first"
    assert done.exit_code() == 0
    assert ran(folder, answers_turn(program, "west")).exit_code() == 1


def test_strict_rulings_count_an_alternative_as_a_failure(
    corpus_dir: Folder, program: Program
) -> None:
    corpus = load(corpus_dir("then: {turn: east}", DISPUTED.strip()))
    target = open_target(answers_turn(program, "north"), corpus.rulesets)
    assert run(target, corpus, list(checks_of(corpus)), strict=True).exit_code() == 1
