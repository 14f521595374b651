"""The order of a board's events, and the seal of its deck, checked one event at a time.

Order: board_open board_commit* board_commit_set board_reveal_set deck_root board_close. A board is
not shown to anybody before its deck is fixed, so nothing can end it earlier.
"""

from typing import ClassVar

from referee.sealing.board import (
    BOARD_DEAL,
    BoardRecord,
    board_commit,
    board_cset,
    board_deck,
    board_key,
    board_link,
)
from referee.sealing.boardevents import (
    BoardClose,
    BoardCommit,
    BoardCommitSet,
    BoardEvent,
    BoardOpen,
    BoardRevealSet,
    BoardRoot,
    read_board_event,
)
from referee.sealing.checks import (
    SeatKey,
    check_commits,
    check_deck,
    check_root,
    check_rules,
    out_of_order,
    seat_keys,
)
from referee.sealing.closing import Event
from referee.sealing.fields import Fields
from referee.sealing.messages import reveal_bytes
from referee.sealing.packs import PACKS, SEATS
from referee.sealing.verdict import CheckError, Totals, require


def place_name(j: int) -> str:
    """Seat j of a board, in words.

    >>> place_name(6)
    'table 1 south'
    """
    return f"table {j // len(SEATS)} {SEATS[j % len(SEATS)]}"


class BoardWalk:
    """One board's file as far as it has been read; every check raises CheckError where it fails."""

    opening: ClassVar[str] = BoardOpen.kind
    what: ClassVar[str] = "board"
    deal: ClassVar[None] = None
    """A board has no deal that could be named; what it says stands for all of its tables."""

    def __init__(self) -> None:
        self._expected: tuple[type[BoardEvent], ...] = (BoardOpen,)
        self._keys: tuple[SeatKey, ...] = ()
        self._commits: dict[int, bytes] = {}
        self._set: BoardCommitSet | None = None
        self._seeds: tuple[bytes, ...] = ()
        self._root: BoardRoot | None = None
        self._root_seq = 0
        self._set_head = b""
        self.open: BoardOpen | None = None
        self.record: BoardRecord | None = None
        self.unsigned: list[str] = []
        self.totals = Totals()

    @property
    def complete(self) -> bool:
        """Whether everything that has to stand in the file stands there."""
        return self.record is not None

    def read(self, kind: str, f: Fields) -> BoardEvent:
        """The event of a kind that a file of this sort may hold."""
        return read_board_event(kind, f)

    def step(self, event: Event | BoardEvent, seq: int, before: bytes, head: bytes) -> None:
        """Check an event."""
        del before
        if not isinstance(event, self._expected):
            raise out_of_order(event, self._expected)
        match event:
            case BoardOpen():
                self._board_open(event)
            case BoardCommit():
                self._board_commit(event)
            case BoardCommitSet():
                self._set_head = head
                self._commit_set(event)
            case BoardRevealSet():
                self._reveal_set(event)
            case BoardRoot():
                self._root_seq = seq
                self._deck_root(event)
            case BoardClose():
                self._board_close(event)

    @property
    def _board(self) -> BoardOpen:
        if self.open is None:
            raise CheckError("no board_open stands before this event")
        return self.open

    def _board_open(self, event: BoardOpen) -> None:
        check_rules(event)
        require(event.tables >= 1, "a board has at least one table")
        places = ((place_name(j), seat) for j, seat in enumerate(event.seats))
        self._keys = seat_keys(places, self.unsigned)
        self.open = event
        self._expected = (BoardCommit, BoardCommitSet)

    def _board_commit(self, event: BoardCommit) -> None:
        seats = self._board.seats
        require(event.j < len(seats), f"the board has {len(seats)} seats, and no seat {event.j}")
        who = place_name(event.j)
        require(not seats[event.j].declined, f"{who} has declined and does not commit")
        require(event.j not in self._commits, f"{who} commits twice")
        self._commits[event.j] = event.commit

    def _commit_set(self, event: BoardCommitSet) -> None:
        opened = self._board
        require(event.r_commit == opened.r1, "r_commit is not the link of board_open")
        require(
            len(event.commits) == len(opened.seats),
            f"there are {len(event.commits)} commitments for {len(opened.seats)} seats",
        )
        places = ((place_name(j), seat.declined) for j, seat in enumerate(opened.seats))
        check_commits(opened.board, BOARD_DEAL, places, self._commits, event.commits)
        cset = board_cset(opened.board, opened.pack, event.r_commit, event.commits)
        require(event.cset == cset, "cset is not the hash of the commit set")
        self._set = event
        self._expected = (BoardRevealSet,)

    def _reveal_set(self, event: BoardRevealSet) -> None:
        opened, given = self._board, self._set
        if given is None:
            raise CheckError("reveals stand before their commit set")
        many = len(opened.seats)
        require(
            len(event.seeds) == len(event.sigs) == many,
            f"there is not one seed and one signature for each of the {many} seats",
        )
        for j, (info, seed) in enumerate(zip(opened.seats, event.seeds, strict=True)):
            who = place_name(j)
            require(bool(seed) != info.declined, f"{who}: a seed, unless it has declined")
            require(
                board_commit(opened.board, j, seed) == given.commits[j],
                f"{who} reveals what its commitment does not hold",
            )
            self._signature(j, event.sigs[j], given)
        self._seeds = event.seeds
        self._expected = (BoardRoot,)

    def _signature(self, j: int, sig: bytes, given: BoardCommitSet) -> None:
        key = self._keys[j]
        if key is None:
            require(not sig, f"the reveal of {place_name(j)} is signed, and its seat has no key")
            return
        message = reveal_bytes(
            self._board.board,
            BOARD_DEAL,
            j,
            cset=given.cset,
            commit=given.commits[j],
            head=self._set_head,
        )
        if not key.accepts(sig, message):
            self.unsigned.append(f"the reveal of {place_name(j)} is not signed by it")

    def _deck_root(self, event: BoardRoot) -> None:
        check_root(event, PACKS[self._board.pack])
        self._root = event
        self._expected = (BoardClose,)

    def _board_close(self, event: BoardClose) -> None:
        opened, given, root = self._board, self._set, self._root
        if given is None or root is None:
            raise CheckError("a board closes that was never sealed")
        require(board_link(opened.board, event.r) == opened.r1, "r does not fit its link")
        deck = board_deck(opened.board, opened.pack, board_key(given.cset, event.r, self._seeds))
        check_deck(event.deck, deck, root, self._root_seq)
        require(
            len(event.heads) == opened.tables,
            f"there are {len(event.heads)} heads for {opened.tables} tables",
        )
        void = event.outcome == "void"
        require(void == (event.reason is not None), "a reason goes with a void board, and only so")
        self.record = BoardRecord(opened, root, event, deck)
        totals = self.totals
        totals.deals = totals.verified = 1
        totals.voided = int(void)
        totals.played = int(not void)
        totals.outcome = event.outcome
        self._expected = ()
