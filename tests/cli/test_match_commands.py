"""`euchre-referee match`, as a command that is given up, interrupted or repeated."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TextIO

import pytest

PATIENCE_S = 60
MATCH = (sys.executable, "-m", "referee", "match")
SIGNALS = (signal.SIGINT, signal.SIGTERM)
SENSIBLE = ("--east-west", "sensible")
DECK = " ".join(f"{rank}{suit}" for suit in "CDHS" for rank in "9TJQKA")
BOT = """
import json, sys, time
from pathlib import Path
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({"name": "tester"}), flush=True)
    if asked["op"] == "choose":
        DO
"""


def start(folder: Path, *words: str) -> "subprocess.Popen[str]":
    """The command in a process of its own, in a folder."""
    return subprocess.Popen(
        (*MATCH, *words),
        cwd=folder,
        env={**os.environ, "XDG_STATE_HOME": str(folder / "state")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(folder: Path, *words: str) -> tuple[int, str]:
    """The command's exit code, and what it said."""
    with start(folder, *words) as process:
        said, _ = process.communicate(timeout=PATIENCE_S)
        return process.returncode, said.strip()


def bot(folder: Path, do: str) -> str:
    """A bot that does something when it is to choose."""
    path = folder / "bot.py"
    path.write_text(BOT.replace("DO", do))
    return f"cmd:{sys.executable} {path}"


def pipe(folder: Path) -> Path:
    """A pipe that bots write to: it ends when the last of them has."""
    path = folder / "pipe"
    os.mkfifo(path)
    return path


def wait_for_a_bot(stream: TextIO) -> None:
    """Wait until a bot has written its line."""
    assert stream.readline() == "up\n"


def test_a_bot_that_never_says_hello_is_given_up_when_the_time_to_sit_down_is_over(
    tmp_path: Path,
) -> None:
    code, said = run(
        tmp_path, "--north-south", "cmd:sleep 600", *SENSIBLE, "--start-ms", "500", "--json"
    )
    assert said == (
        "python -m referee: the match did not open: not seated within 500 ms: north"
        " (cmd:sleep 600), south (cmd:sleep 600) (see what the bot says when run by hand)"
    )
    assert code == 4


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_bots_sit_down_ends_the_match_and_its_bots(
    tmp_path: Path, number: signal.Signals
) -> None:
    path = pipe(tmp_path)
    command = f"cmd:sh -c 'exec 3>{path}; echo up >&3; exec sleep 600'"
    with start(tmp_path, "--north-south", command, *SENSIBLE, "--json") as process:
        with path.open(encoding="ascii") as stream:
            wait_for_a_bot(stream)
            process.send_signal(number)
            said, _ = process.communicate(timeout=PATIENCE_S)
            stream.read()  # comes back only when no bot is left
        assert "it was interrupted (start it again)" in said
        assert process.returncode == 4


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_decks_are_played_keeps_the_log_and_leaves_no_bot(
    tmp_path: Path, number: signal.Signals
) -> None:
    path = pipe(tmp_path)
    stuck = bot(tmp_path, f"up = open({str(path)!r}, 'w'); print('up', file=up, flush=True);"
                          " time.sleep(600)")  # fmt: skip
    (tmp_path / "decks").write_text(f"{DECK}\n")
    words = ("--north-south", stuck, "--east-west", stuck, "--deals-from", "decks")
    with start(tmp_path, *words, "--move-ms", "600000", "--transcript", "log") as process:
        with path.open(encoding="ascii") as stream:
            wait_for_a_bot(stream)
            process.send_signal(number)
            process.communicate(timeout=PATIENCE_S)
            stream.read()  # comes back only when no bot is left
        assert process.returncode == 1
    first = json.loads((tmp_path / "log").read_text().splitlines()[0])
    assert first["sealed"] is False


def test_decks_played_to_a_forfeit_exit_1_and_are_not_called_finished(tmp_path: Path) -> None:
    wrong = bot(tmp_path, 'print(json.dumps({"id": asked["id"], "action": "play"}), flush=True)')
    (tmp_path / "decks").write_text(f"{DECK}\n")
    words = ("--north-south", wrong, "--east-west", wrong, "--deals-from", "decks")
    code, said = run(tmp_path, *words)
    assert said.splitlines()[0] == "deal 1: fault"
    assert code == 1


def test_a_bot_that_fails_over_decks_is_named_and_the_score_is_shown(tmp_path: Path) -> None:
    rubbish = bot(tmp_path, 'print("rubbish", flush=True)')
    (tmp_path / "decks").write_text(f"{DECK}\n")
    words = ("--north-south", rubbish, *SENSIBLE, "--deals-from", "decks")
    code, said = run(tmp_path, *words)
    assert "deal 1: played, score 2-0" in said
    assert "north: MALFORMED" in said
    assert code == 0


def test_a_deal_is_told_in_one_line_however_many_faults_it_has(tmp_path: Path) -> None:
    dying = bot(tmp_path, "sys.exit(3)")
    code, said = run(tmp_path, "--north-south", dying, *SENSIBLE)
    told = [line for line in said.splitlines() if "CRASH x" in line]
    assert len(told) == 1
    assert told[0].endswith("0-0")
    assert code == 1


def test_a_bot_that_dials_in_does_not_get_the_operators_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EUCHRE_OPERATOR_TOKEN", "hush")
    spy = "dial:sh -c 'echo saw ${EUCHRE_OPERATOR_TOKEN:-nothing}; exit 1'"
    code, said = run(tmp_path, "--north-south", spy, *SENSIBLE)
    assert said.endswith("ended with exit code 1: saw nothing")
    assert code == 4


def test_a_seed_is_not_played_twice_on_one_journal(tmp_path: Path) -> None:
    words = ("--north-south", "random", *SENSIBLE, "--seed", "a", "--db", "j.db")
    assert run(tmp_path, *words)[0] == 0
    code, said = run(tmp_path, *words, "--json")
    assert "the journal has a match of this seed" in said
    assert "(use another seed or another journal)" in said
    assert code == 2


def test_a_bot_that_dials_in_and_dies_in_the_match_is_told_with_its_last_words(
    tmp_path: Path,
) -> None:
    path = tmp_path / "dying.py"
    path.write_text(
        "from euchre_bot import run\n\n\ndef choose(view, legal):\n"
        '    raise ValueError("no such trump")\n\n\nrun(choose)\n'
    )
    words = ("--north-south", f"dial:{sys.executable} {path}", *SENSIBLE)
    code, said = run(tmp_path, *words, "--move-ms", "250")
    assert code == 1
    for seat in ("north", "south"):
        told = next(line for line in said.splitlines() if line.startswith(f"{seat}: "))
        assert "ended with exit code 1: " in told
        assert "no such trump" in told
        assert said.count(told) == 1
    assert said.index("no such trump") < said.index("fault, nobody scores"), "it is told at once"


def test_a_bot_that_leaves_in_the_match_without_an_error_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "leaving.py"
    path.write_text(
        "import os, sys\nfrom euchre_bot import run\n\n\ndef choose(view, legal):\n"
        '    print("I have seen enough", file=sys.stderr, flush=True)\n    os._exit(0)\n\n\n'
        "run(choose)\n"
    )
    words = ("--north-south", f"dial:{sys.executable} {path}", *SENSIBLE)
    code, said = run(tmp_path, *words, "--move-ms", "250")
    assert code == 1
    assert "north: ended with exit code 0: I have seen enough" in said.splitlines()
