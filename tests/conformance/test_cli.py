"""The command line: its exit codes, and one line for whatever is wrong."""

import fcntl
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.mutants import mutants
from tests.corpus import corpus

INCOMPLETE = 6  # the table of results comes before it


def suite(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_run_without_a_failure_exits_0(corpus_dir: Callable[..., Path]) -> None:
    found = suite("run", "-t", "referee:", "--corpus", str(corpus_dir()))
    assert found.exit_code == 0
    assert "1 cases, 1 checks, 1 executed, 0 failed" in found.output


def test_a_run_with_a_failure_exits_1_and_names_the_case(corpus_dir: Callable[..., Path]) -> None:
    found = suite("run", "-t", "null:", "--corpus", str(corpus_dir()))
    assert found.exit_code == 1
    assert "fail small-001 [standard] The dealer's left speaks first: turn: got nothing" in (
        found.output
    )


WRONG = [
    (2, ("run", "-t", "nonsense"), "not a target: 'nonsense' (write cmd:COMMAND"),
    (2, ("run", "-t", "openspeil:"), "unknown kind of target 'openspeil'"),
    (2, ("run", "-t", "null:", "--ruleset", "standrad"), "did you mean 'standard'?"),
    (2, ("run", "-t", "null:", "--rule", "play.folow-suit"), "did you mean 'play.follow-suit'?"),
    (2, ("run", "-t", "null:", "-o", "xml=out"), "cannot write the report 'xml=out'"),
    (2, ("run", "-t", "null:", "-o", "jsonl=/no/such/file"), "no folder '/no/such' (name another"),
    (2, ("run", "-t", "null:", "-o", "jsonl=/"), "cannot write '/': it is a folder"),
    (2, ("run", "-t", "null:", "--timeout", "nan"), "not a time: 'nan' (write seconds, more than"),
    (2, ("run", "-t", "null:", "--timeout", "inf"), "not a time: 'inf' (write seconds, more than"),
    (2, ("smoke", "-t", "null:", "--timeout", "0"), "not a time: '0' (write seconds, more than 0"),
    (2, ("fingerprint", "-t", "null:", "--timeout", "-1"), "not a time: '-1' (write seconds"),
    (2, ("serve", "-t", "null:", "--timeout", "1e9"), "not a time: '1e9' (write seconds"),
    (2, ("fuzz", "--against", "null:", "--seconds", "nan"), "not a time: 'nan' (write seconds"),
    (2, ("run",), "missing option '-t' / '--target' (see main run --help)"),
    (2, ("rum",), "no such command 'rum'"),
    (2, ("show", "folow-001"), "no case 'folow-001', did you mean 'follow-001'?"),
    (4, ("run", "-t", "cmd:/no/such/adapter"), "cannot be started: No such file or directory"),
    (4, ("run", "-t", f"cmd:{sys.executable} -c 1"), "did not answer hello: exited with 0"),
    (2, ("run", "-t", "null:", "--corpus", "/no/such/folder"), "no such folder: '/no/such/folder'"),
    (2, ("run", "-t", "null:", "--corpus", __file__), "a file, not a folder: '"),
    (2, ("run", "-t", "referee:x"), "referee takes nothing after the colon: 'referee:x' (write"),
    (2, ("run", "-t", "openspiel:x"), "openspiel takes nothing after the colon"),
    (2, ("run", "-t", "null:x"), "null takes nothing after the colon"),
    (2, ("run", "-t", "oracle:x"), "oracle takes nothing after the colon"),
    (2, ("run", "-t", "machine:zzz"), "no change 'zzz' (euchre-conformance prove"),
    (2, ("run", "-t", "mutant:zzz"), "no mutant 'zzz'"),
    (2, ("run", "-t", "py:nomodule"), "py:nomodule: write py:MODULE:OBJECT"),
    (2, ("run", "-t", "grpc:x"), "grpc:x: not an address: write grpc://HOST:PORT"),
    (2, ("smoke", "-t", "null:x"), "null takes nothing after the colon"),
    (2, ("fingerprint", "-t", "py:nomodule"), "write py:MODULE:OBJECT"),
    (4, ("run", "-t", "py:nomodule:answer"), "cannot be loaded: ModuleNotFoundError"),
    (6, ("run", "-t", "null:", "-k", "no case has this"), "incomplete: no check was executed"),
]


@pytest.mark.parametrize(("code", "arguments", "message"), WRONG)
def test_what_is_wrong_is_one_line_and_a_documented_exit_code(
    code: int, arguments: tuple[str, ...], message: str
) -> None:
    found = suite(*arguments)
    assert found.exit_code == code
    assert message in found.output
    assert len(found.output.splitlines()) == 1 or code == INCOMPLETE
    assert "Traceback" not in found.output


def test_a_malformed_case_exits_5_with_file_and_line(corpus_dir: Callable[..., Path]) -> None:
    found = suite("run", "-t", "null:", "--corpus", str(corpus_dir("when:", "wenn:")))
    assert found.exit_code == 5
    assert found.output == (
        "euchre-conformance: small.yaml:19: the case has an unknown key 'wenn', "
        "did you mean 'when'?\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("kind", ["jsonl", "junit", "md"])
def test_a_full_disk_is_no_failure_of_the_target(
    corpus_dir: Callable[..., Path], kind: str
) -> None:
    found = suite("run", "-t", "null:", "--corpus", str(corpus_dir()), "-o", f"{kind}=/dev/full")
    assert found.exit_code == 5
    assert found.output.splitlines()[-1] == (
        "euchre-conformance: cannot write '/dev/full': No space left on device"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("verb", ["run", "--help", "run --help", "--version", "list"])
def test_a_full_disk_under_the_terminal_is_no_failure_of_the_target(
    corpus_dir: Callable[..., Path], verb: str
) -> None:
    arguments = ["run", "-t", "null:", "--corpus", str(corpus_dir())]
    arguments = arguments if verb == "run" else verb.split()
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from conformance.cli import main; main()", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 5
    assert done.stderr == (
        "euchre-conformance: cannot write to the standard output: No space left on device\n"
    )


def test_a_log_that_another_run_is_writing_is_left_alone(
    corpus_dir: Callable[..., Path], tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    arguments = ["run", "-t", "null:", "--corpus", str(corpus_dir()), "-o", f"jsonl={log}"]
    assert suite(*arguments).exit_code == 1
    whole = log.read_bytes()
    with log.open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        found = suite(*arguments)
    assert found.exit_code == 2
    assert found.output == (
        f"euchre-conformance: cannot write {str(log)!r}: another run is writing it"
        " (name another file)\n"
    )
    assert log.read_bytes() == whole
    assert suite(*arguments).exit_code == 1
    assert len(log.read_bytes().splitlines()) == len(whole.splitlines())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("fuzz --against null: --deals 0", "0 is not in the range"),
        ("fuzz --against null: --deals -1", "-1 is not in the range"),
        ("fuzz --against null: --count 0", "0 is not in the range"),
        ("fuzz --against null: --topic Left_Bower", "not a topic: 'Left_Bower'"),
        ("import - --topic Left_Bower", "not a topic: 'Left_Bower'"),
    ],
)
def test_drafts_that_could_be_no_cases_are_not_begun(words: str, complaint: str) -> None:
    found = suite(*words.split())
    assert found.exit_code == 2
    (said,) = found.output.splitlines()
    assert complaint in said


LONG_NAME = "x" * 300
"""A name that is longer than the name of any file."""


@pytest.mark.parametrize(
    "words",
    [
        "run -t null: -o jsonl={}",
        "run -t null: -o html={}",
        "run -t null: --corpus {}",
        "run -t null: --baseline {}",
        "run -t null: --last-failed {}",
        "report {}",
        "import {}",
        "shrink {} -t null:",
        "copy {}",
    ],
)
def test_a_name_that_no_file_can_have_is_wrong_usage(words: str) -> None:
    found = suite(*words.format(LONG_NAME).split())
    assert found.exit_code == 2
    (said,) = found.output.splitlines()
    assert "File name too long" in said
    assert "error of this program" not in said


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@pytest.mark.parametrize(
    "words",
    [
        "run -t null: --baseline {}",
        "run -t null: --last-failed {}",
        "report {}",
        "diff {0} {0}",
        "import {}",
        "shrink {} -t null:",
        "fuzz --against referee: --deals 1 -o {}",
    ],
)
def test_a_device_that_never_ends_is_not_read(words: str) -> None:
    found = suite(*words.format("/dev/zero").split())
    assert found.exit_code == 2
    assert found.output == (
        "euchre-conformance: cannot read '/dev/zero': it is a device (name a file)\n"
    )


def test_of_several_targets_the_worst_exit_counts(corpus_dir: Callable[..., Path]) -> None:
    folder = str(corpus_dir())
    assert suite("run", "-t", "referee:", "-t", "null:", "--corpus", folder).exit_code == 1


def test_totals_are_printed_as_json(corpus_dir: Callable[..., Path]) -> None:
    found = suite("run", "-t", "null:", "--json", "--corpus", str(corpus_dir(count=2)))
    totals = json.loads(found.output)
    assert totals["verdicts"] == {"fail": 2}
    assert totals["exit"] == found.exit_code == 1


def test_the_event_log_begins_with_the_run_and_ends_complete(
    corpus_dir: Callable[..., Path], tmp_path: Path
) -> None:
    log = tmp_path / "run.jsonl"
    suite("run", "-t", "null:", "--corpus", str(corpus_dir()), "-o", f"jsonl={log}", "--seed", "7")
    records = [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()]
    assert [record["record"] for record in records] == ["run", "result", "end"]
    assert records[0]["seed"] == 7
    assert records[1]["check"] == "small-001@standard"
    assert records[1]["failures"][0]["got"] == {}
    assert records[2]["complete"] is True


def test_a_case_is_shown_with_its_rules_and_sources() -> None:
    found = suite("show", "follow-001")
    assert found.exit_code == 0
    assert "rule follow.left-bower-is-trump: The left bower counts as a trump" in found.output
    assert "line 39" in found.output


def test_the_requests_of_a_case_hold_no_answer() -> None:
    found = suite("show", "follow-001@standard", "--json")
    request = json.loads(found.output)["request"]
    assert "then" not in request
    assert "follow-001" not in json.dumps(request)
    assert "legal" not in request["view"]


def test_the_list_tells_how_many_rule_sets_each_case_runs_under() -> None:
    found = suite("list", "--rule", "follow.left-bower-is-trump")
    assert "follow-001                8  The left bower does not follow" in found.output


def test_the_bundle_is_the_same_each_time(tmp_path: Path) -> None:
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    told = suite("compile", "-o", str(first)).output.split()[0]
    assert suite("compile", "-o", str(second)).output.split()[0] == told
    bundle = json.loads(first.read_text(encoding="ascii"))
    assert bundle["license"] == "CC0-1.0"
    assert len(bundle["checks"]) > 1000


def test_the_blessed_values_of_a_case_are_those_both_engines_give() -> None:
    found = suite("bless", "-k", "perft-001", "--ruleset", "standard")
    assert found.exit_code == 0
    assert found.output.startswith("perft-001@standard: {")


def test_an_interrupted_run_exits_130_and_keeps_what_was_answered(
    corpus_dir: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stopped_engine.py").write_text(
        "def answer(request):\n"
        "    if request['op'] == 'hello':\n"
        "        return {'protocol': 1, 'ops': ['legal'], 'rulesets': ['standard']}\n"
        "    if request['id'] == 3:\n"
        "        raise KeyboardInterrupt\n"
        "    return {'turn': 'east'}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = str(corpus_dir(count=4))
    found = suite("run", "-t", "py:stopped_engine:answer", "-t", "null:", "--corpus", folder)
    assert found.exit_code == 130
    assert "2 checks, 2 executed, 0 failed" in found.output
    assert "incomplete: interrupted" in found.output
    assert "null:" not in found.output


COMPUTED = """format: euchre-conformance/1   # the format
chapter: play
topic: small
cases:
  # a tree
  - id: small-001
    title: The last trick is played in one way
    rules: [round-one.order]
    where: {ruleset: standard}
    given:
      deal: {dealer: north, upcard: QH, hands: {north: 9C 9S TS KD AC, east: AD QD 9H TC QS,
        south: JD TD KS QC JS, west: 9D AH KH JC AS}}
      actions: []
    when: {perft: {depth: 1}}
    then: {leaves: 99, spread: {open/none/0: 99}}   # counted by hand

  - id: small-002
    title: Somebody speaks first
    rules: [round-one.order]
    where: {ruleset: standard}
    given:
      deal: {dealer: north, upcard: QH, hands: {north: 9C 9S TS KD AC, east: AD QD 9H TC QS,
        south: JD TD KS QC JS, west: 9D AH KH JC AS}}
      actions: []
    when: {ask: legal}
    then:
      turn: north
"""


def test_blessing_no_case_is_a_slip() -> None:
    found = suite("bless", "-k", "no such case")
    assert (found.exit_code, "no case is picked: widen -k" in found.output) == (2, True)


def test_blessing_writes_the_values_alone_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(COMPUTED, encoding="utf-8")
    found = suite("bless", "--corpus", str(tmp_path), "-k", "small", "--write")
    assert (found.exit_code, found.output) == (0, "small.yaml: small-001, small-002\n")
    wanted = COMPUTED.replace("99", "3").replace(
        "then:\n      turn: north", "then:\n      {turn: east}"
    )
    assert path.read_text(encoding="utf-8") == wanted
    assert suite("run", "-t", "referee:", "--corpus", str(tmp_path)).exit_code == 0
    again = suite("bless", "--corpus", str(tmp_path), "-k", "small", "--write")
    assert again.output == "nothing to write: every value is as it was\n"


@pytest.mark.parametrize(
    ("wrong", "case", "fields", "answers"),
    [
        (
            "round-two-begins-with-the-dealer",
            "small-002",
            "turn",
            ('the oracle says {"turn": "north", ', 'the referee {"turn": "east", '),
        ),
        (
            "turned-down-suit-may-be-named",
            "small-001",
            "leaves, spread",
            ('the oracle says {"leaves": 9, ', 'the referee {"leaves": 7, '),
        ),
    ],
)
def test_nothing_is_blessed_where_the_engines_differ(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    wrong: str,
    case: str,
    fields: str,
    answers: tuple[str, str],
) -> None:
    engine = mutants(corpus().rulesets)[wrong].answer
    monkeypatch.setattr(sys.modules["conformance.cli.bless"], "answer", engine)
    path = tmp_path / "small.yaml"
    text = COMPUTED.replace("actions: []", "actions: [pass, pass, pass, pass]")
    path.write_text(text, encoding="utf-8")
    found = suite("bless", "--corpus", str(tmp_path), "-k", case, "--write")
    assert found.exit_code == 1
    assert f"{case}@standard: the engines differ in {fields}: " in found.output
    assert [said in found.output for said in answers] == [True, True]
    assert path.read_text(encoding="utf-8") == text


def test_where_one_case_of_a_file_differs_no_other_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = mutants(corpus().rulesets)["round-two-begins-with-the-dealer"].answer
    monkeypatch.setattr(sys.modules["conformance.cli.bless"], "answer", engine)
    path = tmp_path / "small.yaml"
    head, _, tail = COMPUTED.rpartition("actions: []")
    text = f"{head}actions: [pass, pass, pass, pass]{tail}"
    path.write_text(text, encoding="utf-8")
    assert suite("bless", "--corpus", str(tmp_path), "-k", "small-001").exit_code == 0
    assert suite("bless", "--corpus", str(tmp_path), "-k", "small", "--write").exit_code == 1
    assert path.read_text(encoding="utf-8") == text


def test_blessing_refuses_to_lose_a_comment_within_a_then(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    text = COMPUTED.rstrip() + "\n      # when?\n      phase: round_two\n"
    path.write_text(text, encoding="utf-8")
    found = suite("bless", "--corpus", str(tmp_path), "-k", "small", "--write")
    assert found.exit_code == 5
    assert "small.yaml:27: a comment stands within the then of small-002" in found.output
    assert path.read_text(encoding="utf-8") == text


OWN = """format: euchre-conformance/1
chapter: own
topic: own
cases:
  - id: own-001
    title: North, who deals, is the last to speak
    rules: [round-one.order]
    where: {ruleset: standard}
    given: &start
      deal: {dealer: north, upcard: QH, hands: {north: 9C 9S TS KD AC, east: AD QD 9H TC QS,
        south: JD TD KS QC JS, west: 9D AH KH JC AS}}
      actions: [pass, pass, pass]
    when: {ask: legal}
    then: {turn: north}
  - id: own-002
    title: North may not pass, as is said at one table
    rules: [round-one.order]
    where: {ruleset: standard}
    given: *start
    when: {ask: legal}
    then: {legal: [order, order alone]}
"""


def test_a_copied_corpus_gives_the_same_verdicts_and_takes_cases_of_ones_own(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy"
    assert suite("copy", str(copy)).exit_code == 0
    only = ("-k", "follow", "--json")
    ours = suite("run", "-t", "mutant:reneges-are-accepted", *only)
    same = suite("run", "-t", "mutant:reneges-are-accepted", *only, "--corpus", str(copy))
    assert ours.exit_code == same.exit_code == 1
    assert json.loads(ours.stdout)["verdicts"] == json.loads(same.stdout)["verdicts"]
    (copy / "cases" / "own.yaml").write_text(OWN, encoding="utf-8")
    right = suite("run", "-t", "referee:", "--corpus", str(copy), "-k", "own-001")
    assert right.exit_code == 0, right.output
    wrong = suite("run", "-t", "referee:", "--corpus", str(copy), "-k", "own-00")
    assert wrong.exit_code == 1
    assert "2 cases, 2 checks, 2 executed, 1 failed" in wrong.output
    assert "as is said at one table: legal: has besides pass" in wrong.output


def test_nothing_is_blessed_where_the_engines_do_not_answer(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    text = COMPUTED.replace("actions: []", "actions: [name H]", 1)
    path.write_text(text, encoding="utf-8")
    found = suite("bless", "--corpus", str(tmp_path), "-k", "small", "--write")
    assert found.exit_code != 0
    assert path.read_text(encoding="utf-8") == text


def test_blessing_all_cases_at_once_is_refused() -> None:
    found = suite("bless", "--write")
    assert found.exit_code == 2
    assert "--write needs -k WORDS or --rule ID" in found.output
