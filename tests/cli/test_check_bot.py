"""`euchre-referee check-bot`, over good bots, and over bots that are wrong in one step each."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PATIENCE_S: Final = 300
COMMAND: Final = (sys.executable, "-m", "referee", "check-bot")
BOT: Final = """
import json, os, select, sys, time
def committed(deal):
    from referee.sealing.commit import seat_commit
    return seat_commit(match, deal, 0, SEED, 5).hex()
def say(**answer): print(json.dumps(answer), flush=True)
def patient():
    while line := sys.stdin.readline():
        yield line
def hasty():
    count = 0
    while chunk := os.read(0, 1 << 20):
        count += 1
        time.sleep(0.3 * (count == 2))
        if count == 2 and select.select([0], [], [], 0)[0]:
            chunk += os.read(0, 1 << 20)
        lines = chunk.splitlines()
        asks = [line for line in lines if b'"choose"' in line]
        yield from (line for line in lines if line not in asks[1:])
def hear():
    for line in patient():
        try:
            asked = json.loads(line)
        except ValueError:
            asked = None
        yield asked if isinstance(asked, dict) else {}
def right(asked):
    known = shown.setdefault(asked["deal"], asked["cset"])
    return committed(asked["deal"]) in asked["commits"] and known == asked["cset"]
SEED, shown, count = bytes(range(32)), {}, 0
for asked in hear():
    op = asked.get("op")
    if op == "hello":
        match = bytes.fromhex(asked["match"])
        say(name="tester", ops=["commit", "reveal"])
    if op == "choose":
        count += 1
        say(id=asked["id"], action=asked["legal"][-1])
    if op == "commit":
        say(id=asked["id"], commit=committed(asked["deal"]))
    if op == "reveal" and right(asked):
        say(id=asked["id"], seed=SEED.hex(), cut=5)
    if op == "end":
        break
