"""The event log: written as a run goes on, read back whole, and the source of every figure."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from conformance.cli import main
from conformance.corpus import HOME
from conformance.report.log import read_log

Folder = Callable[..., Path]
Program = Callable[[str], str]
SUITE = (sys.executable, "-c", "from conformance.cli import main; main()")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def suite(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def logged(tmp_path: Path, *arguments: str) -> Path:
    log = tmp_path / "run.jsonl"
    suite("run", *arguments, "-o", f"jsonl={log}")
    return log


def records(log: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()]


def complaints(log: Path) -> list[str]:
    schema = json.loads((HOME / "schema" / "log.schema.json").read_text(encoding="ascii"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    return [error.message[:300] for one in records(log) for error in validator.iter_errors(one)]


CRASHES = """
    hello()
    for line in sys.stdin:
        request = json.loads(line)
        if request["id"] == 2:
            sys.stderr.write("out of trumps")
            sys.exit(3)
        say({**right(request), "turn": "west" if request["id"] == 3 else "east"})
"""


def test_every_line_of_a_log_fits_the_schema(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    log = logged(
        tmp_path, "-t", program(CRASHES), "-t", "null:", "--corpus", str(corpus_dir(count=4))
    )
    assert complaints(log) == []


def test_the_log_of_the_whole_corpus_fits_the_schema(tmp_path: Path) -> None:
    log = logged(tmp_path, "-t", "accept-everything:", "-t", "referee:", "-k", "alone")
    assert complaints(log) == []
    assert len(read_log(log).entries) > 100


def test_the_first_record_holds_the_hello_of_every_target(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    folder = str(corpus_dir())
    log = logged(tmp_path, "-t", program(CRASHES), "-t", "null:", "--corpus", folder)
    first = read_log(log).opening
    assert [asked.name for asked in first.targets] == ["bad", "null"]
    assert first.targets[0].ops == ("legal",)
    assert first.options["corpus"] == folder
    assert first.rules["round-one.order"].sources


def test_a_result_tells_what_was_asked_wanted_and_got(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    log = logged(tmp_path, "-t", program(CRASHES), "--corpus", str(corpus_dir(count=4)))
    by_case = {entry.case: entry for entry in read_log(log).entries}
    crash, wrong = by_case["small-002"], by_case["small-003"]
    assert (crash.verdict, crash.faults[0].stderr) == ("crash", "out of trumps")
    assert crash.faults[0].got is None
    assert wrong.faults[0].expected == {"turn": "east"}
    assert wrong.faults[0].got is not None
    assert wrong.faults[0].got["turn"] == "west"
    assert wrong.faults[0].request["rules"] == read_log(log).opening.rulesets["standard"]


def test_a_target_that_does_not_start_stops_no_other(corpus_dir: Folder, tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    folder = str(corpus_dir())
    found = suite(
        "run", "-t", "cmd:/no/such", "-t", "referee:", "--corpus", folder, "-o", f"jsonl={log}"
    )
    assert found.exit_code == 4
    assert "cmd:/no/such: did not start: " in found.output
    read = read_log(log)
    assert [entry.verdict for entry in read.of("referee:")] == ["pass"]
    assert complaints(log) == []
    assert read.closing is not None
    assert not read.closing.complete


def test_half_of_a_character_and_a_number_that_is_none_can_be_logged(
    corpus_dir: Folder, tmp_path: Path
) -> None:
    (tmp_path / "odd.py").write_text(
        "import sys\n"
        'hello = \'"protocol": 1, "ops": ["legal"], "rulesets": ["standard"]\'\n'
        "input()\n"
        "print('{\"id\": 0, ' + hello + '}', flush=True)\n"
        "for _ in sys.stdin:\n"
        '    print(r\'{"id": 1, "turn": "\\ud83d", "led": 1e999}\', flush=True)\n'
    )
    folder = str(corpus_dir())
    outputs = "md=r.md,junit=r.xml,html=page"
    spec = f"cmd:{sys.executable} {tmp_path / 'odd.py'}"
    log = logged(tmp_path, "-t", spec, "--corpus", folder, "-o", outputs)
    got = read_log(log).entries[0].faults[0].got
    assert got == {"id": 1, "turn": "\N{REPLACEMENT CHARACTER}", "led": "inf"}
    assert (tmp_path / "page" / "index.html").exists()


SLOW = """
    hello()
    for line in sys.stdin:
        request = json.loads(line)
        if request["id"] == 3:
            open("reached", "w").write("yes")
            time.sleep(600)
        say(right(request))
