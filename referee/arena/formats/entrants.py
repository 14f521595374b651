"""The field of an event: who takes part, who left, who came in for whom, who may not meet.

An event's *places* are numbered from 0 in seeding order. A place is held by one entry at a time:
by who was entered, then by nobody once that one has withdrawn, or by a substitute, who inherits
what the place has met and scored.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from referee.arena.formats.errors import FormatError
from referee.errors import InternalError

NOBODY: Final[None] = None


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Who leaves, and the first round without that entry."""

    name: str
    round: int


@dataclass(frozen=True, slots=True)
class Substitution:
    """Who comes in, in place of whom, and the first round in which that is so."""

    name: str
    instead_of: str
    round: int


Change = Withdrawal | Substitution


@dataclass(frozen=True, slots=True)
class _Tenure:
    """Who holds a place from a round on."""

    round: int
    holder: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrants:
    """The field: names in seeding order, the best first.

    Raises:
        FormatError: a name twice, a change of one who is not there, a pair that names nobody.

    >>> field = Entrants(
    ...     names=("ann", "bob", "cat"),
    ...     withdrawals=(Withdrawal("bob", 2),),
    ...     substitutions=(Substitution("dan", "cat", 3),),
    ... )
    >>> field.present(1), field.present(3)
    ((0, 1, 2), (0, 2))
    >>> field.holder(2, 2), field.holder(2, 3), field.place("dan")
    ('cat', 'dan', 2)
    """

    names: tuple[str, ...]
    withdrawals: tuple[Withdrawal, ...] = ()
    substitutions: tuple[Substitution, ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    _tenures: tuple[tuple[_Tenure, ...], ...] = field(init=False, repr=False, compare=False)
    _places: dict[str, int] = field(init=False, repr=False, compare=False)
    _apart: frozenset[tuple[int, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.names:
            raise FormatError("nobody is entered (name the entries)")
        places: dict[str, int] = {}
        for place, name in enumerate(self.names):
            _new_name(name, places)
            places[name] = place
        tenures = [[_Tenure(1, name)] for name in self.names]
        changes: tuple[Change, ...] = (*self.withdrawals, *self.substitutions)
        for change in sorted(changes, key=lambda change: change.round):
            _apply(change, places, tenures)
        object.__setattr__(self, "_places", places)
        object.__setattr__(self, "_tenures", tuple(tuple(one) for one in tenures))
        apart = [self._pair(pair) for pair in self.forbidden]
        object.__setattr__(self, "_apart", frozenset(apart))

    def _pair(self, pair: tuple[str, str]) -> tuple[int, int]:
        one, other = (self.place(name) for name in pair)
        if one == other:
            raise FormatError(f"{pair[0]!r} may not meet {pair[1]!r} (a pair names two entries)")
        return min(one, other), max(one, other)

    def place(self, name: str) -> int:
        """The place that an entry holds or held.

        Raises:
            FormatError: where no such entry takes part.

        """
        if name not in self._places:
            raise FormatError(f"no such entry: {name!r} (the entries: {', '.join(self._places)})")
        return self._places[name]

    def holder(self, place: int, number: int) -> str | None:
        """Who holds a place in a round; None where it stands empty."""
        held = [one.holder for one in self._tenures[place] if one.round <= number]
        return held[-1]

    def since(self, place: int, number: int) -> int:
        """The round from which on a place has been held, or empty, as it is in this round."""
        return [one.round for one in self._tenures[place] if one.round <= number][-1]

    def last_holder(self, place: int, number: int) -> str:
        """Who holds a place in a round, or held it last: the name its row in the standings has."""
        held = [one.holder for one in self._tenures[place] if one.round <= number]
        return next(holder for holder in reversed(held) if holder is not None)

    def former(self, place: int, number: int) -> tuple[str, ...]:
        """Who held a place before its last holder, first to last."""
        held = [one.holder for one in self._tenures[place] if one.round <= number]
        return tuple(holder for holder in held if holder is not None)[:-1]

    def name(self, place: int, number: int) -> str:
        """Who holds a place in a round in which somebody does."""
        holder = self.holder(place, number)
        if holder is None:
            raise InternalError(f"place {place} stands empty in round {number}")
        return holder

    def present(self, number: int) -> tuple[int, ...]:
        """The places that are held in a round, in seeding order."""
        return tuple(
            place for place in range(len(self.names)) if self.holder(place, number) is not None
        )

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two places may meet; who comes in for another inherits its forbidden pairs."""
        return (min(one, other), max(one, other)) not in self._apart

    @property
    def apart(self) -> tuple[tuple[int, int], ...]:
        """The pairs of places that may not meet, in order."""
        return tuple(sorted(self._apart))


def _new_name(name: str, places: dict[str, int]) -> None:
    if not name:
        raise FormatError("an entry has no name (name it)")
    if name in places:
        raise FormatError(f"two entries are named {name!r} (give each a name of its own)")


def _apply(change: Change, places: dict[str, int], tenures: list[list[_Tenure]]) -> None:
    """Enter a change into who holds what, in order of rounds."""
    leaver = change.instead_of if isinstance(change, Substitution) else change.name
    if leaver not in places:
        raise FormatError(
            f"{leaver!r} is to leave before round {change.round} and is not entered"
            f" (the entries: {', '.join(places)})"
        )
    if change.round < 1:
        raise FormatError(
            f"{leaver!r} is to leave before round {change.round} (rounds count from 1)"
        )
    held = tenures[places[leaver]]
    now = [one.holder for one in held if one.holder is not None][-1]
    if now != leaver or (isinstance(change, Withdrawal) and held[-1].holder is None):
        raise FormatError(
            f"{leaver!r} is to leave before round {change.round} and has left before"
            " (a withdrawal or a substitution names who is there)"
        )
    if isinstance(change, Withdrawal):
        held.append(_Tenure(change.round, NOBODY))
        return
    _new_name(change.name, places)
    places[change.name] = places[leaver]
    held.append(_Tenure(change.round, change.name))


@dataclass(frozen=True, slots=True)
class ByeRule:
    """What sitting a round out is worth, in units of a match won; None: nobody may have to.

    An entry whose opponent has withdrawn sits out by nobody's choice: where the event has no rule
    it counts half a match.
    """

    worth: Fraction | None

    @property
    def value(self) -> Fraction:
        """What a bye is worth that could not be avoided."""
        return Fraction(1, 2) if self.worth is None else self.worth


BYE_WORDS: Final = {
    "none": NOBODY,
    "zero": Fraction(0),
    "half": Fraction(1, 2),
    "full": Fraction(1),
}

PART: Final = re.compile(r"[0-9]{1,6}(/0{0,5}[1-9][0-9]{0,5}|\.[0-9]{1,6})?")


def bye_rule(text: str) -> ByeRule:
    """The rule that a word stands for, or a number from 0 to 1.

    >>> bye_rule("half").worth, bye_rule("3/4").worth, bye_rule("none").worth
    (Fraction(1, 2), Fraction(3, 4), None)
    """
    if text in BYE_WORDS:
        return ByeRule(BYE_WORDS[text])
    worth = Fraction(-1)
    if PART.fullmatch(text):
        worth = Fraction(text)
    if not 0 <= worth <= 1:
        raise FormatError(
            f"not a rule for byes: {text!r} (one of {', '.join(BYE_WORDS)}, or a part of a match"
            " from 0 to 1 as 3/4)"
        )
    return ByeRule(worth)


def check_even(entrants: Entrants, byes: ByeRule) -> None:
    """Refuse an odd field without a rule for byes.

    Raises:
        FormatError: where somebody would have to sit out and nothing says what that is worth.

    """
    present = len(entrants.present(1))
    if present % 2 and byes.worth is None:
        raise FormatError(
            f"an odd field of {present} entries and no rule for byes"
            f" (say what sitting out is worth, byes: half or another of {', '.join(BYE_WORDS)},"
            " or enter one more)"
        )


def several(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> several(["ann", "bob", "cat"])
    "'ann', 'bob' and 'cat'"
    """
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
