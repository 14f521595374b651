"""What a seat, or somebody who watches, is told: the host's side of the wire."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from referee.sealing.closing import Fault
from referee.sealing.messages import Opening
from referee.sealing.transcript import line_bytes
from referee.table.events import PublicEvent
from referee.table.view import Ask, View


@dataclass(frozen=True, slots=True, eq=False)
class EventItem:
    """A public event: its exact bytes, the referee's signature or nothing, and the event.

    `head` is the head of the chain after it. It is itself and equal to no other, so that what is
    made of it can be kept and found again at once.
    """

    seq: int
    raw: bytes
    sig: bytes
    event: PublicEvent
    head: bytes

    @property
    def line(self) -> bytes:
        """The event as a line of the transcript, with its LF."""
        return line_bytes(self.raw, self.sig)


@dataclass(frozen=True, slots=True)
class AskItem:
    """The seat is to do something; `after` is the seq of the event that led to it."""

    after: int
    ask: Ask


@dataclass(frozen=True, slots=True)
class CardsItem:
    """The seat's cards of a deal, signed by the referee."""

    after: int
    deal: int
    root: bytes
    cards: tuple[Opening, ...]
    sig: bytes


@dataclass(frozen=True, slots=True)
class FaultItem:
    """A fault, as it happened; everybody at the table is told."""

    after: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class Closing:
    """The stream is not this client's any more, or nothing more will come."""

    why: Literal["superseded", "draining", "dropped"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The answer to an attempt that was understood.

    `positions` and `blinds` are there where the referee drew the blinds of a hidden move. `stands`
    is the deal and the seq of the event that a receipt for the attempt names.
    """

    seat: int
    request_id: bytes
    accepted: bool
    after: int
    reason: str = ""
    rule: str = ""
    text: str = ""
    legal: tuple[str, ...] = ()
    seq: int | None = None
    positions: tuple[int, ...] = ()
    blinds: tuple[bytes, ...] = ()
    attempts: int = 0
    stands: tuple[int, int] | None = None


Wrong = Literal[
    "MALFORMED",
    "UNSIGNED",
    "STALE",
    "NOT_NOW",
    "CONFLICT",
    "CLOSED",
    "FULL",
    "NOT_RECORDED",
    "DRAINING",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Misused:
    """The answer to an input that has no place in the course of the match."""

    seat: int
    request_id: bytes
    wrong: Wrong
    text: str
    view: View | None = None


Item = EventItem | AskItem | CardsItem | FaultItem | Closing
Answer = Ruling | Misused
Sink = Callable[[Sequence[Item]], None]
Reply = Callable[[Answer], None]


def unheard(_answer: Answer) -> None:
    """The reply to an attempt nobody waits for."""
