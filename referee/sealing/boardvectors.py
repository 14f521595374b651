"""Recomputing a vectors file of sealed boards (`euchre-board-vectors/1`), for porters."""

from collections.abc import Iterator
from typing import Final

from referee.sealing.board import (
    BOARD_DEAL,
    board_commit,
    board_cset,
    board_deck,
    board_key,
    board_link,
)
from referee.sealing.errors import UnreadableError
from referee.sealing.messages import Opening, private_deal_bytes, reveal_bytes
from referee.sealing.node import Node
from referee.sealing.packs import PACKS, SEATS

BOARDS_FORMAT: Final = "euchre-board-vectors/1"
_DEALT: Final = 5
_SOUTH: Final = SEATS.index("south")


def check_boards(root: Node) -> tuple[int, list[str]]:
    """How many boards a file holds, and a sentence for each field that differs."""
    boards = root["boards"].items()
    return len(boards), [text for node in boards for text in _board(node)]


def _board(node: Node) -> Iterator[str]:
    board, pack, r = node["board"].raw(), node["pack"].text(), node["r"].raw()
    seeds = node["seeds"].raws()
    if pack not in PACKS:
        raise UnreadableError(f"{node['pack'].path}: unknown pack {pack!r}")
    if not seeds or len(seeds) != len(SEATS) * node["tables"].number():
        raise UnreadableError(f"{node['seeds'].path}: one for each seat of each table is wanted")
    r1 = board_link(board, r)
    yield from node["r1"].differs(r1)
    commits = [board_commit(board, j, seed) for j, seed in enumerate(seeds)]
    yield from node["commits"].differs(commits)
    cset = board_cset(board, pack, r1, commits)
    yield from node["cset"].differs(cset)
    key = board_key(cset, r, seeds)
    yield from node["deck_key"].differs(key)
    deck = board_deck(board, pack, key)
    yield from node["deck"].differs(deck.text)
    yield from node["salts"].differs(deck.salts)
    yield from node["leaves"].differs(deck.leaves)
    yield from node["root"].differs(deck.root)
    last, head = len(seeds) - 1, node["head"].raw()
    reveal = reveal_bytes(board, BOARD_DEAL, last, cset=cset, commit=commits[last], head=head)
    yield from node["last_reveal_signed"].differs(reveal)
    cards = [Opening(p, deck.cards[p], deck.salts[p]) for p in range(_DEALT)]
    dealt = private_deal_bytes(board, BOARD_DEAL, _SOUTH, deck.root, cards)
    yield from node["first_five_to_south_signed"].differs(dealt)
