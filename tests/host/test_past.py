"""What a match no longer keeps at hand is told and answered all the same, out of its journal."""

import gc
import weakref
from collections.abc import Sequence

import pytest

from referee.host.audience import Audience
from referee.host.items import CardsItem, EventItem, Item
from referee.host.past import AT_HAND, Spent
from referee.sealing.events import ActionTaken
from referee.table.evolve import begin, chain_of
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
    log = house.match.course.audience.log
    opened = next(e.seq for e in reversed(house.match.log) if e.event.kind == "deal_open")
    assert log.first == opened - AT_HAND > 0
    assert len(log._items) == len(log) - log.first
    for chair in house.match.course.audience.chairs:
        assert all(cards.after >= log.first for cards in chair.cards)
    assert len(house.match.course.ledger._answers) + len(house.match.course.ledger._older) < 80


@in_loop
async def test_every_position_of_a_long_match_is_resumed_from_as_if_all_were_kept() -> None:
    house = await long_played()
    whole = house.ears[1]
    first = house.match.course.audience.log.first
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
    assert (seat, rid) not in house.match.course.ledger._answers
    for again, known in ((rid, first), (refused, told)):
        answer = ruled(await house.act("pass", seat=seat, rid=again, seq=version + 1))
        assert (answer.accepted, answer.seq, answer.reason, answer.stands) == (
            *(known.accepted, known.seq, known.reason),
            known.stands,
        )
    assert house.match.state.version == version


async def play_a_deal(house: House) -> None:
    """Play until another deal is on the table."""
    before = house.deal.number
    while house.deal.number == before:
        await house.act(house.legal[0])
    await settle()
    await house.seal()


def audiences() -> int:
    gc.collect()
    return sum(isinstance(thing, Audience) for thing in gc.get_objects())


def pieces(items: Sequence[Item]) -> list[tuple[int, bytes]]:
    return [
        (item.seq, item.raw) if isinstance(item, EventItem) else (item.after, item.sig)
        for item in items
        if isinstance(item, EventItem | CardsItem)
    ]


@in_loop
async def test_who_asks_for_the_past_again_and_again_has_it_read_once_a_deal() -> None:
    house = await long_played()
    rows = house.store.kept[house.match.id]
    old = next(row.request_id for row in rows if row.kind == "action")
    seat = next(e.event.seat for e in house.match.log if isinstance(e.event, ActionTaken))
    house.store.reads = 0
    for _ in range(3):
        for _ in range(5):
            assert pieces(house.match.items(1, 0)) == pieces(house.ears[1].items)
            assert ruled(await house.act("pass", seat, rid=old)).accepted
            assert len(house.match.log[0:3]) == 3
        await play_a_deal(house)
    assert house.store.reads == 3


@in_loop
async def test_a_past_that_nobody_asks_for_any_more_is_let_go_of() -> None:
    house = await long_played()
    before = audiences()
    house.match.items(1, 0)
    assert audiences() == before + 1
    await play_a_deal(house)
    assert audiences() == before + 1
    await play_a_deal(house)
    assert audiences() == before


@in_loop
async def test_the_chain_of_a_match_goes_with_the_match() -> None:
    house = await playing()
    state = begin(house.match.state.created)
    assert chain_of(state).first == chain_of(house.match.state).first
    links = weakref.ref(state.links)
    del state
    gc.collect()
    assert links() is None


@in_loop
async def test_a_match_that_is_let_go_of_is_gone_at_once_and_not_when_circles_are_collected() -> (
    None
):
    house = await playing()
    match = weakref.ref(house.match)
    gc.collect()
    gc.disable()
    try:
        house.match.abort()
        await settle()
        assert match() is not None
        house.referee.matches.forget_finished()
        await settle()
        assert match() is None
    finally:
        gc.enable()


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
