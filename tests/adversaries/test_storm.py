"""Honest parties in bad weather: nobody is blamed for cut connections and killed processes."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.adversaries.storm import Storm


def weathered(folder: Path, deals: int, seed: int) -> Storm:
    storm = Storm(folder, deals, random.Random(seed))
    report = asyncio.run(storm.run(lambda _done: None))
    assert set(storm.exits.values()) == {0}, storm.explain()
    assert report.exit == 0, report.verdict.failure
    assert report.verdict.totals.faults == []
    assert report.verdict.totals.played == deals
    return storm


def test_nobody_is_blamed_in_a_short_storm(tmp_path: Path) -> None:
    assert weathered(tmp_path, 15, seed=5).happened.total() > 0


@pytest.mark.heavy
def test_nobody_is_blamed_over_a_long_storm(tmp_path: Path) -> None:
    happened = weathered(tmp_path, 150, seed=20).happened
    assert min(happened[what] for what in ("cut", "bot", "referee")) > 0
