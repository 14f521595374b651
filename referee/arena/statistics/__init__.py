"""What scores say: intervals, sequential tests, ratings, boards needed, swings, plots (pure)."""

from referee.arena.statistics.bootstrap import boards_apart, cluster_scores, mean_interval
from referee.arena.statistics.figures import (
    LEVEL,
    Column,
    Figure,
    FixedFigure,
    MixedFiguresError,
    Note,
    SprtFigure,
    StatisticsError,
    TooFewBoardsError,
    WatchedFigure,
    column,
)
from referee.arena.statistics.needed import (
    USUAL_VARIANCE,
    board_variance,
    boards_needed,
    smallest_difference,
)
from referee.arena.statistics.paired import Comparison, compare
from referee.arena.statistics.plots import boards_plot, standings_plot
from referee.arena.statistics.ratings import Meeting, Rating, Ratings, meeting, ratings
from referee.arena.statistics.sequential import after_sprt
from referee.arena.statistics.sprt import Sprt, Verdict
from referee.arena.statistics.swings import Swing, SwingReport, swing_report
from referee.arena.statistics.watch import Bounds, always_valid, swing_bounds, watched

__all__ = [
    "LEVEL",
    "USUAL_VARIANCE",
    "Bounds",
    "Column",
    "Comparison",
    "Figure",
    "FixedFigure",
    "Meeting",
    "MixedFiguresError",
    "Note",
    "Rating",
    "Ratings",
    "Sprt",
    "SprtFigure",
    "StatisticsError",
    "Swing",
    "SwingReport",
    "TooFewBoardsError",
    "Verdict",
    "WatchedFigure",
    "after_sprt",
    "always_valid",
    "board_variance",
    "boards_apart",
    "boards_needed",
    "boards_plot",
    "cluster_scores",
    "column",
    "compare",
    "mean_interval",
    "meeting",
    "ratings",
    "smallest_difference",
    "standings_plot",
    "swing_bounds",
    "swing_report",
    "watched",
]
