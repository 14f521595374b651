"""A sealed match under every knob of the house ends, and the verifier accepts it."""

from random import Random

import pytest

from referee.rules import Reason, RuleSet, violation
from referee.sealing.proof import prove_deal
from referee.table.commands import Command, TakeAction
from tests.journal.support import report_of
from tests.table.driver import Driver

HOUSES: list[dict[str, str]] = [
    {"pack": "E28"},
    {"pack": "E32"},
    {"pack": "E25J"},
    {"pack": "E33J"},
    {"pack": "E25J", "best_bower_turned": "dealer_names_blind"},
    {"pack": "E25", "best_bower_turned": "dealer_names_blind", "upcard": "stays_out"},
    {"no_trump": "round_two", "pack": "E33J"},
    {"farmers_hand": "redeal"},
    {"farmers_hand": "swap_three"},
    {"going_under": "swap_three"},
    {"going_under": "swap_three", "pack": "E32", "ace_no_face": "redeal"},
    {"ace_no_face": "redeal"},
    {"no_ace_no_face_no_trump": "redeal"},
    {"loner_limit": "eight_or_nine"},
    {"loner_limit": "eight_or_nine", "partner_order": "must_be_alone"},
    {"partners_best": "one_card"},
    {"partners_best": "one_card", "defend_alone": "vs_loner", "going_under": "swap_three"},
    {"partners_best": "one_card", "alone_when": "before_lead", "alone_who": "any_player"},
    {"enforcement": "table"},
]


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 -- a test repeats itself


@pytest.mark.parametrize("knobs", HOUSES, ids=lambda knobs: " ".join(knobs.values()))
@pytest.mark.parametrize("mischief", [0.0, 0.02])
def test_a_match_under_a_house_rule_is_verified(knobs: dict[str, str], mischief: float) -> None:
    for seed in range(3):
        rules = RuleSet.from_map({**knobs, "target": "20"}).to_map()
        driver = Driver(chance(seed), rules=rules, mischief=mischief).play()
        report = report_of(driver.text)
        assert report.verdict.failure is None


class Forgetful(Driver):
    """A table at which somebody once tries to go alone though the score bars it."""

    tried = False

    def action(self, *, astray: bool) -> Command:
        hand = None if self.state.deal is None else self.state.deal.hand
        if hand is not None and not self.tried:
            found = violation(hand, hand.turn, "order alone")
            if found is not None and found.reason is Reason.ALONE_NOT_ALLOWED:
                self.tried = True
                return TakeAction(seat=hand.turn, action="order alone", blind=b"", used_ms=7)
        return super().action(astray=astray)


def test_the_proof_of_one_deal_knows_the_score_that_bars_a_loner() -> None:
    rules = RuleSet.from_map({"loner_limit": "eight_or_nine", "points_lone_march": "1"}).to_map()
    driver = Forgetful(chance(1), rules=rules)
    lines = driver.play().text.splitlines()
    assert driver.tried
    closes = [line for line in lines if b'"kind":"deal_close"' in line]
    for number in range(1, len(closes)):
        assert report_of(prove_deal(lines, number)).verdict.failure is None
