"""A journal that fails, waits or cannot be read: nobody pays for it, and nothing piles up."""

import asyncio
import gc
import logging

import pytest

from referee.host.items import Answer, Ruling
from referee.host.ledger import MOST_PASSING, MOST_WAITING
from referee.journal.store import StoreError
from referee.table.policy import policy
from tests.host.support import REQUEST, FakeClock, House, in_loop, playing, ruled, settle, wrong

RID = b"the same request"


def break_journal(house: House, *, broken: bool = True) -> None:
    house.store.broken = house.store.unreadable = broken


@in_loop
async def test_what_was_kept_unheard_is_no_attempt_when_it_is_sent_again() -> None:
    house = await playing()
    seat, text, seq = house.turn, house.legal[0], house.match.state.version + 1
    house.store.keeping_silent = house.store.unreadable = True
    assert wrong(await house.act(text, seat, rid=RID, seq=seq)) == "NOT_RECORDED"
    house.store.keeping_silent = house.store.unreadable = False
    assert wrong(await house.act(text, seat, rid=RID, seq=seq)) == "NOT_RECORDED"
    again = ruled(await house.act(text, seat, rid=RID, seq=seq))
    assert (again.accepted, again.seq) == (True, seq)
    assert house.match.durable.attempts == (0, 0, 0, 0)


@in_loop
async def test_a_match_that_cannot_be_healed_is_tried_again_though_nobody_sends_anything() -> None:
    house = await playing()
    break_journal(house)
    await house.clock.turn(5_000)
    break_journal(house, broken=False)
    await house.clock.turn(1_000)
    await house.clock.turn(4_999)
    assert house.match.durable.timeouts == (0, 0, 0, 0)
    await house.clock.turn(1)
    assert sum(house.match.durable.timeouts) == 1


@in_loop
async def test_a_forfeit_that_could_not_be_recorded_is_due_again_after_another_grace() -> None:
    house = await playing(move_ms=600_000, grace_ms=30_000)
    seat = house.turn
    house.match.detach(seat, house.ears[seat])
    house.store.broken = True
    await house.clock.turn(30_000)
    house.store.broken = False
    await house.clock.turn(29_999)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert house.match.durable.closed is not None
    assert (house.match.durable.closed.by, house.ears[(seat + 1) % 4].faults) == (
        seat,
        [(seat, "DISCONNECT")],
    )


@in_loop
async def test_a_referee_on_the_way_down_heals_no_match(caplog: pytest.LogCaptureFixture) -> None:
    house = await playing()
    break_journal(house)
    await house.clock.turn(5_000)
    house.referee.matches.drain()
    break_journal(house, broken=False)
    await house.clock.turn(60_000)
    assert "match_healed" not in caplog.text


@in_loop
async def test_a_match_whose_journal_was_closed_says_so_once_and_tries_nothing_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    house = await playing()
    house.store.closed_down = True
    assert wrong(await house.act(house.legal[0], house.turn)) == "NOT_RECORDED"
    for _ in range(10):
        await house.clock.turn(1_000)
    assert wrong(await house.act(house.legal[0], house.turn)) == "NOT_RECORDED"
    said = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert [line.partition(" ")[0] for line in said].count("journal_closed") == 1
    assert "not_healed" not in caplog.text


def rulings_kept() -> int:
    gc.collect()
    return sum(isinstance(thing, Ruling) for thing in gc.get_objects())


@in_loop
async def test_equal_commitments_again_and_again_do_not_pile_up() -> None:
    house = await (await House().create()).sit()
    before = rulings_kept()
    for _ in range(3 * MOST_PASSING):
        assert ruled(await house.commit(0)).accepted
    assert rulings_kept() - before <= MOST_PASSING + 1


@in_loop
async def test_the_newest_of_what_nothing_was_recorded_for_is_answered_again() -> None:
    house = await (await House().create()).sit()
    first = await house.commit(0)
    assert await house.commit(0, RID) is await house.commit(0, RID)
    assert ruled(await house.commit(0, ruled(first).request_id)) is first


