"""Both sample bots, in the positions that all clients share."""

import json
from pathlib import Path

import pytest

from euchre_bot.bots import random, sensible

FILE = Path(__file__).parents[2] / "vectors" / "decisions-v1.json"
CASES = json.loads(FILE.read_text("ascii"))["cases"]
BOTS = ("sensible", "random")


@pytest.mark.parametrize("bot", BOTS)
def test_sample_bot_decides_as_the_same_bot_of_every_language(bot: str) -> None:
    asked = [case for case in CASES if case["bot"] == bot]
    assert asked
    for case in asked:
        view = case["view"]
        choose = sensible.choose if bot == "sensible" else random.chooser(case["seed"])
        assert choose(view, view["legal"]) == case["action"], view
        assert choose(view, view["legal"][::-1]) == case["action"], view
