"""What the referee rules: a command in a state gives events, a refusal, or a misuse.

`follow` is what the referee does of itself; it runs after every command until it has nothing left
to do, so the whole course of a match stands in one place: open, commit, reveal, deal, play, close.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, assert_never

from referee.rules import (
    Seat,
    Violation,
    action_text,
    draw_dealer,
    fallback_action,
    largest_points,
    outcome_of,
    parse_card,
    ruling,
)
from referee.sealing.closing import ZERO, Attempt, DealClose, Fault, MatchClose
from referee.sealing.commit import commit_set, declined_commit, hidden_move, reveal_fault
from referee.sealing.events import (
    ActionTaken,
    CommitSet,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    MatchOpen,
    RevealSet,
    SeatCommit,
    Turned,
    TurnUp,
)
from referee.sealing.parts import Pair
from referee.sealing.transcript import rule_set_hash
from referee.table.commands import (
    Abort,
    Command,
    Forfeit,
    GiveCommit,
    GiveSeed,
    Malformed,
    SeedsMissing,
    SitDown,
    TakeAction,
)
from referee.table.events import (
    AttemptRefused,
    CardHidden,
    Event,
    MatchDropped,
    PublicEvent,
    SeatTaken,
    SeedShown,
    for_side,
    plus,
)
from referee.table.evolve import UPCARD_POSITION, chain_of, evolve, open_deal
from referee.table.state import DealState, Ending, MatchState

DISCARD: Final = "discard "

Misused = Literal["NOT_NOW", "CONFLICT", "CLOSED"]


@dataclass(frozen=True, slots=True)
class Decision:
    """Events to record, in order; with a violation where the action was refused."""

    events: tuple[Event, ...]
    state: MatchState
    violation: Violation | None = None


@dataclass(frozen=True, slots=True)
class Misuse:
    """A command that the course of the match has no place for; nothing changes."""

    kind: Misused
    text: str


def decide(state: MatchState, command: Command, *, now_ms: int) -> Decision | Misuse:
    """What a command comes to. `now_ms` is the wall clock, for match_open alone."""
    if state.over:
        return Misuse("CLOSED", "the match is over")
    match command:
        case SitDown():
            return _sit_down(state, command, now_ms)
        case GiveCommit():
            return _commit(state, command, now_ms)
        case GiveSeed():
            return _reveal(state, command, now_ms)
        case TakeAction():
            return _act(state, command, now_ms)
        case Malformed():
            return _malformed(state, command, now_ms)
        case SeedsMissing():
            return _missing(state, now_ms)
        case Forfeit():
            fault = Fault(command.seat, command.why)
            return _end(state, Ending("forfeit", command.seat), now_ms, fault)
        case Abort():
            return _end(state, Ending("void" if command.void else "aborted"), now_ms)
        case _:
            assert_never(command)


def _record(
    state: MatchState, events: tuple[Event, ...], now_ms: int, violation: Violation | None = None
) -> Decision:
    """The events, and all that follows from them."""
    for event in events:
        state = evolve(state, event)
    recorded = list(events)
    while (own := follow(state, now_ms=now_ms)) is not None:
        recorded.append(own)
        state = evolve(state, own)
    return Decision(tuple(recorded), state, violation)


def _sit_down(state: MatchState, command: SitDown, now_ms: int) -> Decision | Misuse:
    if state.seats[command.seat] is not None:
        return Misuse("CONFLICT", "the seat is taken")
    return _record(state, (SeatTaken(seat=command.seat, info=command.info),), now_ms)


def _commit(state: MatchState, command: GiveCommit, now_ms: int) -> Decision | Misuse:
    deal = state.deal
    if deal is None or deal.number != command.deal or state.declined(command.seat):
        return Misuse("NOT_NOW", f"no commitment of this seat is asked for deal {command.deal}")
    stands = deal.commits[command.seat]
    if stands is not None:
        if stands == command.commit:
            return Decision((), state)
        return Misuse("CONFLICT", "another commitment of this seat stands for this deal")
    if command.commit in _commits(state, deal):
        return Misuse("CONFLICT", "another seat has this commitment: a copy cannot be opened")
    event = SeatCommit(deal=deal.number, seat=command.seat, commit=command.commit)
    return _record(state, (event,), now_ms)


def _commits(state: MatchState, deal: DealState) -> tuple[bytes | None, ...]:
    """The commitments so far; a declined seat's is known from the start."""
    return tuple(
        declined_commit(state.match, deal.number, seat) if state.declined(seat) else given
        for seat, given in enumerate(deal.commits)
    )


