"""Who laid the cards of a trick that names no seats, as the hands show it."""

from collections.abc import Mapping, Sequence

from referee.records.model import Laid
from referee.rules import SEATS, Card, Seat

_FEWEST = 2
"""How many cards of one trick must lie in known hands before a lead out of turn is proved."""


def leader_shown(
    laid: Sequence[Laid], owners: Mapping[Card, int], following: Sequence[int]
) -> int | None:
    """Who led a trick whose cards stand in the order they fell; nothing where it is not proved.

    Proved is the one leader for whom every card of the trick lies with the seat whose hand held
    it, as far as the hands are known. `following` is the next seat that plays, by seat.
    """
    playing = [seat for seat in SEATS if seat in following]
    matching = [seat for seat in playing if _agrees(laid, owners, following, seat)]
    shown = any(play.card in owners or play.seat is not None for play in laid)
    return int(matching[0]) if shown and len(matching) == 1 else None


def _agrees(
    laid: Sequence[Laid], owners: Mapping[Card, int], following: Sequence[int], leader: int
) -> bool:
    seat = leader
    for play in laid:
        owner = play.seat
        if owner is None and play.card is not None:
            held = owners.get(play.card)
            owner = None if held is None else SEATS[held]
        if owner not in {None, seat}:
            return False
        seat = following[seat]
    return True


def is_proved_against(laid: Sequence[Laid], owners: Mapping[Card, int], leader: int) -> bool:
    """Whether the hands prove that a seat did not lead: its card and another lie elsewhere."""
    first = laid[0].card if laid else None
    if first is None:
        return False
    known = [play.card for play in laid if play.card in owners]
    return first in owners and owners.get(first) != leader and len(known) >= _FEWEST


def seats_of_short(
    laid: Sequence[Laid], owners: Mapping[Card, int], following: Sequence[int]
) -> list[Seat] | None:
    """The seats of a trick in which a card is missing, where the hands show all of them."""
    seats = [owners.get(play.card) for play in laid if play.card is not None]
    known = [SEATS[seat] for seat in seats if seat is not None]
    if len(known) != len(laid) or len(set(known)) != len(known) or not known:
        return None
    steps = [(seat - known[0]) & 3 for seat in known]
    playing = all(seat in following for seat in known)
    return known if playing and steps == sorted(steps) else None
