"""Clients that ask for more than they should, and what the others feel of it."""

import asyncio
import logging
from functools import partial

import pytest
from google.rpc import code_pb2

from benchmarks.http2 import Http2, framed
from referee.pb.euchre.referee.v1 import match_pb2, play_pb2
from referee.sealing.closing import MatchClose
from referee.service.limits import AT_A_STRETCH, LONGEST_QUEUE, MOST_INPUTS
from referee.service.quotas import Quotas
from referee.service.stream import MISUSES_A_SEAT, Outbox, Patience
from tests.service.support import (
    PATIENCE_S,
    Made,
    Stream,
    bearer,
    hello,
    on_loop,
    refusal,
    serving,
    until,
)
from tests.service.test_play import ended


async def to_the_end(stream: Stream) -> None:
    """Read all that there is."""
    while await stream.next() is not None:
        pass


async def asked(made: Made) -> tuple[Stream, play_pb2.PlayInput]:
    """A stream of four seats that have sat down, and a commitment that may be sent often."""
    stream = made.stream()
    await stream.hello()
    ask = await stream.until("ask")
    said = made.input(ask.seat - 1)
    said.commit.deal, said.commit.commit = ask.ask.deal, bytes(32)
    return stream, said


async def playing_raw(made: Made) -> tuple[Http2, int]:
    """A connection whose stream holds all four seats of a match that has begun."""
    client = await Http2.connect(made.served.server.address)
    stream = client.call("/euchre.referee.v1.PlayService/Play", timeout="")
    seats = [hello(token) for token in made.seats]
    first = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=seats))
    await client.send(stream, framed(first.SerializeToString()))
    while made.match.durable.deal is None:
        await client.moved()
    return client, stream


