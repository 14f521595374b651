"""Events of other kinds, published and verified: players, brackets, boards that went void."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.arena.tournament.publish.conftest import run
from tests.arena.tournament.publish.test_recompute import recompute

HOLDING: Final = """\
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({"name": "holding", "ops": []}), flush=True)
    if asked["op"] == "choose":
        if os.path.exists("reached"):
            with open("reached", "wb") as told:
                told.write(b"x")
            os.read(0, 1)
        print(json.dumps({"id": asked["id"], "action": asked["legal"][0]}), flush=True)
"""


def played(tmp_path: Path, text: str) -> Path:
    """The site of an event that is played to its end."""
    file = tmp_path / "event.yaml"
    file.write_text(text, encoding="utf-8")
    run("run", file, "--quiet", "--forfeit", "--key", tmp_path / "referee.pem")
    run("publish", file)
    return file.with_suffix("") / "site"


INDIVIDUAL = """\
name: Solo
format: individual
entries: [{name: a, bot: random}, {name: b, bot: random}, {name: c, bot: sensible},
          {name: d, bot: random}]
boards: 4
workers: 1
tie_breaks: [wins, opponents_score]
substitutes: [{name: x, bot: sensible, for: b, since: 2}]
"""
BRACKET = """\
name: Cup
format: {kind: double_elimination, reset: true}
entries: [{name: a, bot: random}, {name: b, bot: random}, {name: c, bot: sensible}]
boards: 4
workers: 1
"""
GAMES = """\
name: Games
format: round_robin
mode: games
entries: [{name: a, bot: random}, {name: b, bot: sensible}]
rules: {knobs: {target: "5"}}
boards: 12
workers: 1
"""
STOPPED = """\
name: Duel
format: round_robin
entries: [{name: a, bot: random}, {name: b, bot: sensible}]
stop: {h0: 0.0, h1: 0.5}
boards: 40
chunk: 4
workers: 1
"""
SWISS = """\
name: Cup
format: {kind: swiss, rounds: 2}
entries: [{name: a, bot: random}, {name: b, bot: random}, {name: c, bot: sensible},
          {name: d, bot: random}]
boards: 4
workers: 1
"""


@pytest.mark.parametrize(
    "text",
    [
        INDIVIDUAL,
        GAMES,
        pytest.param(SWISS, marks=pytest.mark.heavy),
        pytest.param(BRACKET, marks=pytest.mark.heavy),
        pytest.param(STOPPED, marks=pytest.mark.heavy),
    ],
)
def test_an_event_is_published_verified_and_computed_again(tmp_path: Path, text: str) -> None:
    site = played(tmp_path, text)
    assert "verified" in run("verify", site)
    code, told = recompute(site)
    assert (code, told.count("\n")) == (0, 1), told


UNLAWFUL: Final = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        print(json.dumps({"name": "unlawful", "ops": []}), flush=True)
    if asked["op"] == "choose":
        print(json.dumps({"id": asked["id"], "action": "play BB"}), flush=True)
"""
FAULTS = """\
name: Faults
format: round_robin
entries: [{name: bad, bot: "cmd:PYTHON bot.py"}, {name: good, bot: sensible},
          {name: none, bot: "cmd:false"}]
boards: 4
workers: 1
byes: zero
"""


@pytest.mark.heavy
def test_faults_and_forfeits_are_published_and_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(UNLAWFUL, encoding="utf-8")
    site = played(tmp_path, FAULTS.replace("PYTHON", sys.executable))
    assert "boards verified: 4 at 8 tables; void: 0; never opened: 8" in run("verify", site)
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "START_FAIL: the bot of none does not start" in page
    assert ">ILLEGAL<" in page
    assert recompute(site)[0] == 0


VOID = """\
name: Stopped
format: round_robin
entries: [{name: a, bot: "cmd:PYTHON bot.py"}, {name: b, bot: random}]
boards: 4
chunk: 4
workers: 1
policy: {move_ms: 60000}
"""


def test_boards_that_went_void_are_published_with_their_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(HOLDING, encoding="utf-8")
    os.mkfifo("reached")
    file = tmp_path / "event.yaml"
    file.write_text(VOID.replace("PYTHON", sys.executable), encoding="utf-8")
    command = ("run", str(file), "--quiet", "--key", str(tmp_path / "referee.pem"))
    stopped = subprocess.Popen([sys.executable, "-m", "referee", "tournament", *command])
    try:
        with Path("reached").open("rb") as told:
            assert told.read(1) == b"x"
        stopped.send_signal(signal.SIGTERM)
        assert stopped.wait(60) == 130
    finally:
        stopped.kill()
        stopped.wait()
    Path("reached").unlink()
    run(*command)
    run("publish", file)
    site = tmp_path / "event" / "site"
    assert "boards verified: 4 at 8 tables; void: 4" in run("verify", site)
    page = (site / "index.html").read_text(encoding="utf-8")
    assert page.count(">INFRA<") == 4
    assert recompute(site)[0] == 0


def test_a_record_that_is_damaged_is_named_and_can_be_written_again(event: Path) -> None:
    records = event.with_suffix("") / "records"
    damaged = min(records.glob("*.0.jsonl"))
    whole = damaged.read_bytes()
    damaged.write_bytes(whole + b"x\n")
    board = damaged.name.partition(".")[0]
    site = event.parent / "again"
    assert f"a file of board {board} is damaged" in run("publish", event, "--out", site, exits=6)
    damaged.unlink()
    run("run", event, "--quiet", "--key", event.parent / "referee.pem")
    assert damaged.read_bytes() == whole
