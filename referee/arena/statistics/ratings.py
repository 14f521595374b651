"""Ratings from pairs of entries: Bradley and Terry's model with Davidson's ties.

An entry has a strength; the chances that a board between two is won, lost or level follow from the
difference of their strengths and from one number for how often boards are level. Strengths have a
normal prior around the middle of the field, so an entry that never lost, or never met the others,
still has a finite rating with an interval as wide as that deserves. The likelihood is concave, and
Newton's method finds its peak.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Final

from referee.arena.statistics.figures import LEVEL, Number, StatisticsError, check_share

SCALE: Final = 400 / log(10)
"""Rating points a unit of strength: 400 points are odds of ten to one, as in chess."""
_SPREAD: Final = 1.5
"""Of the prior, in units of strength: odds of 90 to 1 between entries are not thought odd."""
_TIES_SPREAD: Final = 5.0
_STEPS: Final = 100
_CLOSE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Meeting:
    """How many boards of two entries the first won, the second won, and were level."""

    first: str
    second: str
    won: int
    lost: int
    level: int

    def __post_init__(self) -> None:
        """Refuse an entry against itself, and counts below 0."""
        if self.first == self.second:
            raise StatisticsError(
                f"an entry cannot meet itself: {self.first!r} (name two different entries)"
            )
        if min(self.won, self.lost, self.level) < 0:
            raise StatisticsError(
                f"a count of {self.first!r} against {self.second!r} is negative: {self.won},"
                f" {self.lost}, {self.level} (count boards from 0)"
            )


def meeting(first: str, second: str, scores: Iterable[Number]) -> Meeting:
    """The meeting of two entries by the first one's scores on their boards."""
    signs = [(score > 0) - (score < 0) for score in scores]
    return Meeting(first, second, signs.count(1), signs.count(-1), signs.count(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """An entry's rating and interval on the scale of chess, where the mean of the field is 0.

    `group` numbers the parts of the field, from 0, of which no entry has met one of another: only
    the prior tells their ratings apart.
    """

    entry: str
    rating: float
    low: float
    high: float
    boards: int
    group: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The field, best first, and the chance that a board of two equal entries is level."""

    ratings: tuple[Rating, ...]
    level_boards: float
    level: float


def ratings(
    meetings: Sequence[Meeting], entries: Sequence[str] = (), *, level: float = LEVEL
) -> Ratings:
    """The ratings of all who met, and of further entries that have not met anybody yet.

    Raises `StatisticsError` where there is nobody to rate.
    """
    check_share("the level", level)
    names = list(dict.fromkeys((*entries, *(n for m in meetings for n in (m.first, m.second)))))
    if not names:
        raise StatisticsError("there is nobody to rate (give a meeting of two entries)")
    place = {name: number for number, name in enumerate(names)}
    found = _Fit(len(names), [_Counts.of(m, place) for m in meetings])
    mean = sum(found.strengths) / len(names)
    reach = NormalDist().inv_cdf((1 + level) / 2)
    played = [0] * len(names)
    for one in meetings:
        for name in (one.first, one.second):
            played[place[name]] += one.won + one.lost + one.level
    groups = _groups(names, meetings)
    rated = [
        Rating(
            entry=name,
            rating=SCALE * (strength - mean),
            low=SCALE * (strength - mean - reach * error),
            high=SCALE * (strength - mean + reach * error),
            boards=boards,
            group=group,
        )
        for name, strength, error, boards, group in zip(
            names, found.strengths, found.errors(), played, groups, strict=True
        )
    ]
    rated.sort(key=lambda one: (-round(one.rating, 6), one.entry))
    odds = exp(found.ties)
    return Ratings(ratings=tuple(rated), level_boards=odds / (2 + odds), level=level)


@dataclass(frozen=True, slots=True)
class _Counts:
    first: int
    second: int
    won: int
    lost: int
    level: int

    @classmethod
    def of(cls, one: Meeting, place: dict[str, int]) -> "_Counts":
        return cls(place[one.first], place[one.second], one.won, one.lost, one.level)

    @property
    def boards(self) -> int:
        return self.won + self.lost + self.level


class _Fit:
    """The likeliest strengths: the last parameter is the logarithm of Davidson's number of ties.

    A board's chances are proportional to exp(a), exp(b) and exp(ties + (a + b) / 2).
    """

    def __init__(self, size: int, counts: Sequence[_Counts]) -> None:
        self._counts = counts
        self._values = [0.0] * (size + 1)
        self._size = size
        best = self._height(self._values)
        for _ in range(_STEPS):
            slope, bend = self._slope()
            step = _solved(bend, [slope])[0]
            share = 1.0
            while True:
                tried = [v + share * s for v, s in zip(self._values, step, strict=True)]
                height = self._height(tried)
                if height >= best or share < _CLOSE:
                    break
                share /= 2
            self._values, best = tried, height
            if max(abs(s) for s in step) < _CLOSE:
                break

    @property
    def strengths(self) -> list[float]:
        return self._values[:-1]

    @property
    def ties(self) -> float:
        return self._values[-1]

    def errors(self) -> list[float]:
        """The standard errors of the strengths less their mean, by the observed information."""
        size = self._size
        _, bend = self._slope()
        wanted = []
        for own in range(size):
            contrast = [-1.0 / size] * size + [0.0]
            contrast[own] += 1.0
            wanted.append(contrast)
        found = _solved(bend, wanted)
        return [
            sqrt(max(0.0, sum(c * f for c, f in zip(contrast, one, strict=True))))
            for contrast, one in zip(wanted, found, strict=True)
        ]

    def _height(self, values: Sequence[float]) -> float:
        """The logarithm of likelihood and prior."""
        ties = values[-1]
        total = -sum(v * v for v in values[:-1]) / (2 * _SPREAD**2)
        total -= ties * ties / (2 * _TIES_SPREAD**2)
        for one in self._counts:
            a, b = values[one.first], values[one.second]
            level = ties + (a + b) / 2
            most = max(a, b, level)
            total += one.won * a + one.lost * b + one.level * level
            total -= one.boards * (most + log(exp(a - most) + exp(b - most) + exp(level - most)))
        return total

    def _slope(self) -> tuple[list[float], list[list[float]]]:
        """The gradient of the height, and its curvature with the sign turned."""
        values, size = self._values, self._size
        slope = [-v / _SPREAD**2 for v in values[:-1]] + [-values[-1] / _TIES_SPREAD**2]
        bend = [[0.0] * (size + 1) for _ in range(size + 1)]
        for own in range(size):
            bend[own][own] = 1 / _SPREAD**2
        bend[size][size] = 1 / _TIES_SPREAD**2
        for one in self._counts:
            chances = self._chances(one)
            # How much of each parameter a won, a lost and a level board hold.
            parts = ((one.first, (1.0, 0.0, 0.5)), (one.second, (0.0, 1.0, 0.5)), (size, (0, 0, 1)))
            seen = (one.won, one.lost, one.level)
            means = {p: sum(c * w for c, w in zip(chances, ws, strict=True)) for p, ws in parts}
            for p, ws in parts:
                slope[p] += sum(n * w for n, w in zip(seen, ws, strict=True))
                slope[p] -= one.boards * means[p]
                for q, vs in parts:
                    both = sum(c * w * v for c, w, v in zip(chances, ws, vs, strict=True))
                    bend[p][q] += one.boards * (both - means[p] * means[q])
        return slope, bend

    def _chances(self, one: _Counts) -> tuple[float, float, float]:
        a, b = self._values[one.first], self._values[one.second]
        level = self._values[-1] + (a + b) / 2
        most = max(a, b, level)
        weights = exp(a - most), exp(b - most), exp(level - most)
        total = sum(weights)
        return weights[0] / total, weights[1] / total, weights[2] / total


def _solved(
    matrix: Sequence[Sequence[float]], sides: Sequence[Sequence[float]]
) -> list[list[float]]:
    """The solutions of a positive definite system for several right-hand sides (Cholesky)."""
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            left = matrix[i][j] - sum(
                x * y for x, y in zip(lower[i][:j], lower[j][:j], strict=True)
            )
            lower[i][j] = sqrt(left) if i == j else left / lower[j][j]
    solutions = []
    for side in sides:
        found: list[float] = []
        for i in range(size):
            known = sum(x * y for x, y in zip(lower[i][:i], found, strict=True))
            found.append((side[i] - known) / lower[i][i])
        for i in reversed(range(size)):
            known = sum(lower[k][i] * found[k] for k in range(i + 1, size))
            found[i] = (found[i] - known) / lower[i][i]
        solutions.append(found)
    return solutions


def _groups(names: Sequence[str], meetings: Sequence[Meeting]) -> list[int]:
    """The number of each entry's group: entries joined by boards that were played."""
    head = {name: name for name in names}

    def leader(name: str) -> str:
        while head[name] != name:
            name = head[name]
        return name

    for one in meetings:
        if one.won + one.lost + one.level:
            head[leader(one.second)] = leader(one.first)
    numbers: dict[str, int] = {}
    return [numbers.setdefault(leader(name), len(numbers)) for name in names]