@pytest.mark.parametrize(
    ("messages", "stalled_s"),
    [(1, 0.5), (15, 60.0)],
    ids=["a message is not taken in time", "too much waits"],
)
@on_loop
async def test_a_reader_that_does_not_read_is_away_in_a_bounded_time_and_told_why(
    messages: int, stalled_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.stream.STALLED_S", stalled_s)
    async with serving() as served:
        made = await served.create(grace_ms=250)
        client, stream = await playing_raw(made)
        client.reads = False
        said = made.input(0)
        said.commit.deal, said.commit.commit = 0, bytes(32)
        flood = play_pb2.PlayRequest(inputs=[said] * MOST_INPUTS).SerializeToString()
        sending = asyncio.create_task(client.send(stream, framed(flood) * messages))
        await asyncio.wait_for(made.match.over.wait(), PATIENCE_S)
        close = made.match.log[-1].event
        assert isinstance(close, MatchClose)
        assert close.outcome == "forfeit"
        await client.read_on()
        answer = await asyncio.wait_for(client.answer(stream), PATIENCE_S)
        assert answer.status == code_pb2.RESOURCE_EXHAUSTED
        assert "too slow" in answer.headers["grpc-message"]
        sending.cancel()
        await client.close()


@on_loop
async def test_a_watcher_that_does_not_read_is_let_go_and_its_end_is_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("referee.service.stream.STALLED_S", 0.5)
    async with serving() as served:
        made = await served.create("standard")
        await made.stream().hello()
        client = await Http2.connect(served.server.address)
        client.reads = False
        path, token = "/euchre.referee.v1.PlayService/Watch", f"Bearer {made.watching}"
        most = Quotas().streams_per_token
        for _ in range(most):
            stream = client.call(path, timeout="", fields=[("authorization", token)])
            asked = play_pb2.WatchRequest(match=made.id)
            await client.send(stream, framed(asked.SerializeToString()), end=True)
        audience = made.match.course.audience
        await until(lambda: len(audience._watchers) == most)
        playing = made.stream()
        await playing.hello()
        await playing.play_on(deals=3)
        await until(lambda: not audience._watchers)
        await client.close()
        await served.matches.ListMatches(match_pb2.ListMatchesRequest(), timeout=PATIENCE_S)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@on_loop
async def test_streams_whose_readers_take_nothing_are_counted_though_others_hold_their_seats() -> (
    None
):
    async with serving(quotas=Quotas(streams_per_token=2)) as served:
        made = await served.create("standard")
        playing = made.stream()
        await playing.hello()
        await playing.play_on(deals=6)
        playing.call.cancel()
        await until(lambda: not served.server.porter.turnstiles._inside)
        client = await Http2.connect(served.server.address)
        client.reads = False
        seats = play_pb2.Hello(protocol=1, seats=[hello(token) for token in made.seats])
        first = framed(play_pb2.PlayRequest(hello=seats).SerializeToString())
        tally = served.server.standing.tally

        def reached(number: int) -> bool:
            return tally.counted("superseded").get("", 0) == number

        for superseded in (0, 4, 8):
            stream = client.call("/euchre.referee.v1.PlayService/Play", timeout="")
            await client.send(stream, first)
            await until(lambda: made.match.connected == 4)
            await until(partial(reached, superseded))
        refused = made.stream()
        await refused.hello()
        assert (await ended(refused)).quota == "streams_per_token"
        assert made.match.connected == 4
        await client.close()
        await until(lambda: not served.server.porter.turnstiles._inside)
        again = made.stream()
        await again.hello()
        await again.until("welcome")


@on_loop
async def test_more_inputs_in_a_message_than_allowed_end_the_stream_and_change_nothing() -> None:
    async with serving() as served:
        stream, said = await asked(await served.create())
        await stream.say(*[said] * (MOST_INPUTS + 1))
        found = await refusal(to_the_end(stream))
        assert (found.code, found.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_INPUTS")
        assert not any(item.HasField("ruling") for item in stream.items)


@on_loop
async def test_a_flood_of_stale_actions_ends_its_stream_and_is_no_attempt() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        item = await stream.until_asked_to_act()
        stale = made.act(item.seat - 1, "pass", item.ask.view.state_version)
        await stream.say(*[stale] * 999)
        found = await refusal(to_the_end(stream))
        assert (found.code, found.reason) == ("RESOURCE_EXHAUSTED", "TOO_MUCH_MISUSE")
        assert found.asks_to_retry
        told = sum(item.HasField("status") for item in stream.items)
        assert told <= MISUSES_A_SEAT * 4 + AT_A_STRETCH
        assert made.match.state.attempts == (0, 0, 0, 0)


def test_patience_comes_back_with_time_and_grows_with_the_seats() -> None:
    now = 0.0
    patience = Patience(lambda: now)
    for _ in range(MISUSES_A_SEAT * 8):
        patience.strain()
    assert not patience.is_over(8)
    assert patience.is_over(4)
    patience.strain()
    assert patience.is_over(8)
    now = 1.0
    assert not patience.is_over(8)


@on_loop
async def test_one_seats_flood_leaves_another_stream_its_turn() -> None:
    async with serving() as served:
        stream, said = await asked(await served.create())
        turns: list[int] = []

        async def bystander() -> None:
            while True:
                turns.append(len(stream.made.match.course.audience.log))
                await asyncio.sleep(0)

        await stream.say(*[said] * MOST_INPUTS)
        watching = asyncio.create_task(bystander())
        given = 0
        while given < MOST_INPUTS:
            given += (await stream.next() or said).HasField("ruling")
        watching.cancel()
        assert len(turns) > MOST_INPUTS // AT_A_STRETCH // 2


@on_loop
async def test_nothing_more_is_kept_for_a_reader_that_is_too_far_behind() -> None:
    outbox: Outbox[int] = Outbox()
    for number in range(LONGEST_QUEUE):
        outbox.put(number)
    assert not outbox.overfull.done()
    outbox.put(LONGEST_QUEUE)
    assert outbox.overfull.done()
    assert "too slow" in str((await asyncio.gather(outbox.take(), return_exceptions=True))[0])


@on_loop
async def test_what_happened_before_a_reader_came_does_not_make_it_slow() -> None:
    outbox: Outbox[int] = Outbox()
    for number in range(2 * LONGEST_QUEUE):
        outbox.put(number, missed=True)
    for number in range(LONGEST_QUEUE):
        outbox.put(number)
    assert not outbox.overfull.done()
    assert (await outbox.take())[0] == 0
    outbox.put(LONGEST_QUEUE)
    assert outbox.overfull.done()


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
async def test_a_stream_that_is_refused_under_its_first_message_is_told_so() -> None:
    async with serving() as served:
        made = await served.create("standard")
        first = made.stream()
        await first.hello()
        await first.play_on(deals=3)
        client = await Http2.connect(served.server.address)
        client.reads = False
        stream = client.call("/euchre.referee.v1.PlayService/Play", timeout="")
        seats = [hello(token) for token in made.seats]
        opening = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=seats))
        await client.send(stream, framed(opening.SerializeToString()))
        while len(client.answers[stream].data) < 60_000:  # as much as it may be sent unread
            await client.moved()
        too_many = play_pb2.PlayRequest(inputs=[play_pb2.PlayInput()] * (MOST_INPUTS + 1))
        await client.send(stream, framed(too_many.SerializeToString()))
        await until(lambda: all(chair.sink is None for chair in made.match.course.audience.chairs))
        await client.read_on()
        answer = await asyncio.wait_for(client.answer(stream), PATIENCE_S)
        assert answer.status == code_pb2.RESOURCE_EXHAUSTED
        await client.close()
