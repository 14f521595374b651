"""Single and double elimination: brackets in which who has lost once, or twice, is out.

The field is filled up to a power of two; the best seeds have no opponent in the first round. A
match that is drawn is played again as often as asked for; then the better seed goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.arena.formats.bracket import (
    Game,
    LoserOf,
    Seed,
    Source,
    WinnerOf,
    bracket_size,
    check_bracket,
    next_games,
    ranked,
    seeding,
)
from referee.arena.formats.entrants import Entrants
from referee.arena.formats.model import TEAMS, RoundPlan, RoundPlayed

FINAL = "the final"
SECOND_FINAL = "the second final"
THIRD = "the match for third place"
NAMED = {4: "quarter-final", 2: "semi-final"}


def _pairs(sides: Sequence[Source]) -> list[tuple[Source, Source]]:
    return [(sides[at], sides[at + 1]) for at in range(0, len(sides), 2)]


def knockout(entries: int, *, third_place: bool = False) -> tuple[Game, ...]:
    """The games of a single elimination.

    >>> [game.label for game in knockout(4, third_place=True)]
    ['semi-final 1', 'semi-final 2', 'the match for third place', 'the final']
    """
    sides: list[Source] = [Seed(place) for place in seeding(bracket_size(entries))]
    games: list[Game] = []
    number = 1
    while len(sides) > TEAMS:
        pairs = _pairs(sides)
        name = NAMED.get(len(pairs), f"round {number}, match")
        ends_here = not (third_place and len(pairs) == TEAMS)
        lost = len(pairs) + 1 if ends_here else None
        row = _row(name, pairs, f"round {number}", f"round {number - 1}", lost)
        games += row
        sides = [WinnerOf(game.label) for game in row]
        number += 1
    if third_place and len(games) >= TEAMS:
        one, other = games[-2:]
        upper, lower = LoserOf(one.label), LoserOf(other.label)
        games.append(Game(label=THIRD, row=THIRD, upper=upper, lower=lower, won=3, lost=4))
    games.append(Game(label=FINAL, row=FINAL, upper=sides[0], lower=sides[1], won=1, lost=2))
    return tuple(games)


def double_knockout(entries: int, *, reset: bool = True) -> tuple[Game, ...]:
    """The games of a double elimination; with `reset` also a second final.

    That is played only where the first one is the unbeaten side's first loss.
    Who loses among the winners goes on among the losers, from the other end of the bracket, so
    that two who have met meet again as late as can be.

    >>> [game.label for game in double_knockout(3)][-4:]
    ["losers' round 1, match 1", "losers' round 2, match 1", 'the final', 'the second final']
    """
    sides: list[Source] = [Seed(place) for place in seeding(bracket_size(entries))]
    games: list[Game] = []
    dropping: list[list[Source]] = []
    while len(sides) > 1:
        before = f"winners' round {len(dropping)}"
        name = f"winners' round {len(dropping) + 1}"
        row = _row(f"{name}, match", _pairs(sides), name, before)
        games += row
        sides = [WinnerOf(game.label) for game in row]
        dropping.append([LoserOf(game.label) for game in row])
    below, last = _losers(dropping)
    games += below
    upper, lower = sides[0], last
    if not reset:
        final = Game(label=FINAL, row=FINAL, upper=upper, lower=lower, won=1, lost=2)
        return (*games, final)
    first = Game(label=FINAL, row=FINAL, upper=upper, lower=lower)
    second = Game(
        label=SECOND_FINAL,
        row=SECOND_FINAL,
        upper=WinnerOf(FINAL),
        lower=LoserOf(FINAL),
        won=1,
        lost=2,
        only_if_lower_won=FINAL,
    )
    return (*games, first, second)


def _row(
    name: str,
    pairs: Sequence[tuple[Source, Source]],
    row: str,
    after: str,
    lost: int | None = None,
) -> list[Game]:
    return [
        Game(label=f"{name} {at}", row=row, after=after, upper=upper, lower=lower, lost=lost)
        for at, (upper, lower) in enumerate(pairs, 1)
    ]


def _losers(dropping: Sequence[Sequence[Source]]) -> tuple[list[Game], Source]:
    """The games among those who have lost once, and the side that is left of them."""
    rest = list(dropping[0])
    games: list[Game] = []
    left, number = 2 * len(rest), 0

    def play(pairs: list[tuple[Source, Source]]) -> list[Source]:
        nonlocal left, number
        left -= len(pairs)
        number += 1
        name = f"losers' round {number}"
        row = _row(f"{name}, match", pairs, name, f"losers' round {number - 1}", left + 1)
        games.extend(row)
        return [WinnerOf(game.label) for game in row]

    for at, fallen in enumerate(dropping[1:], 1):
        if len(rest) > len(fallen):
            rest = play(_pairs(rest))
        half = len(fallen) // 2
        met = list(reversed(fallen)) if at % 2 else [*fallen[half:], *fallen[:half]]
        rest = play(list(zip(rest, met, strict=True)))
    return games, rest[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleElimination:
    """Who has lost is out; with `third_place` the losers of the semi-finals meet.

    Raises:
        FormatError: fewer than two entries, a pair that may not meet, replays out of range.

    """

    entrants: Entrants
    third_place: bool = False
    replays: int = 0
    _games: tuple[Game, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_bracket(self.entrants, self.replays, "single elimination")
        games = knockout(len(self.entrants.names), third_place=self.third_place)
        object.__setattr__(self, "_games", games)

    @property
    def size(self) -> int:
        """Two teams meet."""
        return TEAMS

    def rounds(self) -> int | None:
        """As often as the field halves to one; unknown where drawn matches are played again."""
        entries = len(self.entrants.names)
        return (entries - 1).bit_length() if not self.replays else None

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """Every match whose sides are known; None where there is a winner, or nobody is left."""
        return next_games(self._games, self.entrants, self.replays, played)

    def ranking(self, played: Sequence[RoundPlayed]) -> tuple[tuple[str, ...], ...]:
        """By how far each has come."""
        return ranked(self._games, self.entrants, self.replays, played)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleElimination:
    """Who has lost twice is out; with `reset` this holds for the unbeaten finalist too.

    Raises:
        FormatError: fewer than two entries, a pair that may not meet, replays out of range.

    """

    entrants: Entrants
    reset: bool = True
    replays: int = 0
    _games: tuple[Game, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_bracket(self.entrants, self.replays, "double elimination")
        games = double_knockout(len(self.entrants.names), reset=self.reset)
        object.__setattr__(self, "_games", games)

    @property
    def size(self) -> int:
        """Two teams meet."""
        return TEAMS

    def rounds(self) -> None:
        """That depends on the results."""

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """Every match whose sides are known; None where there is a winner, or nobody is left."""
        return next_games(self._games, self.entrants, self.replays, played)

    def ranking(self, played: Sequence[RoundPlayed]) -> tuple[tuple[str, ...], ...]:
        """By how far each has come."""
        return ranked(self._games, self.entrants, self.replays, played)
