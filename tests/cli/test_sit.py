"""`euchre-referee sit`, as a person at a terminal and a program on a pipe have it."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.cli.chair.words import read_action

SIT = (sys.executable, "-m", "referee", "sit")
PATIENCE_S = 60
PROMPT = "> "
CONTROL_C = "\x03"


class Sitting:
    """The command, whose prompts are awaited and answered."""

    def __init__(self, process: "subprocess.Popen[bytes]", reading: int, writing: int) -> None:
        self.process = process
        self.said = ""
        self._reading = reading
        self._writing = writing

    def wait(self, text: str = PROMPT) -> str:
        """What is said from now on until a text comes."""
        start = len(self.said)
        while text not in self.said[start:]:
            try:
                piece = os.read(self._reading, 4096)
            except OSError:  # a terminal whose other end is closed
                piece = b""
            assert piece, self.said
            self.said += piece.decode()
        return self.said[start:]

    def type(self, line: str) -> None:
        os.write(self._writing, line.encode())

    def answer(self, line: str) -> str:
        """Type a line, and wait for the next prompt."""
        self.type(f"{line}\n")
        return self.wait()

    def rest(self) -> str:
        """What is said until the end."""
        start = len(self.said)
        while True:
            try:
                piece = os.read(self._reading, 4096)
            except OSError:
                break
            if not piece:
                break
            self.said += piece.decode()
        self.process.wait(PATIENCE_S)
        return self.said[start:]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """An environment in which nothing of ours is found, and colors are as they are by default."""
    plain = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "TERM"}}
    state = {"XDG_STATE_HOME": str(folder / "state"), "PYTHONIOENCODING": "utf-8"}
    return {**plain, **state, **more}


@contextmanager
def piped(folder: Path, *words: str) -> Iterator[Sitting]:
    """The command between two pipes."""
    with subprocess.Popen(
        (*SIT, *words),
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Sitting(process, process.stdout.fileno(), process.stdin.fileno())
        finally:
            process.kill()


@contextmanager
def terminal(folder: Path, *words: str, **more: str) -> Iterator[Sitting]:
    """The command on a terminal of its own, which Ctrl-C reaches."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        (sys.executable, "-c", ON_TERMINAL, *SIT, *words),
        cwd=folder,
        env=environment(folder, TERM="xterm-256color", **more),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            yield Sitting(process, ours, ours)
        finally:
            process.kill()
            os.close(ours)


