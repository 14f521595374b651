"""How matches are made and seats are taken."""

import asyncio

import pytest

from referee.errors import RefereeError
from referee.host.items import Answer
from referee.host.making import MOST_OPEN, TooManyMatchesError
from referee.journal.store import StoreError
from referee.table.policy import policy
from tests.host.support import (
    REQUEST,
    House,
    in_loop,
    info,
    playing,
    ruled,
    settle,
    wrong,
)


@in_loop
async def test_the_same_hello_takes_the_same_seat_again() -> None:
    house = await House().create()
    await house.sit(0)
    assert ruled(await house.hear(lambda r: house.match.sit(0, info(0), r))).accepted


@in_loop
async def test_another_level_than_in_the_first_hello_conflicts() -> None:
    house = await House().create()
    await house.sit(0)
    answer = await house.hear(lambda r: house.match.sit(0, info(0, "seeds"), r))
    assert wrong(answer) == "CONFLICT"


@in_loop
async def test_a_second_hello_is_answered_when_the_first_is_durable() -> None:
    house = await House().create()
    house.store.holding = True
    answers: list[Answer] = []
    for _ in range(2):
        house.match.sit(0, info(0), answers.append)
    await settle()
    assert answers == []
    house.store.release()
    await settle()
    assert [ruled(answer).accepted for answer in answers] == [True, True]


@in_loop
async def test_a_hello_again_is_not_answered_with_what_another_seat_is_just_told() -> None:
    house = await playing()
    turn = house.turn
    other = (turn + 1) % 4
    house.store.holding = True
    refused: list[Answer] = []
    house.match.act(turn, house.rid(), house.match.state.version + 1, "sit", reply=refused.append)
    taken = house.match.state.seats[other]
    assert taken is not None
    again: list[Answer] = []
    house.match.sit(other, taken, again.append)
    house.store.release()
    await settle()
    assert [ruled(answer).accepted for answer in refused] == [False]
    assert [(ruled(answer).seat, ruled(answer).accepted) for answer in again] == [(other, True)]


@in_loop
async def test_the_same_request_makes_the_same_match_with_the_same_tokens() -> None:
    house = await House().create()
    tickets = await house.referee.create(policy=policy(), request_id=REQUEST)
    assert tickets == house.tickets
    assert len(house.store.matches()) == 1


@in_loop
async def test_a_match_that_cannot_be_recorded_is_not_made_and_can_be_asked_for_again() -> None:
    house = House()
    house.store.broken = True
    with pytest.raises(StoreError):
        await house.create()
    house.store.broken = False
    await house.create()
    assert [house.referee.pass_of(token) is not None for token in house.tickets.seats] == [True] * 4


@in_loop
async def test_a_creator_that_has_gone_leaves_a_match_with_its_clock_running() -> None:
    house = House()
    house.store.holding = True
    task = asyncio.create_task(house.create(start_ms=1_000))
    await settle()
    task.cancel()
    await settle()
    house.store.holding = False
    house.store.release()
    await settle()
    house.tickets = await house.referee.create(
        policy=policy({"start_ms": 1_000}), request_id=REQUEST
    )
    await house.clock.turn(1_000)
    assert house.match.durable.dropped == "START_FAIL"


@in_loop
async def test_a_match_from_a_seed_is_unrated_and_played_once_a_journal() -> None:
    house = House()
    with pytest.raises(RefereeError, match="unrated"):
        await house.referee.create(policy=policy(), seed=b"x")
    await house.referee.create(policy=policy(rated=False), seed=b"x")
    with pytest.raises(RefereeError, match="another seed"):
        await house.referee.create(policy=policy(rated=False), seed=b"x")


@in_loop
async def test_tokens_are_kept_as_hashes_and_known_again_after_a_restart() -> None:
    house = await House().create()
    again = await house.restart()
    for seat, token in enumerate(house.tickets.seats):
        found = again.referee.pass_of(token)
        assert found is not None
        assert (found.match, found.seat) == (house.tickets.match, seat)
    written = b"".join(row.body for row in house.store.kept[house.tickets.match])
    assert not any(t.encode() in written for t in (*house.tickets.seats, house.tickets.watching))


@in_loop
async def test_finished_matches_do_not_count_against_the_number_of_open_ones() -> None:
    house = await House().create()
    house.referee.matches.open_of[""] = MOST_OPEN
    with pytest.raises(TooManyMatchesError):
        await house.referee.create(policy=policy(), request_id=b"n" * 16)
    house.match.abort()
    await settle()
    tickets = await house.referee.create(policy=policy(), request_id=b"n" * 16)
    assert house.referee.ids()[0] == tickets.match
