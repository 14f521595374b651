"""What a record states beside its calls, held against what the calls make and the rules allow."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from referee.records.model import UNHEARD, Laid, Problem, RecordedDeal
from referee.rules import SEATS, Card, Hand, Reason, Seat, Violation, card_text, ruling
from referee.rules.calling import turned_suit
from referee.rules.knobs import AloneWho, Upcard


@dataclass(frozen=True, slots=True)
class Stray:
    """A call that made trump at the table although the rules know no such call there."""

    seat: int
    suit: int
    alone: bool


def is_order(hand: Hand, suit: int) -> bool:
    """Whether only taking the upcard can have made a suit trump.

    Rule: round-two.not-turned-suit
    """
    return hand.rules.upcard is Upcard.DEALER_TAKES and suit == turned_suit(hand)


def are_short(tricks: Sequence[Sequence[Laid]]) -> bool:
    """Whether every trick lacks a card, so that somebody must sit out."""
    return bool(tricks) and all(len(trick) < len(SEATS) for trick in tricks)


def violation_on_turn(hand: Hand, seat: int, words: str) -> Violation | None:
    """What the rules have against the words of a seat, as if it were on turn."""
    turn, hand.turn = hand.turn, seat
    found = ruling(hand, seat, words)
    hand.turn = turn
    return found if isinstance(found, Violation) else None


def lone_violations(
    hand: Hand, deal: RecordedDeal, seats: Iterable[Seat]
) -> Iterator[tuple[Seat, Violation]]:
    """The stated loners that the rules do not let go alone, or that every call heard leaves out.

    Rule: alone.who
    Rule: alone.when -- late is only what calls that are all known did not say.
    Rule: defend.alone
    """
    nobody = hand.maker < 0 and hand.rules.alone_who is not AloneWho.ANY_PLAYER
    if hand.trump < 0 or nobody:
        return
    heard = bool(deal.said) and all(said.words != UNHEARD for said in deal.said)
    for seat in seats:
        found = violation_on_turn(hand, seat, "alone")
        if found is not None and (heard or found.reason is not Reason.ALONE_TOO_LATE):
            yield seat, found


def contradictions(deal: RecordedDeal, called: int, untaken: Card | None) -> Iterator[Problem]:
    """What is stated and cannot be: a maker, a discard of no six cards, partners both alone.

    `called` is the maker whom the calls make, `untaken` a card put away though no upcard was taken.
    """
    at = f"deal {deal.number}"
    if deal.maker is not None and called >= 0 and called != deal.maker:
        message = "the maker that is stated is not the one that the calls make"
        yield Problem(at, f"{message}: {deal.maker.word}, and the calls make {SEATS[called].word}")
    for seat in SEATS[:2]:
        partner = SEATS[seat ^ 2]
        if {seat, partner} <= set(deal.alone):
            message = f"{seat.word} and {partner.word} are partners, and only one can be alone"
            yield Problem(at, f"{message} (alone.partner-out)")
    if untaken is not None:
        message = f"{card_text(untaken)} is written down as discarded, and no upcard was taken"
        yield Problem(at, f"{message} (discard.dealer-takes-upcard)")
