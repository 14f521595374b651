"""A referee that comes back to its journal."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import InternalError
from referee.host.clock import LoopClock
from referee.host.items import Answer, Ruling
from referee.host.referee import Referee
from referee.journal.sqlite import SqliteStore
from referee.sealing.keys import SigningKey
from referee.sealing.parts import SeatInfo
from referee.table.policy import policy
from tests.host.support import FakeClock, House, in_loop, playing, settle

KEY = SigningKey.from_bytes("host", bytes(range(32)))
REQUEST = b"r" * 16


async def sit_down_after_a_restart(journal: Path, seat: int) -> tuple[Answer, list[str | None]]:
    """A new referee on the journal; one seat is taken, and all that are taken are named."""
    store = SqliteStore(journal)
    referee = Referee(store=store, key=KEY, clock=LoopClock(), chance=bytes)
    try:
        referee.resume()
        tickets = await referee.create(policy=policy(), request_id=REQUEST)
        match = referee.match(tickets.match.hex())
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        info = SeatInfo(name=f"bot-{seat}", level="seeds", seed_by="seat")
        match.sit(seat, info, answer.set_result)
        names = [None if info is None else info.name for info in match.state.seats]
        return await answer, names
    finally:
        referee.close()
        store.close()


async def sealed_and_stopped() -> tuple[House, House]:
    """A house with a hand on the table, and another on its journal that has let everybody in."""
    house = await playing()
    await settle()
    back = House(house.store, FakeClock())
    back.tickets = house.tickets
    assert back.referee.let_in() == 1
    return house, back


@in_loop
async def test_a_match_is_taken_up_when_somebody_asks_for_it() -> None:
    house, back = await sealed_and_stopped()
    assert back.referee.census().waiting == 1
    assert back.match.durable == house.match.durable
    assert back.match is back.match
    assert back.referee.census().open == 1


@in_loop
async def test_matches_that_nobody_asks_for_are_taken_up_in_time() -> None:
    _, back = await sealed_and_stopped()
    await back.referee.take_up()
    assert back.referee.census().open == 1


@in_loop
async def test_a_summary_and_lines_of_a_match_not_taken_up_yet_are_those_of_an_open_one() -> None:
    house, back = await sealed_and_stopped()
    assert back.referee.summary(house.match.id) == house.referee.summary(house.match.id)
    assert back.referee.lines(house.match.id, 2) == house.referee.lines(house.match.id, 2)


@in_loop
async def test_a_damaged_match_does_not_keep_the_others_from_being_taken_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    house = await playing()
    damaged = house.match.id
    await house.referee.create(policy=policy(), request_id=b"another request!")
    await settle()
    house.store.kept[damaged][3] = replace(house.store.kept[damaged][3], body=b"{}")
    back = House(house.store, FakeClock())
    assert back.referee.let_in() == 2
    await back.referee.take_up()
    assert back.referee.census().waiting == 1
    assert f"not_resumed match={damaged.hex()}" in caplog.text
    with pytest.raises(InternalError):
        back.referee.match(damaged.hex())


def test_match_that_was_resumed_goes_on_being_recorded(tmp_path: Path) -> None:
    journal = tmp_path / "referee.db"
    for seat in range(3):
        answer, names = asyncio.run(sit_down_after_a_restart(journal, seat))
        assert isinstance(answer, Ruling)
        assert answer.accepted
        assert [name for name in names if name] == [f"bot-{taken}" for taken in range(seat + 1)]
