"""The standings: match points, tie-breaks and places, from the encounters' results."""

from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256

from .event import Event, Round
from .intervals import fixed_interval, watched_interval
from .written import shortest, signed

HALF = Fraction(1, 2)
MEDIAN = 3
EXACT = 6


@dataclass
class Met:
    """An encounter as one place has it."""

    others: list[int]
    score: Fraction
    boards: int
    result: str
    scores: list[Fraction]


@dataclass
class Line:
    """The account of a place."""

    name: str
    first: str
    number: int = 0
    met: list[Met] = field(default_factory=list)
    byes: list[Fraction] = field(default_factory=list)
    points: Fraction = Fraction(0)
    place: int = 0
    breaks: dict[str, Fraction] = field(default_factory=dict)

    def count(self, result: str) -> int:
        """How many encounters came out so."""
        return sum(met.result == result for met in self.met)

    def score(self) -> Fraction:
        """Points per deal, summed."""
        return sum((met.score for met in self.met), Fraction(0))

    def in_order(self, event: Event) -> list[Fraction]:
        """The score of every board that counts, in the order of rounds, encounters and boards."""
        own = {name for name, place in event.place_of.items() if place == self.number}
        return [
            x
            for meeting in event.meetings()
            for name, scores in meeting.scores.items()
            if name in own
            for x in scores
        ]

    def boards(self) -> int:
        """How many boards count."""
        return sum(met.boards for met in self.met)

    def mean(self) -> Fraction:
        """Points per deal."""
        return self.score() / self.boards() if self.boards() else Fraction(0)


class Table:
    """All lines, and how they are ranked."""

    def __init__(self, event: Event) -> None:
        self.event = event
        names: dict[int, list[str]] = {}
        for name, place in event.place_of.items():
            if event.since[name] <= len(event.rounds) + 1:
                names.setdefault(place, []).append(name)
        self.lines = [Line(names[n][-1], names[n][0], n) for n in sorted(names)]
        for one in event.rounds:
            self._add(one)
        self.worth = event.match_points
        win = self.worth[0]
        for line in self.lines:
            line.points = sum((self._pays(met) for met in line.met), Fraction(0))
            line.points += win * sum(line.byes, Fraction(0))

    def _add(self, one: Round) -> None:
        for name, _, worth in one.byes:
            self.lines[self.event.place_of[name]].byes.append(worth)
        for meeting in one.meetings:
            if not meeting.finished and not meeting.boards:
                continue
            places = [self.event.place_of[name] for name in meeting.entries]
            winner = self.event.winner(meeting)
            for name, place in zip(meeting.entries, places, strict=True):
                result = "drawn" if winner is None else "lost"
                if winner == name:
                    result = "won"
                others = [other for other in places if other != place]
                played = meeting.scores.get(name, [])
                met = Met(others, meeting.totals[name], meeting.boards, result, played)
                self.lines[place].met.append(met)

    def _pays(self, met: Met) -> Fraction:
        return self.worth[("won", "drawn", "lost").index(met.result)]

    def rank(self) -> None:
        """Give every line its place."""
        everybody = list(range(len(self.lines)))
        if self.event.ranking:
            groups = [[self.event.place_of[n] for n in group] for group in self.event.ranking]
        elif self.event.kind == "individual":
            groups = self._split({n: self.lines[n].mean() for n in everybody})
        else:
            groups = self._split({n: self.lines[n].points for n in everybody})
        for word in self.event.tie_breaks:
            parted: list[list[int]] = []
            for group in groups:
                values = {n: self.tie_break(word, n, group) for n in group}
                for n, value in values.items():
                    self.lines[n].breaks[word] = value
                parted += self._split(values)
            groups = parted
        place = 1
        for group in groups:
            for n in group:
                self.lines[n].place = place
            place += len(group)

    @staticmethod
    def _split(values: dict[int, Fraction]) -> list[list[int]]:
        distinct = sorted(set(values.values()), reverse=True)
        return [[n for n, value in values.items() if value == one] for one in distinct]

    def tie_break(self, word: str, n: int, tied: list[int]) -> Fraction:
        """The value of a tie-break."""
        line = self.lines[n]
        opponents = [self.lines[other].points for met in line.met for other in met.others]
        opponents += [line.points] * len(line.byes)
        if word == "score":
            return line.score()
        if word == "wins":
            return Fraction(line.count("won"))
        if word == "buchholz":
            return sum(opponents, Fraction(0))
        if word == "median_buchholz":
            inner = sorted(opponents)[1:-1] if len(opponents) >= MEDIAN else []
            return sum(inner, Fraction(0))
        if word == "opponents_score":
            every = [self.lines[o].score() for met in line.met for o in met.others]
            return sum(every, Fraction(0))
        if word == "sonneborn_berger":
            return self._sonneborn(line)
        if word == "head_to_head":
            return self._among(n, tied)
        if word == "lots":
            drawn = f"{len(self.event.seed)}:{self.event.seed}{line.first}".encode()
            return Fraction(int(sha256(drawn).hexdigest()[:12], 16))
        return Fraction(0)

    def _sonneborn(self, line: Line) -> Fraction:
        shares = {"won": Fraction(1), "drawn": HALF, "lost": Fraction(0)}
        total = sum(line.byes, Fraction(0)) * line.points
        for met in line.met:
            for other in met.others:
                total += shares[met.result] * self.lines[other].points
        return total

    def _among(self, n: int, tied: list[int]) -> Fraction:
        times = {
            sum(other in met.others for met in self.lines[one].met)
            for one in tied
            for other in tied
            if one != other
        }
        if len(times) != 1:
            return Fraction(0)
        among = [self._pays(met) for met in self.lines[n].met if met.others[0] in tied]
        return sum(among, Fraction(0))


def interval(event: Event, line: Line) -> tuple[float, float] | None:
    """The bounds of a line's mean."""
    scores = [x for met in line.met for x in met.scores]
    if event.fixed:
        return fixed_interval(scores, f"{event.sheet}:{line.name}")
    return watched_interval(scores, event.swing)


def standing_figures(event: Event, table: Table) -> dict[str, str]:
    """Every figure of the standings but the intervals."""
    found: dict[str, str] = {}
    for line in table.lines:
        at = f"standing/{event.number(line.name)}"
        found[f"{at}/place"] = str(line.place)
        found[f"{at}/points"] = shortest(line.points)
        found[f"{at}/mean"] = signed(line.mean())
        for word, count in (
            ("won", line.count("won")),
            ("drawn", line.count("drawn")),
            ("lost", line.count("lost")),
            ("byes", len(line.byes)),
            ("boards", line.boards()),
        ):
            found[f"{at}/{word}"] = str(count)
        bounds = interval(event, line)
        if bounds is not None:
            low, high = (round(bound, EXACT) for bound in bounds)
            found[f"{at}/low"] = signed(Fraction(low))
            found[f"{at}/high"] = signed(Fraction(high))
        for word, value in line.breaks.items():
            lot = f"{value.numerator:012x}"
            found[f"{at}/{word}"] = lot if word == "lots" else shortest(value)
    return found
