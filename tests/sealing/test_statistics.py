"""The tests of a fair shuffle: the real one passes, biased ones do not."""

import math
from collections.abc import Callable
from random import Random

import pytest

from referee.sealing import PACKS
from referee.sealing.encode import Mac
from referee.sealing.shuffle import Stream, deal_order, permutation
from referee.sealing.statistics import (
    BitCounts,
    DeckCounts,
    Finding,
    chi_square_tail,
    evenly,
    histogram,
    holm,
    repeated,
    two_sided,
)
from tests.sealing.support import secret

SUSPECT = 0.001
Shuffle = Callable[[Random, int], list[int]]


def real(choose: Random, n: int) -> list[int]:
    """The seal's shuffle under a key."""
    return permutation(Stream(Mac(choose.randbytes(32))), n)


def modulo(choose: Random, n: int) -> list[int]:
    """Bytes reduced modulo, none rejected: low places are favored."""
    order = list(range(n))
    for i, x in zip(range(n - 1, 0, -1), choose.randbytes(n), strict=False):
        j = x % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def sattolo(choose: Random, n: int) -> list[int]:
    """Off by one: no card stays."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = choose.randrange(i)
        order[i], order[j] = order[j], order[i]
    return order


def naive(choose: Random, n: int) -> list[int]:
    """Every place swapped with any place."""
    order = list(range(n))
    for i in range(n):
        j = choose.randrange(n)
        order[i], order[j] = order[j], order[i]
    return order


def counted(shuffle: Shuffle, decks: int, *, pack: str = "E24", seed: int = 1) -> DeckCounts:
    choose = Random(seed)  # noqa: S311 -- a test repeats itself
    counts = DeckCounts(pack)
    for _ in range(decks):
        assert counts.add(deal_order(pack, shuffle(choose, counts.size), None))
    return counts


def lowest(counts: DeckCounts) -> float:
    """The lowest corrected p-value."""
    return min(f.corrected for f in holm(counts.findings()) if f.corrected is not None)


def by_name(counts: DeckCounts, name: str) -> float:
    return next(f.p for f in counts.findings() if f.name.endswith(name) and f.p is not None)


@pytest.mark.parametrize("pack", ["E24", "E25", "E33J"])
def test_the_real_shuffle_passes(pack: str) -> None:
    assert lowest(counted(real, 2_000, pack=pack)) > SUSPECT


@pytest.mark.parametrize(("shuffle", "decks"), [(modulo, 20_000), (sattolo, 500), (naive, 2_000)])
def test_a_biased_shuffle_is_suspect(shuffle: Shuffle, decks: int) -> None:
    assert lowest(counted(shuffle, decks)) < SUSPECT


def test_the_counts_of_cards_by_position_alone_find_a_shuffle_modulo() -> None:
    assert by_name(counted(modulo, 20_000), "card by position") < SUSPECT


def test_a_shuffle_without_cards_that_stay_has_one_parity() -> None:
    counts = counted(sattolo, 200)
    assert counts.stayed == 0
    assert counts.even in {0, 200}


def test_many_fair_samples_give_p_values_spread_evenly() -> None:
    """Without the factor (n-1)/n the p-values of fair shuffles would crowd near zero."""
    values = [by_name(counted(fair, 300, seed=k), "card by position") for k in range(60)]
    halves = sum(p < 0.5 for p in values)
    assert 15 <= halves <= 45
    assert sum(p < 0.05 for p in values) <= 9


def fair(choose: Random, n: int) -> list[int]:
    """The library's own shuffle."""
    order = list(range(n))
    choose.shuffle(order)
    return order


def test_the_order_of_a_small_pack_has_the_parity_of_its_cycles() -> None:
    counts = DeckCounts("E24")
    cards = list(PACKS["E24"])
    counts.add(cards)
    assert (counts.even, counts.stayed, counts.rises) == (1, 24, 23)
    cards[0], cards[1] = cards[1], cards[0]
    counts.add(cards)
    assert counts.even == 1


@pytest.mark.parametrize("deck", [["JH"] * 24, list(PACKS["E25"]), ["XX"] * 24, []])
def test_what_is_no_order_of_the_pack_is_not_counted(deck: list[str]) -> None:
    counts = DeckCounts("E24")
    assert not counts.add(deck)
    assert counts.decks == 0


def test_too_few_decks_give_no_p_value() -> None:
    findings = counted(real, 99).findings()
    assert all(finding.p is None for finding in findings)
    assert {finding.least for finding in findings} == {100, 120}


@pytest.mark.parametrize(
    ("x", "df", "p"),
    [(3.841458820694124, 1, 0.05), (18.307038053275146, 10, 0.05), (0, 5, 1), (2, 2, math.exp(-1))],
)
def test_the_tail_of_the_chi_square_is_that_of_the_tables(x: float, df: int, p: float) -> None:
    assert chi_square_tail(x, df) == pytest.approx(p, rel=1e-9)


def test_the_tail_has_the_closed_form_of_even_degrees_of_freedom() -> None:
    """For 2k degrees of freedom it is the Poisson sum exp(-x/2) (x/2)**j / j!, j below k."""
    for k in (1, 5, 60):
        for x in (0.5 * k, 2.0 * k, 3.5 * k):
            terms = (j * math.log(x / 2) - x / 2 - math.lgamma(j + 1) for j in range(k))
            assert chi_square_tail(x, 2 * k) == pytest.approx(sum(map(math.exp, terms)), rel=1e-9)


def test_the_normal_tail_is_that_of_the_tables() -> None:
    assert two_sided(1.959963984540054) == pytest.approx(0.05)
    assert two_sided(-1.959963984540054) == pytest.approx(0.05)


def test_correction_is_holms() -> None:
    findings = [Finding(str(p), 1, 1, 0.0, p) for p in (0.01, 0.04, 0.03, 0.005)]
    corrected = [f.corrected for f in holm([*findings, Finding("few", 1, 2)])]
    assert corrected[:4] == [pytest.approx(p) for p in (0.03, 0.06, 0.06, 0.02)]
    assert corrected[4] is None


def test_seeds_of_32_bits_are_suspect_and_whole_ones_are_not() -> None:
    small, whole = BitCounts("small"), BitCounts("whole")
    for k in range(400):
        small.add(secret("seed", k)[:4] + bytes(28))
        whole.add(secret("seed", k))
    suspect, fine = small.finding(), whole.finding()
    assert suspect.p is not None
    assert fine.p is not None
    assert suspect.p < SUSPECT < fine.p


def test_start_seats_that_favor_one_are_suspect() -> None:
    odd, even = evenly("odd", (40, 10, 10, 10)), evenly("even", (18, 17, 16, 19))
    assert odd.p is not None
    assert even.p is not None
    assert odd.p < SUSPECT < even.p
    assert evenly("few", (4, 5, 5, 5)).p is None


def test_one_deck_that_comes_twice_is_suspect() -> None:
    found = repeated("twice", 1000, 1, math.factorial(24))
    assert found.p is not None
    assert found.p < SUSPECT
    assert repeated("once", 1000, 0, math.factorial(24)).p == 1


def test_the_histogram_counts_everything_once() -> None:
    rows = histogram([-9.0, -0.5, 0.0, 0.2, 9.0], (-1.0, 0.0, 1.0))
    assert [count for count, _ in rows] == [1, 1, 2, 1]
    assert sum(expected for _, expected in rows) == pytest.approx(5)
