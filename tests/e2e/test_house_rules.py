"""Client bots of both languages at a real referee under house rules; both verifiers agree."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
NODE: Final = ROOT / "clients" / "node"
CLI: Final = (sys.executable, "-m", "referee")
PYTHON_BOT: Final = f"dial:{sys.executable} -m euchre_bot.bots.random"
NODE_BOT: Final = f"dial:node {NODE / 'bots' / 'random.mjs'}"
HOUSES: Final = (
    ("going_under=swap_three", "farmers_hand=redeal", "ace_no_face=redeal"),
    ("partners_best=one_card", "defend_alone=any", "no_trump=round_two"),
    ("pack=E33J", "best_bower_turned=dealer_names_blind"),
)

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (NODE / "node_modules").is_dir(),
    reason="node is missing, or `make -C clients/node setup` has not run",
)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house[0])
def test_clients_play_and_verify_a_match_under_house_rules(
    house: tuple[str, ...], tmp_path: Path
) -> None:
    transcript = tmp_path / "match.jsonl"
    knobs = [word for knob in house for word in ("--knob", knob)]
    match = subprocess.run(
        [*CLI, "match", "--north-south", PYTHON_BOT, "--east-west", NODE_BOT, *knobs,
         "--transcript", transcript, "--key", tmp_path / "referee.pem", "--json"],
        capture_output=True, check=False, timeout=120, cwd=tmp_path,
    )  # fmt: skip
    assert match.returncode == 0, match.stderr.decode()
    assert json.loads(match.stdout)["outcome"] == "finished"
    for verifier in (
        [*CLI, "verify"],
        ["node", str(NODE / "verifier" / "euchre-verify.mjs")],
    ):
        said = subprocess.run([*verifier, transcript], capture_output=True, check=False, timeout=60)
        assert said.returncode == 0, said.stdout.decode() + said.stderr.decode()
