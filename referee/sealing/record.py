"""What one deal's events have said, gathered for the checks at its close and for the rules."""

from dataclasses import dataclass, field

from referee.sealing.closing import DealClose
from referee.sealing.deck import SealedDeck
from referee.sealing.events import (
    ActionTaken,
    CommitSet,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    RevealSet,
    Turned,
)


@dataclass(frozen=True, slots=True)
class Placed:
    """An action with the number of its event."""

    seq: int
    action: ActionTaken


@dataclass(slots=True)
class DealRecord:
    """All that one deal's events have said, and the deck they fix once it is closed."""

    open: DealOpen
    open_seq: int
    commits: dict[int, bytes] = field(default_factory=dict)
    commit_set: CommitSet | None = None
    head: bytes = b""
    reveals: RevealSet | None = None
    root: DeckRoot | None = None
    root_seq: int = 0
    draw: DealerDrawn | None = None
    draw_seq: int = 0
    upcard: Turned | None = None
    upcard_seq: int = 0
    actions: list[Placed] = field(default_factory=list)
    heads: dict[int, bytes] = field(default_factory=dict)
    deck: SealedDeck | None = None
    close: DealClose | None = None
    close_seq: int = 0

    @property
    def number(self) -> int:
        """The number of the deal."""
        return self.open.deal
