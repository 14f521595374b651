"""Whatever the seats do, the match that the table records is one that the verifier accepts."""

from dataclasses import replace
from random import Random

import pytest

from referee.rules import PRESETS
from referee.sealing import seat_commit
from referee.table.commands import GiveCommit
from referee.table.decide import Misuse
from tests.journal.support import report_of
from tests.sealing.support import MATCH, POLICY, STANDARD, secret
from tests.table.driver import Driver


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 -- a test repeats itself


@pytest.mark.parametrize("name", PRESETS)
def test_an_orderly_match_of_every_named_rule_set_is_verified(name: str) -> None:
    driver = Driver(chance(1), rules=PRESETS[name].to_map())
    assert report_of(driver.play().text).exit == 0


@pytest.mark.parametrize("seed", range(40))
def test_a_match_of_seats_that_misbehave_is_verified(seed: int) -> None:
    choose = chance(seed)
    name = choose.choice(sorted(PRESETS))
    driver = Driver(
        choose,
        rules={**PRESETS[name].to_map(), "cut": choose.choice(["none", "dealers_left"])},
        policy=replace(POLICY, rated=seed % 3 > 0, games=1 + seed % 2),
        levels=tuple(choose.choice(["plays", "seeds", "checks"]) for _ in range(4)),
        first_dealer=choose.choice([None, 0, 3]),
        mischief=choose.choice([0.01, 0.05, 0.2]),
    )
    if PRESETS[name].to_map()["first_dealer"] != "agreed":
        driver = replace(driver, first_dealer=None)
    report = report_of(driver.play().text)
    assert report.verdict.failure is None


def test_a_commitment_copied_from_another_seat_is_not_taken() -> None:
    """A set with a copy in it could not be verified: its seat would spoil the whole match."""
    driver = Driver(chance(1), rules=dict(STANDARD))
    driver.sit_down()
    commit = seat_commit(MATCH, 0, 2, secret("seed", 0, 2), None)
    driver.tell(GiveCommit(seat=2, deal=0, commit=commit))
    said = driver.tell(GiveCommit(seat=3, deal=0, commit=commit))
    assert isinstance(said, Misuse)
    assert said.kind == "CONFLICT"


@pytest.mark.heavy
def test_thousands_of_matches_of_seats_that_misbehave_are_verified() -> None:
    for seed in range(100, 1_100):
        test_a_match_of_seats_that_misbehave_is_verified(seed)
