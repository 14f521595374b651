from collections import Counter
from math import log

import pytest

from benchmarks.coverage import BOUNDS, Case, sprt_errs, watching_misses
from referee.arena.statistics import (
    Bounds,
    Note,
    Sprt,
    StatisticsError,
    Verdict,
    always_valid,
    swing_bounds,
    watched,
)
from referee.arena.statistics.sprt import likeliest
from referee.arena.statistics.watch import log_stake
from referee.rules import RuleSet, preset

TEST = Sprt(m0=0.0, m1=0.1, bounds=BOUNDS)


def test_before_the_first_board_the_interval_is_the_bounds() -> None:
    figure = always_valid({}, BOUNDS)
    assert (figure.low, figure.high, figure.boards) == (-4.0, 4.0, 0)


def test_the_interval_ends_where_the_bets_reach_their_limit() -> None:
    counts = {0.0: 300, 0.5: 40, 1.0: 20, -0.5: 30, -2.0: 2}
    figure = always_valid(counts, BOUNDS)
    assert log_stake(counts, figure.low, BOUNDS)[0] == pytest.approx(log(40), abs=0.01)
    assert log_stake(counts, figure.high, BOUNDS)[1] == pytest.approx(log(40), abs=0.01)
    assert figure.low < figure.mean < figure.high


def test_the_order_of_the_boards_changes_nothing() -> None:
    scores = [0, 1, 0, -0.5, 2, 0, 0]
    assert watched(scores, BOUNDS)[-1] == watched(scores[::-1], BOUNDS)[-1]


def test_a_look_every_ten_boards_ends_with_the_last_board() -> None:
    assert [figure.boards for figure in watched([0] * 25, BOUNDS, every=10)] == [10, 20, 25]


@pytest.mark.parametrize("score", [-4.0, 4.0, 0.0])
def test_boards_that_are_all_alike_are_watched_to_the_end(score: float) -> None:
    wide, close = (always_valid({score: count}, BOUNDS) for count in (20, 20_000))
    assert -4.0 <= wide.low <= close.low <= score <= close.high <= wide.high <= 4.0
    assert close.high - close.low < 0.05
    assert (close.note is Note.LEVEL_BOARDS) == (score == 0.0)


def test_a_score_outside_the_bounds_is_refused() -> None:
    with pytest.raises(StatisticsError, match=r"outside the bounds -4 to 4: 4\.5"):
        always_valid({4.5: 1}, BOUNDS)


def test_bounds_that_hold_nothing_are_refused() -> None:
    with pytest.raises(StatisticsError, match="bounds must rise"):
        Bounds(2.0, 2.0)


def test_a_board_swings_as_far_as_a_deal_can_pay() -> None:
    assert swing_bounds(preset("standard")) == Bounds(-4.0, 4.0)
    assert swing_bounds(RuleSet(points_lone_march=5)) == Bounds(-5.0, 5.0)


def test_the_likeliest_probabilities_have_the_mean_that_was_asked() -> None:
    weights = {-1.0: 3.0, 0.0: 80.0, 0.5: 10.0, 2.0: 1.0}
    chances = likeliest(weights, 0.3)
    assert sum(chances.values()) == pytest.approx(1.0)
    assert sum(value * chance for value, chance in chances.items()) == pytest.approx(0.3)


def test_the_likeliest_probabilities_at_the_sample_mean_are_the_shares() -> None:
    chances = likeliest({-1.0: 1.0, 0.0: 2.0, 1.0: 1.0}, 0.0)
    assert chances == pytest.approx({-1.0: 0.25, 0.0: 0.5, 1.0: 0.25})


def test_exchanged_hypotheses_turn_the_sign_of_the_ratio() -> None:
    mirrored = Sprt(m0=-0.1, m1=0.0, bounds=BOUNDS)
    counts = {0.0: 50, 0.5: 9, -1.0: 3}
    turned = {-value: count for value, count in counts.items()}
    assert TEST.ratio(counts) == pytest.approx(-mirrored.ratio(turned))


def test_no_verdict_is_given_before_sixteen_boards() -> None:
    assert TEST.verdict({4.0: 15}) is Verdict.CONTINUE


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        (0.0, Verdict.H0),
        (4.0, Verdict.H1),
        (-4.0, Verdict.H0),
        (0.5, Verdict.H1),
        (0.1, Verdict.H1),
    ],
)
def test_lopsided_boards_end_in_a_verdict(score: float, verdict: Verdict) -> None:
    counts: Counter[float] = Counter()
    while TEST.verdict(counts) is Verdict.CONTINUE:
        counts[score] += 1
        assert counts.total() < 2_000
    assert TEST.verdict(counts) is verdict


@pytest.mark.parametrize(("m0", "m1"), [(0.1, 0.0), (0.1, 0.1), (0.0, 4.0), (-9.0, 0.0)])
def test_means_that_do_not_rise_within_the_bounds_are_refused(m0: float, m1: float) -> None:
    with pytest.raises(StatisticsError, match="the means of an SPRT must rise"):
        Sprt(m0=m0, m1=m1, bounds=BOUNDS)


@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.05), (0.5, 0.5), (0.05, 1.2)])
def test_chances_of_error_that_leave_no_room_are_refused(alpha: float, beta: float) -> None:
    with pytest.raises(StatisticsError, match=r"alpha|beta"):
        Sprt(m0=0.0, m1=0.1, bounds=BOUNDS, alpha=alpha, beta=beta)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(StatisticsError, match=r"a count is negative: -1 of 0\.5"):
        TEST.ratio({0.0: 20, 0.5: -1})


def test_a_hundred_streams_never_leave_the_mean_out_too_often() -> None:
    assert watching_misses(Case("measured", 0.8, 100, 100)) <= 0.05


@pytest.mark.parametrize("mean", [0.0, 0.1])
def test_a_hundred_tests_err_no_oftener_than_was_asked(mean: float) -> None:
    assert sprt_errs(Case("measured", 0.8, 0, 100, mean), 0.1)[0] <= 0.05


@pytest.mark.heavy
def test_a_thousand_streams_leave_the_mean_out_in_five_of_a_hundred_at_most() -> None:
    assert watching_misses(Case("skewed", 0.8, 100, 1_000)) <= 0.05


@pytest.mark.heavy
@pytest.mark.parametrize("mean", [0.0, 0.1])
@pytest.mark.parametrize("shape", ["measured", "even", "skewed"])
def test_the_sprt_errs_within_its_bounds_at_ties_of_80_percent(shape: str, mean: float) -> None:
    assert sprt_errs(Case(shape, 0.8, 0, 300, mean), 0.1)[0] <= 0.05
