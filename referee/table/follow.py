"""What the referee does of itself: it opens, deals and closes, whenever no seat is waited for.

`follow` names the one event that comes next, so the order of a match stands in one place and an
audit can ask it too.
"""

from dataclasses import replace

from referee.rules import Seat, draw_dealer, largest_points, outcome_of, parse_card
from referee.sealing.board import board_deck
from referee.sealing.closing import ZERO, DealClose, MatchClose
from referee.sealing.commit import commit_set, declined_commit
from referee.sealing.events import (
    CommitSet,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    MatchOpen,
    RevealSet,
    Turned,
    TurnUp,
)
from referee.sealing.parts import Pair
from referee.sealing.transcript import rule_set_hash
from referee.table.events import Place, PublicEvent, for_side, plus
from referee.table.evolve import UPCARD_POSITION, chain_of
from referee.table.state import DealState, Ending, MatchState


def missing_seats(state: MatchState) -> tuple[int, ...]:
    """The seats whose commitment, or seed, is still asked for."""
    deal = state.deal
    if deal is None or deal.revealed:
        return ()
    given = deal.seeds if deal.cset else deal.commits
    return tuple(s for s in range(4) if given[s] is None and not state.declined(s))


def follow(state: MatchState, *, now_ms: int) -> PublicEvent | None:
    """What the referee does next of itself; None where it waits for a seat, or all is over."""
    if state.over:
        return None
    if not state.opened:
        return _match_open(state, now_ms) if len(state.seated) == len(state.seats) else None
    if state.deal is not None:
        return _in_deal(state, state.deal)
    if state.ending is not None:
        return _match_close(state, state.ending)
    number = max(state.last_deal + 1, 0 if state.created.first_dealer is None else 1)
    if number >= state.created.chain and state.created.place is None:
        return _match_close(state, Ending("void"))
    return _deal_open(state, number)


def _match_open(state: MatchState, now_ms: int) -> MatchOpen:
    created, place = state.created, state.created.place
    rated = created.policy.rated and not any(info.declined for info in state.seated)
    return MatchOpen(
        match=state.match,
        rule_set=rule_set_hash(created.rules),
        rules=created.rules,
        pack=state.rules.pack.value,
        seats=state.seated,
        referee_key=created.referee_key,
        chain=created.chain,
        r0=chain_of(state).first if place is None else created.secret,
        policy=replace(created.policy, rated=rated),
        opened_at=now_ms,
        board=None if place is None else place.board,
        table=None if place is None else place.table,
        root=None if place is None else _root(state, place),
        score=None if place is None or place.score == ZERO else place.score,
    )


def _root(state: MatchState, place: Place) -> bytes:
    return board_deck(place.board, state.rules.pack.value, place.key).root


def _deal_open(state: MatchState, number: int) -> DealOpen:
    if state.game is None:
        return DealOpen(deal=number, dealer=None, cutter=None)
    dealer = state.game.dealer
    return DealOpen(deal=number, dealer=dealer, cutter=_cutter(state, dealer))


def _cutter(state: MatchState, dealer: Seat) -> Seat | None:
    """Rule: cut.right -- the seat whose commitment holds the cut; none where it gives no seed.

    Nobody cuts the deck of a board: one cut would be for all of its tables.
    """
    if state.created.place is not None:
        return None
    match state.rules.cut.value:
        case "dealers_right":
            cutter = dealer.left.left.left
        case "dealers_left":
            cutter = dealer.left
        case _:
            return None
    return None if state.declined(cutter) else cutter


def _in_deal(state: MatchState, deal: DealState) -> PublicEvent | None:
    if state.created.place is not None:
        return _at_table(state, deal)
    if state.ending is not None:
        return _broken_off(state, deal, state.ending)
    if not deal.revealed:
        if missing_seats(state):
            return None
        return _reveal_set(deal) if deal.cset else _commit_set(state, deal)
    deck = deal.deck
    if deck is None:
        return None
    if not deal.fixed:
        return DeckRoot(deal=deal.number, leaves=deck.leaves, root=deck.root)
    if deal.number == 0:
        return _draw(state, deal) if deal.drawn is None else closing(state, deal, "draw", ZERO)
    if deal.hand is None:
        return TurnUp(deal=deal.number, turned=_opened(deal, UPCARD_POSITION))
    if deal.hand.seat_on_turn is not None:
        return None
    result = outcome_of(deal.hand)
    return closing(state, deal, result.outcome.value, Pair(*result.points))


