"""A referee that comes back to its journal."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import InternalError
from referee.host.clock import LoopClock
from referee.host.items import Answer, Misused, Ruling
from referee.host.matches import Census
from referee.host.passes import Pass
from referee.host.referee import Referee
from referee.journal.sqlite import SqliteStore
from referee.journal.store import StoreError
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
        referee.matches.resume()
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
    assert back.referee.matches.let_in() == 1
    return house, back


@in_loop
async def test_a_match_is_taken_up_when_somebody_asks_for_it() -> None:
    house, back = await sealed_and_stopped()
    assert back.referee.matches.census().waiting == 1
    assert back.match.durable == house.match.durable
    assert back.match is back.match
    assert back.referee.matches.census().open == 1


@in_loop
async def test_matches_that_nobody_asks_for_are_taken_up_in_time() -> None:
    _, back = await sealed_and_stopped()
    await back.referee.matches.take_up()
    assert back.referee.matches.census().open == 1


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
    assert back.referee.matches.let_in() == 2
    await back.referee.matches.take_up()
    assert back.referee.matches.census().waiting == 1
    assert f"not_resumed match={damaged.hex()}" in caplog.text
    with pytest.raises(InternalError):
        back.referee.match(damaged.hex())


@in_loop
async def test_a_match_that_cannot_be_read_just_now_is_taken_up_once_it_can() -> None:
    _, back = await sealed_and_stopped()
    back.store.unreadable = True
    with pytest.raises(StoreError):
        _ = back.match
    taking_up = asyncio.create_task(back.referee.matches.take_up())
    await settle()
    assert back.referee.matches.census() == Census(open=0, waiting=1, seats=0)
    back.store.unreadable = False
    await back.clock.turn(1_000)
    await taking_up
    assert back.referee.matches.census().open == 1
    assert back.match is back.match


@in_loop
async def test_a_match_that_stands_unknown_to_its_maker_is_one_for_all_who_ask() -> None:
    house = House()
    house.store.holding = True
    making = asyncio.create_task(house.create())
    await settle()
    house.store.keeping_silent = house.store.unreadable = True
    house.store.release()
    with pytest.raises(StoreError):
        await making
    house.store.keeping_silent = house.store.unreadable = False
    await house.create()
    assert house.match is house.match
    assert house.referee.pass_of(house.tickets.seats[2]) == Pass(house.tickets.match, 2)
    assert house.referee.matches.census().waiting == 1


@in_loop
async def test_a_match_that_is_taken_up_while_the_referee_drains_takes_nothing_more() -> None:
    _, back = await sealed_and_stopped()
    back.referee.matches.drain("the referee is stopping")
    answer = await back.hear(lambda reply: back.match.act(0, back.rid(), 1, "pass", reply=reply))
    assert isinstance(answer, Misused)
    back.match.attach(0, back.ears[0], 0)
    assert back.ears[0].closings == ["draining"]
    answer = await back.hear(lambda reply: back.match.abort(reply=reply))
    assert isinstance(answer, Misused)
    assert answer.wrong == "DRAINING"


def test_match_that_was_resumed_goes_on_being_recorded(tmp_path: Path) -> None:
    journal = tmp_path / "referee.db"
    for seat in range(3):
        answer, names = asyncio.run(sit_down_after_a_restart(journal, seat))
        assert isinstance(answer, Ruling)
        assert answer.accepted
        assert [name for name in names if name] == [f"bot-{taken}" for taken in range(seat + 1)]
