"""Leaves and the tree head over them."""

from hashlib import sha256

import pytest

from referee.sealing.encode import Mac
from referee.sealing.errors import DealProofError
from referee.sealing.leaves import leaf, leaves, salt, salts, tree_head
from referee.sealing.packs import PACKS

MATCH = bytes(range(16))


def recursive_head(hashes: list[bytes]) -> bytes:
    """The tree head as RFC 6962 defines it."""
    if len(hashes) == 1:
        return hashes[0]
    k = 1
    while k * 2 < len(hashes):
        k *= 2
    return sha256(b"\x01" + recursive_head(hashes[:k]) + recursive_head(hashes[k:])).digest()


@pytest.mark.parametrize("n", range(1, 34))
def test_pairing_level_by_level_is_the_tree_of_the_rfc(n: int) -> None:
    hashes = [sha256(bytes((i,))).digest() for i in range(n)]
    assert tree_head(hashes) == recursive_head(hashes)


def test_an_odd_leaf_is_not_doubled() -> None:
    hashes = [sha256(bytes((i,))).digest() for i in range(3)]
    assert tree_head(hashes) != tree_head([*hashes, hashes[-1]])


def test_a_tree_without_leaves_is_refused() -> None:
    with pytest.raises(DealProofError):
        tree_head([])


@pytest.mark.parametrize("pack", PACKS)
def test_leaves_of_a_deck_are_the_leaves_of_its_positions(pack: str) -> None:
    cards = PACKS[pack]
    key = Mac(b"k" * 32)
    made = leaves(MATCH, 7, cards, salts(key, len(cards)))
    assert list(made) == [leaf(MATCH, 7, p, card, salt(key, p)) for p, card in enumerate(cards)]


def test_a_leaf_and_a_node_of_the_same_bytes_differ() -> None:
    left, right = sha256(b"l").digest(), sha256(b"r").digest()
    assert tree_head([left, right]) != sha256(b"\x00" + left + right).digest()


def test_the_same_card_in_two_positions_has_two_leaves() -> None:
    assert leaf(MATCH, 1, 0, "JH", b"s" * 32) != leaf(MATCH, 1, 1, "JH", b"s" * 32)
