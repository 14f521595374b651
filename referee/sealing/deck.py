"""A sealed deck: everything that follows from one commit set and its reveals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from referee.sealing.encode import Mac
from referee.sealing.leaves import leaves as leaves_of
from referee.sealing.leaves import salts as salts_of
from referee.sealing.leaves import tree_head
from referee.sealing.packs import PACKS
from referee.sealing.shuffle import Stream, deal_order, deck_key, first_seat, permutation


@dataclass(frozen=True, slots=True)
class SealedDeck:
    """The cards of one deal in deal order with their salts, leaves and tree head.

    The repr shows the tree head alone: cards and salts are secret until the deal closes.
    """

    cards: tuple[str, ...] = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)
    leaves: tuple[bytes, ...] = field(repr=False)
    root: bytes
    key: Mac = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The deck as `deal_close` publishes it: one string, single spaces."""
        return " ".join(self.cards)

    @property
    def first_seat(self) -> int:
        """The seat at which a dealer draw starts on this deck."""
        return first_seat(self.key)


class Sealer(Protocol):
    """What makes a deck of a commit set and its reveals: `sealed_deck`, but for tests."""

    def __call__(
        self,
        match: bytes,
        deal: int,
        pack: str,
        *,
        r: bytes,
        cset: bytes,
        seeds: Sequence[bytes],
        cut: int | None,
    ) -> SealedDeck:
        """The deck of a deal."""
        ...


def sealed_deck(
    match: bytes,
    deal: int,
    pack: str,
    *,
    r: bytes,
    cset: bytes,
    seeds: Sequence[bytes],
    cut: int | None,
) -> SealedDeck:
    """The deck that a commit set and its reveals fix, and nobody can choose."""
    return deck_of_key(match, deal, pack, key=deck_key(cset, r, seeds, cut), cut=cut)


def deck_of_key(match: bytes, deal: int, pack: str, *, key: bytes, cut: int | None) -> SealedDeck:
    """The deck that a key fixes, with the leaves of one match and deal."""
    mac = Mac(key)
    n = len(PACKS[pack])
    cards = deal_order(pack, permutation(Stream(mac), n), cut)
    salts = salts_of(mac, n)
    leaves = leaves_of(match, deal, cards, salts)
    return SealedDeck(cards, salts, leaves, tree_head(leaves), mac)
