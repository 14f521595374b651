"""The referee's chain keeps few of its links, and has all of them."""

from hashlib import sha256

import pytest

from referee.sealing.chain import EVERY, Chain, hash_down
from referee.sealing.encode import REF_CHAIN, tagged, u32
from referee.sealing.errors import DealProofError

MATCH = bytes(range(16))
LAST = bytes(range(32))


@pytest.mark.parametrize("length", [1, 2, EVERY - 1, EVERY, EVERY + 1, 5 * EVERY, 5 * EVERY + 7])
def test_every_link_is_the_hash_of_the_one_above_it(length: int) -> None:
    chain = Chain(MATCH, LAST, length)
    assert chain.secret(length - 1) == LAST
    assert chain.commitment(0) == chain.first
    for deal in range(length):
        above = tagged(REF_CHAIN, MATCH, u32(deal + 1), chain.secret(deal))
        assert chain.commitment(deal) == sha256(above).digest()
        assert deal == 0 or chain.commitment(deal) == chain.secret(deal - 1)


def test_a_chain_has_no_link_beyond_its_ends() -> None:
    chain = Chain(MATCH, LAST, EVERY)
    for deal in (-1, EVERY):
        with pytest.raises(DealProofError, match="used up"):
            chain.secret(deal)
        with pytest.raises(DealProofError, match="used up"):
            chain.commitment(deal)


def test_a_link_of_another_size_is_none() -> None:
    with pytest.raises(DealProofError, match="32 bytes, not 31"):
        hash_down(MATCH, 1, LAST[1:], to=0)
