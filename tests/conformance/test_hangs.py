"""Programs that hang: one timeout a case, and words for what was seen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.check import Check, checks_of
from conformance.cli import main
from conformance.corpus import load
from conformance.runner import Run, run
from conformance.targets import open_target
from tests.conformance.support import ran, words

Folder = Callable[..., Path]
Program = Callable[[str], str]
CLAIMS = """
open(os.path.join(os.path.dirname(__file__), "starts"), "a").write("x")
def claims(parallel):
    say({"id": 0, "protocol": 1, "ops": ["legal", "replay"], "rulesets": ["standard"],
         "parallel": parallel})
"""


def of_many_steps(count: int) -> list[Check]:
    """Checks of our own corpus that are a dozen questions and more."""
    found = [
        check
        for check in checks_of(load())
        if len(check.steps) > 12 and check.ruleset == "standard" and not check.case.changes
    ]
    return found[:count]


def asked_much(spec: str, checks: list[Check]) -> Run:
    corpus = load()
    return run(open_target(spec, corpus.rulesets, case_seconds=0.3), corpus, checks)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_program_that_never_reads_costs_a_timeout_a_case_and_is_told_so(
    program: Program, tmp_path: Path, *, parallel: bool
) -> None:
    spec = program(f"{CLAIMS}\nclaims({parallel})\ntime.sleep(600)")
    done = asked_much(spec, of_many_steps(8))
    assert [result.verdict.value for result in done.results] == ["hang"] * 5
    assert [len(result.failures) for result in done.results] == [1] * 5
    assert len((tmp_path / "starts").read_text()) == (6 if parallel else 5)
    assert "no answer in time, and nothing has been read from standard input" in done.stopped
    assert "euchre-conformance smoke -t 'cmd:" in done.stopped


def test_a_check_that_hangs_is_asked_no_further_and_the_others_are(program: Program) -> None:
    checks = of_many_steps(3)
    spec = program(
        f"""
        sys.path.insert(0, {str(Path.cwd())!r})
        from conformance.oracle import answer
        {CLAIMS}
        claims(True)
        sys.stdin.readline()
        for line in sys.stdin:
            request = json.loads(line)
            if request["id"] in ({len(checks[0].steps) + 4}, {len(checks[0].steps) + 7}):
                time.sleep(600)
            say({{"id": request["id"], **answer(request)}})
        """.replace(CLAIMS, CLAIMS.replace("\n", "\n        "))
    )
    done = asked_much(spec, checks)
    assert [result.verdict.value for result in done.results] == ["pass", "hang", "pass"]
    assert len(done.results[1].failures) == 1


def test_a_hang_that_comes_now_and_then_costs_its_own_cases(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    spec = program(
        f"""
        open({str(tmp_path / "starts")!r}, "a").write("x")
        hello(parallel=True)
        for line in sys.stdin:
            request = json.loads(line)
            if request["id"] % 20 == 0:
                time.sleep(600)
            say(right(request))
        """
    )
    done = ran(corpus_dir(count=70), spec, seconds=0.5)
    assert words(done) == dict.fromkeys(("small-020", "small-040", "small-060"), "hang")
    assert len((tmp_path / "starts").read_text()) == 7


def test_a_program_that_closes_its_input_is_told_so(corpus_dir: Folder, program: Program) -> None:
    spec = program(f"{CLAIMS}\nsys.stdin.readline(); os.close(0); claims(False); time.sleep(600)")
    done = ran(corpus_dir(), spec, seconds=0.5)
    (failure,) = done.results[0].failures
    assert failure.problems == ("no answer in time, and its standard input is closed",)


def test_smoke_says_that_nothing_is_read(corpus_dir: Folder, program: Program) -> None:
    spec = program(f"{CLAIMS}\nclaims(False)\ntime.sleep(600)")
    arguments = ["smoke", "-t", spec, "--corpus", str(corpus_dir()), "--timeout", "0.5"]
    found = CliRunner().invoke(main, arguments)
    assert "legal was not answered within 0.5 seconds: it has read nothing" in found.output
    assert "read a line, write one line of JSON, and flush" in found.output