def _reveal(state: MatchState, command: GiveSeed, now_ms: int) -> Decision | Misuse:
    deal = state.deal
    if deal is None or deal.number != command.deal or not deal.cset or state.declined(command.seat):
        return Misuse("NOT_NOW", f"no seed of this seat is asked for deal {command.deal}")
    if command.cset != deal.cset:
        return Misuse("CONFLICT", "the seed answers another commit set")
    stands = deal.seeds[command.seat]
    if stands is not None:
        if (stands.seed, stands.cut) == (command.seed, command.cut):
            return Decision((), state)
        return Misuse("CONFLICT", "another seed of this seat stands for this deal")
    commit = deal.commits[command.seat]
    cut = command.cut if command.seat == deal.cutter else None
    pack = state.rules.pack.value
    wrong = commit is None or reveal_fault(
        state.match,
        deal.number,
        command.seat,
        pack=pack,
        commit=commit,
        seed=command.seed,
        cut=cut,
    )
    if wrong or (command.seat == deal.cutter and cut is None):
        return _withheld(state, (command.seat,), now_ms)
    event = SeedShown(
        deal=deal.number, seat=command.seat, seed=command.seed, cut=cut, sig=command.sig
    )
    return _record(state, (event,), now_ms)


def missing_seats(state: MatchState) -> tuple[int, ...]:
    """The seats whose commitment, or seed, is still asked for."""
    deal = state.deal
    if deal is None or deal.revealed:
        return ()
    given = deal.seeds if deal.cset else deal.commits
    return tuple(s for s in range(4) if given[s] is None and not state.declined(s))


def _missing(state: MatchState, now_ms: int) -> Decision | Misuse:
    seats = missing_seats(state)
    if not seats:
        return Misuse("NOT_NOW", "no seed is missing")
    return _withheld(state, seats, now_ms)


def _withheld(state: MatchState, seats: tuple[int, ...], now_ms: int) -> Decision:
    """The deal closes: a withheld seed costs the most that a deal can pay."""
    deal = open_deal(state)
    faults = tuple(Fault(seat, "WITHHELD") for seat in seats)
    sides = {seat & 1 for seat in seats}
    points = ZERO
    if state.rated and len(sides) == 1 and deal.number > 0:
        points = for_side(1 - sides.pop(), largest_points(state.rules))
    deal = replace(deal, faults=(*deal.faults, *faults))
    state = replace(state, deal=deal)
    outcome = "fault" if state.rated else "void"
    return _record(state, (_closing(state, deal, outcome, points),), now_ms)


def _act(state: MatchState, command: TakeAction, now_ms: int) -> Decision | Misuse:
    deal = state.deal
    if deal is None or deal.hand is None or deal.deck is None:
        return Misuse("NOT_NOW", "no action is asked for now")
    hand = deal.hand
    text = command.action
    if command.fallback is not None:
        text = action_text(fallback_action(hand))
    verdict = ruling(hand, command.seat, text)
    if isinstance(verdict, Violation):
        return _refuse(state, command.seat, text, verdict, now_ms)
    taken = ActionTaken(
        deal=deal.number,
        seat=command.seat,
        action=text,
        used_ms=command.used_ms,
        fallback=command.fallback,
    )
    if not text.startswith(DISCARD):
        return _record(state, (taken,), now_ms)
    position = deal.deck.cards.index(text.removeprefix(DISCARD))
    blind = command.blind
    hidden = CardHidden(deal=deal.number, seat=command.seat, position=position, blind=blind)
    commit = hidden_move(state.match, deal.number, command.seat, [(position, blind)])
    taken = replace(taken, action=DISCARD.strip(), commit=commit)
    return _record(state, (hidden, taken), now_ms)


