"""Baselines: exactly the failures that are known, and a run that fails where they are not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from conformance.baseline import baseline_from, matches
from conformance.cli import main
from conformance.corpus import HOME
from conformance.report.log import read_log

Folder = Callable[..., Path]
Program = Callable[[str], str]

FIRST_FAILS = """
    hello()
    for line in sys.stdin:
        request = json.loads(line)
        say({**right(request), "turn": "west" if request["id"] == 1 else "east"})
"""
FIRST_CRASHES = """
    hello()
    for line in sys.stdin:
        request = json.loads(line)
        if request["id"] == 1:
            sys.exit(3)
        say(right(request))
"""
KNOWN = """
- cases: small-001@standard
  kind: fail
  got: "turn: got west, wanted east"
  reason: the seats are counted from the dealer
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def suite(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def ran(spec: str, folder: Path, entries: str, *more: str) -> Result:
    Path("known.yaml").write_text(entries, encoding="utf-8")
    return suite(
        *("run", "-t", spec, "--corpus", str(folder), "--baseline", "known.yaml"),
        *("-o", "jsonl=run.jsonl", *more),
    )


def words() -> list[str]:
    return [entry.verdict for entry in read_log(Path("run.jsonl")).entries]


def test_a_failure_that_is_listed_is_known_and_passes_the_run(
    corpus_dir: Folder, program: Program
) -> None:
    found = ran(program(FIRST_FAILS), corpus_dir(count=2), KNOWN)
    assert found.exit_code == 0
    assert words() == ["known-fail", "pass"]
    assert "0 failed, 1 known failures" in found.output
    note = read_log(Path("run.jsonl")).entries[0].note
    assert note == "the seats are counted from the dealer"


def test_a_failure_that_is_not_listed_still_fails_the_run(
    corpus_dir: Folder, program: Program
) -> None:
    entries = KNOWN.replace("small-001", "small-002")
    found = ran(program(FIRST_FAILS), corpus_dir(count=2), entries)
    assert found.exit_code == 1
    assert words() == ["fail", "fixed"]


WRONG = [
    ("small-001", "small-*", "stale: small-002@standard passes now (baseline update)"),
    ("small-001@standard", "small-001 small-009", "unknown: 'small-009@*' matches no check"),
    ("got west", "got south", "small-001@standard fails differently: fail, 'turn: got west,"),
    ("kind: fail", "kind: crash", "small-001@standard fails differently: fail"),
    ("  reason", "  until: 2026-11-29\n  reason", "expired on 2026-11-29"),
]


@pytest.mark.parametrize(("old", "new", "problem"), WRONG)
def test_a_baseline_that_is_not_exact_exits_3(
    corpus_dir: Folder, program: Program, old: str, new: str, problem: str
) -> None:
    entries = KNOWN.replace(old, new)
    found = ran(program(FIRST_FAILS), corpus_dir(count=2), entries, "--today", "2026-11-30")
    assert found.exit_code == 3
    assert f"baseline: known.yaml:2: {problem}" in found.output


def test_an_entry_holds_on_its_last_day(corpus_dir: Folder, program: Program) -> None:
    entries = KNOWN + "  until: 2026-11-30\n"
    found = ran(program(FIRST_FAILS), corpus_dir(count=2), entries, "--today", "2026-11-30")
    assert found.exit_code == 0


def test_a_check_that_is_fixed_has_a_word_of_its_own(corpus_dir: Folder) -> None:
    assert ran("referee:", corpus_dir(), KNOWN).exit_code == 3
    assert words() == ["fixed"]


def test_a_crash_may_be_known_too(corpus_dir: Folder, program: Program) -> None:
    entries = KNOWN.replace("kind: fail", "kind: crash").replace("turn: got west, wanted east", "*")
    assert ran(program(FIRST_CRASHES), corpus_dir(count=2), entries).exit_code == 0
    assert words() == ["known-fail", "pass"]


def test_a_failure_that_is_known_does_not_stop_a_run_that_fails_fast(
    corpus_dir: Folder, program: Program
) -> None:
    found = ran(program(FIRST_FAILS), corpus_dir(count=3), KNOWN, "--fail-fast")
    assert found.exit_code == 0
    assert words() == ["known-fail", "pass", "pass"]


def test_an_entry_for_another_target_is_left_alone(corpus_dir: Folder, program: Program) -> None:
    entries = KNOWN + "  target: bad\n"
    folder = corpus_dir()
    assert ran(program(FIRST_FAILS), folder, entries).exit_code == 0
    assert ran("referee:", folder, entries).exit_code == 0
    assert words() == ["pass"]


def test_what_is_not_asked_this_time_makes_no_entry_stale(
    corpus_dir: Folder, program: Program
) -> None:
    folder = corpus_dir(count=2)
    assert ran(program(FIRST_FAILS), folder, KNOWN, "--check", "small-001").exit_code == 0
    assert ran("referee:", folder, KNOWN, "--check", "small-002").exit_code == 0


MALFORMED = [
    ("kind: fail", "kind: failed", "known.yaml:3: kind is 'failed': it must be one of crash"),
    ("  reason: the seats are counted from the dealer\n", "", "the entry has no 'reason'"),
    ("reason: the seats are counted from the dealer", 'reason: ""', "the reason is empty"),
    ("cases: small-001@standard", 'cases: ""', "cases names no check"),
    ("  got", "  gott", "unknown key 'gott', did you mean 'got'?"),
    ("  got", "  until: tomorrow\n  got", "known.yaml:4: until is not a day: 'tomorrow'"),
    ("\n- cases", "\nfirst:\n- cases", "known.yaml:2: the baseline is not a list"),
    ("- cases", "cases", "known.yaml:3: mapping values are not allowed in this context"),
]


@pytest.mark.parametrize(("old", "new", "message"), MALFORMED)
def test_a_malformed_baseline_is_one_line_with_its_place(
    corpus_dir: Folder, old: str, new: str, message: str
) -> None:
    found = ran("referee:", corpus_dir(), KNOWN.replace(old, new))
    assert found.exit_code == 2
    assert message in found.output
    assert len(found.output.splitlines()) == 1


def test_in_a_pattern_only_the_star_is_special() -> None:
    assert matches("legal: lacks [JD] *", "legal: lacks [JD] and more\nlines")
    assert not matches("follow-?01", "follow-001")


def logged(spec: str, folder: Path, name: str = "run.jsonl") -> None:
    suite("run", "-t", spec, "--corpus", str(folder), "-o", f"jsonl={name}")


def test_a_baseline_written_from_a_log_makes_the_next_run_pass(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=3)
    logged("null:", folder)
    assert suite("baseline", "write", "known.yaml", "run.jsonl").output == "3 entries\n"
    text = Path("known.yaml").read_text(encoding="utf-8")
    assert ran("null:", folder, text).exit_code == 0
    assert words() == ["known-fail"] * 3
    assert suite(
        "baseline", "check", "known.yaml", "run.jsonl", "--corpus", str(folder)
    ).exit_code == (0)


def test_a_baseline_that_is_written_fits_its_schema() -> None:
    suite("run", "-t", "accept-everything:", "-k", "left", "-o", "jsonl=run.jsonl")
    suite("baseline", "write", "known.yaml", "run.jsonl")
    schema = json.loads((HOME / "schema" / "baseline.schema.json").read_text(encoding="ascii"))
    Draft202012Validator.check_schema(schema)
    listed = yaml.safe_load(Path("known.yaml").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(listed)) == []
    assert len(listed) > 5


def test_the_baseline_of_a_log_without_failures_is_empty(corpus_dir: Folder) -> None:
    folder = corpus_dir()
    logged("referee:", folder)
    assert suite("baseline", "write", "known.yaml", "run.jsonl").output == "0 entries\n"
    assert baseline_from(Path("known.yaml")) == []


def test_a_baseline_is_not_written_over(corpus_dir: Folder) -> None:
    logged("null:", corpus_dir())
    Path("known.yaml").write_text(KNOWN, encoding="utf-8")
    found = suite("baseline", "write", "known.yaml", "run.jsonl")
    assert found.exit_code == 2
    assert "is there already (baseline update it, or --force)" in found.output
    assert Path("known.yaml").read_text(encoding="utf-8") == KNOWN


def checked(folder: Path, entries: str, *more: str) -> Result:
    Path("known.yaml").write_text(entries, encoding="utf-8")
    return suite("baseline", "check", "known.yaml", "run.jsonl", "--corpus", str(folder), *more)


def test_a_check_of_a_baseline_tells_what_it_lacks(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=2)
    logged("null:", folder)
    found = checked(folder, KNOWN.replace("turn: got west, wanted east", "*"), "--json")
    assert found.exit_code == 1
    assert json.loads(found.output) == {
        "unlisted": ["small-002@standard"],
        "problems": [],
        "complete": True,
    }


def test_a_check_of_a_baseline_tells_what_is_stale(corpus_dir: Folder) -> None:
    folder = corpus_dir()
    logged("referee:", folder)
    found = checked(folder, KNOWN)
    assert found.exit_code == 3
    assert "stale: small-001@standard passes now" in found.output


def test_a_check_against_a_run_that_did_not_end_is_incomplete(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=2)
    suite("run", "-t", "null:", "--corpus", str(folder), "--fail-fast", "-o", "jsonl=run.jsonl")
    assert checked(folder, KNOWN.replace("turn: got west, wanted east", "*")).exit_code == 6
    assert (
        "the run was not complete" in suite("baseline", "update", "known.yaml", "run.jsonl").output
    )


COMMENTED = """# a heading of mine

# why this one is borne
- cases: small-001@standard
  kind: fail
  got: "*"
  reason: written by hand  # and kept
  issue: https://example.org/1

# this one is fixed
- cases: small-002@standard
  kind: crash
  reason: gone
"""


def test_an_update_keeps_what_holds_to_the_letter_and_adds_what_is_new(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=3)
    logged("null:", folder)
    Path("known.yaml").write_text(COMMENTED, encoding="utf-8")
    found = suite("baseline", "update", "known.yaml", "run.jsonl")
    assert found.output == "1 kept, 1 removed, 2 added\n"
    text = Path("known.yaml").read_text(encoding="utf-8")
    assert text.startswith(COMMENTED[: COMMENTED.index("\n# this one")])
    assert "this one is fixed" not in text
    assert checked(folder, text).exit_code == 0


def test_an_update_narrows_an_entry_to_what_still_fails(
    corpus_dir: Folder, program: Program
) -> None:
    folder = corpus_dir(count=3)
    logged(program(FIRST_FAILS), folder)
    Path("known.yaml").write_text(KNOWN.replace("small-001@standard", "small-*"), encoding="utf-8")
    assert suite("baseline", "update", "known.yaml", "run.jsonl").exit_code == 0
    (entry,) = baseline_from(Path("known.yaml"))
    assert entry.cases == ("small-001@standard",)
    assert entry.reason == "the seats are counted from the dealer"


def test_an_update_from_a_part_of_the_corpus_forgets_nothing(corpus_dir: Folder) -> None:
    folder = corpus_dir(count=3)
    both = KNOWN.replace("small-001@standard", "small-001@standard small-003@standard")
    Path("known.yaml").write_text(both, encoding="utf-8")
    suite(
        *("run", "-t", "referee:", "--corpus", str(folder), "--check", "small-001"),
        *("-o", "jsonl=run.jsonl"),
    )
    assert suite("baseline", "update", "known.yaml", "run.jsonl").exit_code == 0
    (entry,) = baseline_from(Path("known.yaml"))
    assert entry.cases == ("small-003@standard",)
