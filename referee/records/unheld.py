"""The cards of a recorded deal that were played by a seat that cannot have held them."""

from collections.abc import Iterator

from referee.records.calls import Calling
from referee.records.known import Known
from referee.records.report import Irregularity
from referee.records.walk import Walk
from referee.rules import SEATS, Card, Holding, card_text


def unheld(
    known: Known, calling: Calling, walk: Walk, holdings: tuple[Holding, ...]
) -> Iterator[Irregularity]:
    """Every card that was played by a seat that cannot have held it.

    Rule: play.card-held
    """
    for trick in walk.tricks:
        for seat, card in trick.plays:
            if card is None or seat in calling.moved or card in known.disputed:
                continue
            if _may_hold(known, calling, seat, card, holdings):
                continue
            place = _owner(seat, card, holdings) or known.place_of(card)
            place = None if place == SEATS[seat].word else place
            where = f", which is in {place}" if place else ""
            yield Irregularity(
                rule="play.card-held",
                what=f"{SEATS[seat].word} plays {card_text(card)} without holding it{where}",
                trick=trick.number,
                seat=SEATS[seat],
                card=card,
            )


def _may_hold(
    known: Known, calling: Calling, seat: int, card: Card, holdings: tuple[Holding, ...]
) -> bool:
    """Whether a seat held a card, or may have for all that is known."""
    cards, spare, elsewhere = holdings[seat]
    owner = _owner(seat, card, holdings)
    whole = known.is_full(seat) and bool(known.deal.hands[seat])
    whole = whole and not _may_be_upcard(known, calling, seat, card)
    if cards >> card & 1 or not (whole or elsewhere >> card & 1 or owner):
        return True
    return bool(spare) and not whole and not owner


def _may_be_upcard(known: Known, calling: Calling, seat: int, card: Card) -> bool:
    """Whether a card may have come to a seat as the upcard, which is not known or nobody's."""
    deal = known.deal
    dealer = not deal.has_dealer or seat == deal.dealer
    return dealer and calling.may_take and deal.upcard in {None, card}


def _owner(seat: int, card: Card, holdings: tuple[Holding, ...]) -> str | None:
    """The hand of another seat in which a card is known to be."""
    return next(
        (
            f"the hand of {SEATS[other].word}"
            for other in SEATS
            if other != seat and holdings[other].cards >> card & 1
        ),
        None,
    )
