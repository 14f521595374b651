"""Every number of every knob is told from the answers of a target alone, or said to be open.

Of a range of many hundred, only evenly spaced ones and the last are asked here; `make fingerprints`
asks them all.
"""

import os
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.pool import Pool

import pytest

from conformance.fingerprint.variations import Variation, variations
from tests.conformance.fingerprinting import what_is_wrong
from tests.corpus import corpus

AT_ONCE = 10
MOST = 100
EVERY = "EVERY_NUMBER"
"""The variable of the environment that has every number asked."""
NUMBERED = [knob.name for knob in corpus().rulesets.knobs.values() if knob.span]


def numbers_of(knob: str) -> list[Variation]:
    """Standard with the knob turned to each of its numbers."""
    turned = variations(corpus().rulesets, "standard", every=True)
    return [one for one in turned if one.knob == knob and one.rules[knob].isdigit()]


def asked(knob: str) -> list[Variation]:
    """The numbers that are asked: all of them, or those that are evenly spaced."""
    every = numbers_of(knob)
    step = 1 if EVERY in os.environ else -(-len(every) // MOST)
    return every if step == 1 else [*every[::step], every[-1]]


@pytest.fixture(scope="module")
def workers() -> Iterator[Pool]:
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        yield pool


@pytest.mark.heavy
@pytest.mark.parametrize("knob", NUMBERED)
def test_every_number_of_a_knob_is_told(knob: str, workers: Pool) -> None:
    found = workers.imap_unordered(what_is_wrong, asked(knob), chunksize=AT_ONCE)
    assert [text for texts in found for text in texts] == []