def _at_table(state: MatchState, deal: DealState) -> PublicEvent | None:
    """The deal of a board: it closes when the board is closed, and not before.

    Whoever stops a table pays the other side the most that a deal can pay, so that the board has a
    score all the same.
    """
    if deal.hand is None:
        return TurnUp(deal=deal.number, turned=_opened(deal, UPCARD_POSITION))
    if state.board_over is None:
        return None
    if state.board_over.void:
        return closing(state, deal, "void", ZERO)
    if state.ending is not None and state.ending.by is not None:
        other = 1 - (state.ending.by & 1)
        return closing(state, deal, "fault", for_side(other, largest_points(state.rules)))
    result = outcome_of(deal.hand)
    return closing(state, deal, result.outcome.value, Pair(*result.points))


def _commit_set(state: MatchState, deal: DealState) -> CommitSet:
    commits = tuple(
        given if given is not None else declined_commit(state.match, deal.number, seat)
        for seat, given in enumerate(deal.commits)
    )
    below = chain_of(state).commitment(deal.number)
    cset = commit_set(state.match, deal.number, state.rules.pack.value, below, commits)
    return CommitSet(deal=deal.number, r_commit=below, commits=commits, cset=cset)


def _reveal_set(deal: DealState) -> RevealSet:
    shown = deal.seeds
    cut = None
    if deal.cutter is not None:
        cutter = shown[deal.cutter]
        cut = None if cutter is None else cutter.cut
    return RevealSet(
        deal=deal.number,
        seeds=tuple(b"" if s is None else s.seed for s in shown),
        cut=cut,
        sigs=tuple(b"" if s is None else s.sig for s in shown),
    )


def _opened(deal: DealState, position: int) -> Turned:
    deck = deal.deck
    assert deck is not None  # noqa: S101 -- the caller has seen the deck fixed
    return Turned(position=position, card=deck.cards[position], salt=deck.salts[position])


def _draw(state: MatchState, deal: DealState) -> DealerDrawn:
    deck = deal.deck
    assert deck is not None  # noqa: S101 -- the caller has seen the deck fixed
    start = deck.first_seat
    cards = [parse_card(card) for card in deck.cards]
    found = draw_dealer(cards, state.rules.first_dealer, start)
    return DealerDrawn(
        deal=0,
        start=start,
        turned=tuple(_opened(deal, position) for position in found.turned),
        dealer=found.dealer,
    )


def _broken_off(state: MatchState, deal: DealState, ending: Ending) -> DealClose:
    """The open deal of a match that ends: nobody scores."""
    rated = state.rated
    outcome = "fault" if ending.outcome == "forfeit" and rated else "void"
    return closing(state, deal, outcome, ZERO)


def closing(state: MatchState, deal: DealState, outcome: str, points: Pair) -> DealClose:
    """The close of the open deal, with everything that was hidden in it."""
    hand = deal.hand
    alone = state.created.place is None  # else r and deck are the board's to publish
    return DealClose(
        deal=deal.number,
        outcome=outcome,
        maker=None if hand is None else hand.maker_seat,
        alone=() if hand is None else hand.alone_seats,
        tricks=ZERO if hand is None else Pair(*hand.tricks_won),
        points=points,
        score=plus(state.score, points),
        faults=deal.faults,
        r=chain_of(state).secret(deal.number) if alone else None,
        deck=deal.deck.text if alone and deal.deck is not None and deal.fixed else None,
        openings=deal.openings,
        attempts=deal.attempts,
    )


def _match_close(state: MatchState, ending: Ending) -> MatchClose:
    """Rule: the winner is the side that did not forfeit, or has more games (points, by deals).

    A table of a board counts the points of its one deal.
    """
    place = state.created.place
    score = state.score if place or state.rules.deals is not None else state.games
    if place is not None:
        score = Pair(score.ns - place.score.ns, score.ew - place.score.ew)
    winner: int | None = None
    if ending.outcome == "forfeit" and ending.by is not None:
        winner = 1 - (ending.by & 1)
    elif ending.outcome == "finished" and score.ns != score.ew:
        winner = int(score.ew > score.ns)
    return MatchClose(
        outcome=ending.outcome, by=ending.by, winner=winner, score=score, deals=state.counted
    )
