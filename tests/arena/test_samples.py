"""The sample bots in languages without a client: they decide as they say, and play sealed deals."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from referee.arena.builtin import Random

ROOT: Final = Path(__file__).parents[2]
CLIENTS: Final = ROOT / "clients"
PATIENCE_S: Final = 120
MATCH: Final = "0f" * 16
NEEDS: Final = {
    "perl/bot.pl": ("perl",),
    "ruby/bot.rb": ("ruby",),
    "lua/bot.lua": ("lua5.4",),
    "shell/random.sh": ("bash", "jq", "sha256sum"),
    "shell/bot.sh": ("sh", "awk"),
}
RANDOM: Final = ("perl/bot.pl", "ruby/bot.rb", "shell/random.sh")
LEGAL: Final = (
    ["pass", "order", "order alone"],
    ["play JD"],
    ["play TD", "play 9S", "play AC", "play KC"],
    ["name C", "name H alone", "name H", "pass"],
)


def sample(name: str) -> str:
    """The path of a sample; the test is skipped where its language is not here."""
    missing = [program for program in NEEDS[name] if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is missing")
    return str(CLIENTS / name)


def answers(name: str) -> tuple[int, Sequence[Mapping[str, object]]]:
    """A sample's exit code, and what it answers to one question for each legal set."""
    told: list[Mapping[str, object]] = [
        {"op": "hello", "protocol": 1, "match": MATCH, "seat": "west", "rules": {"pack": "E24"}}
    ]
    for number, legal in enumerate(LEGAL):
        view = {"seat": "west", "phase": "play", "legal": legal, "state_version": 40 + number}
        told.append({"op": "choose", "id": number + 1, "view": view, "legal": legal})
        told.append({"op": "refused", "id": number + 1, "reason": "RENEGE", "text": "follow"})
    told.append({"op": "end", "score": {"ns": 10, "ew": 7}})
    done = subprocess.run(
        [sample(name)],
        input="".join(json.dumps(each, separators=(",", ":")) + "\n" for each in told),
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert not done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", NEEDS)
def test_sample_answers_each_question_with_a_legal_action_and_leaves_at_the_end(name: str) -> None:
    code, (hello, *chosen) = answers(name)
    assert (code, hello["ops"]) == (0, [])
    assert [answer["id"] for answer in chosen] == [1, 2, 3, 4]
    assert all(answer["action"] in legal for answer, legal in zip(chosen, LEGAL, strict=True))


@pytest.mark.parametrize("name", RANDOM)
def test_sample_picks_as_the_random_bot_of_every_client_does(name: str) -> None:
    ours = Random()
    ours.start(match=MATCH, seat="west", rules={})
    views = ({"state_version": 40 + number} for number in range(len(LEGAL)))
    wanted = [ours.choose(view, legal) for view, legal in zip(views, LEGAL, strict=True)]
    assert [answer["action"] for answer in answers(name)[1][1:]] == wanted


@pytest.mark.parametrize("name", NEEDS)
def test_sample_plays_a_sealed_match_behind_the_bridge(name: str, tmp_path: Path) -> None:
    bot = f"dial:{sys.executable} -m referee.cli.bridge {sample(name)}"
    done = subprocess.run(
        (
            *(sys.executable, "-m", "referee", "match", "--deals", "2", "--json"),
            *("--north-south", bot, "--east-west", "sensible"),
            *("--key", "key.pem", "--transcript", "t.jsonl"),
        ),
        cwd=tmp_path,
        check=False,
        capture_output=True,
        timeout=PATIENCE_S,
    )
    told = json.loads(done.stdout)
    assert (told["outcome"], told["failures"]) == ("finished", {})
    assert told["seeds"] == {"seat": 2, "host": 2}
    verify = (sys.executable, "-m", "referee", "verify", str(tmp_path / "t.jsonl"))
    assert subprocess.run(verify, check=False, capture_output=True).returncode == 0
