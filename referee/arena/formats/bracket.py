"""A bracket: games whose sides come from seeds and other games, and how far it has been played.

Nothing is kept: the bracket is walked from the first round with the rounds played, so that who had
withdrawn in which round counts as it did then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.arena.formats.entrants import Entrants, several
from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import TEAMS, Bye, Encounter, RoundPlan, RoundPlayed, check_history

MOST_REPLAYS: Final = 100


@dataclass(frozen=True, slots=True)
class Seed:
    """A side that is there from the start: the place of a seed, which may be beyond the field."""

    place: int

    def __str__(self) -> str:
        return f"seed {self.place + 1}"


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """A side that comes from a game that it has won."""

    label: str

    def __str__(self) -> str:
        return f"winner of {self.label}"


@dataclass(frozen=True, slots=True)
class LoserOf:
    """A side that comes from a game that it has lost."""

    label: str

    def __str__(self) -> str:
        return f"loser of {self.label}"


Source = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A place in the bracket where two meet.

    `won` and `lost` are the ranks that winner and loser have from here; None where they go on.
    A game waits until all games of the row `after` are decided, as rounds are usually played.
    `only_if_lower_won` names a game after which this one is played only if its lower side won.
    """

    label: str
    row: str
    after: str = ""
    upper: Source
    lower: Source
    won: int | None = None
    lost: int | None = None
    only_if_lower_won: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """How a game ended: who won, None for nobody; who did not; whether seeds had to decide it."""

    winner: int | None
    losers: tuple[int, ...]
    lower_won: bool = False
    by_seed: bool = False


Sides = tuple[int | None, int | None]


def _there(*sides: int | None) -> tuple[int, ...]:
    return tuple(place for place in sides if place is not None)


@dataclass(slots=True)
class Walk:
    """A bracket as far as it has been played. Its games stand in an order that they can go in."""

    games: Sequence[Game]
    entrants: Entrants
    replays: int
    decided: dict[str, Decided] = field(default_factory=dict)
    drawn: dict[str, list[int]] = field(default_factory=dict)
    walkovers: dict[int, str] = field(default_factory=dict)

    def settle(self, number: int) -> dict[str, tuple[int, int]]:
        """Decide what needs no play in a round; the games to be played, by their labels."""
        ready: dict[str, tuple[int, int]] = {}
        self.walkovers = {}
        for game in self.games:
            sides = None if game.label in self.decided else self._sides(game)
            if sides is None:
                continue
            upper, lower = sides
            here = [self._here(place, number) for place in sides]
            if self._skipped(game) or not all(here):
                self._without_play(game, sides, number)
            elif upper is not None and lower is not None:
                ready[game.label] = (upper, lower)
        open_rows = {game.row for game in self.games if game.label not in self.decided}
        waiting = {game.label for game in self.games if game.after in open_rows}
        return {label: pair for label, pair in ready.items() if label not in waiting}

    def _sides(self, game: Game) -> Sides | None:
        """Who meets in a game; None where that is not known yet."""
        found: list[int | None] = []
        for source in (game.upper, game.lower):
            match source:
                case Seed(place):
                    found.append(place if place < len(self.entrants.names) else None)
                case WinnerOf(label) if label in self.decided:
                    found.append(self.decided[label].winner)
                case LoserOf(label) if label in self.decided:
                    found.append(next(iter(self.decided[label].losers), None))
                case _:
                    return None
        return found[0], found[1]

    def _skipped(self, game: Game) -> bool:
        """Whether a game is not due: the upper side of the game before has won."""
        before = game.only_if_lower_won
        return bool(before) and not self.decided[before].lower_won

    def _here(self, place: int | None, number: int) -> bool:
        return place is not None and self.entrants.holder(place, number) is not None

    def _without_play(self, game: Game, sides: Sides, number: int) -> None:
        """Decide a game that is not due, or that lacks a side or both."""
        upper, lower = sides
        if self._skipped(game):
            self.decided[game.label] = Decided(upper, _there(lower))
            return
        sat = _there(*sides)
        winner = next((place for place in sat if self._here(place, number)), None)
        if winner is None and len({self.entrants.since(place, number) for place in sat}) == len(
            sat
        ):
            # Both have left: who stayed longer had won by then.
            winner = max(sat, key=lambda place: self.entrants.since(place, number), default=None)
        gone = tuple(place for place in sat if place != winner)
        self.decided[game.label] = Decided(winner, gone, lower_won=winner == lower)
        if winner is not None and self._here(winner, number):
            why = "nobody to meet"
            if gone:
                why = f"{self.entrants.last_holder(gone[0], number)!r} has withdrawn"
            self.walkovers.setdefault(winner, f"{game.label}: {why}")

    def enter(self, ready: Mapping[str, tuple[int, int]], played: RoundPlayed) -> None:
        """Take the results of a round."""
        number = played.plan.number
        found = {encounter.label: (encounter, outcome) for encounter, outcome in played.met}
        if {*found} != {*ready}:
            raise FormatError(
                f"round {number} has {', '.join(sorted(found)) or 'no game'} where the bracket has"
                f" {', '.join(sorted(ready)) or 'no game'} (give the rounds as they were paired)"
            )
        for label, (upper, lower) in ready.items():
            winner = found[label][1].winner
            if winner is not None:
                lower_won = self.entrants.place(winner) == lower
                best, other = (lower, upper) if lower_won else (upper, lower)
                self.decided[label] = Decided(best, (other,), lower_won=lower_won)
                continue
            self.drawn.setdefault(label, []).append(number)
            if len(self.drawn[label]) > self.replays:
                best, other = min(upper, lower), max(upper, lower)
                self.decided[label] = Decided(best, (other,), lower_won=best == lower, by_seed=True)

    def told(self, game: Game) -> str:
        """Why these two meet."""
        sides: list[str] = []
        for source in (game.upper, game.lower):
            by_seed = not isinstance(source, Seed) and self.decided[source.label].by_seed
            sides.append(f"{source} (drawn: the better seed goes on)" if by_seed else str(source))
        told = " against ".join(sides)
        if game.label in self.drawn:
            rounds = ", ".join(str(number) for number in self.drawn[game.label])
            told += f", drawn in round {rounds} and played again"
        return told


