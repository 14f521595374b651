"""What a format is asked and what it answers: rounds to play, and how they came out.

Entries go by their names. An encounter has two entries (teams) or four (players: the first and
third are partners, then every pairing in turn). Scores are points per deal, summed over the boards
that count, and sum to 0 over an encounter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from referee.arena.formats.errors import FormatError

TEAMS: Final = 2
PLAYERS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """Who meets in a round, in the order of their seats, and in words why.

    `label` says where: a table or a place in a bracket; it is empty where that means nothing.
    """

    entries: tuple[str, ...]
    reason: str
    label: str = ""

    def __post_init__(self) -> None:
        if len(self.entries) not in {TEAMS, PLAYERS}:
            raise FormatError(
                f"an encounter of {len(self.entries)} entries: {', '.join(self.entries)}"
                " (two teams meet, or four players)"
            )
        if len(set(self.entries)) != len(self.entries):
            raise FormatError(
                f"an entry meets itself: {', '.join(self.entries)} (name each entry once)"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye:
    """Who sits a round out, in words why, and what that is worth in units of a match won."""

    entry: str
    reason: str
    worth: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """What is to be played in a round; rounds are numbered from 1."""

    number: int
    encounters: tuple[Encounter, ...]
    byes: tuple[Bye, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an encounter came out: each entry's score, in the encounter's order.

    `winner` is None where it is drawn. Where nothing could be played, `boards` is 0 and the scores
    are too; a winner may still be given.
    """

    scores: tuple[Fraction, ...]
    boards: int
    winner: str | None = None


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round that is over: an outcome for each of its encounters, in the plan's order."""

    plan: RoundPlan
    outcomes: tuple[Outcome, ...]

    def __post_init__(self) -> None:
        where = f"round {self.plan.number}"
        if len(self.outcomes) != len(self.plan.encounters):
            raise FormatError(
                f"{where} has {len(self.plan.encounters)} encounters and {len(self.outcomes)}"
                " outcomes (give one for each)"
            )
        for encounter, outcome in zip(self.plan.encounters, self.outcomes, strict=True):
            _check(f"{where}, {' against '.join(encounter.entries)}", encounter, outcome)

    @property
    def met(self) -> tuple[tuple[Encounter, Outcome], ...]:
        """Each encounter with its outcome."""
        return tuple(zip(self.plan.encounters, self.outcomes, strict=True))


def _check(where: str, encounter: Encounter, outcome: Outcome) -> None:
    if len(outcome.scores) != len(encounter.entries):
        raise FormatError(
            f"{where}: {len(outcome.scores)} scores (give one for each of the"
            f" {len(encounter.entries)} entries)"
        )
    if sum(outcome.scores) != 0:
        told = ", ".join(str(score) for score in outcome.scores)
        raise FormatError(f"{where}: the scores {told} do not sum to 0 (what one wins others lose)")
    if outcome.boards < 0:
        raise FormatError(f"{where}: {outcome.boards} boards (count those that were closed)")
    if outcome.winner is not None and outcome.winner not in encounter.entries:
        raise FormatError(f"{where}: won by {outcome.winner!r} (who did not play in it)")


class Format(Protocol):
    """A way to pair an event. The same entrants and history give the same answer anywhere."""

    @property
    def size(self) -> int:
        """How many entries an encounter has: 2 teams or 4 players."""

    def rounds(self) -> int | None:
        """How many rounds are planned; None where that depends on the results."""

    def next_round(self, played: Sequence[RoundPlayed]) -> RoundPlan | None:
        """The round after those played, which are all so far; None where the event is over."""

    def ranking(self, played: Sequence[RoundPlayed]) -> tuple[tuple[str, ...], ...] | None:
        """The entries best first, in groups of equals, where the format itself decides that.

        None where the standings decide it.
        """


def check_history(played: Sequence[RoundPlayed]) -> int:
    """The number of the round after those played.

    Raises:
        FormatError: where a round is missing, or out of its order.

    """
    for number, one in enumerate(played, 1):
        if one.plan.number != number:
            raise FormatError(
                f"round {one.plan.number} stands where round {number} is due"
                " (give all rounds that were played, in order)"
            )
    return len(played) + 1
