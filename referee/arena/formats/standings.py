"""The standings: points, tie-breaks, ranks; for teams by match points, for players by the mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.arena.formats.entrants import Entrants
from referee.arena.formats.model import TEAMS, RoundPlayed
from referee.arena.formats.tally import STANDARD, MatchPoints, Result, Tally
from referee.arena.formats.tie_breaks import TIE_BREAKS, Account, check_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the standings; equals share a rank.

    `points` are match points, byes included; `score` and `mean` are points per deal, summed and a
    board. `tie_breaks` has a value for each word, in order. `before` are those whose place this
    one took over.
    """

    rank: int
    name: str
    before: tuple[str, ...]
    withdrawn: bool
    points: Fraction
    played: int
    wins: int
    draws: int
    losses: int
    byes: int
    boards: int
    score: Fraction
    mean: Fraction
    tie_breaks: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How entries are ranked: match points, then the tie-breaks in their order.

    Where four players meet (`size` 4) the mean score stands for the match points.

    Raises:
        FormatError: a word that is no tie-break, stands twice or needs what the event has not.

    """

    size: int = TEAMS
    worth: MatchPoints = STANDARD
    tie_breaks: tuple[str, ...] = ("score",)
    seed: str = ""

    def __post_init__(self) -> None:
        check_words(self.tie_breaks, size=self.size, seed=self.seed)


def standings(
    entrants: Entrants,
    played: Sequence[RoundPlayed],
    order: Order,
    ranking: Sequence[Sequence[str]] | None = None,
) -> tuple[Row, ...]:
    """Every entry's row, best first; equals in seeding order.

    `ranking` are the groups that a format has ranked itself (`Format.ranking`): they come first,
    and the tie-breaks part only those within a group.

    >>> from referee.arena.formats.example import history
    >>> field = Entrants(names=("ann", "bob", "cat", "dan"))
    >>> rows = standings(field, history("ann 1 bob, cat 3 dan"), Order())
    >>> [(row.rank, row.name, int(row.points), int(row.score)) for row in rows]
    [(1, 'cat', 2, 3), (2, 'ann', 2, 1), (3, 'bob', 0, -1), (4, 'dan', 0, -3)]
    """
    event = Account.of(entrants, played, worth=order.worth, seed=order.seed)
    values: dict[int, list[Fraction]] = {place: [] for place in range(len(entrants.names))}
    if ranking is None:
        groups = _by_points(event, order)
    else:
        groups = [[entrants.place(name) for name in group] for group in ranking]
    for word in order.tie_breaks:
        groups = [part for group in groups for part in _parted(event, word, group, values)]
    number = len(played) + 1
    rows: list[Row] = []
    for group in groups:
        rank = len(rows) + 1
        rows += [
            _row(
                entrants,
                number,
                event.tallies[place],
                rank=rank,
                points=event.points[place],
                tie_breaks=tuple(values[place]),
            )
            for place in sorted(group)
        ]
    return tuple(rows)


def _by_points(event: Account, order: Order) -> list[list[int]]:
    means = tuple(tally.mean for tally in event.tallies)
    main = event.points if order.size == TEAMS else means
    return _groups({place: main[place] for place in range(len(main))})


def _groups(value: dict[int, Fraction]) -> list[list[int]]:
    """Places with equal values together, the most first."""
    groups: dict[Fraction, list[int]] = {}
    for place, one in value.items():
        groups.setdefault(one, []).append(place)
    return [groups[one] for one in sorted(groups, reverse=True)]


def _parted(
    event: Account, word: str, group: Sequence[int], values: dict[int, list[Fraction]]
) -> list[list[int]]:
    """A group parted by a tie-break, whose values are noted."""
    found = {place: TIE_BREAKS[word](event, place, group) for place in group}
    for place, value in found.items():
        values[place].append(value)
    return _groups(found)


def _row(
    entrants: Entrants,
    number: int,
    tally: Tally,
    *,
    rank: int,
    points: Fraction,
    tie_breaks: tuple[Fraction, ...],
) -> Row:
    place = tally.place
    return Row(
        rank=rank,
        name=entrants.last_holder(place, number),
        before=entrants.former(place, number),
        withdrawn=entrants.holder(place, number) is None,
        points=points,
        played=len(tally.meetings),
        wins=tally.count(Result.WON),
        draws=tally.count(Result.DRAWN),
        losses=tally.count(Result.LOST),
        byes=len(tally.byes),
        boards=tally.boards,
        score=tally.score,
        mean=tally.mean,
        tie_breaks=tie_breaks,
    )
