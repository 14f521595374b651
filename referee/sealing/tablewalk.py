"""A table of a sealed board, checked against its board, whose own file has been checked before."""

from typing import ClassVar

from referee.sealing.board import BOARD_DEAL, TABLE_CHAIN, BoardRecord
from referee.sealing.closing import ZERO, DealClose
from referee.sealing.events import DealOpen, DeckRoot, MatchOpen, TurnUp
from referee.sealing.packs import SEATS
from referee.sealing.record import DealRecord
from referee.sealing.verdict import require
from referee.sealing.walk import Walk

_WRONG_BOARD = "it is a table of another board"


class TableWalk(Walk):
    """One table as far as it has been read.

    Order: match_open deal_open turn_up action* deal_close match_close. The deck, its root and the
    secret stand in the board's file, which also holds the head of this one before its close.
    """

    __slots__ = ("_board",)
    what: ClassVar[str] = "table"

    def __init__(self, board: BoardRecord) -> None:
        super().__init__()
        self._board = board

    @property
    def _sealed(self) -> bytes:
        """The leaves of a board's deck are bound to the board."""
        return self._board.open.board

    def _check_place(self, event: MatchOpen) -> None:
        board, table = self._board.open, event.table
        require(event.board == board.board, _WRONG_BOARD)
        require(
            table is not None and table < board.tables,
            f"the board has {board.tables} tables, and no table {table}",
        )
        require(event.root == self._board.root.root, "root is not the board's")
        require(event.chain == TABLE_CHAIN, f"a table of a board has a chain of {TABLE_CHAIN}")
        require(event.r0 == board.r1, "r0 is not the link that the board was opened with")
        require(event.rules == board.rules, "rules are not the board's")
        require(event.referee_key == board.referee_key, "the referee's key is not the board's")
        require(event.seats == board.seats_of(table or 0), "seats are not those of the board")
        require(event.policy.rated, "a table of a board is rated")
        require(event.policy.games == 1, "a table of a board plays one deal")
        require(event.score != ZERO, "a score stands in match_open where there is one")

    def _deal_open(self, event: DealOpen, seq: int) -> None:
        board = self._board
        require(self._last is None, "a table of a board has one deal")
        require(event.deal == BOARD_DEAL, f"the deal of a board has the number {BOARD_DEAL}")
        dealer = SEATS[board.open.dealer]
        require(event.dealer == board.open.dealer, f"{dealer} deals this board")
        require(event.cutter is None, "nobody cuts the deck of a board")
        self._last = event.deal
        deal = DealRecord(event, seq)
        deal.root = DeckRoot(deal=BOARD_DEAL, leaves=board.root.leaves, root=board.root.root)
        deal.root_seq = seq
        deal.deck = board.deck
        self.deal = deal
        self._expected = (TurnUp,)

    def _check_secret(self, event: DealClose, deal: DealRecord, before: bytes) -> None:
        del deal
        require(
            event.r is None and event.deck is None, "r and deck of a board stand in board_close"
        )
        board = self._board
        head = board.close.heads[self._match.table or 0]
        require(before == head, "the head before this event is not the one in board_close")
        void = event.outcome == "void"
        require(void == board.void, f"the board was {board.close.outcome}, this is {event.outcome}")

    def _count(self, event: DealClose, deal: DealRecord) -> None:
        super()._count(event, deal)
        self.totals.voided = int(event.outcome == "void")

    def _ends_after(self, event: DealClose, deal: DealRecord) -> tuple[str, ...]:
        """A table ends with its one deal."""
        del deal
        if event.outcome == "void":
            return ("void",)
        return ("forfeit",) if event.outcome == "fault" else ("finished",)
