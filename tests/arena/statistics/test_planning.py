from random import Random

import pytest

from benchmarks.coverage import Case, needed_ratio
from benchmarks.populations import Population
from referee.arena.statistics import (
    FixedFigure,
    MixedFiguresError,
    SprtFigure,
    StatisticsError,
    board_variance,
    boards_needed,
    column,
    compare,
    smallest_difference,
)

FIXED = FixedFigure(mean=0.1, low=0.0, high=0.2, boards=100)
AFTER = SprtFigure(mean=0.1, low=0.0, high=0.2, boards=80)


def test_half_the_difference_takes_four_times_the_boards() -> None:
    assert boards_needed(0.05) / boards_needed(0.1) == pytest.approx(4.0, rel=0.02)


def test_the_side_that_is_stronger_does_not_matter() -> None:
    assert boards_needed(-0.2) == boards_needed(0.2)


def test_a_huge_difference_still_takes_the_boards_of_an_interval() -> None:
    assert boards_needed(4.0, variance=0.01) == 12


def test_the_smallest_difference_is_the_one_that_needs_the_boards() -> None:
    assert boards_needed(smallest_difference(500)) in {500, 501}


def test_no_boards_show_no_difference() -> None:
    with pytest.raises(StatisticsError, match=r"a difference of 0\.0 "):
        boards_needed(0.0)


def test_a_variance_of_nothing_is_refused() -> None:
    with pytest.raises(StatisticsError, match="variance of a board must be above 0"):
        boards_needed(0.1, variance=board_variance([0] * 20))


def test_eleven_boards_show_nothing() -> None:
    with pytest.raises(StatisticsError, match="so few boards show nothing: 11"):
        smallest_difference(11)


def test_the_variance_of_an_earlier_event_is_that_of_its_boards() -> None:
    assert board_variance([1, -1] * 10) == pytest.approx(20 / 19)


def test_boards_that_go_together_count_for_more_variance() -> None:
    scores = [1.0] * 4 + [-1.0] * 4 + [0.0] * 4 + [1.0] * 4
    clusters = [number // 4 for number in range(16)]
    assert board_variance(scores, clusters) > 3 * board_variance(scores)


def test_figures_of_one_kind_make_a_column_that_says_which() -> None:
    cells = column([FIXED, FIXED])
    assert cells.heading == "points per deal, 95% interval (fixed number of boards)"
    assert cells.cells == ("+0.100 [+0.000, +0.200]",) * 2
    assert "adjusted for the SPRT" in column([AFTER]).heading


def test_plain_and_adjusted_figures_never_share_a_column() -> None:
    mixed = [FIXED, AFTER]
    with pytest.raises(MixedFiguresError, match="adjusted for the SPRT"):
        column(mixed)  # type: ignore[type-var]


def test_figures_of_two_levels_never_share_a_column() -> None:
    other = FixedFigure(mean=0.1, low=0.0, high=0.2, boards=100, level=0.9)
    with pytest.raises(MixedFiguresError, match=r"at 90% and .* at 95%"):
        column([FIXED, other])


def test_a_column_of_nothing_is_refused() -> None:
    empty: list[FixedFigure] = []
    with pytest.raises(StatisticsError, match="a column of no figures"):
        column(empty)


def test_the_luck_of_the_cards_goes_out_of_a_comparison_on_the_same_decks() -> None:
    rng = Random(3)
    luck = {f"deck {number}": rng.choice([-2.0, 0.0, 2.0]) for number in range(100)}
    second = {deck: score + (0.5 if rng.random() < 0.5 else 0.0) for deck, score in luck.items()}
    second["another"] = 4.0
    found = compare(luck, second, Random(4))
    assert found.difference is not None
    assert found.difference.low > 0.1
    assert found.mean == found.difference.mean == pytest.approx(found.second - found.first)
    assert (found.decks, found.unpaired) == (100, 1)
    assert found.changed == round(100 * found.mean * 2)


def test_two_runs_that_differ_in_nothing_differ_by_zero() -> None:
    scores = {f"deck {number}": 0.5 for number in range(10)}
    found = compare(scores, scores, Random(4), clusters=dict(zip(scores, range(10), strict=True)))
    assert (found.mean, found.difference, found.changed) == (0.0, None, 0)
    assert "0 of 10 differ" in found.missing


def test_runs_with_no_deck_in_common_cannot_be_compared() -> None:
    with pytest.raises(StatisticsError, match="no deck was played under both"):
        compare({"a": 1}, {"b": 1}, Random(1))


def test_few_decks_that_came_out_otherwise_give_a_mean_without_an_interval() -> None:
    first = {f"deck {number}": 0.0 for number in range(40)}
    second = {deck: 1.0 if deck in {"deck 3", "deck 5"} else 0.0 for deck in first}
    found = compare(first, second, Random(1))
    assert found.mean == pytest.approx(0.05)
    assert found.text == (
        "+0.050, too few boards for an interval: 2 of 40 differ from the commonest score (it takes"
        " 12 or more)"
    )


def test_a_deck_without_a_cluster_is_named() -> None:
    scores = {f"deck {number}": 0.5 for number in range(9)}
    with pytest.raises(StatisticsError, match="no cluster is named for deck 'deck 0'"):
        compare(scores, scores, Random(1), clusters={})


def test_a_tilted_population_has_the_mean_that_was_asked() -> None:
    assert Population("skewed", 0.8, 0.1).mean == pytest.approx(0.1)


@pytest.mark.heavy
def test_boards_needed_are_right_within_15_percent() -> None:
    assert 0.85 <= needed_ratio(Case("measured", 0.8, 0, 300, 0.2), 0.9) <= 1.15