"""


def stopped_by(number: signal.Signals, folder: Path, spec: str, tmp_path: Path) -> int:
    """Run a target that sleeps at its third question, and send the runner a signal there."""
    log = tmp_path / "run.jsonl"
    reached = tmp_path / "reached"
    command = [*SUITE, "run", "-t", spec, "--corpus", str(folder), "--timeout", "60"]
    # Under nohup the signal is ignored here, and a program that is started inherits that.
    ours = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        process = subprocess.Popen(
            [*command, "-o", f"jsonl={log},md={tmp_path / 'run.md'}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(HOME.parent)},
        )
    finally:
        signal.signal(signal.SIGHUP, ours)
    while process.poll() is None and not reached.exists():
        pass
    process.send_signal(number)
    return process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_keeps_what_was_judged(
    corpus_dir: Folder, program: Program, tmp_path: Path, number: signal.Signals
) -> None:
    code = stopped_by(number, corpus_dir(count=5), program(SLOW), tmp_path)
    assert code == 130
    log = read_log(tmp_path / "run.jsonl")
    assert [entry.verdict for entry in log.entries] == ["pass", "pass"]
    assert log.closing is not None
    assert (log.closing.complete, log.closing.exit) == (False, 130)
    assert "Incomplete: interrupted" in (tmp_path / "run.md").read_text(encoding="utf-8")


def test_a_killed_run_leaves_a_log_that_is_read_as_incomplete(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    stopped_by(signal.SIGKILL, corpus_dir(count=5), program(SLOW), tmp_path)
    found = suite("report", "run.jsonl")
    assert found.exit_code == 6
    assert "2 checks, 2 executed, 0 failed" in found.output
    assert "incomplete: the log ends before the run did" in found.output


def test_half_a_line_at_the_end_is_left_out(corpus_dir: Folder, tmp_path: Path) -> None:
    log = logged(tmp_path, "-t", "referee:", "--corpus", str(corpus_dir(count=3)))
    whole = log.read_bytes()
    log.write_bytes(whole[: whole.rindex(b'{"record":"end"') - 40])
    read = read_log(log)
    assert len(read.entries) == 2
    assert read.closing is None


def spoiled(log: Path, number: int, line: str) -> Result:
    lines = log.read_text(encoding="ascii").splitlines()
    lines[number - 1 : number] = [line]
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return suite("report", str(log))


BAD_LINES = [
    (1, "{}", "run.jsonl:1: record is not a text: None"),
    (1, '{"record":"result"}', "run.jsonl:1: the first record, and no other, is 'run'"),
    (1, '{"record":"run","format":"tap"}', "run.jsonl:1: the format is 'tap', not"),
    (2, "not JSON", "run.jsonl:2: not a line of JSON: 'not JSON'"),
    (2, "[" * 100_000, "run.jsonl:2: not a line of JSON: '[["),
    (2, "[1]", "run.jsonl:2: not a JSON object"),
    (2, '{"record":"result","target":1}', "run.jsonl:2: target is not a text: 1"),
    (2, '{"record":"resalt"}', "run.jsonl:2: unknown record 'resalt'"),
    (3, '{"record":"end","totals":[],"exit":"0"}', "run.jsonl:3: exit is not an integer: '0'"),
]


@pytest.mark.parametrize(("number", "line", "words"), BAD_LINES)
def test_a_bad_log_is_one_line_with_its_place(
    corpus_dir: Folder, tmp_path: Path, number: int, line: str, words: str
) -> None:
    log = logged(tmp_path, "-t", "referee:", "--corpus", str(corpus_dir()))
    found = spoiled(log, number, line)
    assert found.exit_code == 2
    assert words in found.output
    assert len(found.output.splitlines()) == 1


@pytest.mark.parametrize(("content", "words"), [(b"", "the file is empty"), (b"\xff\xfe", "JSON")])
def test_a_file_that_is_no_log_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "run.jsonl").write_bytes(content)
    found = suite("report", "run.jsonl")
    assert found.exit_code == 2
    assert words in found.output


def test_a_log_that_is_not_there_is_said() -> None:
    found = suite("report", "no-such.jsonl")
    assert (found.exit_code, found.output) == (
        2,
        "euchre-conformance: cannot read 'no-such.jsonl': No such file or directory\n",
    )


def test_a_request_that_a_log_mangled_is_told_without_a_drawing(
    corpus_dir: Folder, tmp_path: Path
) -> None:
    log = logged(tmp_path, "-t", "null:", "--corpus", str(corpus_dir()))
    text = log.read_text(encoding="ascii").replace('"hands"', '"handz"')
    log.write_text(text.replace('"op":"legal","ruleset"', '"op":"view","ruleset"'))
    found = suite("report", str(log), "-o", "html=page,md=r.md,junit=r.xml")
    assert found.exit_code == 1
    assert "asked: view" in (tmp_path / "r.md").read_text(encoding="utf-8")


def test_a_report_of_a_log_says_what_the_run_said(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    log = tmp_path / "run.jsonl"
    arguments = ["-t", program(CRASHES), "--corpus", str(corpus_dir(count=4))]
    kinds = "md={0}.md,junit={0}.xml,html={0},badge={0}.svg"
    run = suite("run", *arguments, "-o", f"jsonl={log}," + kinds.format("first"))
    again = suite("report", str(log), "-o", kinds.format("second"))
    assert again.exit_code == run.exit_code == 1
    assert again.output.splitlines()[:2] == run.output.splitlines()[:2]
    for name in ("{}.md", "{}.xml", "{}/index.html", "{}.svg"):
        assert Path(name.format("first")).read_bytes() == Path(name.format("second")).read_bytes()


def test_the_totals_of_a_log_are_those_that_the_run_printed(
    corpus_dir: Folder, tmp_path: Path
) -> None:
    log = tmp_path / "run.jsonl"
    folder = str(corpus_dir(count=2))
    run = suite("run", "-t", "null:", "--json", "--corpus", folder, "-o", f"jsonl={log}")
    assert json.loads(suite("report", str(log), "--json").output) == json.loads(run.output)
