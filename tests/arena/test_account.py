"""A match told to people: what the line of a deal says of its result, and the line of the end."""

import pytest

from referee.arena.account import Account, result_line, verified_words
from referee.sealing.closing import ZERO, DealClose, Fault, MatchClose
from referee.sealing.parts import Pair
from referee.sealing.verdict import Totals

LATE = (Fault(2, "WITHHELD"),)


@pytest.mark.parametrize(
    ("outcome", "points", "faults", "told"),
    [
        ("fault", Pair(0, 4), LATE, "fault, ew +4 (south WITHHELD)"),
        ("fault", ZERO, LATE, "fault, nobody scores (south WITHHELD)"),
        ("renege", Pair(2, 0), (), "renege, ns +2"),
        ("thrown_in", ZERO, (), "thrown in, nobody scores"),
        ("played", Pair(0, 2), (), "tricks 1-4, ew +2"),
    ],
)
def test_a_deal_is_told_with_its_outcome_and_who_scores(
    outcome: str, points: Pair, faults: tuple[Fault, ...], told: str
) -> None:
    close = DealClose(
        deal=3, outcome=outcome, r=bytes(32), tricks=Pair(1, 4), points=points, faults=faults
    )
    line = Account().hear(close)
    assert line is not None
    assert " ".join(line.split()) == f"3 -- no call {told} 0-0"


def test_the_end_says_games_where_games_are_counted_and_the_points_of_the_last() -> None:
    closed = MatchClose(outcome="finished", score=Pair(0, 1), deals=14, winner=1)
    assert result_line(closed, games=True, last=Pair(7, 10)) == (
        "finished: ew wins 1-0 in games, the last one ns 7 ew 10, after 14 deals"
    )


def test_the_end_says_points_where_the_deals_are_counted() -> None:
    closed = MatchClose(outcome="finished", score=Pair(2, 0), deals=1, winner=0)
    told = result_line(closed, games=False, last=Pair(2, 0))
    assert told == "finished: ns wins 2-0 in points, after 1 deal"


def test_the_end_by_a_fault_names_its_seat_and_the_winners_count_is_first() -> None:
    closed = MatchClose(outcome="forfeit", by=0, score=Pair(1, 0), deals=3, winner=1)
    assert result_line(closed, games=True, last=None) == (
        "forfeit by north: ew wins 0-1 in games, after 3 deals"
    )


def test_the_end_of_an_aborted_match_names_both_counts() -> None:
    closed = MatchClose(outcome="aborted", score=ZERO, deals=2)
    assert result_line(closed, games=True, last=Pair(3, 1)) == (
        "aborted: nobody wins, ns 0 ew 0 in games, the last one ns 3 ew 1, after 2 deals"
    )


def test_the_dealer_draw_is_none_of_the_deals() -> None:
    assert (
        verified_words(Totals(deals=2, verified=2, draws=1)) == "1 of 1 deal, and the dealer draw"
    )
    assert verified_words(Totals(deals=5, verified=4)) == "4 of 5 deals"
