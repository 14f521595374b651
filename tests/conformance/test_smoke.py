"""What a beginner is told: each first mistake by its name, and what to do about it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main

Folder = Callable[..., Path]
Program = Callable[[str], str]
CLAIMS = '"protocol": 1, "name": "b", "ops": ["legal"], "rulesets": ["standard"]'


def smoke(spec: str, folder: Path, *more: str) -> Result:
    arguments = ["smoke", "-t", spec, "--corpus", str(folder), "--timeout", "0.7", *more]
    return CliRunner().invoke(main, arguments)


GOOD = """
hello()
for line in sys.stdin:
    say(right(json.loads(line)))
"""


def test_a_right_program_walks_through(corpus_dir: Folder, program: Program) -> None:
    found = smoke(program(GOOD), corpus_dir())
    assert found.exit_code == 0
    assert found.output.splitlines() == [
        "ok    it starts, and answers hello",
        "ok    hello is complete: it answers legal; it claims standard",
        "ok    it answers a first question, with its id",
        "ok    it answers a second question, with its id",
        "ok    small-001: The dealer's left speaks first",
        f"all is well so far: go on with euchre-conformance run -t {program(GOOD)!r}",
    ]


def test_the_first_wrong_answer_is_drawn(corpus_dir: Folder, program: Program) -> None:
    spec = program(GOOD.replace("json.loads(line))", "json.loads(line)) | {'turn': 'west'}"))
    found = smoke(spec, corpus_dir())
    assert found.exit_code == 1
    assert "WRONG small-001 under standard: The dealer's left speaks first" in found.output
    assert "north (dealer)" in found.output
    assert "wrong: turn: got west, wanted east" in found.output
    assert "rule round-one.order:" in found.output


BEHAVIOR: dict[str, tuple[str, str, str]] = {
    "no flush": (
        (
            "out = open(os.dup(1), 'w')\nfor line in sys.stdin:\n"
            f"    out.write(json.dumps({{'id': 0, {CLAIMS}}}) + '\\n')"
        ),
        "the answer came only when the input was closed",
        "flush after every line",
    ),
    "the whole input first": (
        f"sys.stdin.read()\nprint(json.dumps({{'id': 0, {CLAIMS}}}))",
        "the answer came only when the input was closed",
        "do not wait for the end of the input",
    ),
    "no line end": (
        f"sys.stdout.write(json.dumps({{'id': 0, {CLAIMS}}})); sys.stdout.flush(); time.sleep(60)",
        "a line was begun and not ended",
        "line feed",
    ),
    "silence": ("time.sleep(60)", "hello was not answered within", "no prompt, no menu"),
    "a banner": (
        "print('Welcome to Euchre!', flush=True)\n" + GOOD,
        "there is a banner before the answer: a line that is not JSON: 'Welcome to Euchre!'",
        "standard error",
    ),
    "another id in hello": (
        f"sys.stdin.readline(); say({{'id': 1, {CLAIMS}}}); time.sleep(60)",
        "the request had the id 0, the answer has the id 1",
        "copy the id",
    ),
    "an id of its own": (
        (
            "hello()\nfor number, line in enumerate(sys.stdin, 1):\n"
            "    say({**right(json.loads(line)), 'id': number})"
        ),
        "the request had the id 17, the answer has the id 1",
        "copy the id",
    ),
    "no id": (
        "hello()\nfor line in sys.stdin:\n    say({'turn': 'east'})",
        "the request had the id 17, the answer has no id",
        "copy the id",
    ),
    "one answer": (
        "hello()\nsay(right(json.loads(sys.stdin.readline())))",
        "it exited with 0 instead of answering legal",
        "read lines in a loop",
    ),
    "an end before hello": (
        "sys.stderr.write('no config'); sys.exit(3)",
        "it exited with 3 instead of answering hello; it said: no config",
        "it must not end",
    ),
    "a byte order mark": (
        "sys.stdout.buffer.write(b'\\xef\\xbb\\xbf{}\\n'); sys.stdout.flush(); time.sleep(60)",
        "the output begins with a byte order mark",
        "UTF-8 without one",
    ),
    "pretty printing": (
        f"print(json.dumps({{'id': 0, {CLAIMS}}}, indent=2), flush=True); time.sleep(60)",
        "the answer is JSON spread over several lines",
        "on one line",
    ),
    "Python's way": (
        f"print({{'id': 0, {CLAIMS}}}, flush=True); time.sleep(60)",
        "quoted as Python prints it",
        "json.dumps",
    ),
    "hello without ops": (
        "sys.stdin.readline(); say({'id': 0, 'protocol': 1}); time.sleep(60)",
        "hello lists no ops",
        "see",
    ),
    "talk after the answer": (
        (
            "hello()\nfor line in sys.stdin:\n    say(right(json.loads(line)))\n"
            "    print('next?', flush=True)"
        ),
        "a line that is not JSON: 'next?'",
        "standard error",
    ),
    "an id with a point": (
        (
            "hello()\nfor line in sys.stdin:\n    answer = right(json.loads(line))\n"
            "    say({**answer, 'id': float(answer['id'])})"
        ),
        "the request had the id 17, the answer has the id 17.0",
        "copy the id",
    ),
    "a key twice": (
        (
            "hello()\nfor line in sys.stdin:\n"
            "    text = json.dumps(right(json.loads(line)))\n"
            "    print(text[:-1] + ', \"legal\": []}', flush=True)"
        ),
        "a line in which the key 'legal' stands twice",
        "each key of an answer once",
    ),
    "Latin-1": (
        (
            "hello()\nsys.stdout.reconfigure(encoding='latin-1')\nfor line in sys.stdin:\n"
            "    answer = {**right(json.loads(line)), 'note': '\\u00e9'}\n"
            "    print(json.dumps(answer, ensure_ascii=False), flush=True)"
        ),
        "a line that is not UTF-8, at its byte",
        "write UTF-8",
    ),
}


@pytest.mark.parametrize("mistake", BEHAVIOR)
def test_a_mistake_is_named(corpus_dir: Folder, program: Program, mistake: str) -> None:
    body, said, advice = BEHAVIOR[mistake]
    path = Path(program("").rpartition(" ")[2])
    path.write_text(path.read_text() + body, encoding="utf-8")
    found = smoke(f"cmd:{sys.executable} {path}", corpus_dir())
    assert found.exit_code == 1
    (wrong,) = [line for line in found.output.splitlines() if line.startswith("WRONG")]
    assert said in wrong
    assert advice in found.output.splitlines()[-1]


def test_lines_that_end_in_crlf_are_told_and_read(corpus_dir: Folder, program: Program) -> None:
    spec = program("sys.stdout.reconfigure(newline='\\r\\n')\n" + GOOD)
    found = smoke(spec, corpus_dir())
    assert found.exit_code == 0
    assert "ok    lines end in CRLF" in found.output


def test_what_no_terminal_can_show_is_shown_as_escapes(
    corpus_dir: Folder, program: Program
) -> None:
    body = """
        hello()
        for line in sys.stdin:
            say({**right(json.loads(line)), "turn": "\\ud800\\u0007"})
        """
    found = smoke(program(body), corpus_dir())
    assert found.exit_code == 1
    assert "wrong: turn: got \\ud800\\x07, wanted east" in found.output


def test_an_odd_claim_is_told(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        sys.stdin.readline()
        say({"id": 0, "protocol": 1, "ops": ["legal", "legl"], "rulesets": ["standard"]})
        for line in sys.stdin:
            say(right(json.loads(line)))
        """
    )
    assert (
        "hello claims an unknown op 'legl', did you mean 'legal'?"
        in smoke(spec, corpus_dir()).output
    )


