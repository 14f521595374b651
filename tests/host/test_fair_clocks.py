"""Time that is nobody's: in our queue, and while the referee stood still."""

import pytest

from referee.host.items import AskItem
from tests.host.ends import last_action
from tests.host.support import House, in_loop, playing

# -- a question that waits to leave


async def reporting(**limits: int) -> tuple[House, int]:
    """A house whose seat on turn has a stream that says when a question has left."""
    house = await playing("standard", **limits)
    seat = house.turn
    for other in range(4):
        house.match.attach(other, house.ears[other], 0, reports=True)
    await house.act("pass")
    return house, (seat + 1) % 4


def asked(house: House, seat: int) -> AskItem:
    return house.ears[seat].asks[-1]


@in_loop
async def test_the_clock_starts_when_the_question_has_left() -> None:
    house, seat = await reporting(move_ms=1_000)
    await house.clock.turn(900)
    house.match.handed_over(seat, asked(house, seat))
    await house.clock.turn(999)
    assert house.turn == seat
    await house.clock.turn(1)
    assert (last_action(house).seat, last_action(house).fallback) == (seat, "TIMEOUT")
    assert last_action(house).used_ms == 1_000


@in_loop
async def test_time_that_a_question_waits_in_our_queue_is_not_used_by_the_seat() -> None:
    house, seat = await reporting(move_ms=5_000)
    await house.clock.turn(4_000)
    house.match.handed_over(seat, asked(house, seat))
    await house.clock.turn(30)
    await house.act("pass")
    assert last_action(house).used_ms == 30


@in_loop
async def test_an_answer_before_the_stream_says_that_the_question_has_left_took_no_time() -> None:
    house, seat = await reporting(move_ms=5_000)
    await house.clock.turn(40)
    await house.act("pass")
    assert (last_action(house).seat, last_action(house).used_ms) == (seat, 0)


@pytest.mark.parametrize(("move_ms", "gained"), [(5_000, 5_000), (250, 1_000)])
@in_loop
async def test_a_seat_that_never_reads_gains_its_limit_once_or_a_second(
    move_ms: int, gained: int
) -> None:
    house, seat = await reporting(move_ms=move_ms)
    await house.clock.turn(gained + move_ms - 1)
    assert house.turn == seat
    await house.clock.turn(1)
    assert (last_action(house).seat, last_action(house).fallback) == (seat, "TIMEOUT")


@in_loop
async def test_a_seat_that_never_reads_does_not_double_its_bank() -> None:
    house, seat = await reporting(move_ms=5_000, bank_ms=60_000)
    await house.clock.turn(5_000 + 65_000 - 1)
    assert house.turn == seat
    await house.clock.turn(1)
    assert (last_action(house).seat, last_action(house).fallback) == (seat, "TIMEOUT")


@in_loop
async def test_a_seat_whose_stream_ends_under_the_question_has_its_clock_run_from_then_on() -> None:
    house, seat = await reporting(move_ms=1_000)
    await house.clock.turn(300)
    house.match.detach(seat, house.ears[seat])
    await house.clock.turn(999)
    assert house.turn == seat
    await house.clock.turn(1)
    assert (last_action(house).seat, last_action(house).fallback) == (seat, "DISCONNECT")


@in_loop
async def test_another_stream_does_not_start_a_running_clock_again() -> None:
    house, seat = await reporting(move_ms=1_000)
    house.match.handed_over(seat, asked(house, seat))
    await house.clock.turn(600)
    house.match.attach(seat, house.ears[seat], 0, reports=True)
    assert asked(house, seat).ask.limit_ms == 400
    await house.clock.turn(399)
    assert house.turn == seat
    await house.clock.turn(1)
    assert last_action(house).fallback == "TIMEOUT"


