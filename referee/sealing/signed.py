"""The referee's signatures of one file, checked, so that two events of one number can be told."""

from array import array
from bisect import bisect_left
from typing import Final, NamedTuple

from referee.sealing.encode import HASH_SIZE
from referee.sealing.keys import VerifyKey
from referee.sealing.messages import referee_bytes

BATCH: Final = 64
"""How many signatures are checked together."""


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


class _Signature(NamedTuple):
    """A signature of the referee that is still to be checked, and what stands under it."""

    seq: int
    deal: int | None
    head: bytes
    sig: bytes


class RefereeSignatures:
    """The signatures that are due or given in one file, noted as they come, checked together.

    `key` is the referee's, None until it is known and where it may not be used; `first_wrong` the
    event and the deal of the first signature that is missing or does not verify.
    """

    __slots__ = ("_signed", "_unchecked", "first_wrong", "key")

    def __init__(self) -> None:
        self.key: VerifyKey | None = None
        self.first_wrong: tuple[int, int | None] | None = None
        self._signed = SignedHeads()
        self._unchecked: list[_Signature] = []

    @property
    def last(self) -> int:
        """The number of the last event whose signature verifies, -1 where none does."""
        return self._signed.last

    def note(self, seq: int, deal: int | None, head: bytes, sig: bytes) -> None:
        """Take in the signature after an event, empty where it is missing."""
        self._unchecked.append(_Signature(seq, deal, head, sig))
        if len(self._unchecked) == BATCH:
            self.check()

    def check(self) -> None:
        """Check the signatures noted so far.

        One after the other they cost less than each at its line: reading and the library's tables
        push each other out of the processor's caches.
        """
        for seq, deal, head, sig in self._unchecked:
            if self.key is not None and self.key.accepts(sig, referee_bytes(head)):
                self._signed.add(seq, head)
            elif self.first_wrong is None:
                self.first_wrong = (seq, deal)
        self._unchecked.clear()

    def contradict(self, seq: int, head: bytes, sig: bytes) -> bool:
        """Whether the referee signed this head after an event, and another one before."""
        first = self._signed.head(seq)
        if self.key is None or first is None or not sig or head == first:
            return False
        return self.key.accepts(sig, referee_bytes(head))
