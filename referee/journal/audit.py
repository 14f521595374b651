"""The audit of a journal: every match decided again from its rows, with no server.

Each row that somebody caused is turned back into its command; what the table decides on it must be
exactly the rows that stand there. The transcript must verify besides.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from referee.errors import InternalError, RefereeError
from referee.journal.boards import KeptBoard, board_of, board_of_table, is_board, public_text
from referee.journal.boardverify import verify_board
from referee.journal.codec import event_of
from referee.journal.sqlite import SqliteReader
from referee.journal.store import Row
from referee.journal.verify import Asked, verify_stream
from referee.rules import uncovered
from referee.sealing.board import board_link
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.events import ActionTaken, MatchOpen, SeatCommit
from referee.sealing.keys import VerifyKey, parse_key
from referee.sealing.messages import referee_bytes
from referee.sealing.transcript import ZERO_HEAD, event_hash, read_line
from referee.sealing.verdict import Stage
from referee.table.commands import (
    Abort,
    CloseBoard,
    Command,
    Forfeit,
    GiveCommit,
    GiveSeed,
    JoinSeat,
    SeedsMissing,
    SitDown,
    TakeAction,
)
from referee.table.decide import Decision, decide, withhold
from referee.table.events import (
    FALLBACKS,
    WHYS,
    AttemptRefused,
    BoardOver,
    CardHidden,
    Event,
    MatchCreated,
    MatchDropped,
    SeatJoined,
    SeatTaken,
    SeedShown,
    SideLeft,
)
from referee.table.evolve import begin
from referee.table.follow import missing_seats
from referee.table.state import MatchState

INCOMPLETE: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """What the audit of one match found; `fault` is empty where everything holds."""

    match: str
    rows: int
    events: int
    state: str
    fault: str = ""

    @property
    def sound(self) -> bool:
        """Whether everything holds."""
        return not self.fault

    def as_map(self) -> dict[str, str | int | bool]:
        """The finding for programs."""
        return {
            "match": self.match,
            "rows": self.rows,
            "events": self.events,
            "state": self.state,
            "sound": self.sound,
            "fault": self.fault,
        }


class _WrongError(Exception):
    """A row is not what it has to be."""


def audit(reader: SqliteReader) -> Iterator[Audited]:
    """The finding on each match of a journal, in order of creation."""
    still_open = set(reader.open_matches())
    for match in reader.matches():
        rows = tuple(reader.rows(match))
        if is_board(rows):
            yield audit_board(match, rows, still_open=match in still_open)
            continue
        with suppress(InternalError):  # a damaged first row is the audit's to tell
            board = board_of_table(rows)
            if board is not None:
                of = tuple(reader.rows(board))
                yield audit_match(match, rows, still_open=match in still_open, board=of)
                continue
        yield audit_match(match, rows, still_open=match in still_open)


def audit_board(board: bytes, rows: Sequence[Row], *, still_open: bool) -> Audited:
    """The finding on one sealed board; its tables are matches with findings of their own."""
    events = sum(row.seq is not None for row in rows)
    state, fault = "damaged", ""
    try:
        kept = board_of(rows)
        state = "open" if kept.close is None else kept.close.outcome
        _require(kept.created.board == board, "row 0 does not create this board")
        _check_board(kept, rows)
        _require(still_open == (kept.close is None), f"it is {state}, and the index says otherwise")
    except (_WrongError, RefereeError, InternalError) as err:
        fault = str(err)
    return Audited(match=board.hex(), rows=len(rows), events=events, state=state, fault=fault)


def _check_board(kept: KeptBoard, rows: Sequence[Row]) -> None:
    """The rows have no gap, the secret is the one that was sealed, and the file verifies."""
    for n, row in enumerate(rows):
        _require(row.n == n, f"row {row.n} follows row {n - 1}")
    opened = kept.opened
    link = board_link(opened.board, kept.created.secret)
    _require(opened.board == kept.created.board, "board_open is of another board")
    _require(link == opened.r1, "the secret is not the one that board_open fixes")
    _require(len(kept.created.matches) == opened.tables, "it has another number of tables")
    found, _ = verify_board(public_text(rows), (), _plain(parse_key(opened.referee_key)))
    failure = found.verdict.failure
    _require(
        failure is None or failure.stage is Stage.END,  # its tables are looked at by themselves
        f"its file does not verify: {'' if failure is None else failure.message}",
    )


def _plain(key: VerifyKey) -> Asked:
    return Asked(key, strict=False, roster=None, receipts=None)


def audit_match(
    match: bytes, rows: Sequence[Row], *, still_open: bool, board: Sequence[Row] = ()
) -> Audited:
    """The finding on one match; `still_open` is what the journal's index says of it.

    `board` has the rows of its board, where it is a table of one.
    """
    events = sum(row.seq is not None for row in rows)
    state, fault = "damaged", ""
    try:
        key = _check_chain(match, rows)
        end = _decide_again(rows)
        state = _word(end)
        _require(still_open != end.over, f"it is {state}, and the index says otherwise")
        if end.created.place is None:
            _check_transcript(rows, key, end)
        else:
            _check_table(rows, key, end, board)
    except (_WrongError, InternalError, RefereeError) as err:
        fault = str(err)
    return Audited(match=match.hex(), rows=len(rows), events=events, state=state, fault=fault)


def _require(holds: bool, text: str) -> None:  # noqa: FBT001 -- reads as a sentence
    if not holds:
        raise _WrongError(text)


def _word(state: MatchState) -> str:
    if state.closed is not None:
        return state.closed.outcome
    if state.dropped:
        return "dropped"
    return "open" if state.opened else "waiting"


def _check_chain(match: bytes, rows: Sequence[Row]) -> VerifyKey:
    """Numbers without gaps, the hash chain, and the referee's signatures."""
    _require(bool(rows), "it has no rows")
    created = event_of(rows[0])
    if not isinstance(created, MatchCreated) or created.match != match:
        raise _WrongError("row 0 does not create this match")
    key = parse_key(created.referee_key)
    head, seq = ZERO_HEAD, 0
    for n, row in enumerate(rows):
        _require(row.n == n, f"row {row.n} follows row {n - 1}")
        if row.seq is None:
            _require(not row.sig, f"row {n} is private and signed")
            continue
        line = read_line(row.body, row.sig)
        _require(row.seq == line.seq == seq, f"row {n} holds event {line.seq}, not {seq}")
        _require(line.prev == head, f"row {n} does not follow from the event before it")
        _require(line.event.kind == row.kind, f"row {n} is filed as {row.kind!r}")
        head, seq = event_hash(head, row.body), seq + 1
        if line.event.signed or row.sig:
            signed = key.accepts(row.sig, referee_bytes(head))
            _require(signed, f"row {n} is not signed by the referee's key")
    return key


