"""The strong bot under the referee: legal everywhere, repeatable, and in any chair of the arena."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from benchmarks.strength import Board, Order, asked, figures_of, measure
from euchre_bot.bots.strong import Effort, Strong
from referee.arena.bots import PythonSpec, parse_bot
from referee.rules import PRESETS, SEATS, Hand, action_text, deal_from_deck, pack_cards, preset

DEALS = 4
QUICK = Effort(worlds=2)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("hears", [True, False], ids=["hears", "sees"])
def test_strong_acts_legally_under_every_rule_set(name: str, hears: bool) -> None:  # noqa: FBT001
    rules = preset(name)
    for number in range(DEALS):
        pack = pack_cards(rules.pack.value)
        rng = Random(f"{name}/{number}")  # noqa: S311 -- cards to try, no secrets
        deck = tuple(rng.sample(pack, len(pack)))
        hand = Hand(rules, deal_from_deck(deck, rules, SEATS[number % 4]))
        bots = [Strong(QUICK) for _ in SEATS]
        version = 0
        while (turn := hand.seat_on_turn) is not None:
            view = asked(hand, turn, number, version)
            action = bots[turn].choose(view, view["legal"])
            assert action in view["legal"], view
            hand.advance(next(code for code in hand.legal() if action_text(code) == action))
            version += 1
            for bot in bots if hears else ():
                bot.event({"kind": "action", "seat": turn.word, "action": action})


def test_strong_is_a_bot_of_the_arena_by_its_name() -> None:
    spec = parse_bot("strong")
    assert isinstance(spec, PythonSpec)
    assert spec.make is Strong


def test_strong_plays_a_sealed_match_in_the_arena(tmp_path: Path) -> None:
    words = ("--north-south", "strong", "--east-west", "random", "--deals", "2", "--json")
    done = subprocess.run(
        (sys.executable, "-m", "referee", "match", *words),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["failures"] == {}


def test_strong_dials_in(tmp_path: Path) -> None:
    command = f"dial:{sys.executable} -m euchre_bot.bots.strong --worlds 2"
    words = ("--north-south", command, "--east-west", "random", "--deals", "1", "--json")
    done = subprocess.run(
        (sys.executable, "-m", "referee", "match", *words),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["failures"] == {}


@pytest.mark.parametrize("words", [("--budget-ms", "0"), ("--worlds", "-1"), ("--worlds", "x")])
def test_a_budget_that_is_none_is_one_line(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        (sys.executable, "-m", "euchre_bot.bots.strong", *words),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert words[0] in done.stderr.splitlines()[-1]


def test_boards_with_a_number_of_worlds_are_the_same_again() -> None:
    order = Order(first=0, boards=2, rules="standard", effort=Effort(worlds=3))
    gains = [[board.gain for board in measure(order)] for _ in range(2)]
    assert gains[0] == gains[1]


def test_a_bot_against_itself_gains_nothing_once_sides_are_exchanged() -> None:
    order = Order(first=0, boards=6, rules="standard", effort=Effort(), control=True)
    assert [board.gain for board in measure(order)] == [0, 0, 0, 0, 0, 0]


def test_the_interval_is_over_boards() -> None:
    figures = figures_of([Board(gain, 1.0, 2.0, 4) for gain in (0.0, 1.0, 0.0, 1.0)])
    assert figures["points a deal"] == 0.5
    assert figures["high"] - figures["low"] == pytest.approx(2 * 1.96 * (1 / 3) ** 0.5 / 2)
    assert figures["mean ms a decision"] == 0.5
