import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from referee.arena.statistics import (
    Bounds,
    FixedFigure,
    MixedFiguresError,
    SprtFigure,
    StatisticsError,
    boards_plot,
    standings_plot,
    watched,
)
from referee.arena.statistics.svg import Axis

SVG = "{http://www.w3.org/2000/svg}"
FIGURE = FixedFigure(mean=0.1, low=-0.05, high=0.25, boards=100)
SCORES = (Fraction(1, 2), Fraction(0), Fraction(-3, 2), Fraction(0), Fraction(1))


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def test_the_standings_hold_the_exact_numbers() -> None:
    figure = FixedFigure(mean=1 / 3, low=-0.1, high=2 / 3, boards=77)
    group = next(one for one in parsed(standings_plot([("ann", figure)])).iter(f"{SVG}g"))
    assert float(group.attrib["data-mean"]) == figure.mean
    assert float(group.attrib["data-low"]) == figure.low
    assert float(group.attrib["data-high"]) == figure.high
    assert group.attrib["data-boards"] == "77"


def test_the_dots_stand_where_their_figures_are() -> None:
    rows = [("ann", FIGURE), ("ben", FixedFigure(mean=-0.1, low=-0.25, high=0.05, boards=100))]
    ann, ben = (
        float(c.attrib["cx"].rstrip("%")) for c in parsed(standings_plot(rows)).iter(f"{SVG}circle")
    )
    assert 0 < ben < ann < 100


@pytest.mark.parametrize("name", ["<b>&\"'", "W" * 200, "a\x00b", "", "名前" * 30, "two  words"])
def test_any_name_makes_valid_xml_in_lines_that_fit(name: str) -> None:
    root = parsed(standings_plot([(name, FIGURE)]))
    lines = [text.text or "" for text in root.iter(f"{SVG}text")][1:]
    assert max(len(line) for line in lines) <= 24 + 8
    assert all(
        float(text.attrib["y"]) < float(root.attrib["height"]) for text in root.iter(f"{SVG}text")
    )


def test_a_drawing_has_a_title_and_a_description_that_it_points_to() -> None:
    root = parsed(standings_plot([("ann", FIGURE)], title="Round 3", ident="r3"))
    ids = {child.attrib.get("id"): child.text for child in root}
    assert root.attrib["aria-labelledby"].split() == ["r3-title", "r3-desc"]
    assert ids["r3-title"] == "Round 3"
    assert "ann: +0.100" in (ids["r3-desc"] or "")


@pytest.mark.parametrize(
    "text",
    [standings_plot([("ann", FIGURE)]), boards_plot(SCORES, watched(SCORES, Bounds(-4.0, 4.0)))],
)
def test_a_drawing_fetches_nothing_and_takes_the_color_of_its_page(text: str) -> None:
    assert text.count("http") == 1
    assert "href" not in text
    assert "url(" not in text
    assert "#" not in text
    assert "currentColor" in text


def test_plain_and_adjusted_figures_never_share_a_drawing() -> None:
    mixed = [("ann", FIGURE), ("ben", SprtFigure(mean=0.1, low=0.0, high=0.2, boards=80))]
    with pytest.raises(MixedFiguresError):
        standings_plot(mixed)  # type: ignore[type-var]


def test_the_boards_hold_the_exact_scores() -> None:
    root = parsed(boards_plot(SCORES))
    told = next(one.attrib["data-scores"] for one in root.iter(f"{SVG}g"))
    assert tuple(Fraction(score) for score in told.split()) == SCORES
    line = next(root.iter(f"{SVG}polyline"))
    assert float(line.attrib["data-mean"]) == 0.0


def test_boards_that_were_not_level_have_a_dot_with_a_title() -> None:
    titles = [
        dot.findtext(f"{SVG}title") for dot in parsed(boards_plot(SCORES)).iter(f"{SVG}circle")
    ]
    assert titles == ["board 1: 1/2", "board 3: -3/2", "board 5: 1"]


def test_the_band_ends_in_the_last_interval() -> None:
    band = watched(SCORES, Bounds(-4.0, 4.0), every=2)
    polygon = next(parsed(boards_plot(SCORES, band)).iter(f"{SVG}polygon"))
    assert float(polygon.attrib["data-low"]) == band[-1].low
    assert float(polygon.attrib["data-high"]) == band[-1].high


def test_a_long_event_is_drawn_with_few_points() -> None:
    scores = [0.0] * 9_999 + [1.0]
    line = next(parsed(boards_plot(scores)).iter(f"{SVG}polyline"))
    assert len(line.attrib["points"].split()) < 1_000


@pytest.mark.parametrize("scores", [(0,), (0, 0, 0), (2, 2)])
def test_boards_that_are_all_alike_can_be_drawn(scores: tuple[int, ...]) -> None:
    assert parsed(boards_plot(scores)).tag == f"{SVG}svg"


def test_no_boards_cannot_be_drawn() -> None:
    with pytest.raises(StatisticsError, match="too few boards"):
        boards_plot(())


def test_a_band_of_other_boards_is_refused() -> None:
    with pytest.raises(StatisticsError, match="the band is of 5 boards and there are 2 scores"):
        boards_plot(SCORES[:2], watched(SCORES, Bounds(-4.0, 4.0)))


def test_an_axis_has_round_numbers_and_one_zero() -> None:
    shown = [text for _, text in Axis([-0.31, 0.0, 0.24], 0.0, 100.0).ticks()]
    assert shown == ["\N{MINUS SIGN}0.4", "\N{MINUS SIGN}0.2", "0.0", "0.2", "0.4"]
