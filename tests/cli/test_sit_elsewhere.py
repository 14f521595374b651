"""`euchre-referee sit --referee`: a person at a table of a referee that is running."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_sit import PATIENCE_S, Sitting, environment, piped

REFEREE = (sys.executable, "-m", "referee")
BOT = (sys.executable, "-m", "euchre_bot.bots.sensible")
OTHERS = ("north", "east", "west")


class Table:
    """A referee with one match, and bots in three of its chairs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tokens: dict[str, str] = {}
        self.processes: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self.key = ""

    def start(self, *words: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            words,
            cwd=self.folder,
            env=environment(self.folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.processes.append(process)
        return process

    def open(self) -> None:
        server = self.start(*REFEREE, "serve", "--listen", "127.0.0.1:0", "--db", "j.db")
        assert server.stdout is not None
        for line in server.stdout:
            if found := re.match(rb"listening on (\S+),", line):
                self.address = found[1].decode()
                break
        made = subprocess.run(
            (*REFEREE, "create", "--referee", self.address, "--knob", "deals=1", "--json"),
            cwd=self.folder,
            env=environment(self.folder),
            capture_output=True,
            check=True,
        )
        told = json.loads(made.stdout)
        self.tokens, self.key = told["tokens"], told["referee_key"]
        for seat in OTHERS:
            self.start(*BOT, "--referee", self.address, "--token-file", self.tokens[seat])

    @property
    def words(self) -> tuple[str, ...]:
        """What the person's command is told."""
        token = ("--token-file", self.tokens["south"])
        return ("--referee", self.address, *token, "--referee-key", self.key)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    try:
        made.open()
        yield made
    finally:
        for process in made.processes:
            process.kill()
        for process in made.processes:
            process.communicate()


def play_on(sitting: Sitting) -> str:
    """Take the first action until the match is over."""
    for _ in range(8):
        sitting.type("1\n")
    return sitting.rest()


def test_a_person_plays_at_a_table_elsewhere_and_the_seal_is_checked(table: Table) -> None:
    with piped(table.folder, *table.words) as sitting:
        assert "You sit south" in sitting.wait()
        said = play_on(sitting)
        assert sitting.process.returncode == 0, said
    assert "The match is over, finished" in said
    assert "\nverified: as far as this seat sees it" in said


def test_a_refusal_that_counts_is_warned_of_before_it_is_sent(table: Table) -> None:
    with piped(table.folder, *table.words) as sitting:
        sitting.wait()
        said = sitting.answer("decline")
        assert "This will be refused, and 3 refusals forfeit the match." in said
        assert "Refused" not in sitting.answer("n")
        sitting.answer("decline")
        assert "Refused (WRONG_PHASE): " in sitting.answer("y")


def test_whoever_leaves_a_table_elsewhere_may_come_back(table: Table) -> None:
    with piped(table.folder, *table.words) as sitting:
        sitting.wait()
        assert "your clock runs" in sitting.answer("quit")
        sitting.type("y\n")
        assert "the same command takes the seat again" in sitting.rest()
        assert sitting.process.returncode == 1
    with piped(table.folder, *table.words) as sitting:
        sitting.wait()
        assert "The match is over, finished" in play_on(sitting)
        assert sitting.process.returncode == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--referee", "127.0.0.1:1", "--with", "random"), "--with goes with a table of your own"),
        (("--token-file", "x"), "--token-file goes with --referee"),
        (("--referee", "127.0.0.1:1", "--token-file", "none"), "cannot read the token"),
        (("--referee", "example.org:1", "--token-file", "none"), "is not this machine"),
        (("--referee", "euchre", "--token-file", "none"), "'euchre' names no port (give HOST:PORT"),
        (("--referee", "127.0.0.1:1"), "no token: give --token-file FILE, or set EUCHRE_TOKEN"),
    ],
)
def test_options_of_another_table_are_told_apart(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    done = subprocess.run(
        (*REFEREE, "sit", *words),
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_quit_leaves_also_while_no_referee_answers(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("abc\n")
    words = ("--referee", "127.0.0.1:1", "--token-file", "token")
    with piped(tmp_path, *words) as sitting:
        sitting.type("quit\ny\n")
        said = sitting.rest()
        assert sitting.process.returncode == 1
    assert "Leave the match? (y/n)" in said
    assert "you have left" in said
    assert "gave up" not in said
