"""What a match no longer keeps at hand is told and answered all the same, out of its journal."""

import pytest

from referee.host.past import AT_HAND, Spent
from tests.host.support import Ear, House, in_loop, playing, ruled, settle

DEALS = 5


async def long_played(deals: int = DEALS) -> House:
    """A match in which so many deals are over and one more is on the table."""
    house = await playing(games=9)
    while house.deal.number < deals:
        before = house.deal.number
        while house.deal.number == before:
            await house.act(house.legal[0])
        await settle()
        await house.seal()
    await settle()
    return house


@in_loop
async def test_a_long_match_keeps_the_open_deal_at_hand_and_little_more() -> None:
    house = await long_played()
    log = house.match._audience.log
    opened = next(e.seq for e in reversed(house.match.log) if e.event.kind == "deal_open")
    assert log.first == opened - AT_HAND > 0
    assert len(log._items) == len(log) - log.first
    for chair in house.match._audience.chairs:
        assert all(cards.after >= log.first for cards in chair.cards)
    assert len(house.match._ledger._answers) + len(house.match._ledger._older) < 80


@in_loop
async def test_every_position_of_a_long_match_is_resumed_from_as_if_all_were_kept() -> None:
    house = await long_played()
    whole = house.ears[1]
    first = house.match._audience.log.first
    for place in (0, 1, first // 2, first - 1, first, first + 1, len(house.match.log)):
        ear = Ear()
        house.match.attach(1, ear, place)
        assert [item.raw for item in ear.events] == [item.raw for item in whole.events[place:]]
        assert [item.head for item in ear.events] == [item.head for item in whole.events[place:]]
        assert ear.cards == [c for c in whole.cards if c.after + 1 >= place]


@in_loop
async def test_the_log_of_a_long_match_reads_like_a_list() -> None:
    house = await long_played(3)
    log, whole = house.match.log, house.ears[0].events
    assert [(item.raw, item.head) for item in log] == [(item.raw, item.head) for item in whole]
    assert [item.raw for item in log[2:9:3]] == [item.raw for item in whole[2:9:3]]
    assert (log[0].raw, log[-1].raw) == (whole[0].raw, whole[-1].raw)
    with pytest.raises(IndexError):
        log[len(log)]


@in_loop
async def test_an_attempt_of_a_deal_long_ago_gets_its_stored_ruling_again() -> None:
    house = await playing(games=9)
    seat, rid = house.turn, house.rid()
    refused = house.rid()
    told = ruled(await house.act("play 9C", rid=refused))
    first = ruled(await house.act("pass", rid=rid))
    while house.deal.number < DEALS:
        before = house.deal.number
        while house.deal.number == before:
            await house.act(house.legal[0])
        await settle()
        await house.seal()
    version = house.match.state.version
    assert (seat, rid) not in house.match._ledger._answers
    for again, known in ((rid, first), (refused, told)):
        answer = ruled(await house.act("pass", seat=seat, rid=again, seq=version + 1))
        assert (answer.accepted, answer.seq, answer.reason, answer.stands) == (
            *(known.accepted, known.seq, known.reason),
            known.stands,
        )
    assert house.match.state.version == version


def test_spent_attempts_are_told_from_those_that_only_look_like_two_halves() -> None:
    spent = Spent()
    for number in range(50):
        spent.add(number % 4, bytes((number,)) * 16)
    assert (3, bytes((7,)) * 16) in spent
    assert (2, bytes((7,)) * 16) not in spent
    assert (0, b"short") not in spent
    halves = Spent()
    halves.add(0, b"\1" * 16)
    halves.add(1, b"\1" * 15 + b"\2")
    assert (1, b"\1" * 16) not in halves
    halves.add(1, b"\1" * 16)
    assert (1, b"\1" * 16) in halves
