"""What a seat sees, and what it is asked: the only way out of the state for a player."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from referee.rules import (
    TRUMP_LETTERS,
    Hand,
    Seat,
    action_text,
    card_text,
    cards_of,
    dealer_names_blind,
    parse_card,
    positions,
)
from referee.sealing.deck import SealedDeck
from referee.sealing.events import ActionTaken, DealOpen, DeckRoot
from referee.sealing.messages import Opening
from referee.sealing.packs import SWAP_POSITIONS
from referee.sealing.parts import Pair
from referee.table.events import PublicEvent
from referee.table.evolve import UPCARD_POSITION
from referee.table.follow import missing_seats
from referee.table.state import MatchState


class View(NamedTuple):
    """One seat's view of a deal; a field that has no meaning yet is None or empty.

    Rule: view.own-only -- no card is in it that the seat has not seen.
    """

    seat: Seat
    deal: int
    phase: str
    dealer: Seat
    hand: tuple[str, ...]
    counts: tuple[int, ...]
    upcard: str
    upcard_state: str
    trump: str | None
    maker: Seat | None
    alone: tuple[Seat, ...]
    out: tuple[Seat, ...]
    led: str | None
    trick: tuple[tuple[Seat, str], ...]
    tricks: Pair
    score: Pair
    turn: Seat | None
    legal: tuple[str, ...]
    state_version: int


def view(state: MatchState, seat: int) -> View | None:
    """The view of a seat; None while no upcard is turned."""
    deal = state.deal
    if deal is None or deal.hand is None:
        return None
    score = (state.score.ns, state.score.ew)
    return hand_view(deal.hand, Seat(seat), deal=deal.number, score=score, version=state.version)


def hand_view(hand: Hand, seat: Seat, *, deal: int, score: tuple[int, int], version: int) -> View:
    """The view of a seat on a hand."""
    turn = hand.seat_on_turn
    legal = tuple(map(action_text, hand.legal())) if turn == seat else ()
    return View(
        seat=seat,
        deal=deal,
        phase=hand.phase.value,
        dealer=Seat(hand.dealer),
        hand=tuple(map(card_text, cards_of(hand.seen_by(seat)))),
        counts=hand.counts,
        upcard=card_text(hand.upcard),
        upcard_state=hand.upcard_state.value,
        trump=None if hand.trump_suit is None else TRUMP_LETTERS[hand.trump_suit],
        maker=hand.maker_seat,
        alone=hand.alone_seats,
        out=hand.out_seats,
        led=None if hand.led is None else card_text(hand.led),
        trick=tuple((who, card_text(card)) for who, card in hand.trick),
        tricks=Pair(*hand.tricks_won),
        score=Pair(*score),
        turn=turn,
        legal=legal,
        state_version=version,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What a seat is to do now, and how long it has in milliseconds."""

    seat: int
    what: Literal["commit", "reveal", "act"]
    deal: int
    cutter: bool
    limit_ms: int
    view: View | None


def asks(state: MatchState) -> tuple[Ask, ...]:
    """What is asked of the seats in this state; nothing once the match is over."""
    deal = state.deal
    if state.over or not state.opened or deal is None or state.ending is not None:
        return ()
    policy = state.created.policy
    if not deal.revealed:
        what: Literal["commit", "reveal"] = "reveal" if deal.cset else "commit"
        limit = policy.reveal_ms if deal.cset else policy.commit_ms
        return tuple(
            Ask(
                seat=seat,
                what=what,
                deal=deal.number,
                cutter=seat == deal.cutter,
                limit_ms=limit,
                view=None,
            )
            for seat in missing_seats(state)
        )
    turn = deal.hand.seat_on_turn if deal.hand is not None else None
    if turn is None:
        return ()
    return (
        Ask(
            seat=turn,
            what="act",
            deal=deal.number,
            cutter=False,
            limit_ms=policy.move_ms + state.banks[turn],
            view=view(state, turn),
        ),
    )


def private_cards(state: MatchState, seat: int) -> tuple[Opening, ...]:
    """The five cards a seat is dealt, with their salts, in rising position.

    Nothing in the dealer draw, before the deck is fixed, and while the dealer names trump blind.
    """
    deal = state.deal
    if deal is None or deal.deck is None or not deal.fixed or deal.dealer is None:
        return ()
    hand = deal.hand
    called = hand is not None and not hand.names_blind
    if seat == deal.dealer and not called and _is_blind(state, deal.deck):
        return ()
    return _openings(deal.deck, positions(state.rules.packets, deal.dealer, seat))


def _is_blind(state: MatchState, deck: SealedDeck) -> bool:
    return dealer_names_blind(state.rules, parse_card(deck.cards[UPCARD_POSITION]))


def _openings(deck: SealedDeck, places: Iterable[int]) -> tuple[Opening, ...]:
    return tuple(Opening(place, deck.cards[place], deck.salts[place]) for place in sorted(places))


def tells_cards(event: PublicEvent) -> bool:
    """Whether a public event may give a seat cards: most do not, and are asked often."""
    if isinstance(event, ActionTaken):
        return event.action.startswith(_TELLING)
    return isinstance(event, DeckRoot | DealOpen)


_TELLING: Final = ("name ", "swap", "give")


def cards_told(state: MatchState, seat: int, event: PublicEvent, seq: int) -> tuple[Opening, ...]:
    """The cards that a public event gives a seat, with their salts, in rising position.

    The five it is dealt come with the fixed deck, which is there when a table of a board opens its
    deal, or after the dealer's blind call; the kitty's three with a swap; one card for the loner
    with a gift. `seq` is the event's.
    """
    deal = state.deal
    deck = None if deal is None else deal.deck
    if deal is None or deck is None:
        return ()
    if isinstance(event, DeckRoot | DealOpen):
        return private_cards(state, seat)
    if not isinstance(event, ActionTaken):
        return ()
    match event.action.partition(" ")[0]:
        case "name" if seat == event.seat == deal.dealer and _is_blind(state, deck):
            return private_cards(state, seat)
        case "swap" if seat == event.seat:
            return _openings(deck, SWAP_POSITIONS)
        case "give" if seat == event.seat ^ 2:
            given = next(opening for opening in deal.openings if opening.seq == seq)
            return _openings(deck, given.positions)
        case _:
            return ()
