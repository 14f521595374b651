"""Bad input, command by command: one line that says what to do, an exit code, nothing lost."""

import contextlib
import os
import re
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from conformance.cli import main as suite
from referee.cli import main
from tests.table.support import Table, created

PATIENCE_S = 60
REFEREE = (sys.executable, "-m", "referee")
TRANSCRIPT = Table(created("quick")).sit().to_the_end().transcript
BOTS = ("--north-south", "random", "--east-west", "random")
FREE = ("--listen", "127.0.0.1:0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of files that are wrong in one way each."""
    (tmp_path / "half.jsonl").write_bytes(TRANSCRIPT[: len(TRANSCRIPT) // 2])
    (tmp_path / "changed.jsonl").write_bytes(TRANSCRIPT.replace(b'"used_ms":0', b'"used_ms":1', 1))
    (tmp_path / "whole.jsonl").write_bytes(TRANSCRIPT)
    (tmp_path / "rubbish").write_bytes(b"rubbish\n" * 100)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "secret").write_bytes(b"rubbish\n")
    (tmp_path / "secret").chmod(0o600)
    (tmp_path / "latin").write_bytes(b"# decks\n\xe9\n")
    (tmp_path / "a-folder").mkdir()
    with closing(sqlite3.connect(tmp_path / "newer.db")) as db:
        db.executescript("CREATE TABLE rows (x); PRAGMA user_version = 99;")
    return tmp_path


@dataclass(frozen=True)
class Run:
    """What a command said, and its exit code."""

    code: int
    said: str


def run_here(folder: Path, program: click.Group, words: Sequence[str]) -> Run:
    """A command in this process."""
    with contextlib.chdir(folder):
        env = {"XDG_STATE_HOME": str(folder / "state")}
        result = CliRunner().invoke(program, list(words), env=env)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return Run(result.exit_code, result.output)


def run(folder: Path, words: Sequence[str]) -> Run:
    """A command in a process of its own."""
    result = subprocess.run(
        (*REFEREE, *words),
        cwd=folder,
        env={**os.environ, "XDG_STATE_HOME": str(folder / "state")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Run(result.returncode, result.stdout)


def complaint(result: Run) -> str:
    """The one line of a refusal."""
    said = [line for line in result.said.splitlines() if line.strip()]
    assert len(said) == 1, said
    return said[0]


CASES = [
    (
        ("legal", "--hand", "JX", "--trump", "H", "--led", "AD"),
        2,
        "not a card of the pack: 'JX'",
    ),
    (
        ("legal", "--rules", "standart", "--hand", "JD", "--trump", "H"),
        2,
        "did you mean 'standard'",
    ),
    (("match", "--rules", "nowhere", *BOTS), 2, "no such rule set: 'nowhere'"),
    (("match", "--knob", "packk=E24", *BOTS), 2, "'packk'"),
    (("match", "--knob", "pack=E99", *BOTS), 2, "knob 'pack' has no value 'E99'"),
    (("match", "--knob", "pack", *BOTS), 2, "write it as NAME=VALUE"),
    (("match", "--knob", "target=5", "--knob", "target=7", *BOTS), 2, "as '5' and as '7'"),
    (("create", "--knob", "pack=E24", "--knob", "pack=E25"), 2, "(give it once)"),
    (("create", "--knob", "=E24"), 2, "write it as NAME=VALUE"),
    (("match", "--move-ms", "1", *BOTS), 2, "policy move_ms is 1: use a number from 250"),
    (("match", "--north-south", "wat", "--east-west", "random"), 2, "not a bot: 'wat'"),
    (("match", "--north-south", "py:nowhere:Bot", "--east-west", "random"), 2, "'nowhere'"),
    (("match", "--north-south", "cmd:/no/bot", "--east-west", "random"), 4, "check the command"),
    (("match", "--north-south", "cmd:false", "--east-west", "random"), 4, "exited with status 1"),
    (("match", "--north-south", "dial:false", "--east-west", "random"), 4, "false"),
    (("match", "--deals-from", "none", *BOTS), 2, "'none'"),
    (("match", "--deals-from", "rubbish", *BOTS), 2, "rubbish, line 1"),
    (("match", "--transcript", "none/t.jsonl", *BOTS), 2, "there is no directory 'none'"),
    (("match", "--transcript", "a-folder", *BOTS), 2, "Is a directory"),
    (("match", "--db", "newer.db", *BOTS), 6, "version 99"),
    (("match", "--db", "rubbish", *BOTS), 6, "file is not a database"),
    (("match", "--key", "a-folder", *BOTS), 2, "key file 'a-folder'"),
    (("serve", "--db", "newer.db", *FREE), 6, "use the newer program"),
    (("serve", "--db", "rubbish/x/j.db", *FREE), 2, "cannot make the directory"),
    (("serve", "--db", "j.db", "--listen", "nonsense"), 2, "write HOST:PORT"),
    (("serve", "--db", "j.db", "--listen", "0.0.0.0:0"), 2, "plain text"),
    (
        ("serve", "--db", "j.db", *FREE, "--tls-cert", "rubbish", "--tls-key", "rubbish"),
        *(2, "not a certificate and its key"),
    ),
    (("serve", "--db", "j.db", *FREE, "--client-ca", "rubbish"), 2, "TLS needs both"),
    (("serve", "--db", "j.db", *FREE, "--key", "a-folder"), 2, "key file 'a-folder' is no file"),
    (("serve", "--db", "j.db", *FREE, "--address-file", "none/x"), 2, "cannot write 'none/x"),
    (("create", "--referee", "127.0.0.1:1"), 2, "start one: euchre-referee serve"),
    (("verify", "none.jsonl"), 2, "'none.jsonl'"),
    (("show", "rubbish"), 6, "not a transcript"),
    (("prove-deal", "rubbish", "1"), 6, "not a transcript"),
    (("prove-deal", "whole.jsonl", "999"), 2, "999"),
    (("show", "empty"), 6, "it has no match_open"),
    (("create", "--games", "0"), 2, "0 is not in the range"),
    (("create", "--referee", "euchre"), 2, "'euchre' names no port (give HOST:PORT"),
    (("matches", "--referee", "::1"), 2, "'::1' names no port"),
    (("lobby", "--referee", "10.0.0.1"), 2, "'10.0.0.1' names no port"),
    (("create", "--start-ms", "99999999999"), 2, "is not in the range"),
    (("create", "--tokens", "empty"), 2, "cannot make the directory 'empty'"),
    (("create", "--ca", "rubbish"), 2, "'rubbish' is not a certificate"),
    (("match", "--key", "secret", *BOTS), 2, "key file 'secret' is not an unencrypted"),
    (("match", "--deals-from", "latin", *BOTS), 2, "latin, line 2: not ASCII"),
    (("match", "--deals-from", "a-folder", *BOTS), 2, "'a-folder': Is a directory"),
    (("check-vectors", "rubbish"), 6, "not a vectors file"),
    (("audit", "newer.db"), 6, "version 99"),
    (("audit", "none.db"), 6, "no such file"),
    (("transcript", "ff", "--db", "rubbish"), 6, "file is not a database"),
    (("match", "--north-south", "random"), 2, "--help"),
    (("no-such-verb",), 2, "--help"),
]


@pytest.mark.parametrize(("words", "code", "text"), CASES, ids=[" ".join(c[0]) for c in CASES])
def test_a_refusal_is_one_line_with_its_exit_code(
    folder: Path, words: tuple[str, ...], code: int, text: str
) -> None:
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}
    apart = words[0] == "serve" or "dial:false" in words
    result = run(folder, words) if apart else run_here(folder, main, words)
    assert text in complaint(result)
    assert result.code == code
    assert {name: (folder / name).read_bytes() for name in before} == before


@pytest.mark.parametrize(
    ("file", "code", "party"),
    [
        ("half.jsonl", 5, "nobody"),
        ("changed.jsonl", 3, "file"),
        ("rubbish", 6, "file"),
        ("empty", 5, "nobody"),
    ],
)
def test_verify_names_the_party_of_a_file_that_does_not_stand(
    folder: Path, file: str, code: int, party: str
) -> None:
    result = run_here(folder, main, ("verify", file))
    assert f"NOT verified (exit {code})" in result.said
    assert f"party: {party}" in result.said
    assert result.code == code


def test_a_port_in_use_is_one_line(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        result = run(folder, ("serve", "--db", "j.db", "--listen", address))
    line = complaint(result)
    assert result.code == 2
    assert f"cannot listen on {address!r}: the port is in use" in line
    assert "use another port" in line


def test_a_second_referee_on_a_journal_is_one_line_and_the_first_goes_on(folder: Path) -> None:
    words = ("serve", "--db", "j.db", "--key", "k.pem", *FREE)
    with subprocess.Popen(
        (*REFEREE, *words), cwd=folder, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline().startswith("listening on")
        second = run(folder, words)
        assert "another referee is writing the journal 'j.db'" in complaint(second)
        assert second.code == 6
        first.send_signal(signal.SIGTERM)
        assert first.wait(PATIENCE_S) == 0


def test_a_case_that_is_not_yaml_is_one_line_with_file_and_line(folder: Path) -> None:
    cases = folder / "cases" / "play"
    cases.mkdir(parents=True)
    (cases / "bad.yaml").write_text("- id: x\n  title: [unclosed\n")
    result = run_here(folder, suite, ("lint", "--corpus", str(folder / "cases")))
    assert result.code == 5
    assert re.search(r"bad.yaml:\d+", complaint(result))


def test_show_says_that_the_end_is_missing(folder: Path) -> None:
    assert run_here(folder, main, ("show", "half.jsonl")).said.endswith(
        "The end of the match is missing (verify says where)\n"
    )
    assert "missing" not in run_here(folder, main, ("show", "whole.jsonl")).said


def test_rubbish_of_any_length_is_quoted_short(folder: Path) -> None:
    (folder / "long").write_bytes(b"x" * 1_000_000)
    result = run_here(folder, main, ("match", "--deals-from", "long", *BOTS))
    assert len(complaint(result)) < 200


def test_an_operators_token_that_no_header_can_carry_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EUCHRE_OPERATOR_TOKEN", "caf\u00e9")
    result = run_here(folder, main, ("create", "--referee", "127.0.0.1:1"))
    assert "not printable ASCII" in complaint(result)
    assert result.code == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        words = (*REFEREE, "rules", "list")
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert complaint(Run(done.returncode, done.stderr)).endswith("(make room or change the path)")
    assert done.returncode == 2


@pytest.mark.parametrize(
    "words",
    [
        ("prove-deal", "whole.jsonl", "1", "-o", "whole.jsonl"),
        ("prove-deal", "whole.jsonl", "1", "-o", "./link.jsonl"),
        ("export", "--format", "egn", "whole.jsonl", "-o", "whole.jsonl"),
    ],
)
def test_nothing_is_written_in_the_place_of_what_it_is_made_from(
    folder: Path, words: tuple[str, ...]
) -> None:
    before = (folder / "whole.jsonl").read_bytes()
    link = folder / "link.jsonl"
    if not link.exists():
        link.symlink_to("whole.jsonl")
    result = run_here(folder, main, words)
    assert complaint(result).endswith("is the file that is read (name another file)")
    assert result.code == 2
    assert (folder / "whole.jsonl").read_bytes() == before


def test_a_verification_that_is_interrupted_accuses_nobody(folder: Path) -> None:
    """Exit 1 would say that the file breaks the rules."""
    os.mkfifo(folder / "pipe")
    with (
        subprocess.Popen(
            (*REFEREE, "verify", "pipe"), cwd=folder, stderr=subprocess.PIPE, text=True
        ) as waiting,
        (folder / "pipe").open("wb"),  # open as soon as it is read
    ):
        waiting.send_signal(signal.SIGINT)
        assert waiting.stderr is not None
        assert waiting.stderr.read().endswith(": interrupted\n")
        assert waiting.wait(PATIENCE_S) == 130


def test_a_reader_that_has_seen_enough_is_no_failed_check(folder: Path) -> None:
    """Exit 1 would say that the file breaks the rules."""
    command = f'{shlex.join((*REFEREE, "verify", "whole.jsonl"))} | true; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ("bash", "-c", command), cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (141, "")


def test_a_file_is_verified_from_standard_input(folder: Path) -> None:
    done = subprocess.run(
        (*REFEREE, "verify", "-"),
        input=(folder / "whole.jsonl").read_bytes(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith(b"/dev/stdin: verified")
