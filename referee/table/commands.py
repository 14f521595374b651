"""What can be asked of a match."""

from dataclasses import dataclass

from referee.sealing.parts import SeatInfo
from referee.table.events import Fallback, Why


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinSeat:
    """Somebody takes up the invitation to a seat; `token` is the SHA-256 of the seat's token."""

    seat: int
    token: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SitDown:
    """A seat's first Hello."""

    seat: int
    info: SeatInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveCommit:
    """A seat commits to its seed."""

    seat: int
    deal: int
    commit: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveSeed:
    """A seat shows its seed, in answer to one commit set."""

    seat: int
    deal: int
    seed: bytes
    cut: int | None
    cset: bytes
    sig: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeAction:
    """A seat acts, or the referee for it.

    `blind` is what hides a move, 32 bytes a card in rising position: the seat's own, or `drawn` for
    it.
    `fallback` says why the referee acts for the seat; then `action` is not read.
    """

    seat: int
    action: str
    blind: bytes
    used_ms: int
    seat_sig: bytes = b""
    drawn: bool = False
    fallback: Fallback | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """A seat sent as an action what is not even text of the right form."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedsMissing:
    """The time for commits or reveals is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """A seat gives up, or did not come back."""

    seat: int
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Abort:
    """The operator ends the match (`aborted`), or the referee cannot go on (`void`)."""

    void: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseBoard:
    """The board of this table is closed: played at all of its tables, or `void` at all."""

    void: bool


MatchCommand = (
    JoinSeat
    | SitDown
    | GiveCommit
    | GiveSeed
    | TakeAction
    | Malformed
    | SeedsMissing
    | Forfeit
    | Abort
)
Command = MatchCommand | CloseBoard
