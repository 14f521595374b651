"""Commitments: a seat's to its seed and cut, the set that binds all four, a hidden move's.

A reveal is bound to the hash of the whole commit set, so a hub cannot show different sets to
different seats; the cut sits inside the cutter's commitment, so nobody cuts after seeing a deck.
"""

from collections.abc import Iterable, Sequence

from referee.sealing.encode import (
    COMMIT_SET,
    HASH_SIZE,
    HIDDEN_MOVE,
    PREFIX,
    SEAT_COMMIT,
    SEAT_SEED,
    lp,
    mac,
    tagged_hash,
    u32,
)
from referee.sealing.packs import PACKS

SEED_SIZE = HASH_SIZE
BLIND_SIZE = HASH_SIZE


def seat_seed(secret: bytes, match: bytes, deal: int) -> bytes:
    """A seat's seed of one deal, from the 32-byte secret its client keeps for ever."""
    return mac(secret, lp(PREFIX + SEAT_SEED, match, u32(deal)))


def cut_bytes(cut: int | None) -> bytes:
    """A cut as the seal encodes it: one byte, or nothing where nothing is cut."""
    return b"" if cut is None else bytes((cut,))


def seat_commit(match: bytes, deal: int, seat: int, seed: bytes, cut: int | None) -> bytes:
    """C_i: what a seat publishes before anybody reveals; `cut` only for the cutter.

    A declined seat has the empty seed and no cut.
    """
    return tagged_hash(SEAT_COMMIT, match, u32(deal), u32(seat), seed, cut_bytes(cut))


def declined_commit(match: bytes, deal: int, seat: int) -> bytes:
    """C_i of a seat that sends no seed: the referee computes it, and so can anybody."""
    return seat_commit(match, deal, seat, b"", None)


def commit_set(
    match: bytes, deal: int, pack: str, r_commit: bytes, commits: Sequence[bytes]
) -> bytes:
    """The hash that binds the referee's link and all four commitments."""
    return tagged_hash(COMMIT_SET, match, u32(deal), pack.encode("ascii"), r_commit, *commits)


def reveal_fault(
    match: bytes,
    deal: int,
    seat: int,
    *,
    pack: str,
    commit: bytes,
    seed: bytes,
    cut: int | None,
) -> str | None:
    """Why a reveal is a fault of its seat, or None where it is good.

    The seat is one that committed; the caller says `cut` is None for all but the cutter.
    """
    if len(seed) != SEED_SIZE:
        return f"a seed has {SEED_SIZE} bytes, not {len(seed)}"
    if cut is not None and not 0 <= cut < len(PACKS[pack]):
        return f"a cut of {pack} is 0 to {len(PACKS[pack]) - 1}, not {cut}"
    if commit != seat_commit(match, deal, seat, seed, cut):
        return "the commitment does not hold this seed and cut"
    return None


def hidden_move(match: bytes, deal: int, seat: int, cards: Iterable[tuple[int, bytes]]) -> bytes:
    """The commitment of a discard or gift (one position and blind) or of a swap (three, rising)."""
    parts = [part for position, blind in cards for part in (u32(position), blind)]
    return tagged_hash(HIDDEN_MOVE, match, u32(deal), u32(seat), *parts)
