"""The dealer draw, on card texts."""

import pytest

from referee.sealing.draw import DealerDraw, dealer_draw
from referee.sealing.errors import DealProofError
from referee.sealing.packs import PACKS


def draw(method: str, start: int, text: str) -> tuple[int, int]:
    """How many cards are turned, and who deals."""
    result = dealer_draw(text.split(), method, start)
    assert result.turned == tuple(range(len(result.turned)))
    return len(result.turned), result.dealer


def test_a_red_jack_does_not_end_the_draw_for_a_black_one() -> None:
    assert draw("black_jack", 1, "JH JD 9S JS") == (4, 0)


def test_any_jack_ends_the_draw_for_any_jack() -> None:
    assert draw("any_jack", 1, "9S JD JS") == (2, 2)


def test_the_ace_is_lowest() -> None:
    assert draw("draw_low", 2, "9C TD AS KH") == (4, 0)


def test_the_ace_is_lowest_where_the_highest_deals_too() -> None:
    assert draw("draw_high", 0, "AC TD QS JH") == (4, 2)


def test_tied_seats_get_one_more_each_in_the_same_order() -> None:
    assert draw("draw_low", 3, "9C TD 9S KH QC JC") == (6, 1)


def test_three_tied_seats_can_tie_again() -> None:
    assert draw("draw_low", 0, "9C 9D 9S KH TC TD JC AC AD KS KD") == (11, 0)


def test_the_best_bower_is_passed_over_and_the_next_position_takes_its_place() -> None:
    assert draw("draw_low", 0, "TC 2S 9D BB KC QC") == (6, 1)


def test_a_pack_that_runs_out_lets_the_first_tied_seat_deal() -> None:
    assert draw("draw_low", 2, "9C 9D 9S 9H TC TD") == (6, 2)


def test_nobody_named_lets_the_start_seat_deal_and_turns_nothing() -> None:
    assert dealer_draw(PACKS["E24"], "agreed", 3) == DealerDraw((), 3)


def test_an_unknown_method_is_refused_and_quoted() -> None:
    with pytest.raises(DealProofError, match="'coin'"):
        dealer_draw(PACKS["E24"], "coin", 0)


def test_a_deck_without_a_jack_is_refused() -> None:
    with pytest.raises(DealProofError):
        dealer_draw(["9C", "TC"], "black_jack", 0)
