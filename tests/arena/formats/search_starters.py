"""The search that found the starters of the individual rotation; run it to find them again.

`python -m tests.arena.formats.search_starters 4 25` prints the lines of `starters.py` for every
field of 4n and 4n + 1 players in that range, as far as each is found in the time given.
"""

import itertools
import random
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Final

from referee.arena.formats.whist import group_difference

Four = tuple[int, int, int, int]

MODULI: Final = {9: (3, 3)}
"""Fields for which a search over the plain cycle finds nothing: the group is a product."""

NODES: Final = 200_000


class Search:
    """One try, by chance from a seed: tables one after another, back when nothing fits."""

    def __init__(self, players: int, seed: int) -> None:
        odd = players % 4 == 1
        self.moduli = MODULI.get(players, (players if odd else players - 1,))
        self.order = players if odd else players - 1
        self.chance = random.Random(f"{players} {seed}")  # noqa: S311 -- a search, no secret
        self.free = set(range(1 if odd else 0, players))
        self.partners: set[int] = set()
        self.opponents = dict.fromkeys(range(self.order), 0)
        self.tables: list[Four] = []
        self.nodes = 0
        self.kind = [[self._kind(one, other) for other in range(players)] for one in range(players)]

    def _kind(self, one: int, other: int) -> int:
        """The difference of two players whichever way; -1 where one stays in its place."""
        if self.order in {one, other}:
            return -1
        return min(
            group_difference(one, other, self.moduli), group_difference(other, one, self.moduli)
        )

    def run(self) -> list[Four] | None:
        """The tables, or nothing within the nodes allowed."""
        return self.tables if self._place() else None

    def _shuffled(self, players: set[int]) -> list[int]:
        ordered = sorted(players)
        self.chance.shuffle(ordered)
        return ordered

    def _place(self) -> bool:
        if not self.free:
            return True
        self.nodes += 1
        if self.nodes > NODES:
            return False
        north = max(self.free)
        for south in self._shuffled(self.free - {north}):
            across = self.kind[north][south]
            if across in self.partners:
                continue
            for east, west in self._sides(north, south, across):
                if self._seat((north, east, south, west)):
                    return True
                if self.nodes > NODES:
                    return False
        return False

    def _sides(self, north: int, south: int, across: int) -> Iterator[tuple[int, int]]:
        rest = self._shuffled(self.free - {north, south})
        for east, west in itertools.combinations(rest, 2):
            kind = self.kind[east][west]
            if kind not in self.partners and kind != across:
                yield east, west

    def _seat(self, table: Four) -> bool:
        north, east, south, west = table
        met = [self.kind[n][e] for n in (north, south) for e in (east, west)]
        met = [kind for kind in met if kind >= 0]
        if any(self.opponents[kind] + met.count(kind) > 2 for kind in met):
            return False
        paired = {self.kind[north][south], self.kind[east][west]} - {-1}
        for kind in met:
            self.opponents[kind] += 1
        self.partners |= paired
        self.free -= set(table)
        self.tables.append(table)
        if self._place():
            return True
        self.tables.pop()
        self.free |= set(table)
        self.partners -= paired
        for kind in met:
            self.opponents[kind] -= 1
        return False


def main(arguments: Sequence[str]) -> None:
    """Search from the first number of players to the last, a time for each."""
    first, last = int(arguments[0]), int(arguments[1])
    seconds = float(arguments[2]) if len(arguments) > 2 else 60.0
    for players in range(first, last + 1):
        if players < 4 or players % 4 > 1:
            continue
        end = time.monotonic() + seconds
        for seed in itertools.count():
            search = Search(players, seed)
            if tables := search.run():
                print(f"    {players}: ({search.moduli}, {tables}),", flush=True)  # noqa: T201
                break
            if time.monotonic() > end:
                print(f"    # {players}: nothing found", flush=True)  # noqa: T201
                break


if __name__ == "__main__":
    main(sys.argv[1:])
