"""Deadlines, fallback actions and what stops them, on a clock that the test turns."""

import pytest

from tests.host.ends import end, last_action, last_close
from tests.host.support import House, in_loop, playing, ruled, settle

# -- the start


@in_loop
async def test_a_match_whose_seats_stay_empty_is_dropped_when_the_start_limit_is_over() -> None:
    house = await House().create(start_ms=20_000)
    await house.sit(0, 1, 2)
    await house.clock.turn(19_999)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert house.match.durable.dropped == "START_FAIL"
    assert house.ears[0].closings == ["dropped"]


@in_loop
async def test_sitting_down_does_not_start_the_start_limit_again() -> None:
    house = await House().create(start_ms=1_000)
    await house.clock.turn(900)
    await house.sit(0, 1, 2)
    await house.clock.turn(100)
    assert house.match.durable.over


# -- commits and reveals


@in_loop
async def test_a_commitment_that_is_late_is_withheld() -> None:
    house = await (await House().create(commit_ms=700)).sit()
    for seat in (0, 1, 2):
        await house.commit(seat)
    await house.clock.turn(699)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert (end(house).outcome, end(house).by) == ("forfeit", 3)
    assert all(ear.faults == [(3, "WITHHELD")] for ear in house.ears)


@in_loop
async def test_a_commitment_does_not_start_the_limit_of_the_others_again() -> None:
    house = await (await House().create(commit_ms=700)).sit()
    for seat in (0, 1, 2):
        await house.clock.turn(200)
        await house.commit(seat)
    await house.clock.turn(100)
    assert end(house).by == 3


@in_loop
async def test_the_limit_of_the_reveals_starts_with_the_commit_set() -> None:
    house = await (await House().create(commit_ms=700, reveal_ms=800)).sit()
    await house.clock.turn(600)
    for seat in range(4):
        await house.commit(seat)
    for seat in (0, 2, 3):
        await house.reveal(seat)
    await house.clock.turn(799)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert end(house).by == 1


# -- decisions


@in_loop
async def test_a_seat_that_does_not_act_has_its_fallback_played_and_everybody_is_told() -> None:
    house = await playing(move_ms=1_000)
    seat = house.turn
    await house.clock.turn(999)
    assert house.turn == seat
    await house.clock.turn(1)
    taken = last_action(house)
    assert (taken.seat, taken.action, taken.fallback) == (seat, "pass", "TIMEOUT")
    assert taken.used_ms == 1_000
    assert all(ear.faults == [(seat, "TIMEOUT")] for ear in house.ears)
    assert house.turn == (seat + 1) % 4


@in_loop
async def test_five_timeouts_of_a_seat_forfeit() -> None:
    house = await playing(move_ms=1_000, timeout_limit=5)
    for _ in range(200):
        if house.match.durable.over:
            break
        if house.deal.hand is None:
            await house.seal()
        await house.clock.turn(1_000)
    assert end(house).outcome == "forfeit"
    assert [f.why for f in last_close(house).faults].count("TIMEOUT") >= 1
    assert house.match.durable.timeouts[end(house).by or 0] == 5


@in_loop
async def test_time_used_is_measured_from_the_question_to_the_answer() -> None:
    house = await playing()
    await house.clock.turn(321)
    await house.act("pass")
    assert last_action(house).used_ms == 321
    await house.clock.turn(7)
    await house.act("pass")
    assert last_action(house).used_ms == 7


@in_loop
async def test_a_refusal_does_not_start_the_clock_again() -> None:
    house = await playing(move_ms=1_000)
    seat = house.turn
    await house.clock.turn(600)
    assert not ruled(await house.act("play JD")).accepted
    assert house.ears[seat].asks[-1].ask.limit_ms == 400
    await house.clock.turn(400)
    assert (last_action(house).seat, last_action(house).fallback) == (seat, "TIMEOUT")


@in_loop
async def test_the_bank_is_added_to_the_limit_and_used_up() -> None:
    house = await playing(move_ms=1_000, bank_ms=500)
    seat = house.turn
    assert house.ears[seat].asks[-1].ask.limit_ms == 1_500
    await house.clock.turn(1_400)
    await house.act("pass")
    assert last_action(house).fallback is None
    assert house.match.durable.banks[seat] == 100


@in_loop
async def test_an_answer_that_is_being_recorded_when_the_time_ends_stands() -> None:
    house = await playing(move_ms=1_000)
    house.store.holding = True
    seat = house.turn
    house.match.act(seat, house.rid(), house.match.state.version + 1, "pass")
    await house.clock.turn(1_500)
    house.store.release()
    await settle()
    assert (last_action(house).seat, last_action(house).fallback) == (seat, None)


# -- stopping


@in_loop
async def test_no_clock_runs_while_the_referee_is_stopping() -> None:
    house = await playing(move_ms=1_000, grace_ms=1_000)
    house.referee.matches.drain("stopping")
    for seat in range(4):
        house.match.detach(seat, house.ears[seat])
    await house.clock.turn(60_000)
    assert not house.match.durable.over
    assert all(ear.closings == ["draining"] for ear in house.ears)
    assert not any(ear.faults for ear in house.ears)


@in_loop
async def test_nothing_is_taken_while_the_referee_is_stopping() -> None:
    house = await playing()
    before = len(house.match.log)
    house.referee.matches.drain("stopping")
    answer = await house.act("pass")
    assert getattr(answer, "wrong", "") == "DRAINING"
    assert len(house.match.log) == before


@pytest.mark.parametrize("why", ["a lost timeout", "a lost start"])
@in_loop
async def test_a_deadline_that_could_not_be_recorded_rings_again(why: str) -> None:
    if why == "a lost timeout":
        house = await playing(move_ms=1_000)
    else:
        house = await House().create(start_ms=1_000)
    house.store.broken = True
    await house.clock.turn(1_000)
    house.store.broken = False
    before = len(house.store.kept[house.match.id])
    await house.clock.turn(1_000)
    assert len(house.store.kept[house.match.id]) > before
