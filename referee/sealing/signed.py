"""The heads that the referee has signed, so that two events of one number can be told."""

from array import array
from bisect import bisect_left

from referee.sealing.encode import HASH_SIZE


class SignedHeads:
    """The heads that the referee has signed, 40 bytes each however long the file is."""

    __slots__ = ("_heads", "_seqs")

    def __init__(self) -> None:
        self._seqs = array("Q")
        self._heads = bytearray()

    @property
    def last(self) -> int:
        """The number of the last event that is signed, -1 where none is."""
        return self._seqs[-1] if self._seqs else -1

    def add(self, seq: int, head: bytes) -> None:
        """A signature verifies; `seq` is higher than any before."""
        self._seqs.append(seq)
        self._heads += head

    def head(self, seq: int) -> bytes | None:
        """The head after an event that is signed."""
        place = bisect_left(self._seqs, seq)
        if place == len(self._seqs) or self._seqs[place] != seq:
            return None
        return bytes(self._heads[place * HASH_SIZE : (place + 1) * HASH_SIZE])
