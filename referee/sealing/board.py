"""A sealed board: one deck for several tables, fixed before any of them shows a card.

A board's id stands in the place of a match id, its deck is that of deal 1, and its chain has two
links: r = R_2 is secret until the board is closed, R_1 stands signed in board_open. Seat j of a
board is seat j % 4 of table j // 4; nobody cuts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from referee.sealing.boardevents import (
    BoardClose,
    BoardCommit,
    BoardCommitSet,
    BoardEvent,
    BoardOpen,
    BoardRevealSet,
    BoardRoot,
)
from referee.sealing.chain import link_below
from referee.sealing.commit import commit_set, declined_commit, seat_commit
from referee.sealing.deck import SealedDeck, deck_of_key
from referee.sealing.parts import SeatInfo
from referee.sealing.shuffle import deck_key

BOARD_DEAL: Final = 1
"""The number under which a board's deck is sealed, and the one deal of each of its tables."""
BOARD_LINKS: Final = 2
TABLE_CHAIN: Final = 1
"""What a table's match_open says of its chain: R_1 of the board, and nothing of its own."""


def board_link(board: bytes, r: bytes) -> bytes:
    """R_1 of a board, which board_open publishes, made of its secret R_2."""
    return link_below(board, BOARD_LINKS, r)


def board_commit(board: bytes, j: int, seed: bytes) -> bytes:
    """C_j: what seat j of a board publishes before anybody reveals."""
    return seat_commit(board, BOARD_DEAL, j, seed, None)


def board_cset(board: bytes, pack: str, r1: bytes, commits: Sequence[bytes]) -> bytes:
    """The hash that binds the referee's link and the commitments of all tables."""
    return commit_set(board, BOARD_DEAL, pack, r1, commits)


def board_key(cset: bytes, r: bytes, seeds: Sequence[bytes]) -> bytes:
    """The key of a board's deck: all that its tables need to know of it."""
    return deck_key(cset, r, seeds, None)


@lru_cache(maxsize=256)
def board_deck(board: bytes, pack: str, key: bytes) -> SealedDeck:
    """The deck that the key of a board fixes; each of its tables asks for it."""
    return deck_of_key(board, BOARD_DEAL, pack, key=key, cut=None)


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """A whole board as its file has it, with the deck that it fixes."""

    open: BoardOpen
    root: BoardRoot
    close: BoardClose
    deck: SealedDeck

    @property
    def void(self) -> bool:
        """Whether nothing that was played counts."""
        return self.close.outcome == "void"


def sealing_events(
    opened: BoardOpen, *, r: bytes, seeds: Sequence[bytes]
) -> tuple[tuple[BoardEvent, ...], bytes]:
    """Everything from board_open to deck_root, for seeds that one host holds; and the deck's key.

    Nothing of it may be shown before all of it is durable, and no card before any of it.
    """
    board, pack = opened.board, opened.pack
    commits = tuple(
        declined_commit(board, BOARD_DEAL, j) if info.declined else board_commit(board, j, seed)
        for j, (info, seed) in enumerate(zip(opened.seats, seeds, strict=True))
    )
    given = tuple(
        BoardCommit(j=j, commit=commit)
        for j, commit in enumerate(commits)
        if not opened.seats[j].declined
    )
    cset = board_cset(board, pack, opened.r1, commits)
    key = board_key(cset, r, seeds)
    deck = board_deck(board, pack, key)
    events: tuple[BoardEvent, ...] = (
        opened,
        *given,
        BoardCommitSet(r_commit=opened.r1, commits=commits, cset=cset),
        BoardRevealSet(seeds=tuple(seeds), sigs=(b"",) * len(seeds)),
        BoardRoot(leaves=deck.leaves, root=deck.root),
    )
    return events, key


def table_seats(seats: Sequence[SeatInfo], table: int) -> tuple[SeatInfo, ...]:
    """The four seats of one table, north to west."""
    return tuple(seats[4 * table : 4 * table + 4])
