"""Matches that are just being made, or could not be recorded as they were."""

import asyncio

import pytest

from referee.errors import RefereeError
from referee.journal.store import StoreError
from referee.table.policy import policy
from tests.host.support import REQUEST, House, in_loop, settle


@in_loop
async def test_a_match_that_is_being_made_is_not_made_with_other_settings_at_once() -> None:
    house = House()
    house.store.holding = True
    making = asyncio.create_task(house.create())
    await settle()
    other = house.referee.create(policy=policy({"move_ms": 1_000}), request_id=REQUEST)
    asking = asyncio.create_task(other)
    await settle()
    house.store.release()
    with pytest.raises(RefereeError, match="other settings"):
        await asking
    await making


@in_loop
async def test_a_match_that_was_recorded_unheard_waits_though_nobody_asks_again() -> None:
    house = House()
    house.store.keeping_silent = True
    with pytest.raises(StoreError):
        await house.create()
    assert house.referee.matches.census().waiting == 1
