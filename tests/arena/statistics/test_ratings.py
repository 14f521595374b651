from itertools import combinations
from math import exp
from random import Random

import pytest

from referee.arena.statistics import Meeting, Ratings, StatisticsError, meeting, ratings
from referee.arena.statistics.ratings import SCALE


def by_name(found: Ratings) -> dict[str, float]:
    return {one.entry: one.rating for one in found.ratings}


def test_scores_are_counted_by_their_sign() -> None:
    assert meeting("a", "b", [0.5, 2, 0, -1]) == Meeting("a", "b", won=2, lost=1, level=1)


def test_the_better_stands_first_and_the_field_has_the_mean_zero() -> None:
    found = ratings([Meeting("a", "b", 30, 20, 50), Meeting("b", "c", 30, 20, 50)])
    assert [one.entry for one in found.ratings] == ["a", "b", "c"]
    assert sum(one.rating for one in found.ratings) == pytest.approx(0.0, abs=1e-6)


def test_exchanged_names_change_nothing() -> None:
    one = ratings([Meeting("a", "b", 30, 20, 50)])
    other = ratings([Meeting("b", "a", 20, 30, 50)])
    assert by_name(one) == pytest.approx(by_name(other))


def test_many_boards_between_two_give_the_odds_that_were_seen() -> None:
    found = by_name(ratings([Meeting("a", "b", 20_000, 10_000, 70_000)]))
    assert exp((found["a"] - found["b"]) / SCALE) == pytest.approx(2.0, rel=0.01)


def test_the_share_of_level_boards_is_found() -> None:
    found = ratings([Meeting("a", "b", 1_000, 1_000, 8_000)])
    assert found.level_boards == pytest.approx(0.8, abs=0.005)


def test_an_unbeaten_entry_has_a_finite_rating() -> None:
    found = ratings([Meeting("a", "b", 10_000, 0, 0), Meeting("b", "c", 10_000, 0, 0)])
    assert [one.entry for one in found.ratings] == ["a", "b", "c"]
    assert max(abs(one.high) for one in found.ratings) < 4_000


def test_more_boards_make_a_closer_interval() -> None:
    few = ratings([Meeting("a", "b", 3, 2, 5)]).ratings[0]
    many = ratings([Meeting("a", "b", 300, 200, 500)]).ratings[0]
    assert many.high - many.low < (few.high - few.low) / 4
    assert (few.boards, many.boards) == (10, 1_000)


def test_an_entry_that_met_nobody_stands_in_the_middle_in_a_group_of_its_own() -> None:
    found = {one.entry: one for one in ratings([Meeting("a", "b", 3, 2, 5)], ["z"]).ratings}
    assert found["z"].rating == pytest.approx(0.0, abs=1e-6)
    assert found["a"].group == found["b"].group != found["z"].group


def test_a_meeting_of_no_boards_joins_nobody() -> None:
    found = {one.entry: one.group for one in ratings([Meeting("a", "b", 0, 0, 0)]).ratings}
    assert found["a"] != found["b"]


def test_an_entry_against_itself_is_refused() -> None:
    with pytest.raises(StatisticsError, match="an entry cannot meet itself: 'a'"):
        Meeting("a", "a", 1, 0, 0)


def test_a_count_below_zero_is_refused() -> None:
    with pytest.raises(StatisticsError, match="is negative: -1, 0, 0"):
        Meeting("a", "b", -1, 0, 0)


def test_nobody_cannot_be_rated() -> None:
    with pytest.raises(StatisticsError, match="there is nobody to rate"):
        ratings([])


def test_intervals_of_ratings_cover_the_true_strengths() -> None:
    rng = Random(8)
    strengths = dict(zip("abcdef", (0.5, 0.3, 0.1, -0.1, -0.3, -0.5), strict=True))
    held = total = 0
    for _ in range(100):
        meetings = []
        for one, other in combinations(strengths, 2):
            weights = exp(strengths[one]), exp(strengths[other]), exp(1.5)
            drawn = rng.choices((1, -1, 0), weights, k=60)
            meetings.append(meeting(one, other, drawn))
        for found in ratings(meetings).ratings:
            held += found.low <= SCALE * strengths[found.entry] <= found.high
            total += 1
    assert 0.92 <= held / total <= 0.98
