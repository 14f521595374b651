"""A figure with its interval, and how it came about; columns never mix kinds."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar, Final, TypeAlias, TypeVar

from referee.errors import RefereeError

Number: TypeAlias = float | Fraction
"""Points per deal: exact where they come from a board."""

LEVEL: Final = 0.95


class StatisticsError(RefereeError, ValueError):
    """Figures that cannot be worked out from what was given."""


class TooFewBoardsError(StatisticsError):
    """An interval was asked of so few boards that it would not be true."""


class MixedFiguresError(StatisticsError):
    """Figures of different kinds in one column."""


class Note(StrEnum):
    """What a reader must know of a figure beside its interval."""

    NONE = ""
    LEVEL_BOARDS = "every board was level"
    AT_THE_EDGE = "the interval reaches as far as was searched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean in points per deal with an interval at a level (0.95 is 95 %), over so many boards.

    Never made itself: the class of a figure is how it came about.
    """

    mean: float
    low: float
    high: float
    boards: int
    level: float = LEVEL
    note: Note = Note.NONE
    how: ClassVar[str] = ""

    @property
    def text(self) -> str:
        """The figure as a table has it: mean, then interval."""
        said = f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"
        return f"{said} ({self.note})" if self.note else said


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedFigure(Figure):
    """Of a number of boards that was fixed before the first was played."""

    how: ClassVar[str] = "fixed number of boards"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedFigure(Figure):
    """True at every moment at once, so it may be watched and play be stopped on it."""

    how: ClassVar[str] = "always valid"


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtFigure(Figure):
    """Adjusted for an SPRT that chose when to stop: median unbiased."""

    how: ClassVar[str] = "adjusted for the SPRT"


Kind = TypeVar("Kind", FixedFigure, WatchedFigure, SprtFigure)


@dataclass(frozen=True, slots=True)
class Column:
    """Figures of one kind under a heading that says which."""

    heading: str
    cells: tuple[str, ...]


def column(figures: Sequence[Kind]) -> Column:
    """Figures of one kind as a column of text.

    Raises `MixedFiguresError` where the kinds or the levels differ, and `StatisticsError` of none.
    """
    if not figures:
        raise StatisticsError("a column of no figures has no heading (give at least one)")
    kinds = {(figure.how, figure.level) for figure in figures}
    if len(kinds) > 1:
        said = " and ".join(sorted(f"{how!r} at {level:.0%}" for how, level in kinds))
        raise MixedFiguresError(
            f"one column cannot hold figures of different kinds: {said} (give each its own column)"
        )
    first = figures[0]
    heading = f"points per deal, {first.level:.0%} interval ({first.how})"
    return Column(heading, tuple(figure.text for figure in figures))


def checked(scores: Sequence[Number], least: int) -> tuple[float, ...]:
    """The scores as floats; refused where one is no number or where they are fewer than `least`."""
    values = tuple(float(score) for score in scores)
    for place, value in enumerate(values):
        if not abs(value) < float("inf"):
            raise StatisticsError(
                f"score {place + 1} is no number of points: {value!r} (leave void boards out)"
            )
    if len(values) < least:
        raise TooFewBoardsError(
            f"too few boards for an interval: {len(values)} (it takes {least} or more)"
        )
    return values


def check_share(name: str, value: float) -> float:
    """A probability that is neither 0 nor 1; refused otherwise."""
    if not 0.0 < value < 1.0:
        raise StatisticsError(f"{name} must lie between 0 and 1: {value!r} (as 0.95)")
    return value
