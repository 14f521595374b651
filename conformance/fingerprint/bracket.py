"""Looking for a number by few questions: away from the lowest in growing steps, then between."""

from collections.abc import Callable
from enum import Enum, auto


class Toward(Enum):
    """Where a number that is looked for lies, seen from one that was asked about."""

    UP = auto()
    HERE = auto()
    DOWN = auto()


def sought(look: Callable[[int], Toward], low: int, high: int) -> int | None:
    """The number that is found, or else the lowest from which it lies down; none if all say up.

    Most games are short and most targets low, so low numbers are asked about first: a question
    about a long game is long itself.

    >>> sought(lambda number: Toward.DOWN if number >= 10 else Toward.UP, 0, 99)
    10
    """
    below, at, step = low - 1, low, 1
    found = None
    while below < at <= high:
        match look(at):
            case Toward.HERE:
                return at
            case Toward.DOWN:
                found = high = at
            case Toward.UP:
                below = at
        if found is None:
            at, step = min(high, at + step), 2 * step
        else:
            at = (below + found) // 2
    return found