@in_loop
async def test_a_question_that_leaves_twice_starts_its_clock_once() -> None:
    house, seat = await reporting(move_ms=1_000)
    house.match.handed_over(seat, asked(house, seat))
    await house.clock.turn(600)
    house.match.handed_over(seat, asked(house, seat))
    await house.clock.turn(400)
    assert last_action(house).fallback == "TIMEOUT"


@in_loop
async def test_an_older_question_that_leaves_late_starts_no_clock() -> None:
    house, seat = await reporting(move_ms=1_000)
    old = asked(house, seat)
    for _ in range(4):
        await house.act("pass")
    assert house.turn == seat
    house.match.handed_over(seat, old)
    await house.clock.turn(1_500)
    assert house.turn == seat


@in_loop
async def test_the_limit_of_the_reveals_starts_when_the_last_seat_was_asked() -> None:
    house = await (await House().create(reveal_ms=2_000)).sit()
    for seat in range(4):
        house.match.attach(seat, house.ears[seat], 0, reports=True)
    for seat in range(4):
        await house.commit(seat)
    for seat in (0, 1, 2):
        house.match.handed_over(seat, asked(house, seat))
    await house.clock.turn(1_500)
    house.match.handed_over(3, asked(house, 3))
    await house.clock.turn(1_999)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert house.match.durable.over


@in_loop
async def test_a_seat_that_has_answered_is_waited_for_no_longer() -> None:
    house = await (await House().create(reveal_ms=2_000)).sit()
    house.match.attach(3, house.ears[3], 0, reports=True)
    for seat in range(4):
        await house.commit(seat)
    await house.clock.turn(500)
    await house.reveal(3)
    await house.clock.turn(1_999)
    assert not house.match.durable.over
    await house.clock.turn(1)
    assert house.match.durable.over


@in_loop
async def test_after_a_restart_the_clock_starts_when_all_that_was_missed_has_left() -> None:
    house = await (await playing(move_ms=1_000)).restart()
    seat = house.turn
    house.match.attach(seat, house.ears[seat], 0, reports=True)
    await house.clock.turn(900)
    house.match.handed_over(seat, asked(house, seat))
    await house.clock.turn(999)
    assert house.turn == seat
    await house.clock.turn(1)
    assert last_action(house).fallback == "TIMEOUT"


# -- a referee that stands still


@in_loop
async def test_time_in_which_the_referee_itself_stood_still_is_given_back() -> None:
    house = await playing(move_ms=1_000)
    seat = house.turn
    house.clock.now += 1_150  # nothing rang: the loop was busy
    await house.clock.ring()
    assert house.turn == seat
    await house.act("pass")
    assert (last_action(house).seat, last_action(house).fallback) == (seat, None)
    assert last_action(house).used_ms == 1_000


@in_loop
async def test_a_seat_that_has_not_answered_by_then_has_its_fallback_played() -> None:
    house = await playing(move_ms=1_000)
    seat = house.turn
    house.clock.now += 1_150
    await house.clock.ring()
    await house.clock.turn(149)
    assert house.turn == seat
    await house.clock.turn(1)
    assert (last_action(house).seat, last_action(house).fallback) == (seat, "TIMEOUT")


@in_loop
async def test_a_referee_that_stands_still_again_and_again_waits_once() -> None:
    house = await playing(move_ms=1_000)
    seat = house.turn
    for _ in range(2):
        assert house.turn == seat
        house.clock.now += 1_150
        await house.clock.ring()
    assert (last_action(house).seat, last_action(house).fallback) == (seat, "TIMEOUT")


@in_loop
async def test_an_alarm_that_rings_late_gives_nothing_to_a_question_that_was_just_asked() -> None:
    house = await playing(move_ms=1_000)
    house.clock.now += 990
    await house.act("pass")
    seat = house.turn
    house.clock.now += 100
    await house.clock.ring()
    await house.clock.turn(899)
    assert house.turn == seat
    await house.clock.turn(1)
    assert (last_action(house).seat, last_action(house).used_ms) == (seat, 1_000)
