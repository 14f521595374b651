"""`euchre-referee check-bot` over bots that dial in: good ones, and some wrong in one step."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.cli.test_check_bot import COMMAND, PATIENCE_S, ROOT, by_state, check
from tests.clients.known import CLIENTS, Client

CAREFUL: Final = f"dial:{sys.executable} -m euchre_bot.bots.sensible"
CARELESS: Final = f"dial:{sys.executable} {ROOT}/clients/misbehaving/misbehave.py --how honest"
BOT: Final = """
import os, sys, time
from euchre_bot import Options, argument_parser
from euchre_bot.play import Pace, play
count = 0
def choose(view, legal):
    global count
    count += 1
    ACT
    return legal[0]
PACE = Pace()
play(choose, Options.read(argument_parser("tester", "").parse_args()), PACE)
"""
WRONG: Final = {
    "starts": ("count = 0", "sys.exit('not today')"),
    "answers": ("ACT", "time.sleep(0.6 * (count == 1))"),
    "legal": ("ACT", "if count == 2 and 'refused' not in view: return 'fold'"),
    "clock": ("ACT", "time.sleep(0.6 * (count == 2))"),
    "refused": ("ACT", "if 'refused' in view: sys.exit('I am never wrong')"),
    "reconnects": ("Pace()", "Pace(total=0.0)"),
    "rubbish": ("ACT", "if view['phase'] == 'afterwards': sys.exit('what phase is that')"),
}
SAID: Final = {
    "starts": "not today",
    "answers": "its first action was played for it",
    "legal": "UNKNOWN_ACTION under standard",
    "clock": "of its actions were played for it",
    "refused": "I am never wrong",
    "reconnects": "gave up on",
    "rubbish": "what phase is that",
}
QUICK: Final = ("starts", "answers", "clock", "refused", "ends", "reconnects", "rubbish", "seals")
"""All that is asked of a bot that dials in, but for the matches under every rule set."""
LIMITS: Final = {"answers": ("--move-ms", "250"), "clock": ("--move-ms", "250")}


def wrong(folder: Path, step: str) -> str:
    """The command of a bot that is wrong in one step."""
    old, new = WRONG[step]
    path = folder / "bot.py"
    path.write_text(BOT.replace(old, new, 1).replace("    ACT\n", ""))
    return f"dial:{sys.executable} {path}"


@pytest.mark.parametrize("step", WRONG)
def test_a_dialing_bot_that_is_wrong_in_a_step_fails_it_and_is_quoted(
    step: str, tmp_path: Path
) -> None:
    code, steps = check(tmp_path, wrong(tmp_path, step), "--step", step, *LIMITS.get(step, ()))
    assert (code, steps[step]["state"]) == (1, "fail")
    assert SAID[step] in str(steps[step])


def test_a_dialing_bot_that_dies_is_told_with_its_end_and_its_last_words(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(BOT.replace("    ACT\n", "    sys.exit('out of luck')\n"))
    _code, steps = check(tmp_path, f"dial:{sys.executable} {path}", "--step", "answers")
    assert steps["answers"]["told"] == (
        "its first action was played for it; it ended with exit code 1,"
        " and its last words were 'out of luck'"
    )


def test_a_dialing_bot_that_is_killed_is_told_with_its_signal(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(BOT.replace("    ACT\n", "    os.kill(os.getpid(), 9)\n"))
    _code, steps = check(tmp_path, f"dial:{sys.executable} {path}", "--step", "answers")
    assert "it ended" not in steps["answers"]["told"]
    assert "; it was ended by SIGKILL, and its last words were" in steps["answers"]["told"]


def test_the_steps_of_a_dialing_bot_are_not_mixed_with_lines_of_its_server(tmp_path: Path) -> None:
    done = subprocess.run(
        (*COMMAND, CAREFUL, "--step", "starts", "--step", "refused"),
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kind", ["cmd", "dial"])
def test_a_check_that_is_killed_leaves_no_bot_and_its_folder_to_the_next(
    kind: str, tmp_path: Path
) -> None:
    pipe, places = tmp_path / "pipe", tmp_path / "tmp"
    os.mkfifo(pipe)
    places.mkdir()
    script = tmp_path / "bot.sh"
    script.write_text(f"exec 3>{pipe}\nsleep 600 &\necho up >&3\nwhile :; do sleep 600; done\n")
    environment = {**os.environ, "TMPDIR": str(places)}
    words = (*COMMAND, f"{kind}:sh {script}", "--start-ms", "600000")
    with (
        subprocess.Popen(words, cwd=tmp_path, env=environment) as killed,
        pipe.open(encoding="ascii") as stream,
    ):
        assert stream.readline() == "up\n"
        killed.kill()
        stream.read()  # comes back only when nothing is left of the bot
    left = list(places.glob("euchre-check-*"))
    assert len(left) == (kind == "dial")
    again = (*COMMAND, f"dial:{sys.executable} -c pass", "--step", "starts", "--start-ms", "250")
    subprocess.run(again, cwd=tmp_path, env=environment, check=False, capture_output=True)
    assert not list(places.glob("euchre-check-*"))


def quick() -> list[str]:
    """The options that ask for the quick steps alone."""
    return [word for step in QUICK for word in ("--step", step)]


@pytest.mark.heavy
@pytest.mark.parametrize("step", ["starts", "refused", "reconnects", "rubbish"])
def test_a_dialing_bot_that_is_wrong_in_a_step_fails_no_other(step: str, tmp_path: Path) -> None:
    _code, steps = check(tmp_path, wrong(tmp_path, step), *quick())
    assert by_state(steps, "fail") == [step], steps


def test_a_dialing_bot_that_goes_on_after_a_lie_is_told_so(tmp_path: Path) -> None:
    _code, steps = check(tmp_path, CARELESS, "--step", "seals")
    assert steps["seals"]["told"].split("; ") == [
        "accepted a wrong opening",
        "accepted a changed commit set",
        "accepted a deck that does not come out",
        "accepted a receipt that lies",
    ]


def test_a_dialing_bot_that_hears_no_lie_is_not_said_to_have_accepted_it(tmp_path: Path) -> None:
    _code, steps = check(tmp_path, wrong(tmp_path, "starts"), "--step", "seals")
    assert [told.partition(" (")[0] for told in steps["seals"]["told"].split("; ")] == [
        "never got as far as a wrong opening",
        "never got as far as a changed commit set",
        "never got as far as a deck that does not come out",
        "never got as far as a receipt that lies",
    ]


def test_a_dialing_bot_that_dies_at_a_lie_has_not_noticed_it(tmp_path: Path) -> None:
    dying = f"dial:{sys.executable} {ROOT}/clients/misbehaving/misbehave.py --how dies"
    _code, steps = check(tmp_path, dying, "--step", "seals")
    assert "was ended by SIGKILL at a wrong opening" in steps["seals"]["told"].split("; ")


def test_a_dialing_bot_that_stays_or_leaves_something_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "stays.sh"
    script.write_text(f'{CAREFUL.removeprefix("dial:")} "$@"\nsleep 60\n')
    _code, steps = check(tmp_path, f"dial:sh {script}", "--step", "ends")
    assert steps["ends"]["told"] == "did not leave within 2 s of the end"
    script.write_text(f'sleep 60 &\nexec {CAREFUL.removeprefix("dial:")} "$@"\n')
    _code, steps = check(tmp_path, f"dial:sh {script}", "--step", "ends")
    assert steps["ends"]["told"] == "left, and left a process of its own running"


@pytest.mark.heavy
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_the_bots_of_every_client_pass(client: Client, tmp_path: Path) -> None:
    if client.missing is not None:
        pytest.skip(client.missing)
    code, steps = check(tmp_path, f"dial:{client.bot('sensible')}", *quick())
    assert (code, by_state(steps, "pass")) == (0, list(QUICK)), steps
