"""The referee and the oracle, written apart, agree on random deals."""

import pytest

from tests.property.both import everything_sayable, play_both, random_rules, repeatable, rulesets
from tests.property.two_engines import play_chunk, rules_of_deal

AFTER_A_MILLION = 1_000
"""The first chunk that the run of a million deals leaves over."""


@pytest.mark.parametrize("name", rulesets().maps)
def test_the_engines_agree_on_random_deals_of_every_named_rule_set(name: str) -> None:
    chance = repeatable(f"two engines, {name}")
    for _ in range(200):
        play_both(NAMED[name], chance)


@pytest.mark.parametrize("name", rulesets().maps)
def test_the_engines_give_the_same_reason_for_everything_that_can_be_said(name: str) -> None:
    chance = repeatable(f"reasons, {name}")
    for _ in range(3):
        play_both(NAMED[name], chance, sayable=everything_sayable(NAMED[name]))


def test_the_engines_agree_on_random_combinations_of_knobs() -> None:
    known = rulesets()
    chance = repeatable("combinations")
    for number in range(300):
        rules = random_rules(known, chance)
        play_both(rules, chance, sayable=() if number % 30 else everything_sayable(rules))


@pytest.mark.heavy
@pytest.mark.parametrize("chunk", range(40))
def test_the_engines_agree_on_forty_thousand_random_deals(chunk: int) -> None:
    play_chunk(AFTER_A_MILLION + chunk)


def test_a_chunk_of_deals_is_the_same_each_time() -> None:
    assert [rules_of_deal(7, number) for number in range(6)] == [
        rules_of_deal(7, number) for number in range(6)
    ]


NAMED = rulesets().maps