@in_loop
async def test_no_more_of_a_match_waits_for_the_journal_than_may() -> None:
    house = await (await House().create()).sit()
    house.store.holding = True
    given, answers = house.commit_bytes(0), list[Answer]()
    for _ in range(MOST_WAITING + 1):
        house.match.commit(0, house.rid(), 0, given, answers.append)
    assert [wrong(answer) for answer in answers] == ["FULL"]
    house.store.release()
    await settle()
    assert sum(ruled(answer).accepted for answer in answers[1:]) == MOST_WAITING


@in_loop
async def test_one_request_is_answered_so_many_times_while_it_waits_for_the_journal() -> None:
    house = await (await House().create()).sit()
    house.store.holding = True
    given, answers = house.commit_bytes(0), list[Answer]()
    for _ in range(MOST_WAITING + 1):
        house.match.commit(0, RID, 0, given, answers.append)
    assert [wrong(answer) for answer in answers] == ["FULL"]
    house.store.release()
    await settle()
    assert len(answers) == MOST_WAITING + 1


@in_loop
async def test_a_full_queue_does_not_keep_the_clock_from_ruling() -> None:
    house = await (await House().create(commit_ms=700)).sit()
    house.store.holding = True
    given = house.commit_bytes(0)
    for _ in range(MOST_WAITING + 1):
        house.match.commit(0, house.rid(), 0, given)
    await house.clock.turn(700)
    house.store.release()
    await settle()
    assert house.match.durable.over


# -- what stood still while we did


@in_loop
async def test_a_grace_that_ended_while_the_referee_stood_still_is_prolonged_once() -> None:
    house = await playing(move_ms=600_000)
    seat = house.turn
    house.match.detach(seat, house.ears[seat])
    house.clock.now += 40_000
    await house.clock.ring()
    assert not house.match.durable.over
    await house.clock.turn(9_999)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert house.match.durable.closed is not None
    assert house.match.durable.closed.by == seat


@in_loop
async def test_a_seat_that_was_at_the_door_while_the_referee_stood_still_plays_on() -> None:
    house = await playing(move_ms=600_000)
    seat = house.turn
    house.match.detach(seat, house.ears[seat])
    house.clock.now += 40_000
    await house.clock.ring()
    house.match.attach(seat, house.ears[seat], 0)
    await house.clock.turn(60_000)
    assert not house.match.durable.over


# -- taking up


async def stopped() -> House:
    """A house on the journal of another that had a hand on the table; nothing is taken up yet."""
    house = await playing()
    await settle()
    back = House(house.store, FakeClock())
    back.tickets = house.tickets
    assert back.referee.matches.let_in() == 1
    return back


@in_loop
async def test_a_match_that_cannot_be_read_just_now_is_taken_up_once_it_can(
    caplog: pytest.LogCaptureFixture,
) -> None:
    back = await stopped()
    back.store.unreadable = True
    taking_up = asyncio.create_task(back.referee.matches.take_up())
    await settle()
    taking_up.cancel()
    assert "not_resumed" in caplog.text
    assert back.referee.matches.census().waiting == 1
    with pytest.raises(StoreError):
        _ = back.match
    back.store.unreadable = False
    assert back.match is back.match
    assert back.referee.matches.census().open == 1


@in_loop
async def test_a_match_that_is_taken_up_on_the_way_down_stands_still() -> None:
    back = await stopped()
    back.referee.matches.drain()
    assert wrong(await back.act("pass", 0, seq=back.match.state.version + 1)) == "DRAINING"
    await back.clock.turn(60_000)
    assert not back.match.durable.over


@in_loop
async def test_a_match_that_was_recorded_unheard_is_one_match_and_lets_its_seats_in() -> None:
    house = House()
    house.store.holding = True
    making = asyncio.create_task(house.create())
    await settle()
    house.store.keeping_silent = house.store.unreadable = True
    house.store.release()
    with pytest.raises(StoreError):
        await making
    house.store.keeping_silent = house.store.unreadable = False
    house.tickets = await house.referee.create(policy=policy(), request_id=REQUEST)
    assert house.match is house.match
    assert house.referee.pass_of(house.tickets.seats[0]) is not None
    await house.sit()
    assert house.match.durable.opened
