"""Which boards decided: the largest swings in words, and whether a few of them made the result."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.arena.statistics.figures import StatisticsError
from referee.arena.tournament.model import BoardKey, BoardPlayed, Seating


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """A board that was not level: an entry's score, and what happened at each table in words."""

    key: BoardKey
    id: str
    score: Fraction
    against: tuple[str, ...]
    tables: tuple[str, ...]

    @property
    def text(self) -> str:
        """The swing in one sentence a table."""
        where = f"round {self.key.round}, encounter {self.key.encounter}, board {self.key.board}"
        points = "point" if abs(self.score) == 1 else "points"
        head = f"{where}: {_signed(self.score)} {points} per deal against {_listed(self.against)}"
        return "; ".join((head, *self.tables))


@dataclass(frozen=True, slots=True, kw_only=True)
class SwingReport:
    """An entry's boards: `swings` are those that were not level, the largest first.

    `without_low` and `without_high` are the least and the most that the mean becomes when any one
    board is left out; `turned_by` is how many of the boards that favoured the sign of the mean have
    to be left out, the largest first, until the sign is gone (0: the mean is 0).
    """

    entry: str
    boards: int
    void: int
    mean: Fraction
    swings: tuple[Swing, ...]
    without_low: Fraction
    without_high: Fraction
    turned_by: int

    def share(self, top: int) -> Fraction:
        """What part of all points that changed hands the largest `top` swings made."""
        total = sum((abs(swing.score) for swing in self.swings), Fraction(0))
        if not total:
            return Fraction(0)
        return sum((abs(swing.score) for swing in self.swings[:top]), Fraction(0)) / total

    @property
    def sign_holds(self) -> bool:
        """Whether the mean keeps its sign whichever one board is left out."""
        return self.without_low > 0 or self.without_high < 0


def swing_report(boards: Sequence[BoardPlayed], entry: str) -> SwingReport:
    """The report of one entry over the boards it played; void boards are counted and left out.

    Raises `StatisticsError` where it has finished none.
    """
    own = [board for board in boards if any(entry in seating for seating in board.seatings)]
    played = [board for board in own if not board.void]
    if not played:
        raise StatisticsError(
            f"entry {entry!r} has finished no board (the names are those of the tournament file)"
        )
    scores = [board.scores[entry] for board in played]
    total, count = sum(scores, Fraction(0)), len(scores)
    others = [(total - score) / (count - 1) if count > 1 else Fraction(0) for score in scores]
    swings = [
        _swing(board, entry, score) for board, score in zip(played, scores, strict=True) if score
    ]
    swings.sort(key=lambda swing: (-abs(swing.score), swing.key))
    return SwingReport(
        entry=entry,
        boards=count,
        void=len(own) - count,
        mean=total / count,
        swings=tuple(swings),
        without_low=min(others),
        without_high=max(others),
        turned_by=_turned_by(scores, total),
    )


def _turned_by(scores: Sequence[Fraction], total: Fraction) -> int:
    sign = (total > 0) - (total < 0)
    if not sign:
        return 0
    rest, removed = total * sign, 0
    for score in sorted((score * sign for score in scores), reverse=True):
        if rest <= 0:
            break
        rest -= score
        removed += 1
    return removed


def _swing(board: BoardPlayed, entry: str, score: Fraction) -> Swing:
    outcomes = board.outcomes or ("",) * len(board.seatings)
    tables = [
        _table(number, seating, entry, (pair.ns, pair.ew), outcome)
        for number, (seating, pair, outcome) in enumerate(
            zip(board.seatings, board.points, outcomes, strict=True), start=1
        )
        if entry in seating
    ]
    names = dict.fromkeys(name for seating in board.seatings for name in seating)
    return Swing(
        key=board.key,
        id=board.id,
        score=score,
        against=tuple(name for name in names if name != entry),
        tables=tuple(tables),
    )


def _table(number: int, seating: Seating, entry: str, points: tuple[int, int], outcome: str) -> str:
    seat = seating.index(entry)
    side = ("north-south", "east-west")[seat & 1]
    partner = seating[seat ^ 2]
    beside = "" if partner == entry else f" with {partner}"
    how = f" ({outcome.replace('_', ' ')})" if outcome else ""
    own, other = points[seat & 1], points[1 - (seat & 1)]
    return f"table {number} as {side}{beside}: {own} to {other}{how}"


def _signed(score: Fraction) -> str:
    return f"{float(score):+g}"


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
