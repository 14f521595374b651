"""Drawings of the standings' intervals and of the points per board (SVG).

Each holds its exact numbers in `data-` attributes, so what is drawn can be recomputed.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final
from xml.etree.ElementTree import Element

from referee.arena.statistics.figures import (
    Figure,
    Kind,
    Number,
    StatisticsError,
    WatchedFigure,
    checked,
    column,
)
from referee.arena.statistics.svg import (
    LEFT,
    LINE,
    RIGHT,
    Axis,
    drawing,
    name_lines,
    percent,
    put,
    text_of,
)

_BAR: Final = 14
_GAP: Final = 8
_HEIGHT: Final = 220
_TOP: Final = 24
_WIDE: Final = 1000
"""The width inside the part that is stretched."""
_MOST_POINTS: Final = 400
_FAINT: Final = 0.35


def standings_plot(
    rows: Sequence[tuple[str, Kind]],
    *,
    title: str = "Points per deal, with intervals",
    ident: str = "standings",
) -> str:
    """The intervals of the entries one under the other, in the order given.

    `ident` begins the ids in the drawing: another for each drawing of a page. Raises
    `MixedFiguresError` where the figures are of different kinds.
    """
    heading = column([figure for _, figure in rows]).heading
    axis = Axis([0.0, *(v for _, f in rows for v in (f.low, f.mean, f.high))], LEFT, RIGHT)
    names = [name_lines(name) for name, _ in rows]
    body = sum(len(lines) * LINE + LINE + _BAR + _GAP for lines in names)
    height = _TOP + body + 2 * LINE
    best = rows[0]
    root = drawing(ident, title, f"{heading}; {best[0]}: {best[1].text}", height)
    put(root, "text", heading, x=0, y=12, opacity=0.75)
    _across(root, axis, _TOP, _TOP + body)
    down = _TOP
    for (name, figure), lines in zip(rows, names, strict=True):
        group = put(
            root,
            "g",
            data_entry=name,
            data_mean=repr(figure.mean),
            data_low=repr(figure.low),
            data_high=repr(figure.high),
            data_boards=str(figure.boards),
            data_how=figure.how,
        )
        put(group, "title", f"{name}: {figure.text}, {figure.boards} boards")
        for line in lines:
            down += LINE
            put(group, "text", line, x=0, y=down - 4, font_weight="bold")
        down += LINE
        put(group, "text", figure.text.split(" (")[0], x=0, y=down - 4)
        _error_bar(group, axis, figure, down + _BAR / 2)
        down += _BAR + _GAP
    return text_of(root)


def _error_bar(group: Element, axis: Axis, figure: Figure, down: float) -> None:
    ends = percent(axis.at(figure.low)), percent(axis.at(figure.high))
    stroke = "currentColor"
    put(group, "line", x1=ends[0], x2=ends[1], y1=down, y2=down, stroke=stroke, stroke_width=2)
    for end in ends:
        put(group, "line", x1=end, x2=end, y1=down - 4, y2=down + 4, stroke=stroke, stroke_width=2)
    put(group, "circle", cx=percent(axis.at(figure.mean)), cy=down, r=4)


def _across(root: Element, axis: Axis, top: float, bottom: float) -> None:
    """The lines and numbers of an axis from left to right; the line of 0 is the strong one."""
    for place, shown in axis.ticks():
        put(
            root,
            "line",
            x1=percent(place),
            x2=percent(place),
            y1=top,
            y2=bottom,
            stroke="currentColor",
            opacity=0.15 if shown.strip("0.") else 0.6,
        )
        put(root, "text", shown, x=percent(place), y=bottom + LINE, text_anchor="middle")


def boards_plot(
    scores: Sequence[Number],
    band: Sequence[WatchedFigure] = (),
    *,
    title: str = "Points per board",
    ident: str = "boards",
) -> str:
    """One entry's score at every board, the mean so far, and the band that is valid throughout.

    `band` is what `watched` gives. The scores stand in `data-scores`, as exact as they came.
    """
    values = checked(scores, 1)
    figures = _thinned(band)
    if any(figure.boards > len(values) for figure in figures):
        raise StatisticsError(
            f"the band is of {figures[-1].boards} boards and there are {len(values)} scores"
            " (make both from the same boards)"
        )
    bottom = _TOP + _HEIGHT
    down = Axis([0.0, *values], bottom, _TOP)
    means = [total / n for n, total in enumerate(accumulate(values), start=1)]
    description = (
        f"{len(values)} boards, of which {sum(v != 0.0 for v in values)} were not level;"
        f" the mean is {means[-1]:+.3f} points per deal"
    )
    root = drawing(ident, title, description, bottom + 2 * LINE + 4)
    put(root, "text", _legend(figures), x=0, y=12, opacity=0.75)
    _down(root, down)
    _curves(root, down, means, figures)
    dots = put(root, "g", data_scores=" ".join(str(score) for score in scores))
    for number, (score, value) in enumerate(zip(scores, values, strict=True), start=1):
        if value:
            place = percent(LEFT + (RIGHT - LEFT) * (number - 0.5) / len(values))
            dot = put(dots, "circle", cx=place, cy=round(down.at(value), 2), r=3, opacity=0.7)
            put(dot, "title", f"board {number}: {score}")
    foot = bottom + LINE + 4
    put(root, "text", "board 1", x=percent(LEFT), y=foot)
    put(root, "text", f"board {len(values)}", x=percent(RIGHT), y=foot, text_anchor="end")
    return text_of(root)


def _legend(figures: Sequence[WatchedFigure]) -> str:
    if not figures:
        return "dots: boards; line: mean so far"
    return f"dots: boards; line: mean so far; band: {figures[-1].level:.0%}, {figures[-1].how}"


def _thinned(band: Sequence[WatchedFigure]) -> Sequence[WatchedFigure]:
    """Few enough figures to draw, with the last among them."""
    step = 1 + len(band) // _MOST_POINTS
    return [*band[:-1:step], *band[-1:]]


def _down(root: Element, axis: Axis) -> None:
    for place, shown in axis.ticks():
        put(
            root,
            "line",
            x1=percent(LEFT),
            x2=percent(RIGHT),
            y1=place,
            y2=place,
            stroke="currentColor",
            opacity=0.15 if shown.strip("0.") else 0.6,
        )
        put(root, "text", shown, x=percent(LEFT - 0.7), y=place + 4, text_anchor="end")


def _curves(
    root: Element, axis: Axis, means: Sequence[float], figures: Sequence[WatchedFigure]
) -> None:
    """The mean so far and the band, in a part that is stretched to the page's width."""
    bottom = _TOP + _HEIGHT
    part = put(
        root,
        "svg",
        x=percent(LEFT),
        y=_TOP,
        width=percent(RIGHT - LEFT),
        height=_HEIGHT,
        viewBox=f"0 {_TOP} {_WIDE} {bottom - _TOP}",
        preserveAspectRatio="none",
    )

    def point(board: int, value: float) -> str:
        inside = min(max(value, axis.low), axis.high)
        return f"{_WIDE * (board - 0.5) / len(means):.2f},{axis.at(inside):.2f}"

    if figures:
        upper = [point(figure.boards, figure.high) for figure in figures]
        lower = [point(figure.boards, figure.low) for figure in reversed(figures)]
        last = figures[-1]
        put(
            part,
            "polygon",
            points=" ".join([*upper, *lower]),
            opacity=_FAINT / 2,
            data_low=repr(last.low),
            data_high=repr(last.high),
        )
    step = 1 + len(means) // (2 * _MOST_POINTS)
    boards = [*range(1, len(means), step), len(means)]
    put(
        part,
        "polyline",
        points=" ".join(point(board, means[board - 1]) for board in boards),
        fill="none",
        stroke="currentColor",
        stroke_width=2,
        vector_effect="non-scaling-stroke",
        data_mean=repr(means[-1]),
    )