def walked(
    games: Sequence[Game], entrants: Entrants, replays: int, played: Sequence[RoundPlayed]
) -> tuple[Walk, dict[str, tuple[int, int]]]:
    """The bracket after the rounds played, and the games that are next."""
    number = check_history(played)
    walk = Walk(games, entrants, replays)
    for one in played:
        walk.enter(walk.settle(one.plan.number), one)
    return walk, walk.settle(number)


def next_games(
    games: Sequence[Game], entrants: Entrants, replays: int, played: Sequence[RoundPlayed]
) -> RoundPlan | None:
    """The next round: every game that can be played; None where all are decided."""
    number = len(played) + 1
    walk, ready = walked(games, entrants, replays, played)
    if not ready:
        return None
    encounters = tuple(
        Encounter(
            entries=tuple(entrants.name(place, number) for place in ready[game.label]),
            reason=walk.told(game),
            label=game.label,
        )
        for game in games
        if game.label in ready
    )
    busy = {place for pair in ready.values() for place in pair}
    byes = tuple(
        Bye(entry=entrants.name(place, number), reason=reason)
        for place, reason in sorted(walk.walkovers.items())
        if place not in busy
    )
    return RoundPlan(number=number, encounters=encounters, byes=byes)


def ranked(
    games: Sequence[Game], entrants: Entrants, replays: int, played: Sequence[RoundPlayed]
) -> tuple[tuple[str, ...], ...]:
    """The entries in groups of equals: who is still in first, then by how far each has come."""
    number = len(played) + 1
    walk, _ = walked(games, entrants, replays, played)
    last = len(entrants.names)
    rank = dict.fromkeys(range(last), 0)
    for game in games:
        ended = walk.decided.get(game.label)
        if ended is None:
            continue
        for at, loser in enumerate(ended.losers):
            if game.lost is not None:
                rank[loser] = game.lost
            elif at:  # of two who had withdrawn the bracket carries one on
                rank[loser] = last
        if ended.winner is not None and game.won is not None:
            rank[ended.winner] = game.won
    groups: dict[int, list[str]] = {}
    for place, one in rank.items():
        groups.setdefault(one, []).append(entrants.last_holder(place, number))
    return tuple(tuple(groups[one]) for one in sorted(groups))


def seeding(size: int) -> tuple[int, ...]:
    """The seeds down a bracket of a power of two: the best two can meet only in the final.

    >>> seeding(8)
    (0, 7, 3, 4, 1, 6, 2, 5)
    """
    order = [0]
    while len(order) < size:
        double = 2 * len(order)
        order = [seed for one in order for seed in (one, double - 1 - one)]
    return tuple(order)


def bracket_size(entries: int) -> int:
    """The power of two that holds so many.

    >>> bracket_size(5), bracket_size(8)
    (8, 8)
    """
    return int(1 << (entries - 1).bit_length())


def check_bracket(entrants: Entrants, replays: int, name: str) -> None:
    """Refuse what no bracket can be made of.

    Raises:
        FormatError: fewer than two entries, a pair that may not meet, replays out of range.

    """
    if len(entrants.names) < TEAMS:
        raise FormatError(f"only {entrants.names[0]!r} is entered (a {name} needs two entries)")
    if not 0 <= replays <= MOST_REPLAYS:
        raise FormatError(f"{replays} replays of a drawn match (from 0 to {MOST_REPLAYS})")
    for pair in entrants.apart:
        told = several([entrants.names[place] for place in pair])
        raise FormatError(
            f"{told} may not meet, and in a {name} any two who go on winning meet"
            " (take the pair out, or choose another format)"
        )