ON_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def run(folder: Path, typed: str, *words: str) -> tuple[int, str]:
    """The command with all its input at once: its exit code, and what it said."""
    done = subprocess.run(
        (*SIT, *words),
        cwd=folder,
        env=environment(folder),
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_match_is_played_from_a_pipe_and_its_record_verified(tmp_path: Path) -> None:
    words = ("--deals", "2", "--seed", "1", "--transcript", "mine.jsonl")
    code, said = run(tmp_path, "1\n" * 200, *words)
    assert code == 0, said
    assert "verified: 2 of 2 deals, and the dealer draw; seal, signatures, rules and scores" in said
    assert "The match is over, finished" in said
    command = said.splitlines()[-1].partition(": ")[2]
    assert command.startswith("euchre-referee verify mine.jsonl --referee-key 'referee+")
    checked = subprocess.run(
        (sys.executable, "-m", "referee", "verify", "mine.jsonl"), cwd=tmp_path, check=False
    )
    assert checked.returncode == 0


def test_the_end_tells_games_where_the_match_is_one_of_games(tmp_path: Path) -> None:
    _code, said = run(tmp_path, "1\n" * 2_000, "--rules", "quick", "--seed", "1")
    end = next(line for line in said.splitlines() if line.startswith("The match is over"))
    last = r"points of the last game: us \d+, them \d+"
    assert re.fullmatch(rf".* won\. Games: us [01], them [01]; {last}\.", end), end


def test_answers_come_from_a_file_too(tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    answers.write_text("1\n" * 200)
    with answers.open("rb") as stream:
        done = subprocess.run(
            (*SIT, "--deals", "1", "--seed", "1"),
            cwd=tmp_path,
            env=environment(tmp_path),
            stdin=stream,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert done.returncode == 0, done.stdout


def test_a_refused_card_is_told_with_its_rule_and_another_is_asked_for(tmp_path: Path) -> None:
    with piped(tmp_path, "--deals", "20", "--seed", "2") as sitting:
        said = sitting.wait()
        while not (dark := re.search(r"\((\S+)\)", said)):
            said = sitting.answer("1")
        said = sitting.answer(f"play {dark[1]}")
        assert "Refused (MUST_FOLLOW_SUIT): " in said
        assert "was led" in said
        assert "That is rule play.follow-suit: euchre-referee rules show play.follow-suit" in said
        assert "you: play" in sitting.answer("1")


def test_words_that_are_no_action_are_not_sent_to_the_referee(tmp_path: Path) -> None:
    with piped(tmp_path, "--deals", "1", "--seed", "1") as sitting:
        sitting.wait()
        assert "'banana' is no action (type ? for help)" in sitting.answer("banana")
        assert "Type the number of an action" in sitting.answer("?")
        assert "your hand:" in sitting.answer("look")
        assert "Refused" not in sitting.said


def test_leaving_is_asked_and_the_record_of_the_match_is_kept(tmp_path: Path) -> None:
    with piped(tmp_path, "--seed", "1", "--transcript", "mine.jsonl") as sitting:
        sitting.wait()
        assert "Leave the match? (y/n)" in sitting.answer("quit")
        assert "left]" in sitting.answer("n")
        sitting.answer("quit")
        sitting.type("y\n")
        said = sitting.rest()
        assert sitting.process.returncode == 1
    assert "aborted" in said
    assert "\nverified: " in said
    assert (tmp_path / "mine.jsonl").stat().st_size > 0


def test_whoever_types_no_more_has_left(tmp_path: Path) -> None:
    code, said = run(tmp_path, "1\n", "--seed", "1")
    assert code == 1
    assert "There is no more input: you leave the match." in said
    assert "aborted" in said


def test_the_clock_decides_for_whoever_does_not_answer(tmp_path: Path) -> None:
    with piped(tmp_path, "--seed", "1", "--move-ms", "250") as sitting:
        said = sitting.rest()
        assert sitting.process.returncode == 1
    assert "[0:00 left]" in said
    assert said.count("(the time was up, so the referee chose)") == 5
    assert "forfeit by you" in said


def test_a_terminal_shows_drawn_cards_in_color_and_control_c_asks(tmp_path: Path) -> None:
    with terminal(tmp_path, "--seed", "1") as sitting:
        said = sitting.wait()
        assert "┌─────┐" in said
        assert "\x1b[1;31;47m" in said
        sitting.type(CONTROL_C)
        assert "The match ends when you leave" in sitting.wait("(y/n) > ")
        sitting.type("n\n")
        sitting.wait("left] > ")
        sitting.type(CONTROL_C)
        sitting.wait("(y/n) > ")
        sitting.type(CONTROL_C)
        assert "aborted" in sitting.rest()
        assert sitting.process.returncode == 1


def test_no_color_is_respected_and_plain_lines_are_to_be_had(tmp_path: Path) -> None:
    with terminal(tmp_path, "--seed", "1", NO_COLOR="1") as sitting:
        said = sitting.wait()
        assert "┌─────┐" in said
        assert not re.search(r"\x1b\[[0-9;]*3[0-7]", said)
    with terminal(tmp_path, "--seed", "1", "--plain") as sitting:
        assert "┌─────┐" not in sitting.wait()


def test_bots_and_partner_are_those_that_were_named(tmp_path: Path) -> None:
    with piped(tmp_path, "--seat", "west", "--with", "random", "--partner", "sensible") as sitting:
        said = sitting.wait()
    assert "north: Random, your partner east: Sensible, south: Random, you: person" in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--with", "nobody"), "not a bot: 'nobody'"),
        (("--rules", "nothing"), "nothing"),
        (("--name", "a b"), "not a name"),
        (("--transcript", "no/where.jsonl"), "there is no directory 'no'"),
        (("--move-ms", "1"), "move_ms is 1: use a number from 250"),
    ],
)
def test_bad_options_are_one_line(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    code, said = run(tmp_path, "", *words)
    assert code != 0
    assert told in said
    assert len(said.splitlines()) == 1, said


@pytest.mark.parametrize(
    ("typed", "phase", "action"),
    [
        ("play JD", "play", "play JD"),
        ("Play jd", "play", "play JD"),
        ("9c", "play", "play 9C"),
        ("10h", "discard", "discard TH"),
        ("T♥", "partners_best", "give TH"),
        ("queen of spades", "play", "play QS"),
        ("joker", "play", "play BB"),
        ("2", "round_one", "order"),
        ("PASS", "round_one", "pass"),
        ("pick it up", "round_one", "order"),
        ("order up alone", "round_one", "order alone"),
        ("name h", "round_two", "name H"),
        ("hearts alone", "round_two", "name H alone"),
        ("Spade", "round_two", "name S"),
        ("no trump", "dealer_names", "name N"),
        ("play 9c", "round_one", "play 9C"),
        ("swap tc 9d 9c", "house", "swap 9C 9D TC"),
        ("decline", "alone", "decline"),
        ("9c", "round_one", None),
        ("17", "play", None),
        ("0", "play", None),
        ("play", "play", None),
        ("play 1♥", "play", None),
        ("²", "play", None),
        ("swap", "house", None),
    ],
)
def test_what_a_person_types_is_read_as_an_action(
    typed: str, phase: str, action: str | None
) -> None:
    assert read_action(typed, phase=phase, legal=("pass", "order")) == action
