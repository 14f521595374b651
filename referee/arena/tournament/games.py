"""Games over a duplicate stream of boards: each table goes on from board to board to the target.

Both tables of an encounter play the same boards in the same order. At each table a game begins at
0-0, ends with the board that brings a side to the target, and the next one begins with the board
after it; the last one of a stream may stay unfinished, and counts for nobody.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.sealing.parts import Pair

NO_SCORE = Pair(0, 0)


@dataclass(frozen=True, slots=True)
class TableGames:
    """A table's games: the score of the one that goes on, and how many each side has won."""

    score: Pair = NO_SCORE
    won: Pair = NO_SCORE

    def after(self, points: Pair, target: int) -> "TableGames":
        """The games after another board.

        >>> TableGames(Pair(4, 3)).after(Pair(2, 0), 5)
        TableGames(score=Pair(ns=0, ew=0), won=Pair(ns=1, ew=0))
        """
        ns, ew = self.score.ns + points.ns, self.score.ew + points.ew
        if max(ns, ew) < target:
            return TableGames(Pair(ns, ew), self.won)
        won = Pair(self.won.ns + (ns > ew), self.won.ew + (ew > ns))
        return TableGames(NO_SCORE, won)


def stream(boards: Sequence[Sequence[Pair]], tables: int, target: int) -> tuple[TableGames, ...]:
    """Every table's games after some boards, each with the points at each table.

    >>> [t.score.ns for t in stream([(Pair(1, 0), Pair(0, 2)), (Pair(1, 0), Pair(1, 0))], 2, 10)]
    [2, 1]
    """
    games = [TableGames() for _ in range(tables)]
    for points in boards:
        games = [game.after(pair, target) for game, pair in zip(games, points, strict=True)]
    return tuple(games)
