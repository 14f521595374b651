"""The environment keeps the contract of PettingZoo, judged by PettingZoo's own tests."""

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo or numpy has no wheel for this Python")

from pettingzoo.test import api_test, seed_test

from referee.rl import ACTIONS, FIELDS, EuchreEnv, env
from referee.rl.encoding import CARDS
from referee.rules import (
    ACTION_TEXTS,
    PRESETS,
    IllegalActionError,
    Reason,
    card_text,
    cards_text,
    pack_cards,
    preset,
)

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from referee.rl import Observation

SEATS = ["north", "east", "south", "west"]
ADVICE = pytest.mark.filterwarnings("ignore::UserWarning")  # on names, and on masks in observations
DECK = cards_text(pack_cards("E24"))


def legal(table: "AECEnv[str, Observation, int]") -> list[str]:
    allowed = table.observe(table.agent_selection)["action_mask"]
    return [text for text, is_legal in zip(ACTIONS, allowed, strict=True) if is_legal]


def say(table: "AECEnv[str, Observation, int]", text: str) -> None:
    table.step(ACTIONS.index(text))


def play_on(table: EuchreEnv, chance: Random) -> list[dict[str, int]]:
    """Play at random to the end of the episode; the rewards after each step."""
    rewards: list[dict[str, int]] = []
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        say(table, chance.choice(legal(table)))
        rewards.append(dict(table.rewards))
    return rewards


@ADVICE
@pytest.mark.parametrize("episode", ["deal", "game"])
@pytest.mark.parametrize("rules", ["standard", "british", "winnipeg"])
def test_pettingzoo_accepts_the_environment(rules: str, episode: str) -> None:
    api_test(env(rules=rules, episode=episode), num_cycles=200)


@ADVICE
def test_pettingzoo_accepts_the_bare_environment() -> None:
    api_test(EuchreEnv(render_mode="ansi"), num_cycles=200)


@ADVICE
def test_the_same_seed_gives_the_same_episodes() -> None:
    seed_test(env, num_cycles=200)


def test_other_seeds_give_other_hands() -> None:
    table = EuchreEnv()
    hands = set()
    for seed in range(20):
        table.reset(seed=seed)
        hands.add(table.observe("north")["observation"][FIELDS["hand"]].tobytes())
    assert len(hands) == 20


@pytest.mark.parametrize("rules", PRESETS)
def test_rewards_of_a_game_add_up_to_its_score(rules: str) -> None:
    table = EuchreEnv(rules=rules, episode="game")
    table.reset(seed=3)
    rewards = play_on(table, Random(3))
    ns, ew = table.observe("north")["observation"][FIELDS["score"]].tolist()
    assert sum(step["north"] for step in rewards) == ns - ew != 0
    assert all(step["north"] == step["south"] == -step["east"] for step in rewards)
    assert all(step["east"] == step["west"] for step in rewards)
    assert all(table.observation_space(a).contains(table.observe(a)) for a in SEATS)
    assert max(ns, ew) >= preset(rules).target or preset(rules).deals is not None


def test_an_episode_of_one_deal_ends_with_its_points() -> None:
    table = EuchreEnv()
    table.reset(seed=1)
    rewards = play_on(table, Random(1))
    assert all(table.terminations.values())
    assert all(step["north"] == 0 for step in rewards[:-1])
    assert abs(rewards[-1]["north"]) in (1, 2, 4)
    assert sum(table.observe("east")["observation"][FIELDS["tricks"]]) == 5


def test_a_deal_that_is_thrown_in_ends_an_episode_and_pays_nothing() -> None:
    table = EuchreEnv(rules="throw-in")
    table.reset(seed=1)
    for _ in range(8):
        say(table, "pass")
    assert all(table.terminations.values())
    assert set(table.rewards.values()) == {0}


def test_a_game_that_never_ends_is_cut_short() -> None:
    table = EuchreEnv(rules="throw-in", episode="game", most_deals=3)
    table.reset(seed=1)
    for _ in range(8 * 3):
        assert not any(table.truncations.values())
        say(table, "pass")
    assert all(table.truncations.values())
    assert not any(table.terminations.values())


def test_the_first_deal_may_be_given() -> None:
    table = EuchreEnv()
    table.reset(options={"dealer": "west", "deck": DECK})
    assert table.agent_selection == "north"
    held = table.observe("north")["observation"][FIELDS["hand"]]
    assert {card for card, has in zip(CARDS, held, strict=True) if has} == {
        "9C", "TC", "JC", "9H", "TH",
    }  # fmt: skip


def test_an_illegal_action_is_a_ruling_and_changes_nothing() -> None:
    table = EuchreEnv()
    table.reset(options={"dealer": "west", "deck": DECK})
    before = table.render(), table.observe("north")["observation"].tobytes()
    with pytest.raises(IllegalActionError) as refused:
        say(table, "play 9C")
    assert refused.value.violation.reason is Reason.WRONG_PHASE
    assert (table.render(), table.observe("north")["observation"].tobytes()) == before


def test_an_illegal_action_ends_a_wrapped_episode_at_the_dearest_price() -> None:
    table = env()
    table.reset(options={"dealer": "west", "deck": DECK})
    table.last()
    say(table, "play 9C")
    assert all(table.terminations.values())
    assert table.rewards == {"north": -4, "east": 0, "south": 0, "west": 0}


def test_every_action_of_the_rules_has_one_number() -> None:
    assert ACTIONS[: len(ACTION_TEXTS)] == tuple(ACTION_TEXTS.values())
    assert len(set(ACTIONS)) == len(ACTIONS) == len(ACTION_TEXTS) + 56


def test_the_parts_of_the_array_lie_side_by_side() -> None:
    parts = list(FIELDS.values())
    assert parts[0].start == 0
    assert all(one.stop == two.start for one, two in pairwise(parts))


def test_the_table_is_drawn_as_the_seat_on_turn_sees_it() -> None:
    table = EuchreEnv(render_mode="ansi")
    table.reset(options={"dealer": "west", "deck": DECK})
    drawn = table.render()
    assert drawn is not None
    assert "north holds 9C TC JC 9H TH" in drawn
    assert f"upcard {card_text(20)} turned" in drawn
    assert "legal pass, order, order alone" in drawn


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"episode": "match"}, "no such episode: 'match' (write deal or game)"),
        ({"render_mode": "human"}, "no such render mode: 'human' (the one there is: 'ansi')"),
        ({"rules": "standrad"}, "standrad"),
    ],
)
def test_an_option_that_is_none_is_told(given: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match="such") as told:
        EuchreEnv(
            rules=given.get("rules", "standard"),
            episode=given.get("episode", "deal"),
            render_mode=given.get("render_mode"),
        )
    assert message in str(told.value)


@pytest.mark.parametrize("options", [{"dealer": "up"}, {"deck": "9C TC"}, {"deck": "XX"}])
def test_a_first_deal_that_is_none_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"\(.+\)"):
        EuchreEnv().reset(options=options)
