"""What an event's document is made from: all of it is published, so anybody can make it again."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.arena.formats.model import RoundPlan
from referee.arena.tournament.actions import Action, Rulings, in_force, read_action
from referee.arena.tournament.announcing import read_announced
from referee.arena.tournament.chunks import Announced
from referee.arena.tournament.model import BoardPlayed
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.signedlog import LogLine


@dataclass(frozen=True, slots=True)
class Paired:
    """A round as it was paired, and how many actions the director had taken by then."""

    plan: RoundPlan
    actions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """An event: its sheet, its signed logs, its rounds and the boards that were closed.

    `noise` is what was measured of the machines, in words.
    """

    sheet: Sheet
    referee_key: str
    announced: tuple[LogLine, ...]
    actions: tuple[LogLine, ...]
    rounds: tuple[Paired, ...]
    results: tuple[BoardPlayed, ...]
    noisy: bool = False
    noise: tuple[str, ...] = ()

    @property
    def plans(self) -> Sequence[RoundPlan]:
        """The rounds alone."""
        return [each.plan for each in self.rounds]

    @property
    def tries(self) -> tuple[Announced, ...]:
        """Every try at a board that was announced, in order."""
        found = (read_announced(line) for line in self.announced)
        return tuple(each for each in found if each is not None)

    @property
    def taken(self) -> tuple[Action, ...]:
        """What the director did, in order, undone or not."""
        return tuple(read_action(line) for line in self.actions)

    @property
    def rulings(self) -> Rulings:
        """What the director did that stands."""
        return Rulings(in_force(self.taken))
