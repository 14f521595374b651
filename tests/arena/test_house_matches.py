"""Whole sealed matches of the built-in bots under every value of every knob."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.arena.bots import parse_bot
from referee.arena.match import Arena, Chances, Plan, Played
from referee.host.clock import LoopClock
from referee.host.referee import Referee
from referee.rules import KNOBS, PRESETS
from referee.table.policy import policy
from tests.host.support import KEY, MemoryStore
from tests.journal.support import report_of

WINNIPEG = PRESETS["winnipeg"].to_map()
NEEDED: dict[str, dict[str, str]] = {
    "trump_making=turned_suit": WINNIPEG,
    "throw_in_dealer=same": {"all_pass": "throw_in"},
    "order_needs_trump_scope=dealer_only": {"order_needs_trump": "left_counts"},
    "order_needs_trump_scope=round_one_all": {"order_needs_trump": "left_counts"},
    "order_needs_trump_scope=every_call": {"order_needs_trump": "natural_only"},
    "alone_who=making_side": {"alone_when": "before_lead"},
    "alone_who=any_player": {"alone_when": "before_lead"},
    "defend_alone_poll=makers_left": {"defend_alone": "any"},
    "both_alone_lead=defender": {"defend_alone": "any"},
    "best_bower_turned=dealer_names_blind": {"pack": "E25J"},
    "deals=none": {"target": "12"},
}
"""What a value has a meaning beside."""
TURNS = [(knob.name, word) for knob in KNOBS.values() for word in knob.words[1:] or knob.words]
HOUSE_RULES = {
    "pack": "E33J",
    "best_bower_turned": "dealer_names_blind",
    "no_trump": "round_two",
    "going_under": "swap_three",
    "farmers_hand": "redeal",
    "ace_no_face": "redeal",
    "no_ace_no_face_no_trump": "redeal",
    "loner_limit": "eight_or_nine",
    "partners_best": "one_card",
    "defend_alone": "any",
    "enforcement": "table",
}


def played(
    rules: str, knobs: Mapping[str, str], bots: tuple[str, str], place: Path, games: int = 1
) -> Played:
    async def main() -> Played:
        chance = Chances(b"house")
        referee = Referee(store=MemoryStore(), key=KEY, clock=LoopClock(), chance=chance)
        plan = Plan(
            rule_set=rules,
            knobs=knobs,
            policy=policy({"games": games}, rated=False),
            north_south=parse_bot(bots[0]),
            east_west=parse_bot(bots[1]),
            seed=b"house",
        )
        arena = Arena(referee, plan, chance=chance, directory=place)
        return await arena.play(lambda _event: None, lambda _text: None)

    return asyncio.run(main())


def check(over: Played) -> None:
    assert over.closed is not None
    assert over.closed.outcome == "finished"
    assert over.failures == {}
    assert report_of(over.transcript, pinned=KEY.public).verdict.failure is None


@pytest.mark.parametrize(("knob", "word"), TURNS, ids=lambda text: text)
def test_a_match_with_one_knob_turned_finishes_and_verifies(
    knob: str, word: str, tmp_path: Path
) -> None:
    knobs = {**NEEDED.get(f"{knob}={word}", {}), knob: word}
    check(played("standard", knobs, ("sensible", "random"), tmp_path))


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_under_every_named_rule_set_finishes_and_verifies(
    name: str, tmp_path: Path
) -> None:
    check(played(name, {}, ("random", "sensible"), tmp_path))


def test_a_match_under_all_house_rules_at_once_finishes_and_verifies(tmp_path: Path) -> None:
    over = played("standard", HOUSE_RULES, ("random", "sensible"), tmp_path, games=6)
    check(over)
    for word in ("swap", "redeal", "give"):
        assert f'"action":"{word}"'.encode() in over.transcript, word
