"""A match told to people: what the line of a deal says of its result."""

import pytest

from referee.arena.account import Account
from referee.sealing.closing import ZERO, DealClose, Fault
from referee.sealing.parts import Pair

LATE = (Fault(2, "WITHHELD"),)


@pytest.mark.parametrize(
    ("outcome", "points", "faults", "told"),
    [
        ("fault", Pair(0, 4), LATE, "fault, ew +4 (south WITHHELD)"),
        ("fault", ZERO, LATE, "fault, nobody scores (south WITHHELD)"),
        ("renege", Pair(2, 0), (), "renege, ns +2"),
        ("thrown_in", ZERO, (), "thrown in, nobody scores"),
        ("played", Pair(0, 2), (), "tricks 1-4, ew +2"),
    ],
)
def test_a_deal_is_told_with_its_outcome_and_who_scores(
    outcome: str, points: Pair, faults: tuple[Fault, ...], told: str
) -> None:
    close = DealClose(
        deal=3, outcome=outcome, r=bytes(32), tricks=Pair(1, 4), points=points, faults=faults
    )
    line = Account().hear(close)
    assert line is not None
    assert " ".join(line.split()) == f"3 -- no call {told} 0-0"
