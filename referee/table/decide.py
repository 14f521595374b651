"""What the referee rules: a command in a state gives events, a refusal, or a misuse.

After every command `follow` runs until it has nothing left to do.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, assert_never

from referee.rules import (
    Violation,
    action_text,
    fallback_action,
    largest_points,
    ruling,
)
from referee.sealing.closing import ZERO, Attempt, Fault
from referee.sealing.commit import declined_commit, hidden_move, reveal_fault
from referee.sealing.deck import SealedDeck
from referee.sealing.events import ActionTaken, SeatCommit
from referee.sealing.parts import HIDDEN_MOVES
from referee.table.commands import (
    Abort,
    CloseBoard,
    Command,
    Forfeit,
    GiveCommit,
    GiveSeed,
    JoinSeat,
    Malformed,
    MatchCommand,
    SeedsMissing,
    SitDown,
    TakeAction,
)
from referee.table.events import (
    AttemptRefused,
    BoardOver,
    CardHidden,
    Event,
    MatchDropped,
    SeatJoined,
    SeatTaken,
    SeedShown,
    SideLeft,
    for_side,
)
from referee.table.evolve import evolve, open_deal
from referee.table.follow import closing, follow, missing_seats
from referee.table.state import DealState, Ending, MatchState

BLIND_SIZE: Final = 32
MALFORMED: Final = "?"
"""What stands in the transcript for what was no text of an action."""

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
    if isinstance(command, CloseBoard):
        return _close_board(state, command, now_ms)
    if state.waits_for_board:
        return Misuse("NOT_NOW", "this table is done, and waits for the others of its board")
    return _in_match(state, command, now_ms)


def _in_match(state: MatchState, command: MatchCommand, now_ms: int) -> Decision | Misuse:
    match command:
        case JoinSeat():
            return _join(state, command, now_ms)
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
        case Forfeit(why="INFRA"):  # nobody's at the table: it never scores
            return _break_off(state, Ending("void"), now_ms)
        case Forfeit():
            fault = Fault(command.seat, command.why)
            return _end(state, Ending("forfeit", command.seat), now_ms, fault)
        case Abort():
            return _break_off(state, Ending("void" if command.void else "aborted"), now_ms)
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


def _join(state: MatchState, command: JoinSeat, now_ms: int) -> Decision | Misuse:
    given = state.joined[command.seat]
    if given == command.token:
        return Decision((), state)
    if given is not None:
        return Misuse("CONFLICT", "somebody has taken up this invitation")
    if state.opened or command.seat not in state.created.invited:
        return Misuse("NOT_NOW", "there is no invitation to this seat")
    return _record(state, (SeatJoined(seat=command.seat, token=command.token),), now_ms)


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
    cut = command.cut if command.seat == deal.cutter else None
    stands = deal.seeds[command.seat]
    if stands is not None:
        if (stands.seed, stands.cut) == (command.seed, cut):
            return Decision((), state)
        return Misuse("CONFLICT", "another seed of this seat stands for this deal")
    commit = deal.commits[command.seat]
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
        return withhold(state, (command.seat,), now_ms=now_ms)
    event = SeedShown(
        deal=deal.number, seat=command.seat, seed=command.seed, cut=cut, sig=command.sig
    )
    return _record(state, (event,), now_ms)


def _missing(state: MatchState, now_ms: int) -> Decision | Misuse:
    seats = missing_seats(state)
    if not seats:
        return Misuse("NOT_NOW", "no seed is missing")
    return withhold(state, seats, now_ms=now_ms)


def withhold(state: MatchState, seats: tuple[int, ...], *, now_ms: int) -> Decision:
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
    return _record(state, (closing(state, deal, outcome, points),), now_ms)


def _act(state: MatchState, command: TakeAction, now_ms: int) -> Decision | Misuse:
    deal = state.deal
    if deal is None or deal.hand is None or deal.deck is None:
        return Misuse("NOT_NOW", "no action is asked for now")
    hand = deal.hand
    text = command.action
    if command.fallback is not None:
        if hand.seat_on_turn != command.seat:
            return Misuse("NOT_NOW", "the seat is not on turn: there is nothing to play for it")
        text = action_text(fallback_action(hand))
    verdict = ruling(hand, command.seat, text)
    if isinstance(verdict, Violation):
        return _refuse(state, command.seat, text, verdict, now_ms, sig=command.seat_sig)
    taken = ActionTaken(
        deal=deal.number,
        seat=command.seat,
        action=text,
        used_ms=command.used_ms,
        seat_sig=command.seat_sig or None,
        fallback=command.fallback,
    )
    hidden = _hidden(deal, deal.deck, command.seat, text, command.blind)
    if hidden is None:
        return _record(state, (taken,), now_ms)
    hidden = replace(hidden, drawn=command.drawn)
    word = text.partition(" ")[0]
    commit = _commitment(state.match, hidden)
    return _record(state, (hidden, replace(taken, action=word, commit=commit)), now_ms)


def _hidden(
    deal: DealState, deck: SealedDeck, seat: int, text: str, blind: bytes
) -> CardHidden | None:
    """What a legal action hides; nothing where it is played in the open."""
    word, *cards = text.split(" ")
    if word not in HIDDEN_MOVES:
        return None
    starts = range(0, BLIND_SIZE * len(cards), BLIND_SIZE)
    return CardHidden(
        deal=deal.number,
        seat=seat,
        positions=tuple(sorted(map(deck.cards.index, cards))),
        blinds=tuple(blind[at : at + BLIND_SIZE] for at in starts),
    )


def _commitment(match: bytes, hidden: CardHidden) -> bytes:
    pairs = zip(hidden.positions, hidden.blinds, strict=True)
    return hidden_move(match, hidden.deal, hidden.seat, pairs)


def signed_text(state: MatchState, seat: int, text: str, blind: bytes) -> str:
    """The text that a signing seat signs of an action.

    A hidden move is its word and the hex of its commitment; whatever is refused is signed as sent.
    """
    deal = state.deal
    if deal is None or deal.hand is None or deal.deck is None:
        return text
    if isinstance(ruling(deal.hand, seat, text), Violation):
        return text
    hidden = _hidden(deal, deal.deck, seat, text, blind)
    if hidden is None:
        return text
    return f"{text.partition(' ')[0]} {_commitment(state.match, hidden).hex()}"


def blind_size(action: str) -> int:
    """How many bytes hide an action: 32 for each card it names, where it is a hidden move."""
    word, *cards = action.split(" ")
    return BLIND_SIZE * len(cards) if word in HIDDEN_MOVES else 0


def _malformed(state: MatchState, command: Malformed, now_ms: int) -> Decision | Misuse:
    deal = state.deal
    if deal is None or deal.hand is None:
        return Misuse("NOT_NOW", "no action is asked for now")
    verdict = ruling(deal.hand, command.seat, MALFORMED)
    if not isinstance(verdict, Violation):
        return Misuse("NOT_NOW", "not an action")
    return _refuse(state, command.seat, MALFORMED, verdict, now_ms)


def _refuse(
    state: MatchState,
    seat: int,
    text: str,
    violation: Violation,
    now_ms: int,
    *,
    sig: bytes = b"",
) -> Decision:
    """The attempt is noted and counts; nothing else changes.

    What a seat has signed counts once: one signature is no proof that it tried twice.
    """
    attempt = Attempt(
        after=max(state.version, 0),
        seat=seat,
        action=text,
        reason=violation.reason.value,
        seat_sig=sig or None,
    )
    deal = open_deal(state)
    if sig and attempt.place in {earlier.place for earlier in deal.attempts}:
        return Decision((), state, violation)
    event = AttemptRefused(deal=deal.number, attempt=attempt)
    return _record(state, (event,), now_ms, violation)


def _close_board(state: MatchState, command: CloseBoard, now_ms: int) -> Decision | Misuse:
    if state.created.place is None or state.board_over is not None:
        return Misuse("NOT_NOW", "this is no table of a board that is open")
    if not command.void and not state.waits_for_board:
        return Misuse("NOT_NOW", "the table is still played")
    return _record(state, (BoardOver(void=command.void),), now_ms)


def _break_off(state: MatchState, ending: Ending, now_ms: int) -> Decision | Misuse:
    if state.created.place is not None:
        return Misuse("NOT_NOW", "a board is voided at all of its tables together")
    return _end(state, ending, now_ms)


def _end(state: MatchState, ending: Ending, now_ms: int, fault: Fault | None = None) -> Decision:
    if not state.opened:
        why = ending.outcome if fault is None else fault.why
        return _record(state, (MatchDropped(why=why),), now_ms)
    if state.created.place is not None and fault is not None:
        return _record(state, (SideLeft(seat=fault.seat, why=fault.why),), now_ms)
    if state.deal is not None and fault is not None:
        deal = replace(state.deal, faults=(*state.deal.faults, fault))
        state = replace(state, deal=deal)
    return _record(replace(state, ending=ending), (), now_ms)
