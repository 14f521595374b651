"""A board of two tables played by a rule of thumb, with no host: the same one every time."""

from dataclasses import dataclass

from referee.host.record import Record
from referee.rules import preset
from referee.sealing.boardevents import BoardEvent
from referee.sealing.keys import SigningKey
from referee.sealing.parts import Pair
from referee.sealing.transcript import Writer, line_bytes
from referee.table.board import BoardAsked, board_close, close_table, seal_board
from referee.table.commands import TakeAction
from referee.table.decide import Decision, decide
from referee.table.events import Event, MatchCreated
from referee.table.evolve import begin, evolve
from referee.table.policy import policy
from referee.table.state import MatchState
from referee.table.view import asks

KEY = SigningKey.from_bytes("referee", bytes(range(32)))
BOARD = b"b" * 16
NAMES = (("A", "B", "A", "B"), ("B", "A", "B", "A"))


@dataclass(frozen=True)
class Files:
    """The public files of a board."""

    board: bytes
    tables: tuple[bytes, ...]
    rules: dict[str, str] | None = None
    id: bytes = b""


def asked(board: bytes = BOARD, scores: tuple[Pair, ...] = ()) -> BoardAsked:
    """A board of two tables with the standard rules, and the scores of the games there."""
    return BoardAsked(
        board=board,
        matches=(b"0" + board[1:], b"1" + board[1:]),
        rule_set="standard",
        rules=preset("standard").to_map(),
        pack="E24",
        dealer=1,
        policy=policy(),
        names=NAMES,
        label="1/1/1/1",
        scores=scores,
    )


class Table:
    """One table, its state and its lines."""

    def __init__(self, events: tuple[Event, ...]) -> None:
        created = events[0]
        assert isinstance(created, MatchCreated)
        self.record = Record(created.match, KEY)
        self.lines: list[bytes] = []
        self.state: MatchState = begin(created)
        self.keep(events)
        for event in events[1:]:
            self.state = evolve(self.state, event)

    def keep(self, events: tuple[Event, ...]) -> None:
        """Add the lines of events."""
        self.lines += [item.line for item in self.record.rows(events)[1]]

    def play(self, most: int) -> None:
        """So many actions at most; north of table 0 orders whatever is turned."""
        for _ in range(most):
            ask = next(iter(asks(self.state)), None)
            if ask is None or ask.view is None:
                return
            wanted = [a for a in ask.view.legal if a.startswith(("order", "discard", "play"))]
            action = min(wanted or ask.view.legal)
            command = TakeAction(seat=ask.seat, action=action, blind=b"h" * 32, used_ms=7)
            decided = decide(self.state, command, now_ms=9)
            assert isinstance(decided, Decision)
            self.state = decided.state
            self.keep(decided.events)

    def close(self, *, void: bool) -> None:
        """Close the table with its board."""
        decided = close_table(self.state, void=void, now_ms=9)
        self.state = decided.state
        self.keep(decided.events)


def played_board(
    board: bytes = BOARD,
    *,
    void_after: int | None = None,
    scores: tuple[Pair, ...] = (),
    secret: bytes = b"r" * 32,
) -> Files:
    """The files of a board; void after so many actions at each table where that is said."""
    sealed = seal_board(
        asked(board, scores),
        secret=secret,
        seeds=[bytes((place,)) * 32 for place in range(1, 9)],
        referee_key=KEY.public.text,
        now_ms=1_700_000_000_000,
    )
    tables = [Table(events) for events in sealed.tables]
    for table in tables:
        table.play(99 if void_after is None else void_after)
    void = void_after is not None
    heads = [table.record.mark.head for table in tables]
    close = board_close(sealed.created, sealed.opened, sealed.key, heads, void=void)
    for table in tables:
        table.close(void=void)
    writer = Writer(KEY)
    events: tuple[BoardEvent, ...] = (*sealed.events, close)
    lines = [line_bytes(*writer.append(event)) for event in events]
    texts = tuple(b"".join(table.lines) for table in tables)
    return Files(b"".join(lines), texts, preset("standard").to_map(), board.hex().encode())
