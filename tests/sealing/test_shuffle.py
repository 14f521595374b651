"""Why the shuffle is unbiased, by enumeration, and what other shuffles got wrong."""

from collections import Counter
from itertools import product
from math import factorial

import pytest

from referee.sealing.encode import Mac
from referee.sealing.packs import PACKS
from referee.sealing.shuffle import Stream, deal_order, deck_key, first_seat, permutation


class Scripted(Stream):
    """A stream whose bytes are given."""

    def __init__(self, script: bytes) -> None:
        super().__init__(Mac(b""))
        self._script = script

    def byte(self) -> int:
        x = self._script[self.taken]
        self.taken += 1
        return x


@pytest.mark.parametrize("m", range(1, 257))
def test_below_takes_every_value_equally_often(m: int) -> None:
    accepted = 256 - 256 % m
    counts = Counter(Scripted(bytes((x,))).below(m) for x in range(accepted))
    assert counts == dict.fromkeys(range(m), accepted // m)


@pytest.mark.parametrize("m", [m for m in range(1, 257) if 256 % m])
def test_below_rejects_every_byte_that_would_bias(m: int) -> None:
    for x in range(256 - 256 % m, 256):
        stream = Scripted(bytes((x, m - 1)))
        assert (stream.below(m), stream.taken, stream.rejected) == (m - 1, 2, 1)


@pytest.mark.parametrize("n", range(2, 9))
def test_steps_and_permutations_correspond_one_to_one(n: int) -> None:
    scripts = product(*(range(i + 1) for i in range(n - 1, 0, -1)))
    orders = {tuple(permutation(Scripted(bytes(script)), n)) for script in scripts}
    assert len(orders) == factorial(n)


def test_the_last_card_can_stay_where_it_is() -> None:
    assert permutation(Scripted(bytes((3, 2, 1))), 4) == [0, 1, 2, 3]


def test_a_stream_runs_on_into_its_next_block() -> None:
    stream = Stream(Mac(b"k" * 32))
    taken = [stream.byte() for _ in range(32 * 10)]
    assert len({bytes(taken[i : i + 32]) for i in range(0, 320, 32)}) == 10


def test_first_seat_and_deck_do_not_share_bytes() -> None:
    seats = {first_seat(Mac(bytes((k,)) * 32)) for k in range(32)}
    decks = {Stream(Mac(bytes((k,)) * 32)).below(4) for k in range(32)}
    assert seats == decks == {0, 1, 2, 3}
    assert any(
        first_seat(Mac(bytes((k,)) * 32)) != Stream(Mac(bytes((k,)) * 32)).below(4)
        for k in range(32)
    )


def test_a_cut_turns_the_pack_round() -> None:
    order = list(range(24))
    assert deal_order("E24", order, 7) == PACKS["E24"][7:] + PACKS["E24"][:7]
    assert deal_order("E24", order, 0) == deal_order("E24", order, None) == PACKS["E24"]


def test_a_cut_of_zero_and_no_cut_give_different_keys() -> None:
    seeds = [bytes((i,)) * 32 for i in range(4)]
    assert deck_key(b"c" * 32, b"r" * 32, seeds, 0) != deck_key(b"c" * 32, b"r" * 32, seeds, None)


@pytest.mark.parametrize(
    ("pack", "size"),
    [("E24", 24), ("E25", 25), ("E28", 28), ("E32", 32), ("E25J", 25), ("E33J", 33)],
)
def test_a_pack_has_its_cards_once(pack: str, size: int) -> None:
    assert len(set(PACKS[pack])) == len(PACKS[pack]) == size
