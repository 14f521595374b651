"""What the close of a deal opens, lists and charges, held against what its events have said.

Each check raises CheckError where it fails.
"""

from collections.abc import Sequence

from referee.sealing.checks import SeatKey
from referee.sealing.closing import DealClose, Fault
from referee.sealing.commit import hidden_move
from referee.sealing.deck import SealedDeck
from referee.sealing.draw import dealer_draw
from referee.sealing.errors import DealProofError
from referee.sealing.events import DealerDrawn
from referee.sealing.packs import SEATS
from referee.sealing.parts import CARDS_MOVED
from referee.sealing.record import DealRecord
from referee.sealing.verdict import CheckError, require


def check_draw(event: DealerDrawn, deck: SealedDeck, method: str, seq: int) -> None:
    """The draw for the first dealer, event `seq`, is the one that the deck gives."""
    start = deck.first_seat
    try:
        draw = dealer_draw(deck.cards, method, start)
    except DealProofError as err:
        raise CheckError(str(err), seq=seq) from err
    turned = tuple(card.position for card in event.turned)
    require(event.start == start, f"the draw starts at {SEATS[start]}", seq=seq)
    require(turned == draw.turned, "the cards turned are not those of the draw", seq=seq)
    dealer = SEATS[draw.dealer]
    require(event.dealer == draw.dealer, f"the draw makes {dealer} the dealer", seq=seq)


def check_openings(event: DealClose, deal: DealRecord, match: bytes, cards: Sequence[str]) -> None:
    """The openings are those of the hidden moves, each of which opens to cards of the pack."""
    hidden = {p.seq: p.action for p in deal.actions if p.action.commit is not None}
    require(
        [opening.seq for opening in event.openings] == list(hidden),
        "the openings are not those of the hidden moves",
    )
    for opening in event.openings:
        action, places = hidden[opening.seq], opening.positions
        require(
            len(places) == CARDS_MOVED[action.action]
            and list(places) == sorted(set(places))
            and places[-1] < len(cards),
            f"the opening of event {opening.seq} does not name its cards in rising position",
        )
        opened = zip(places, opening.blinds, strict=True)
        made = hidden_move(match, deal.number, action.seat, opened)
        require(
            made == action.commit,
            f"the hidden move of event {opening.seq} opens to something else",
        )


def check_withheld(event: DealClose, deal: DealRecord, declined: Sequence[bool]) -> None:
    """A seat can withhold a commitment or a reveal that is due, and nothing else."""
    for fault in event.faults:
        if fault.why != "WITHHELD":
            continue
        word = SEATS[fault.seat]
        require(deal.root is None, f"{word} withheld nothing: the deck was made")
        require(not declined[fault.seat], f"{word} withheld nothing: it has declined")
        require(
            deal.commit_set is not None or fault.seat not in deal.commits,
            f"{word} withheld nothing: its commitment stands",
        )


def is_signed(fault: Fault, event: DealClose, keys: Sequence[SeatKey]) -> bool:
    """Whether a fault is no mere word of the referee: its seat signed each attempt."""
    tried = any(attempt.seat == fault.seat for attempt in event.attempts)
    return fault.why == "ILLEGAL" and tried and keys[fault.seat] is not None