def _malformed(state: MatchState, command: Malformed, now_ms: int) -> Decision | Misuse:
    deal = state.deal
    if deal is None or deal.hand is None:
        return Misuse("NOT_NOW", "no action is asked for now")
    verdict = ruling(deal.hand, command.seat, "?")
    if not isinstance(verdict, Violation):
        return Misuse("NOT_NOW", "not an action")
    return _refuse(state, command.seat, "?", verdict, now_ms)


def _refuse(state: MatchState, seat: int, text: str, violation: Violation, now_ms: int) -> Decision:
    """The attempt is noted and counts; nothing else changes."""
    attempt = Attempt(
        after=max(state.version, 0), seat=seat, action=text, reason=violation.reason.value
    )
    event = AttemptRefused(deal=open_deal(state).number, attempt=attempt)
    return _record(state, (event,), now_ms, violation)


def _end(state: MatchState, ending: Ending, now_ms: int, fault: Fault | None = None) -> Decision:
    if not state.opened:
        why = ending.outcome if fault is None else fault.why
        return _record(state, (MatchDropped(why=why),), now_ms)
    if state.deal is not None and fault is not None:
        deal = replace(state.deal, faults=(*state.deal.faults, fault))
        state = replace(state, deal=deal)
    return _record(replace(state, ending=ending), (), now_ms)


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
    if number >= state.created.chain:
        return _match_close(state, Ending("void"))
    return _deal_open(state, number)


def _match_open(state: MatchState, now_ms: int) -> MatchOpen:
    created = state.created
    rated = created.policy.rated and not any(info.declined for info in state.seated)
    return MatchOpen(
        match=state.match,
        rule_set=rule_set_hash(created.rules),
        rules=created.rules,
        pack=state.rules.pack.value,
        seats=state.seated,
        referee_key=created.referee_key,
        chain=created.chain,
        r0=chain_of(state).first,
        policy=replace(created.policy, rated=rated),
        opened_at=now_ms,
    )


def _deal_open(state: MatchState, number: int) -> DealOpen:
    if state.game is None:
        return DealOpen(deal=number, dealer=None, cutter=None)
    dealer = state.game.dealer
    return DealOpen(deal=number, dealer=dealer, cutter=_cutter(state, dealer))


def _cutter(state: MatchState, dealer: Seat) -> Seat | None:
    """Rule: cut.right -- the seat whose commitment holds the cut; none where it gives no seed."""
    match state.rules.cut.value:
        case "dealers_right":
            cutter = dealer.left.left.left
        case "dealers_left":
            cutter = dealer.left
        case _:
            return None
    return None if state.declined(cutter) else cutter


def _in_deal(state: MatchState, deal: DealState) -> PublicEvent | None:
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
        return _draw(state, deal) if deal.drawn is None else _closing(state, deal, "draw", ZERO)
    if deal.hand is None:
        return TurnUp(deal=deal.number, turned=_opened(deal, UPCARD_POSITION))
    if deal.hand.seat_on_turn is not None:
        return None
    result = outcome_of(deal.hand)
    return _closing(state, deal, result.outcome.value, Pair(*result.points))


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
    return _closing(state, deal, outcome, ZERO)


def _closing(state: MatchState, deal: DealState, outcome: str, points: Pair) -> DealClose:
    hand = deal.hand
    return DealClose(
        deal=deal.number,
        outcome=outcome,
        maker=None if hand is None else hand.maker_seat,
        alone=() if hand is None else hand.alone_seats,
        tricks=ZERO if hand is None else Pair(*hand.tricks_won),
        points=points,
        score=plus(state.score, points),
        faults=deal.faults,
        r=chain_of(state).secret(deal.number),
        deck=deal.deck.text if deal.deck is not None and deal.fixed else None,
        openings=deal.openings,
        attempts=deal.attempts,
    )


def _match_close(state: MatchState, ending: Ending) -> MatchClose:
    """Rule: the winner is the side that did not forfeit, or has more games (points, by deals)."""
    score = state.score if state.rules.deals is not None else state.games
    winner: int | None = None
    if ending.outcome == "forfeit" and ending.by is not None:
        winner = 1 - (ending.by & 1)
    elif ending.outcome == "finished" and score.ns != score.ew:
        winner = int(score.ew > score.ns)
    return MatchClose(
        outcome=ending.outcome, by=ending.by, winner=winner, score=score, deals=state.counted
    )
