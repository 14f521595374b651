"""Seats that are away, and seats that a restart cut off, on a clock that the test turns."""

from tests.host.ends import end, last_action, last_close
from tests.host.support import House, in_loop, playing, ruled

# -- being away


@in_loop
async def test_a_seat_whose_stream_ends_has_its_clock_run_on() -> None:
    house = await playing(move_ms=1_000)
    seat = house.turn
    house.match.detach(seat, house.ears[seat])
    await house.clock.turn(1_000)
    assert (last_action(house).seat, last_action(house).fallback) == (seat, "DISCONNECT")


@in_loop
async def test_a_seat_still_away_when_the_grace_ends_forfeits() -> None:
    house = await playing(move_ms=60_000, grace_ms=30_000)
    seat = (house.turn + 1) % 4
    house.match.detach(seat, house.ears[seat])
    await house.clock.turn(29_999)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert (end(house).outcome, end(house).by) == ("forfeit", seat)
    assert last_close(house).faults[-1].why == "DISCONNECT"


@in_loop
async def test_a_seat_that_comes_back_in_time_plays_on() -> None:
    house = await playing(move_ms=60_000, grace_ms=30_000)
    seat = house.turn
    house.match.detach(seat, house.ears[seat])
    await house.clock.turn(29_000)
    house.match.attach(seat, house.ears[seat], 0)
    await house.clock.turn(30_000)
    assert not house.match.durable.over
    assert ruled(await house.act("pass")).accepted


@in_loop
async def test_a_seat_that_acts_by_single_calls_is_not_away() -> None:
    house = await playing(move_ms=60_000, grace_ms=30_000)
    seat = house.turn
    house.match.detach(seat, house.ears[seat])
    assert ruled(await house.act("pass")).accepted
    await house.clock.turn(31_000)
    assert not house.match.durable.over


@in_loop
async def test_a_stream_that_was_superseded_ends_without_grace() -> None:
    house = await playing(move_ms=60_000, grace_ms=30_000)
    old = house.ears[0]
    new = type(old)()
    house.match.attach(0, new, 0)
    house.match.detach(0, old)
    await house.clock.turn(31_000)
    assert old.closings == ["superseded"]
    assert not house.match.durable.over


@in_loop
async def test_the_commit_deadline_does_not_wait_for_the_grace() -> None:
    house = await (await House().create(commit_ms=700, grace_ms=30_000)).sit()
    house.match.detach(3, house.ears[3])
    for seat in (0, 1, 2):
        await house.commit(seat)
    await house.clock.turn(700)
    assert (end(house).by, last_close(house).faults[0].why) == (3, "WITHHELD")


# -- a restart


@in_loop
async def test_clocks_stand_still_after_a_restart_until_the_seat_on_turn_is_back() -> None:
    house = await (await playing(move_ms=1_000, grace_ms=30_000)).restart()
    seat = house.turn
    await house.clock.turn(10_000)
    assert house.turn == seat
    house.match.attach(seat, house.ears[seat], 0)
    assert house.ears[seat].asks[-1].ask.limit_ms == 1_000
    await house.clock.turn(999)
    assert house.turn == seat
    await house.clock.turn(1)
    assert last_action(house).fallback == "TIMEOUT"


@in_loop
async def test_a_seat_that_never_comes_back_after_a_restart_forfeits() -> None:
    house = await (await playing(move_ms=1_000, grace_ms=30_000)).restart()
    for seat in (0, 1, 3):
        house.match.attach(seat, house.ears[seat], 0)
    if house.turn != 2:
        await house.clock.turn(500)
    for _ in range(40):
        if house.match.durable.over:
            break
        await house.clock.turn(1_000)
    assert (end(house).outcome, end(house).by) == ("forfeit", 2)


@in_loop
async def test_commit_deadlines_start_afresh_after_a_restart() -> None:
    house = await (await House().create(commit_ms=700)).sit()
    await house.clock.turn(600)
    house = await house.restart()
    for seat in range(4):
        house.match.attach(seat, house.ears[seat], 0)
    await house.clock.turn(699)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert house.match.durable.over


@in_loop
async def test_a_seat_that_only_looks_is_back_after_a_restart() -> None:
    house = await (await playing(move_ms=60_000, grace_ms=30_000)).restart()
    for seat in range(4):
        house.match.seen(seat)
    await house.clock.turn(31_000)
    assert not house.match.durable.over


@in_loop
async def test_a_match_that_had_not_opened_waits_for_its_seats_again() -> None:
    house = await House().create(start_ms=1_000)
    await house.sit(0, 1)
    await house.clock.turn(900)
    house = await house.restart()
    await house.clock.turn(999)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert house.match.durable.dropped == "START_FAIL"


@in_loop
async def test_a_seat_that_did_not_come_back_before_the_opening_has_its_grace() -> None:
    house = await House().create(start_ms=60_000, commit_ms=60_000, grace_ms=2_000)
    await house.sit(0, 1, 2)
    house = await house.restart()
    await house.sit(1, 2, 3)
    await house.clock.turn(1_999)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert (end(house).by, last_close(house).faults[-1].why) == (0, "DISCONNECT")
