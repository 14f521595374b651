"""What a bot is shown before it chooses: plain words and lists."""

from collections.abc import Callable, Sequence
from typing import Final, NotRequired, TypeAlias, TypedDict

from euchre_bot.dealing import SEATS
from euchre_bot.errors import DealProofError
from euchre_bot.pb.euchre.referee.v1 import table_pb2


class SideCounts(TypedDict):
    """A count for each side."""

    ns: int
    ew: int


class Played(TypedDict):
    """A card on the table, and who played it."""

    seat: str
    card: str


class Refusal(TypedDict):
    """Why the last answer to this very question was refused."""

    action: str
    reason: str
    text: str


class View(TypedDict):
    """What one seat has seen of a deal; a key whose value has no meaning yet is absent."""

    match: str
    deal: int
    state_version: int
    limit_ms: int
    seat: str
    phase: str
    dealer: str
    hand: list[str]
    counts: dict[str, int]
    upcard: NotRequired[str]
    upcard_state: NotRequired[str]
    trump: NotRequired[str]
    maker: NotRequired[str]
    alone: list[str]
    out: list[str]
    led: NotRequired[str]
    trick: list[Played]
    tricks: SideCounts
    score: SideCounts
    turn: NotRequired[str]
    legal: list[str]
    refused: NotRequired[Refusal]


Choose: TypeAlias = Callable[[View, Sequence[str]], str]
"""A bot: the view and the legal actions go in, one of the actions comes out."""

_FIRST: Final = table_pb2.SEAT_NORTH


def seat_number(seat: int) -> int:
    """A seat of the wire as 0 to 3."""
    if not _FIRST <= seat < _FIRST + len(SEATS):
        raise DealProofError(f"the referee named seat {seat}, which is no seat")
    return seat - _FIRST


def _word(seat: int) -> str:
    return SEATS[seat_number(seat)]


def _sides(sides: table_pb2.Sides) -> SideCounts:
    return {"ns": sides.ns, "ew": sides.ew}


def view_of(view: table_pb2.View, *, match: str, limit_ms: int) -> View:
    """A view of the wire in a bot's words."""
    shown: View = {
        "match": match,
        "deal": view.deal,
        "state_version": view.state_version,
        "limit_ms": limit_ms,
        "seat": _word(view.seat),
        "phase": view.phase,
        "dealer": _word(view.dealer),
        "hand": list(view.hand),
        "counts": dict(zip(SEATS, view.counts, strict=False)),
        "alone": [_word(seat) for seat in view.alone],
        "out": [_word(seat) for seat in view.out],
        "trick": [{"seat": _word(played.seat), "card": played.card} for played in view.trick],
        "tricks": _sides(view.tricks),
        "score": _sides(view.score),
        "legal": list(view.legal),
    }
    if view.upcard:
        shown["upcard"] = view.upcard
    if view.upcard_state:
        shown["upcard_state"] = view.upcard_state
    if view.HasField("trump"):
        shown["trump"] = view.trump
    if view.HasField("maker"):
        shown["maker"] = _word(view.maker)
    if view.HasField("led"):
        shown["led"] = view.led
    if view.HasField("turn"):
        shown["turn"] = _word(view.turn)
    return shown