def _decide_again(rows: Sequence[Row]) -> MatchState:
    """The state after all rows, each of which the table decides anew."""
    created, *events = (event_of(row) for row in rows)
    if not isinstance(created, MatchCreated):
        raise _WrongError("row 0 does not create this match")
    now = next((e.opened_at for e in events if isinstance(e, MatchOpen)), 0)
    state, place = begin(created), 0
    while place < len(events):
        decision = _again(state, events, place, now)
        _require(bool(decision.events), f"row {place + 1} ({events[place].kind}) changes nothing")
        for due in decision.events:
            stands = events[place] if place < len(events) else None
            _require(stands == due, f"row {place + 1} is not the {due.kind} that has to stand here")
            place += 1
        state = decision.state
    return state


def _again(state: MatchState, events: Sequence[Event], place: int, now: int) -> Decision:
    event, number = events[place], place + 1
    later = events[number] if number < len(events) else None
    if isinstance(event, DealClose):
        known = () if state.deal is None else state.deal.faults
        seats = tuple(f.seat for f in event.faults[len(known) :] if f.why == "WITHHELD")
        if seats:
            return _withheld(state, seats, number, now)
    command = _command(state, event, later)
    decided = None if command is None else decide(state, command, now_ms=now)
    if not isinstance(decided, Decision):
        why = "nobody can cause it" if decided is None else decided.text
        raise _WrongError(f"row {number} ({event.kind}) cannot stand here: {why}")
    return decided


def _withheld(state: MatchState, seats: tuple[int, ...], number: int, now: int) -> Decision:
    """A deadline missed by all who are at fault, or one wrong reveal."""
    missing = missing_seats(state)
    if seats == missing:
        decided = decide(state, SeedsMissing(), now_ms=now)
        if isinstance(decided, Decision):
            return decided
    revealing = state.deal is not None and bool(state.deal.cset)
    possible = revealing and len(seats) == 1 and seats[0] in missing
    _require(possible, f"row {number} lists seats that have withheld nothing")
    return withhold(state, seats, now_ms=now)


