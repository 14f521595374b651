"""Deadlines, fallback actions, grace and what stands still, on a clock that the test turns."""

import pytest

from referee.host.items import AskItem
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.events import ActionTaken
from tests.host.support import House, in_loop, playing, ruled, settle


def last_action(house: House) -> ActionTaken:
    taken = [e.event for e in house.match.log if isinstance(e.event, ActionTaken)]
    return taken[-1]


def end(house: House) -> MatchClose:
    closed = house.match.durable.closed
    assert closed is not None
    return closed


def last_close(house: House) -> DealClose:
    return [e.event for e in house.match.log if isinstance(e.event, DealClose)][-1]


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
