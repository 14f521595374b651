from fractions import Fraction
from random import Random

import pytest

from benchmarks.coverage import Case, interval_covers
from benchmarks.populations import SHAPES
from referee.arena.statistics import (
    StatisticsError,
    TooFewBoardsError,
    cluster_scores,
    mean_interval,
)

TWENTY_SWINGS = [0.5, -0.5, 1, 1, 2] * 4


def test_the_mean_stands_in_the_middle_of_its_interval() -> None:
    figure = mean_interval([*TWENTY_SWINGS, *[0] * 20], Random(1))
    assert figure.mean == pytest.approx(0.4)
    assert figure.mean - figure.low == pytest.approx(figure.high - figure.mean)
    assert figure.low < 0.4 < figure.high
    assert figure.boards == 40


def test_the_same_chance_gives_the_same_interval() -> None:
    scores = [*[Fraction(1, 2), Fraction(-1)] * 8, *[Fraction(0)] * 20, Fraction(2)]
    assert mean_interval(scores, Random(4)) == mean_interval(scores, Random(4))


def test_exchanged_sides_give_the_mirrored_interval_up_to_chance() -> None:
    scores = Case("skewed", 0.6, 200, 1).population.draw(Random(2), 200)
    one = mean_interval(scores, Random(3))
    other = mean_interval([-score for score in scores], Random(3))
    assert other.low == pytest.approx(-one.high, abs=0.01)


def test_four_times_the_boards_halve_the_interval() -> None:
    scores = Case("even", 0.7, 400, 1).population.draw(Random(2), 100)
    one, four = mean_interval(scores, Random(3)), mean_interval(scores * 4, Random(3))
    assert (four.high - four.low) / (one.high - one.low) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ([], "0 of 0"),
        ([1] * 7, "0 of 7"),
        ([0] * 40, "0 of 40"),
        ([2] * 50, "0 of 50"),
        ([1, -1, 2] + [0] * 60, "3 of 63"),
        ([2] * 60 + [0] * 11, "11 of 71"),
    ],
)
def test_boards_that_hardly_differ_give_no_interval(scores: list[int], told: str) -> None:
    with pytest.raises(TooFewBoardsError, match=f"{told} differ from the commonest score"):
        mean_interval(scores, Random(1))


def test_the_twelfth_board_that_differs_gives_one() -> None:
    figure = mean_interval([2] * 60 + [0] * 12, Random(1))
    assert figure.low < 5 / 3 < figure.high < 2.0


def test_boards_of_eleven_clusters_are_too_few() -> None:
    with pytest.raises(TooFewBoardsError, match="10 of 11 differ"):
        mean_interval(range(22), Random(1), clusters=[*[0] * 2, *[n // 2 for n in range(2, 22)]])


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(StatisticsError, match="score 3 is no number of points: nan"):
        mean_interval([0.0, 1.0, float("nan")] * 4, Random(1))


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_that_is_no_probability_is_refused(level: float) -> None:
    with pytest.raises(StatisticsError, match="the level must lie between 0 and 1"):
        mean_interval([1.0] * 10, Random(1), level=level)


def test_a_cluster_counts_as_much_as_it_has_boards() -> None:
    values = cluster_scores([1, 0, 2, 3], ["a", "a", "b", "b"])
    assert values == (0.5, 2.5)
    uneven = cluster_scores([1, 1, 1, 5], ["a", "a", "a", "b"])
    assert sum(uneven) / 2 == pytest.approx(2.0)


def test_a_cluster_is_named_for_every_score() -> None:
    with pytest.raises(StatisticsError, match="2 scores for 1 clusters"):
        cluster_scores([1, 0], ["a"])


def test_boards_that_go_together_widen_the_interval() -> None:
    rng = Random(5)
    drawn = Case("even", 0.6, 60, 1).population.draw(rng, 60)
    scores = [score for score in drawn for _ in range(4)]
    clusters = [number // 4 for number in range(240)]
    alone = mean_interval(scores, Random(3))
    together = mean_interval(scores, Random(3), clusters=clusters)
    assert (together.high - together.low) > 1.7 * (alone.high - alone.low)


def test_intervals_of_a_hundred_boards_cover_what_they_say() -> None:
    found = interval_covers(Case("measured", 0.7, 100, 300), resamples=199)
    assert found.given == 300
    assert 0.92 <= found.share <= 0.98


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("boards", "runs"), [(60, 1000), (100, 600), (200, 300), (400, 250)])
def test_intervals_cover_93_to_97_of_a_hundred(shape: str, boards: int, runs: int) -> None:
    levels = (0.6, 0.75, 0.85)
    found = [interval_covers(Case(shape, ties, boards, runs), resamples=199) for ties in levels]
    judged = [each for each in found if each.often]
    assert len(judged) == {60: 1, 100: 2}.get(boards, 3)
    held, given = sum(each.held for each in judged), sum(each.given for each in judged)
    assert 0.93 <= held / given <= 0.97
    # Of a sample that is mostly refused the rest is picked by luck; it still seldom misleads.
    assert all(each.given - each.held <= 0.07 * each.runs for each in found if not each.often)