def _command(state: MatchState, event: Event, later: Event | None) -> Command | None:
    """What somebody must have said for an event to stand where it does."""
    deal = state.deal
    match event:
        case SeatJoined() | SeatTaken() | MatchDropped() | SideLeft() | BoardOver():
            return _of_the_match(event)
        case SeatCommit():
            return GiveCommit(seat=event.seat, deal=event.deal, commit=event.commit)
        case SeedShown():
            cset = b"" if deal is None else deal.cset
            return GiveSeed(
                seat=event.seat,
                deal=event.deal,
                seed=event.seed,
                cut=event.cut,
                cset=cset,
                sig=event.sig,
            )
        case CardHidden() if isinstance(later, ActionTaken):
            deck = () if deal is None or deal.deck is None else deal.deck.cards
            if max(event.positions, default=len(deck)) >= len(deck):
                return None
            text = uncovered(later.action, [deck[place] for place in event.positions])
            return _action(later, text, event)
        case ActionTaken():
            return _action(event, event.action, None)
        case AttemptRefused():
            tried = event.attempt
            sig = tried.seat_sig or b""
            return TakeAction(
                seat=tried.seat, action=tried.action, blind=b"", used_ms=0, seat_sig=sig
            )
        case DealClose() if isinstance(later, MatchClose):
            return _ending(event, later)
        case _:
            return None


def _of_the_match(
    event: SeatJoined | SeatTaken | MatchDropped | SideLeft | BoardOver,
) -> Command | None:
    """What somebody must have said for an event outside the course of a deal."""
    match event:
        case SeatJoined():
            return JoinSeat(seat=event.seat, token=event.token)
        case SeatTaken():
            return SitDown(seat=event.seat, info=event.info)
        case BoardOver():
            return CloseBoard(void=event.void)
        case MatchDropped(why="aborted" | "void"):
            return Abort(void=event.why == "void")
        case MatchDropped() | SideLeft():
            seat = event.seat if isinstance(event, SideLeft) else 0
            why = next((why for why in WHYS if why == event.why), None)
            return None if why is None else Forfeit(seat=seat, why=why)


def _action(event: ActionTaken, text: str, hidden: CardHidden | None) -> TakeAction:
    fallback = next((why for why in FALLBACKS if why == event.fallback), None)
    return TakeAction(
        seat=event.seat,
        action=text,
        blind=b"" if hidden is None else b"".join(hidden.blinds),
        used_ms=event.used_ms,
        seat_sig=event.seat_sig or b"",
        drawn=hidden is not None and hidden.drawn,
        fallback=fallback,
    )


def _ending(close: DealClose, end: MatchClose) -> Command | None:
    """What broke off a deal and the match with it."""
    if end.by is None:
        return Abort(void=end.outcome == "void")
    last = close.faults[-1].why if close.faults else ""
    why = next((why for why in WHYS if why == last), None)
    return None if why is None else Forfeit(seat=end.by, why=why)


def _check_transcript(rows: Sequence[Row], key: VerifyKey, end: MatchState) -> None:
    """The transcript verifies, as far as it goes."""
    lines = b"".join(row.line for row in rows if row.seq is not None)
    if not lines:
        _require(not end.opened, "it is open, and has no transcript")
        return
    report = verify_stream(BytesIO(lines), pinned=key)
    failure = report.verdict.failure
    unfinished = report.exit == INCOMPLETE and not end.over
    _require(
        failure is None or unfinished,
        f"its transcript does not verify: {'' if failure is None else failure.message}",
    )


def _check_table(
    rows: Sequence[Row], key: VerifyKey, end: MatchState, board: Sequence[Row]
) -> None:
    """A table belongs to its board, and verifies with it once that is closed."""
    _require(is_board(board), "the journal does not have its board")
    kept, place = board_of(board), end.created.place
    _require(
        place is not None
        and place.key == kept.key
        and kept.created.matches[place.table : place.table + 1] == (end.match,),
        "it is not the table of its board that it says it is",
    )
    _require((kept.close is None) != end.over, "it is not closed together with its board")
    if place is None or kept.close is None:
        return
    table = place.table, public_text(rows)
    _, found = verify_board(public_text(board), [table], _plain(key))
    failure = found[0].verdict.failure
    why = "" if failure is None else failure.message
    _require(failure is None, f"its transcript does not verify: {why}")