"""
"""A good bot; the wrong ones differ from it in one place."""

ANSWER: Final = 'asked["legal"][-1])'
AT_END: Final = '    if op == "end"'
WRONG: Final = {
    "starts": ('say(name="tester"', 'say(nom="tester"'),
    "answers": (ANSWER, '"fold")'),
    "legal": (
        ANSWER,
        'asked["legal"][-1].replace("name S", "name " + asked["view"]["upcard"][1]))',
    ),
    "late": ("in patient()", "in hasty()"),
    "clock": ("count += 1\n        say", "count += 1; time.sleep(0.4 * (count == 30)); say"),
    "refused": (AT_END, f'    if op == "refused": sys.exit("I am never wrong")\n{AT_END}'),
    "ends": ("break", "time.sleep(60)"),
    "rubbish": ("asked = None", "raise"),
    "seals": ("and right(asked)", ""),
}
LIMITS: Final = {"clock": ("--move-ms", "250"), "late": ("--move-ms", "1000")}
"""A bot that loses a question is waited for over four times its clock."""
SAID: Final = {
    "starts": "START_FAIL",
    "answers": "UNKNOWN_ACTION",
    "legal": "SUIT_TURNED_DOWN",
    "late": "within",
    "clock": "% of 250 ms",
    "refused": "exited with status 1",
    "ends": "did not leave within 2 s",
    "rubbish": "JSONDecodeError",
    "seals": "two commit sets",
}


def bot(folder: Path, step: str | None = None) -> str:
    """The command of a bot that is wrong in one step, or in none."""
    text, path = BOT, folder / "bot.py"
    if step is not None:
        old, new = WRONG[step]
        assert text.count(old) == 1
        text = text.replace(old, new)
    path.write_text(text)
    return f"{sys.executable} {path}"


def check(folder: Path, bot: str, *words: str) -> tuple[int, dict[str, dict[str, str]]]:
    """The exit code, and the steps by name."""
    done = subprocess.run(
        (*COMMAND, bot, "--json", *words),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder / "state")},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
        text=True,
    )
    assert done.stdout, done.stderr
    report = json.loads(done.stdout)
    assert report["passed"] == (done.returncode == 0)
    return done.returncode, {step["step"]: step for step in report["steps"]}


def by_state(steps: dict[str, dict[str, str]], state: str) -> list[str]:
    return [name for name, step in steps.items() if step["state"] == state]


def test_a_good_bot_on_stdio_passes_every_step_that_applies(tmp_path: Path) -> None:
    code, steps = check(tmp_path, bot(tmp_path))
    assert (code, by_state(steps, "fail")) == (0, []), steps
    assert by_state(steps, "not asked") == ["reconnects"]
    assert steps["legal"]["told"] == "783 positions of the corpus under 105 rule sets"


def test_the_shell_bot_passes(tmp_path: Path) -> None:
    code, steps = check(tmp_path, str(ROOT / "clients" / "shell" / "bot.sh"))
    assert (code, by_state(steps, "fail")) == (0, []), steps
    assert by_state(steps, "not asked") == ["reconnects", "seals"]


@pytest.mark.parametrize("name", ["random", "sensible"])
def test_the_built_in_bots_pass(name: str, tmp_path: Path) -> None:
    code, steps = check(tmp_path, name)
    assert (code, by_state(steps, "fail")) == (0, []), steps


@pytest.mark.parametrize("step", WRONG)
def test_a_bot_that_is_wrong_in_a_step_fails_it_and_is_quoted(step: str, tmp_path: Path) -> None:
    code, steps = check(tmp_path, bot(tmp_path, step), "--step", step, *LIMITS.get(step, ()))
    assert (code, list(steps), steps[step]["state"]) == (1, [step], "fail")
    assert SAID[step] in str(steps[step])


@pytest.mark.heavy
@pytest.mark.parametrize("step", WRONG)
def test_a_bot_that_is_wrong_in_a_step_fails_no_other(step: str, tmp_path: Path) -> None:
    _code, steps = check(tmp_path, bot(tmp_path, step), *LIMITS.get(step, ()))
    assert by_state(steps, "fail") == [step], steps


def test_what_a_failure_makes_idle_is_not_asked(tmp_path: Path) -> None:
    _code, steps = check(tmp_path, bot(tmp_path, "answers"))
    assert by_state(steps, "fail") == ["answers"]
    assert steps["legal"]["told"] == "it has failed at answers"
    assert by_state(steps, "pass") == ["starts", "ends", "seals"]


def test_a_process_that_is_left_running_is_told(tmp_path: Path) -> None:
    script = tmp_path / "leaves.sh"
    script.write_text(f"sleep 60 >&- 2>&- <&- &\nexec {ROOT}/clients/shell/bot.sh\n")
    _code, steps = check(tmp_path, f"sh {script}", "--step", "ends")
    assert steps["ends"]["told"] == "left, and left a process of its own running"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_nothing_is_left_of_a_check_that_is_stopped(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    script = tmp_path / "waits.sh"
    script.write_text(f"echo $$ >{started}\nexec sleep 600\n")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with subprocess.Popen(
        (*COMMAND, f"dial:sh {script}", "--start-ms", "600000"),
        env={**os.environ, "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
        text=True,
    ) as checking:
        bot = int(started.read_text())
        checking.send_signal(number)
        _out, said = checking.communicate(timeout=PATIENCE_S)
    assert checking.returncode == status
    assert "Traceback" not in said
    assert not list(scratch.iterdir())
    with pytest.raises(ProcessLookupError):
        os.kill(bot, 0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("dial",), "write dial:COMMAND"),
        (("'",), "is not closed"),
        (("py:nowhere:Bot",), "importing 'nowhere' failed"),
        (("random", "--step", "flies"), "'flies' is not one of"),
        (("random", "--move-ms", "1"), "not in the range"),
    ],
)
def test_what_cannot_be_checked_is_said_in_a_line(words: tuple[str, ...], told: str) -> None:
    done = subprocess.run((*COMMAND, *words), capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
