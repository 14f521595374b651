"""Clients that ask for more than they should, and what the others feel of it."""

import asyncio

import pytest

from referee.pb.euchre.referee.v1 import match_pb2, play_pb2
from referee.service.adjudication import AT_A_STRETCH, each
from referee.service.stream import LONGEST_QUEUE, Outbox
from tests.service.support import Stream, bearer, hello, on_loop, refusal, serving
from tests.service.test_play import ended


async def to_the_end(stream: Stream) -> None:
    """Read all that there is."""
    while await stream.next() is not None:
        pass


@on_loop
async def test_a_client_that_sends_and_does_not_read_is_told_to_come_back() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream(0)
        await stream.hello()
        await stream.until("welcome")
        await stream.say(*[made.input(0)] * LONGEST_QUEUE)
        for _ in range(20):  # meanwhile the answers have filled the pipe, and the writer waits
            await served.matches.ListMatches(match_pb2.ListMatchesRequest(), timeout=20)
        await stream.say(*[made.input(0)] * (2 * LONGEST_QUEUE))
        assert (await refusal(to_the_end(stream))).code == "RESOURCE_EXHAUSTED"


@on_loop
async def test_nothing_more_is_kept_for_a_reader_that_is_too_far_behind() -> None:
    outbox: Outbox[int] = Outbox()
    for number in range(LONGEST_QUEUE):
        outbox.put(number)
    assert not outbox.overfull.is_set()
    outbox.put(LONGEST_QUEUE)
    assert outbox.overfull.is_set()
    assert "too slow" in str((await asyncio.gather(outbox.take(), return_exceptions=True))[0])


@on_loop
async def test_what_happened_before_a_reader_came_does_not_make_it_slow() -> None:
    outbox: Outbox[int] = Outbox()
    for number in range(2 * LONGEST_QUEUE):
        outbox.put(number, missed=True)
    for number in range(LONGEST_QUEUE):
        outbox.put(number)
    assert not outbox.overfull.is_set()
    assert (await outbox.take())[0] == 0
    outbox.put(LONGEST_QUEUE)
    assert outbox.overfull.is_set()


@on_loop
async def test_a_long_match_is_followed_from_its_beginning_by_seats_and_watchers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving() as served:
        made = await served.create("quick")
        first = made.stream()
        await first.hello()
        await first.play_on(deals=2)
        monkeypatch.setattr("referee.service.stream.LONGEST_QUEUE", 10)
        events = len(made.match.log)
        again = made.stream(0)
        await again.hello()
        told = [await again.until("event") for _ in range(events)]
        assert [item.event.seq for item in told] == list(range(events))
        watch = served.plays.Watch(
            play_pb2.WatchRequest(match=made.id), metadata=bearer(made.watching), timeout=20
        )
        seen: list[int] = []
        while len(seen) < events:
            seen += [event.seq for event in (await watch.read()).events]
        assert seen[:events] == list(range(events))


@on_loop
async def test_one_bad_entry_of_a_hello_seats_nobody() -> None:
    async with serving() as served:
        made = await served.create()
        for bad in (hello("no-such-token"), hello(made.seats[1], level=play_pb2.LEVEL_SIGNS)):
            stream = made.stream(0)
            await stream.hello(hello(made.seats[0]), bad)
            await ended(stream)
            assert made.match.state.seats == (None, None, None, None)


@on_loop
async def test_a_long_batch_of_questions_lets_the_others_in_between() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    bystander = asyncio.create_task(others())
    try:
        assert await each("questions", range(1_000), str) == [str(n) for n in range(1_000)]
    finally:
        bystander.cancel()
    assert turns >= 1_000 // AT_A_STRETCH
