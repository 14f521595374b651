"""`euchre-referee match --sandbox` and `--deal-ms`."""

import json
import os
import signal
from pathlib import Path

import pytest

from referee.arena.confine import sandbox_trouble
from tests.cli.test_match_commands import (
    PATIENCE_S,
    SIGNALS,
    bot,
    pipe,
    run,
    start,
    wait_for_a_bot,
)

FIRST = "answer = asked['legal'][0]\n"
TELL = (
    FIRST + "        print(json.dumps({'id': asked['id'], 'action': answer}), flush=True)\n"
    "    if asked['op'] == 'end': break"
)
TOUCH = "import os; open(os.path.join(os.getcwd(), 'touched'), 'a').close()\n        "
SHORT = ("--deals", "1", "--json", "--transcript", "match.jsonl", "--east-west", "sensible")
MINE = """
import os


class Bot:
    def choose(self, view, legal):
        return legal[0]


class Ends(Bot):
    def choose(self, view, legal):
        os._exit(7)
"""
needs_sandbox = pytest.mark.skipif(bool(sandbox_trouble()), reason=sandbox_trouble())


@needs_sandbox
def test_bot_in_a_sandbox_plays_a_match(tmp_path: Path) -> None:
    code, said = run(tmp_path, *SHORT, "--north-south", bot(tmp_path, TELL), "--sandbox", "on")
    assert (code, json.loads(said)["failures"]) == (0, {})


@needs_sandbox
def test_class_in_a_sandbox_is_found_where_python_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    here.mkdir()
    elsewhere.mkdir()
    (elsewhere / "mine.py").write_text(MINE)
    monkeypatch.setenv("PYTHONPATH", str(elsewhere), prepend=os.pathsep)
    code, said = run(here, *SHORT, "--north-south", "py:mine:Bot", "--sandbox", "on")
    assert (code, json.loads(said)["failures"]) == (0, {})
    code, said = run(here, *SHORT, "--north-south", "py:mine:Ends", "--sandbox", "on")
    failures = json.loads(said.splitlines()[-1])["failures"]
    assert (code, set(failures)) == (1, {"north", "south"})
    assert "CRASH: 'py:mine:Ends' exited with status 7 before it answered choose" in said


@needs_sandbox
def test_bot_in_a_sandbox_cannot_write_where_it_runs(tmp_path: Path) -> None:
    north_south = bot(tmp_path, TOUCH + TELL)
    _code, said = run(tmp_path, *SHORT, "--north-south", north_south, "--sandbox", "on")
    assert "Read-only file system" in json.loads(said.splitlines()[-1])["failures"]["south"]
    assert not (tmp_path / "touched").exists()


def test_bot_plays_as_always_where_no_sandbox_is_asked_for(tmp_path: Path) -> None:
    code, _said = run(tmp_path, *SHORT, "--north-south", bot(tmp_path, TOUCH + TELL))
    assert code == 0
    assert (tmp_path / "touched").exists()


def test_bot_that_forks_without_end_stops_no_match(tmp_path: Path) -> None:
    bomb = bot(tmp_path, "import subprocess\n        while True: subprocess.Popen(['sleep', '90'])")
    _code, said = run(tmp_path, *SHORT, "--north-south", bomb, "--sandbox", "auto")
    result = json.loads(said.splitlines()[-1])
    assert (result["outcome"], result["winner"]) == ("forfeit", "ew")
    assert result["failures"].keys() <= {"north", "south"}
    assert "was stopped, as it runs" in "".join(result["failures"].values())


@needs_sandbox
@pytest.mark.parametrize("number", SIGNALS)
def test_signal_ends_the_match_and_what_is_in_its_sandboxes(
    number: signal.Signals, tmp_path: Path
) -> None:
    path = pipe(tmp_path)
    stuck = bot(tmp_path, f"up = open({str(path)!r}, 'w'); print('up', file=up, flush=True);"
                          " time.sleep(600)")  # fmt: skip
    words = (*SHORT, "--north-south", stuck, "--move-ms", "600000", "--sandbox", "on")
    with start(tmp_path, *words) as process, path.open(encoding="ascii") as stream:
        wait_for_a_bot(stream)
        process.send_signal(number)
        said, _ = process.communicate(timeout=PATIENCE_S)
        stream.read()  # comes back only when no bot is left
    assert process.returncode == 1
    assert json.loads(said.splitlines()[-1])["outcome"] == "aborted"


def test_missing_sandbox_is_said_before_the_match_or_refuses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    words = (*SHORT, "--north-south", bot(tmp_path, TELL))
    code, said = run(tmp_path, *words, "--sandbox", "auto")
    first, *_between, last = said.splitlines()
    assert first == (
        "bots run without a sandbox: bwrap is not installed (apt-get install bubblewrap)"
    )
    assert (code, json.loads(last)["failures"]) == (0, {})
    code, said = run(tmp_path, *words, "--sandbox", "on")
    assert code == 2
    assert "cannot be kept in a sandbox: bwrap is not installed" in said


def test_bot_that_takes_too_long_over_a_deal_is_played_for_and_not_left_out(
    tmp_path: Path,
) -> None:
    slow = bot(tmp_path, "time.sleep(0.6)\n        " + TELL)
    code, said = run(
        tmp_path, *SHORT, "--north-south", slow, "--deal-ms", "300", "--sandbox", "auto"
    )
    assert code in {0, 1}
    assert json.loads(said.splitlines()[-1])["failures"] == {}
    transcript = (tmp_path / "match.jsonl").read_text()
    assert '"TIMEOUT"' in transcript
    assert '"CRASH"' not in transcript