CLAIMING = """
sys.stdin.readline()
say({{"id": 0, "protocol": 1, "ops": ["legal"], {claims}}})
for line in sys.stdin:
    say(right(json.loads(line)))
"""


UNSAID = {
    '"rulesets": ["throw-in"], "knobs": {}': '{"all_pass": ["throw_in"]}',
    '"rulesets": ["throw-in"]': '{"all_pass": ["throw_in"]}',
    '"rulesets": ["bicycle", "quick"], "knobs": {"deals": ["any"]}': '{"target": ["5"]}',
}


@pytest.mark.parametrize("claims", UNSAID)
def test_rules_claimed_by_leaving_knobs_out_are_told_and_what_to_write(
    corpus_dir: Folder, program: Program, claims: str
) -> None:
    spec = program(CLAIMING.format(claims=claims))
    said = "hello claims standard too, which it does not name"
    write = f"add 'standard' to rulesets if you play it, else write \"knobs\": {UNSAID[claims]}"
    found = smoke(spec, corpus_dir())
    assert said in found.output
    assert write in found.output
    run = CliRunner().invoke(main, ["run", "-t", spec, "--corpus", str(corpus_dir())])
    assert f"warning: {said}" in run.output
    assert write in run.output


@pytest.mark.parametrize(
    "claims",
    [
        '"rulesets": ["standard", "throw-in"]',
        '"knobs": {"all_pass": ["throw_in"]}, "rulesets": ["throw-in"]',
        '"knobs": {}',
    ],
)
def test_claims_that_say_all_are_not_warned_of(
    corpus_dir: Folder, program: Program, claims: str
) -> None:
    spec = program(CLAIMING.format(claims=claims))
    assert "does not name" not in smoke(spec, corpus_dir()).output


FILES = {
    "not executable": (b"#!/bin/sh\n", 0o644, "is not executable", "chmod +x"),
    "no shebang": (b"import sys\n", 0o755, "it has no #! line", "#!/usr/bin/env python3"),
    "shebang in CRLF": (b"#!/bin/sh\r\nexit\r\n", 0o755, "ends in CRLF", "Unix line ends"),
    "no interpreter": (b"#!/no/such/thing\n", 0o755, "cannot be run", "'/no/such/thing'"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_cannot_be_run_is_told_why(
    corpus_dir: Folder, tmp_path: Path, kind: str
) -> None:
    data, mode, said, advice = FILES[kind]
    path = tmp_path / "adapter"
    path.write_bytes(data)
    path.chmod(mode)
    found = smoke(f"cmd:{path}", corpus_dir())
    assert found.exit_code == 1
    assert said in found.output
    assert advice in found.output


def test_a_command_that_is_not_there_is_told(
    corpus_dir: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = corpus_dir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot").write_text("")
    assert "there is no command 'no-such-bot'" in smoke("cmd:no-such-bot", folder).output
    assert "write cmd:./bot" in smoke("cmd:bot", folder).output
    assert "there is no file './bott'" in smoke("cmd:./bott", folder).output
    assert "is a folder" in smoke("cmd:./cases", folder).output


def test_findings_are_json_lines_too(corpus_dir: Folder) -> None:
    found = smoke("oracle:", corpus_dir(), "--json")
    assert found.exit_code == 0
    assert json.loads(found.output.splitlines()[0])["ok"] is True
