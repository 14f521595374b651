"""The suite inside pytest, run as another project would run it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Folder = Callable[..., Path]
Program = Callable[[str], str]
RIGHT = "hello()\nfor line in sys.stdin:\n    say(right(json.loads(line)))\n"


def ran(folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and output of pytest in a folder of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--rootdir=.", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def asked(cases: Path, target: str, *arguments: str) -> tuple[int, str]:
    """The same, with a target and a small corpus."""
    corpus = f"--euchre-corpus={cases.name}"
    return ran(cases.parent, "--euchre-target", target, corpus, *arguments)


def test_every_check_is_a_test(corpus_dir: Folder) -> None:
    code, said = asked(corpus_dir(count=3), "referee:", "-v")
    assert code == 0, said
    for number in (1, 2, 3):
        assert f"euchre/play/small::small-00{number}@standard PASSED" in said
    assert "euchre: referee: (referee 1) plays by the rules of 3 of 3 checks" in said


def test_a_failure_tells_what_was_wrong_the_trick_the_rule_and_how_to_ask_again(
    tmp_path: Path,
) -> None:
    code, said = ran(tmp_path, "--euchre-target", "null:", "--euchre-check", "follow-001@standard")
    assert code == 1
    assert "legal: got nothing, wanted [play TD]" in said
    assert "south ?" in said
    assert "rule follow.left-bower-is-trump: " in said
    assert "again: euchre-conformance run -t null: --check follow-001@standard" in said
    assert "again: pytest --euchre-target null: --euchre-check follow-001@standard" in said
    assert "Traceback" not in said


def test_the_configuration_may_name_the_target(corpus_dir: Folder, tmp_path: Path) -> None:
    corpus_dir()
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\neuchre_target = referee:\naddopts = --euchre-corpus=cases\n",
        encoding="utf-8",
    )
    code, said = ran(tmp_path)
    assert code == 0, said
    assert "1 passed" in said


def test_nothing_of_the_suite_is_loaded_where_no_target_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_inert.py").write_text(
        "import sys\n\n\ndef test_inert():\n"
        "    found = {name for name in sys.modules if name.startswith('conformance.')}\n"
        "    assert found == {'conformance.pytest_plugin'}\n",
        encoding="utf-8",
    )
    code, said = ran(tmp_path)
    assert code == 0, said
    assert "1 passed" in said
    assert "euchre:" not in said


BASELINE = """
- cases: small-001@standard
  kind: fail
  got: "turn: got nothing*"
  reason: it says nothing
"""


def test_a_known_failure_is_an_expected_failure(corpus_dir: Folder, tmp_path: Path) -> None:
    (tmp_path / "known.yaml").write_text(BASELINE, encoding="utf-8")
    code, said = asked(corpus_dir(), "null:", "--euchre-baseline=known.yaml", "-rx")
    assert code == 0, said
    assert "1 passed, 1 xfailed" in said
    assert "it says nothing" in said


@pytest.mark.parametrize(
    ("target", "old", "new", "problem"),
    [
        ("referee:", "", "", "passes now"),
        ("null:", "turn: got nothing", "turn: got west", "fails differently"),
        ("null:", "small-001@standard", "small-001@s*d nobody-001", "matches no check"),
        ("null:", "  kind: fail", "  until: 2020-01-31\n  kind: fail", "expired on 2020-01-31"),
    ],
)
def test_a_baseline_that_is_not_exact_fails(
    corpus_dir: Folder, target: str, old: str, new: str, problem: str
) -> None:
    cases = corpus_dir()
    (cases.parent / "known.yaml").write_text(BASELINE.replace(old, new), encoding="utf-8")
    code, said = asked(cases, target, "--euchre-baseline=known.yaml")
    assert code == 1, said
    assert problem in said
    assert "euchre/baseline::exact" in said


def test_an_op_that_is_not_offered_is_skipped(corpus_dir: Folder, program: Program) -> None:
    cases = corpus_dir("when: {ask: legal}", "when: {apply: pass}")
    code, said = asked(cases, program(RIGHT), "-rs")
    assert code == 0, said
    assert "1 skipped" in said
    assert "the target does not offer 'apply'" in said


def test_what_was_not_asked_any_more_is_no_pass(corpus_dir: Folder, program: Program) -> None:
    spec = program("hello()\nsys.stdin.readline()\nsys.exit(3)\n")
    code, said = asked(corpus_dir(count=7), spec)
    assert code == 1
    assert "crash small-001@standard" in said
    assert "small-007@standard was not asked: 5 breakdowns in a row" in said
    assert "7 failed" in said.splitlines()[-1]


def test_a_rule_set_that_is_not_claimed_is_left_out_and_counted(
    corpus_dir: Folder, program: Program
) -> None:
    cases = corpus_dir("ruleset: standard", "ruleset: [standard, ontario]")
    _, said = asked(cases, program(RIGHT), "--collect-only", "-q")
    assert "small-001@standard" in said
    assert "small-001@ontario" not in said
    assert "plays by the rules of 1 of 2 checks" in said


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--euchre-target", "cmd:./nobody"], "cmd:./nobody: cannot be started"),
        (["--euchre-target", "nothing"], "not a target: 'nothing'"),
        (["--euchre-target", "null:", "--euchre-ruleset", "standart"], "unknown rule set"),
        (["--euchre-target", "null:", "--euchre-check", "no-such-001"], "no check 'no-such-001'"),
        (["--euchre-target", "null:", "--euchre-baseline=gone.yaml"], "cannot read 'gone.yaml'"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_line(
    corpus_dir: Folder, arguments: list[str], problem: str
) -> None:
    cases = corpus_dir()
    code, said = ran(cases.parent, "-q", "--euchre-corpus=cases", *arguments)
    assert code == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: euchre: {problem}" in said
    assert "Traceback" not in said


def test_a_time_that_is_none_is_said_in_one_line(corpus_dir: Folder) -> None:
    cases = corpus_dir()
    code, said = ran(cases.parent, "-q", "--euchre-target", "null:", "--euchre-timeout=nan")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "not a time: 'nan' (write seconds, more than 0" in said
    assert "Traceback" not in said
