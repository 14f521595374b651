"""Individual rotation: everybody partners everybody once and opposes everybody twice.

A starter is the first round; each further round adds the next element of a group to every player's
number. With 4n players the last number stays where it is; with 4n + 1 everybody sits out once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.arena.formats.entrants import ByeRule, Entrants, several
from referee.arena.formats.errors import FormatError
from referee.arena.formats.model import (
    PLAYERS,
    Bye,
    Encounter,
    RoundPlan,
    RoundPlayed,
    check_history,
)
from referee.arena.formats.starters import STARTERS, Four

MOST_ROUNDS: Final = 10_000


def group_sum(one: int, other: int, moduli: Sequence[int]) -> int:
    """The sum of two numbers in a product of cycles, each digit in its own.

    >>> group_sum(5, 4, (7,)), group_sum(5, 4, (3, 3))
    (2, 6)
    """
    total, unit = 0, 1
    for modulus in moduli:
        total += (one + other) % modulus * unit
        one, other, unit = one // modulus, other // modulus, unit * modulus
    return total


def group_difference(one: int, other: int, moduli: Sequence[int]) -> int:
    """The difference of two numbers in a product of cycles, each digit in its own.

    >>> group_difference(2, 4, (7,)), group_difference(6, 4, (3, 3))
    (5, 5)
    """
    total, unit = 0, 1
    for modulus in moduli:
        total += (one - other) % modulus * unit
        one, other, unit = one // modulus, other // modulus, unit * modulus
    return total


def sizes() -> tuple[int, ...]:
    """The numbers of players for which there is a rotation."""
    return tuple(sorted(STARTERS))


def rotation(players: int) -> tuple[tuple[Four, ...], ...]:
    """Every round of the rotation, each a table after another.

    >>> rotation(4)
    (((3, 0, 1, 2),), ((3, 1, 2, 0),), ((3, 2, 0, 1),))

    Raises:
        FormatError: where there is none for so many players.

    """
    if players not in STARTERS:
        raise FormatError(
            f"no rotation for {players} players (there is one for {told_sizes()}: enter as many,"
            " or fill up with a bot)"
        )
    moduli, tables = STARTERS[players]
    order = players - 1 if players % PLAYERS == 0 else players

    def moved(player: int, turn: int) -> int:
        return player if player == order else group_sum(player, turn, moduli)

    return tuple(
        tuple(
            (moved(north, turn), moved(east, turn), moved(south, turn), moved(west, turn))
            for north, east, south, west in tables
        )
        for turn in range(order)
    )


def told_sizes() -> str:
    """The sizes in a sentence."""
    *most, last = [str(size) for size in sizes()]
    return f"{', '.join(most)} and {last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhistRotation:
    """The individual event: a whole rotation, or its first `length` rounds, or on into another.

    Who would sit with an empty place sits out.

    Raises:
        FormatError: no rotation for so many, nobody to sit out by rule, a forbidden pair.

    """

    entrants: Entrants
    byes: ByeRule
    length: int | None = None
    _rounds: tuple[tuple[Four, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        players = len(self.entrants.names)
        object.__setattr__(self, "_rounds", rotation(players))
        if self.length is not None and not 1 <= self.length <= MOST_ROUNDS:
            raise FormatError(f"{self.length} rounds (from 1 to {MOST_ROUNDS})")
        if players % PLAYERS and self.byes.worth is None:
            raise FormatError(
                f"{players} players sit out in turn and there is no rule for byes"
                " (say bye: zero; the standings are by the mean score, so that it costs nobody"
                " anything)"
            )
        for pair in self.entrants.apart:
            told = several([self.entrants.names[place] for place in pair])
            raise FormatError(
                f"{told} may not meet, and in a rotation everybody meets everybody"
                " (take the pair out, or choose another format)"
            )

    @property
    def size(self) -> int:
        """Four players meet."""
        return PLAYERS

    def rounds(self) -> int:
        """One fewer than the players where they fill the tables, else as many; or `length`."""
        return len(self._rounds) if self.length is None else self.length

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """The round after those played; the results do not matter."""
        number = check_history(played)
        if number > self.rounds() or len(self.entrants.present(number)) < PLAYERS:
            return None
        tables = self._rounds[(number - 1) % len(self._rounds)]
        encounters: list[Encounter] = []
        out: dict[int, str] = {}
        for table, seats in enumerate(tables, 1):
            gone = [place for place in seats if self.entrants.holder(place, number) is None]
            if gone:
                told = several([self.entrants.last_holder(place, number) for place in gone])
                reason = f"sat with {told}, withdrawn"
                out |= {place: reason for place in seats if place not in gone}
                continue
            encounters.append(
                Encounter(
                    entries=tuple(self.entrants.name(place, number) for place in seats),
                    reason=f"rotation of {len(self.entrants.names)}, round {number}",
                    label=f"table {table}",
                )
            )
        seated = {place for seats in tables for place in seats}
        for place in self.entrants.present(number):
            if place not in seated:
                out[place] = "sits out once a rotation"
        return RoundPlan(
            number=number, encounters=tuple(encounters), byes=self._byes(number, out.items())
        )

    def _byes(self, number: int, out: Iterable[tuple[int, str]]) -> tuple[Bye, ...]:
        return tuple(
            Bye(entry=self.entrants.name(place, number), reason=reason, worth=self.byes.value)
            for place, reason in sorted(out)
        )

    def ranking(self, played: Sequence[RoundPlayed]) -> None:
        """The standings decide."""
