from collections.abc import Callable

import pytest

from referee.rules import (
    Game,
    GameOverError,
    Hand,
    Outcome,
    Reason,
    Result,
    RuleSet,
    Seat,
    Side,
    Violation,
    next_dealer,
    preset,
)

STANDARD = preset("standard")
THROWN_IN = Outcome(outcome=Result.THROWN_IN)


def played(ns: int, ew: int) -> Outcome:
    return Outcome(outcome=Result.PLAYED, points=(ns, ew))


def game(ns: int = 0, ew: int = 0, rules: RuleSet = STANDARD, deals: int = 0) -> Game:
    return Game(rules=rules, dealer=Seat.WEST, score=(ns, ew), deals=deals)


def test_the_deal_passes_left_from_west_to_north() -> None:
    assert game().after(played(1, 0)).dealer is Seat.NORTH


@pytest.mark.parametrize("dealer", Seat)
def test_a_throw_in_passes_the_deal_left_once(dealer: Seat) -> None:
    assert next_dealer(preset("throw-in"), dealer, THROWN_IN) is dealer.left


def test_a_throw_in_may_keep_the_dealer() -> None:
    rules = RuleSet.from_map({"all_pass": "throw_in", "throw_in_dealer": "same"})
    assert next_dealer(rules, Seat.EAST, THROWN_IN) is Seat.EAST
    assert next_dealer(rules, Seat.EAST, played(0, 1)) is Seat.SOUTH


def test_a_redeal_keeps_the_dealer_and_a_fault_passes_the_deal() -> None:
    assert next_dealer(STANDARD, Seat.EAST, Outcome(outcome=Result.REDEAL)) is Seat.EAST
    assert next_dealer(STANDARD, Seat.EAST, Outcome(outcome=Result.FAULT)) is Seat.SOUTH
    assert next_dealer(STANDARD, Seat.EAST, Outcome(outcome=Result.RENEGE)) is Seat.SOUTH


@pytest.mark.parametrize(
    ("before", "deal", "after", "winner"),
    [
        ((9, 9), (1, 0), (10, 9), Side.NS),
        ((9, 9), (0, 2), (9, 11), Side.EW),
        ((8, 0), (4, 0), (12, 0), Side.NS),
        ((8, 9), (1, 0), (9, 9), None),
        ((0, 0), (2, 0), (2, 0), None),
    ],
)
def test_the_game_ends_once_a_side_reaches_the_target(
    before: tuple[int, int], deal: tuple[int, int], after: tuple[int, int], winner: Side | None
) -> None:
    end = game(*before).after(played(*deal))
    assert (end.score, end.winner, end.is_over) == (after, winner, winner is not None)


def test_a_quick_game_ends_at_five() -> None:
    assert game(4, 0, preset("quick")).after(played(1, 0)).winner is Side.NS
    assert game(3, 0, preset("quick")).after(played(4, 0)).score == (7, 0)


def test_no_deal_follows_the_end_of_the_game() -> None:
    with pytest.raises(GameOverError, match="the game is over at 10-4"):
        game(10, 4).after(played(1, 0))


class TestFixedDeals:
    """The knob `deals`: the target does not count."""

    RULES = RuleSet.from_map({"deals": "2", "target": "3", "all_pass": "throw_in"})

    def test_the_game_goes_on_past_the_target(self) -> None:
        assert not game(0, 0, self.RULES).after(played(4, 0)).is_over

    def test_the_last_deal_ends_it(self) -> None:
        end = game(4, 0, self.RULES, deals=1).after(played(0, 2))
        assert (end.is_over, end.winner) == (True, Side.NS)

    def test_equal_scores_leave_no_winner(self) -> None:
        end = game(2, 0, self.RULES, deals=1).after(played(0, 2))
        assert (end.is_over, end.winner) == (True, None)

    @pytest.mark.parametrize(
        ("result", "counts"),
        [
            (Result.THROWN_IN, 1),
            (Result.FAULT, 1),
            (Result.RENEGE, 1),
            (Result.REDEAL, 0),
            (Result.VOID, 0),
        ],
    )
    def test_a_throw_in_counts_and_a_redeal_does_not(self, result: Result, counts: int) -> None:
        assert game(0, 0, self.RULES).after(Outcome(outcome=result)).deals == counts


def test_the_next_game_starts_level_and_the_deal_goes_on() -> None:
    end = game(9, 0).after(played(1, 0))
    assert end.next_game() == Game(rules=STANDARD, dealer=Seat.NORTH)


def test_game_over_comes_before_every_other_reason(table: Callable[[str], Hand]) -> None:
    hand = table("9C TC JC QC KC | 9D TD JD QD KD | 9H TH JH QH KH | 9S TS JS QS KS | AC")
    found = game(10, 0).ruling(hand, Seat.EAST, "nonsense")
    assert isinstance(found, Violation)
    assert (found.reason, found.rule) == (Reason.GAME_OVER, "game.over")
    assert game(10, 0).violation(hand, Seat.EAST, "pass") == found
    assert game(9, 0).violation(hand, Seat.EAST, "pass") is None
    assert game(9, 0).ruling(hand, Seat.EAST, "pass") == hand.legal()[0]
