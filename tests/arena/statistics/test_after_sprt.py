from collections import Counter
from random import Random

import pytest

from benchmarks.coverage import BOUNDS, Case, adjusted
from referee.arena.statistics import (
    Sprt,
    SprtFigure,
    StatisticsError,
    TooFewBoardsError,
    Verdict,
    after_sprt,
)

TEST = Sprt(m0=0.0, m1=0.1, bounds=BOUNDS)


def stopped(mean: float, seed: int) -> Counter[float]:
    """The scores of a test that was looked at every sixteen boards, until it stopped."""
    rng = Random(seed)
    population = Case("measured", 0.8, 0, 1, mean).population
    counts: Counter[float] = Counter()
    while TEST.verdict(counts) is Verdict.CONTINUE:
        counts.update(population.draw(rng, 16))
    return counts


def figure(counts: Counter[float], seed: int = 1) -> SprtFigure:
    return after_sprt(TEST, counts, Random(seed), every=16, paths=60)


def plain(counts: Counter[float]) -> float:
    return sum(value * count for value, count in counts.items()) / counts.total()


def shifts(mean: float, verdict: Verdict) -> list[float]:
    """What the adjustment changes, of the first twelve tests with a verdict."""
    tests = [counts for seed in range(14) if TEST.verdict(counts := stopped(mean, seed)) is verdict]
    return [figure(counts).mean - plain(counts) for counts in tests[:12]]


def test_after_h1_the_adjusted_means_are_smaller_than_the_plain_ones() -> None:
    assert sum(shifts(0.1, Verdict.H1)) < 0.0


def test_after_h0_the_adjusted_means_are_larger_than_the_plain_ones() -> None:
    assert sum(shifts(0.0, Verdict.H0)) > 0.0


def test_the_mean_lies_within_its_interval() -> None:
    counts = stopped(0.1, 3)
    found = figure(counts)
    assert found.low < found.mean < found.high
    assert found.boards == counts.total()


def test_the_same_chance_gives_the_same_figure() -> None:
    counts = stopped(0.1, 3)
    assert figure(counts) == figure(counts)


def test_a_test_that_ran_out_of_boards_has_a_figure() -> None:
    counts = Counter({0.0: 40, 0.5: 6, -1.0: 2})
    assert TEST.verdict(counts) is Verdict.CONTINUE
    found = figure(counts)
    assert found.low < found.mean < found.high


@pytest.mark.parametrize("score", [0.0, 4.0, -4.0])
def test_boards_that_are_all_alike_have_a_figure_within_the_bounds(score: float) -> None:
    found = figure(Counter({score: 128}))
    assert -4.0 <= found.low <= found.mean <= found.high <= 4.0
    assert found.mean == pytest.approx(score, abs=0.2)


def test_no_boards_have_no_figure() -> None:
    with pytest.raises(TooFewBoardsError, match="no boards were played under the SPRT"):
        figure(Counter())


def test_looks_are_at_least_a_board_apart() -> None:
    with pytest.raises(StatisticsError, match="boards between two looks must be 1 or more: 0"):
        after_sprt(TEST, {0.0: 20}, Random(1), every=0)


@pytest.mark.heavy
@pytest.mark.parametrize("mean", [0.0, 0.1])
def test_the_adjusted_mean_is_as_often_too_large_as_too_small(mean: float) -> None:
    larger, covered = adjusted(Case("even", 0.8, 0, 40, mean), 0.1)
    assert 0.3 <= larger <= 0.7
    assert covered >= 0.85
