"""What a fault costs and how long a seat may take: the match policy, as data."""

from collections.abc import Mapping
from typing import Final

from referee.errors import RefereeError
from referee.sealing.parts import Policy

SHORTEST_MS: Final = 250
LONGEST_MS: Final = 3_600_000
LARGEST_COUNT: Final = 999

DEFAULTS: Final[Mapping[str, int]] = {
    "games": 1,
    "illegal_limit": 3,
    "timeout_limit": 5,
    "withheld_limit": 2,
    "move_ms": 5_000,
    "bank_ms": 0,
    "increment_ms": 0,
    "start_ms": 20_000,
    "commit_ms": 5_000,
    "reveal_ms": 5_000,
    "grace_ms": 30_000,
}
"""Every field of a policy but `rated`; times in milliseconds."""

_COUNTS: Final = ("games", "illegal_limit", "timeout_limit", "withheld_limit")
_MAY_BE_ZERO: Final = ("bank_ms", "increment_ms")


class PolicyError(RefereeError, ValueError):
    """A policy that no match can be played under."""


def policy(values: Mapping[str, int] | None = None, *, rated: bool = True) -> Policy:
    """The policy with these fields, and the defaults for the others.

    A limit below 250 ms is refused: a busy machine's own hiccups would be punished.
    Raises PolicyError for a name that is no field, or a value out of range.
    """
    given = dict(values or {})
    for name, value in given.items():
        if name not in DEFAULTS:
            raise PolicyError(
                f"not a field of the match policy: {name!r} (use one of {', '.join(DEFAULTS)})"
            )
        low, high = _range(name)
        if not low <= value <= high:
            raise PolicyError(f"policy {name} is {value}: use a number from {low} to {high}")
    return Policy(rated=rated, **{**DEFAULTS, **given})


def _range(name: str) -> tuple[int, int]:
    if name in _COUNTS:
        return 1, LARGEST_COUNT
    return 0 if name in _MAY_BE_ZERO else SHORTEST_MS, LONGEST_MS
