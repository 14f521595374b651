"""What a deal pays. North made trump unless a test says otherwise."""

from collections.abc import Callable

import pytest

from referee.errors import InternalError
from referee.rules import (
    PRESETS,
    Hand,
    Outcome,
    Result,
    RuleSet,
    Seat,
    Side,
    largest_points,
    outcome_of,
    points_won,
    preset,
)

NORTH, EAST, SOUTH, WEST = (1 << seat for seat in Seat)
NOBODY = -1


@pytest.mark.parametrize(
    ("tricks", "alone", "points"),
    [
        (5, 0, (2, 0)),
        (4, 0, (1, 0)),
        (3, 0, (1, 0)),
        (2, 0, (0, 2)),
        (1, 0, (0, 2)),
        (0, 0, (0, 2)),
        (5, NORTH, (4, 0)),
        (4, NORTH, (1, 0)),
        (3, NORTH, (1, 0)),
        (2, NORTH, (0, 2)),
        (0, NORTH, (0, 2)),
        (5, SOUTH, (4, 0)),
    ],
)
@pytest.mark.parametrize(
    "name", ["standard", "quick", "throw-in", "defend-alone", "ontario", "guide"]
)
def test_makers_are_paid_for_three_and_five_and_pay_for_less(
    name: str, tricks: int, alone: int, points: tuple[int, int]
) -> None:
    assert points_won(preset(name), Seat.NORTH, alone, (tricks, 5 - tricks)) == points


@pytest.mark.parametrize("maker", Seat)
@pytest.mark.parametrize("tricks", range(6))
def test_points_go_to_the_side_whoever_of_it_called(maker: Seat, tricks: int) -> None:
    won = (tricks, 5 - tricks) if maker.side is Side.NS else (5 - tricks, tricks)
    points = points_won(preset("standard"), maker, 0, won)
    paid = points[0] if maker.side is Side.NS else points[1]
    assert paid == {0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 2}[tricks]
    assert sum(points) == (paid or 2)


@pytest.mark.parametrize(("tricks", "points"), [(5, (4, 0)), (3, (1, 0)), (2, (0, 4)), (0, (0, 4))])
def test_a_lone_defender_against_a_lone_maker(tricks: int, points: tuple[int, int]) -> None:
    alone = NORTH | EAST
    assert points_won(preset("defend-alone"), Seat.NORTH, alone, (tricks, 5 - tricks)) == points


def test_a_lone_defender_against_two_makers_earns_no_bonus() -> None:
    rules = RuleSet.from_map({"defend_alone": "any"})
    assert points_won(rules, Seat.NORTH, EAST, (2, 3)) == (0, 2)


@pytest.mark.parametrize(
    ("tricks", "alone", "points"),
    [
        ((5, 0), 0, (2, 0)),
        ((0, 5), 0, (0, 2)),
        ((3, 2), 0, (1, 0)),
        ((1, 4), 0, (0, 1)),
        ((5, 0), NORTH, (2, 0)),
        ((2, 3), NORTH | EAST, (0, 1)),
    ],
)
def test_winnipeg_pays_whichever_side_has_three(
    tricks: tuple[int, int], alone: int, points: tuple[int, int]
) -> None:
    assert points_won(preset("winnipeg"), NOBODY, alone, tricks) == points


@pytest.mark.parametrize(
    ("tricks", "points"), [((5, 0), (2, 0)), ((3, 2), (1, 0)), ((2, 3), (0, 2)), ((0, 5), (0, 4))]
)
def test_winnipeg_call_pays_double_for_stopping_the_makers(
    tricks: tuple[int, int], points: tuple[int, int]
) -> None:
    assert points_won(preset("winnipeg-call"), Seat.NORTH, 0, tricks) == points
    assert points_won(preset("winnipeg-call"), Seat.NORTH, NORTH | EAST, tricks) == points


def test_prices_of_a_euchre_do_not_add() -> None:
    rules = RuleSet.from_map(
        {
            "defend_alone": "vs_loner",
            "points_euchre": "2",
            "points_euchre_all_five": "5",
            "points_lone_euchred": "3",
            "points_lone_defender": "4",
        }
    )
    assert points_won(rules, Seat.NORTH, 0, (2, 3)) == (0, 2)
    assert points_won(rules, Seat.NORTH, NORTH, (2, 3)) == (0, 3)
    assert points_won(rules, Seat.NORTH, SOUTH | WEST, (2, 3)) == (0, 4)
    assert points_won(rules, Seat.NORTH, NORTH | EAST, (0, 5)) == (0, 5)


def test_the_largest_points_of_each_named_rule_set() -> None:
    assert {name: largest_points(rules) for name, rules in PRESETS.items()} == {
        "standard": 4,
        "quick": 4,
        "bicycle": 4,
        "british": 4,
        "tournament-ohio": 4,
        "wec": 4,
        "throw-in": 4,
        "defend-alone": 4,
        "ontario": 4,
        "guide": 4,
        "winnipeg": 2,
        "winnipeg-call": 4,
        "winnipeg-24": 2,
        "winnipeg-call-24": 4,
    }


def test_the_lone_defenders_price_counts_only_where_one_may() -> None:
    assert largest_points(RuleSet.from_map({"points_lone_defender": "9"})) == 4
    values = {"points_lone_defender": "9", "defend_alone": "any"}
    assert largest_points(RuleSet.from_map(values)) == 9


@pytest.mark.parametrize(
    ("maker", "alone", "tricks", "word"),
    [
        (Seat.EAST, (), (2, 3), "made"),
        (Seat.EAST, (), (0, 5), "march"),
        (Seat.EAST, (Seat.EAST,), (0, 5), "lone march"),
        (Seat.EAST, (Seat.EAST,), (3, 2), "euchred"),
        (None, (), (3, 2), "made"),
        (None, (Seat.EAST,), (5, 0), "march"),
    ],
)
def test_an_outcome_has_a_word(
    maker: Seat | None, alone: tuple[Seat, ...], tricks: tuple[int, int], word: str
) -> None:
    outcome = Outcome(outcome=Result.PLAYED, maker=maker, alone=alone, tricks=tricks)
    assert outcome.word == word


def test_the_side_that_is_paid_has_a_name() -> None:
    assert Outcome(outcome=Result.PLAYED, points=(0, 2)).side is Side.EW
    assert Outcome(outcome=Result.PLAYED, points=(1, 0)).side is Side.NS
    assert Outcome(outcome=Result.THROWN_IN).side is None


def test_a_deal_that_goes_on_has_no_outcome(table: Callable[[str], Hand]) -> None:
    hand = table("9C TC JC QC KC | 9D TD JD QD KD | 9H TH JH QH KH | 9S TS JS QS KS | AC")
    with pytest.raises(InternalError, match="not over"):
        outcome_of(hand)
