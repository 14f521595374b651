"""The dealer of a record that names none, or none that can be."""

from dataclasses import replace

from referee.records.model import Problem, RecordedDeal
from referee.rules import SEATS, Seat

_EVERYBODY = 4


def without_dealer(deal: RecordedDeal, at: str) -> RecordedDeal:
    """The deal with its dealer taken from the first lead, or said to be unknown.

    Where a seat may sit out, the first lead does not tell.
    """
    first = _first_leader(deal)
    if first is None:
        message = "no dealer is given, nor does a first lead tell: who dealt is not known"
        return replace(
            deal, has_dealer=False, problems=(*deal.problems, Problem(at, f"{message} (name it)"))
        )
    dealer = SEATS[first - 1]
    message = f"no dealer is given: {dealer.word} is taken, to the right of the first lead"
    return replace(
        deal, dealer=dealer, has_dealer=True, problems=(*deal.problems, Problem(at, message))
    )


def _first_leader(deal: RecordedDeal) -> Seat | None:
    trick = deal.tricks[0] if deal.tricks else ()
    alone = deal.alone or any(said.words.endswith("alone") for said in deal.said)
    if len(trick) != _EVERYBODY or alone:
        return None
    if deal.first_lead is not None:
        return deal.first_lead
    lead = trick[0]
    if lead.seat is not None:
        return lead.seat
    holding = [s for s in SEATS if lead.card is not None and lead.card in (deal.hands[s] or ())]
    return holding[0] if len(holding) == 1 else None
