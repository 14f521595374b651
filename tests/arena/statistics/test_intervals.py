from fractions import Fraction
from random import Random

import pytest

from benchmarks.coverage import Case, interval_covers
from referee.arena.statistics import (
    Note,
    StatisticsError,
    TooFewBoardsError,
    cluster_scores,
    mean_interval,
)


def test_the_mean_stands_in_the_middle_of_its_interval() -> None:
    figure = mean_interval([0.5, -0.5, 1, 0, 0, 0, 0, 1, 0, 0], Random(1))
    assert figure.mean == pytest.approx(0.2)
    assert figure.low < 0.2 < figure.high
    assert figure.boards == 10


def test_the_same_chance_gives_the_same_interval() -> None:
    scores = [Fraction(1, 2), Fraction(-1), *[Fraction(0)] * 20, Fraction(2)]
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


def test_level_boards_alone_give_exactly_zero_and_say_so() -> None:
    figure = mean_interval([0] * 40, Random(1))
    assert (figure.mean, figure.low, figure.high) == (0.0, 0.0, 0.0)
    assert figure.note is Note.LEVEL_BOARDS


def test_boards_that_are_all_alike_do_not_give_a_point() -> None:
    figure = mean_interval([2] * 50, Random(1))
    assert figure.low < 2.0 < figure.high


def test_few_swings_are_told() -> None:
    assert mean_interval([1, -1, 2] + [0] * 60, Random(1)).note is Note.FEW_SWINGS


def test_seven_boards_are_too_few() -> None:
    with pytest.raises(TooFewBoardsError, match="too few boards for an interval: 7 "):
        mean_interval([1] * 7, Random(1))


def test_boards_of_seven_clusters_are_too_few() -> None:
    with pytest.raises(TooFewBoardsError):
        mean_interval([1, 0] * 7, Random(1), clusters=[number // 2 for number in range(14)])


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


def test_intervals_of_sixty_boards_cover_what_they_say() -> None:
    assert 0.92 <= interval_covers(Case("measured", 0.7, 60, 300)) <= 0.98


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("shape", "ties", "boards", "runs"),
    [
        ("measured", 0.6, 30, 600),
        ("measured", 0.85, 30, 600),
        ("measured", 0.75, 60, 600),
        ("skewed", 0.6, 60, 600),
        ("skewed", 0.75, 100, 500),
        ("even", 0.6, 60, 600),
        ("even", 0.75, 200, 300),
        ("skewed", 0.85, 400, 300),
    ],
)
def test_intervals_cover_93_to_97_of_a_hundred(
    shape: str, ties: float, boards: int, runs: int
) -> None:
    assert 0.93 <= interval_covers(Case(shape, ties, boards, runs)) <= 0.97
