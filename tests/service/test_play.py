"""PlayService over a real server: streams, single calls and watching."""

import asyncio
from io import BytesIO

import grpc
import pytest

from referee.journal.verify import verify_stream
from referee.pb.euchre.referee.v1 import match_pb2, play_pb2, table_pb2
from referee.sealing.packs import SEATS as SEAT_WORDS
from tests.host.support import settle
from tests.service.support import (
    PATIENCE_S,
    SEATS,
    Made,
    Refused,
    Served,
    Stream,
    bearer,
    drain,
    hello,
    on_loop,
    refusal,
    refused_status,
    serving,
    until,
)


async def ended(stream: Stream) -> Refused:
    """How a stream ends that has to be refused."""
    return await refusal(stream.next())


def transcript(made: Made) -> bytes:
    return b"".join(item.line for item in made.match.log)


# -- Hello


@on_loop
async def test_a_stream_whose_first_message_is_no_hello_is_refused() -> None:
    async with serving() as served:
        stream = (await served.create()).stream(0)
        await stream.say(stream.made.act(0, "pass", 1))
        refused = await ended(stream)
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", ["hello"])


@pytest.mark.parametrize("protocol", [0, 2, 99])
@on_loop
async def test_an_unknown_protocol_is_refused_with_those_that_are_known(protocol: int) -> None:
    async with serving() as served:
        stream = (await served.create()).stream(0)
        await stream.hello(protocol=protocol)
        refused = await ended(stream)
        assert (refused.code, refused.reason) == ("FAILED_PRECONDITION", "UNKNOWN_PROTOCOL")
        assert f"protocol {protocol} is unknown (this server knows 1)" in refused.text


@on_loop
async def test_a_hello_without_seats_is_refused() -> None:
    async with serving() as served:
        call = served.plays.Play(timeout=PATIENCE_S)
        await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1)))
        assert (await refusal(call.read())).fields == ["hello.seats"]


@on_loop
async def test_tokens_that_open_no_seat_are_refused_and_seat_nobody() -> None:
    async with serving() as served:
        made = await served.create()
        cases = [
            ("no-such-token", "UNAUTHENTICATED"),
            ("", "UNAUTHENTICATED"),
            (made.watching, "PERMISSION_DENIED"),
        ]
        for token, code in cases:
            stream = made.stream(0)
            await stream.hello(hello(token))
            assert (await ended(stream)).code == code
        assert made.match.state.seats == (None, None, None, None)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (play_pb2.SeatHello(name='a"b'), "name"),
        (play_pb2.SeatHello(name="a+b"), "name"),
        (play_pb2.SeatHello(name="x" * 65), "name"),
        (play_pb2.SeatHello(name="na\u00efve"), "name"),
        (play_pb2.SeatHello(level=play_pb2.LEVEL_SIGNS), "key"),
        (play_pb2.SeatHello(key=b"\2" * 32), "key"),
        (play_pb2.SeatHello(level=play_pb2.LEVEL_SIGNS, key=b"\2" * 31), "key"),
        (play_pb2.SeatHello(level=play_pb2.LEVEL_SIGNS, key=b"\1" + bytes(31)), "key"),
        (play_pb2.SeatHello(level=play_pb2.LEVEL_SIGNS, key=b"\xff" * 32), "key"),
    ],
)
@on_loop
async def test_a_seats_entry_that_cannot_be_names_its_field(
    entry: play_pb2.SeatHello, field: str
) -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream(0)
        given = hello(made.seats[0])
        given.MergeFrom(entry)
        await stream.hello(given)
        refused = await ended(stream)
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", [field])


@on_loop
async def test_a_token_twice_in_one_hello_is_refused() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream(0)
        await stream.hello(hello(made.seats[0]), hello(made.seats[0]))
        assert (await ended(stream)).fields == ["hello.seats"]


@on_loop
async def test_another_level_than_in_the_first_hello_is_refused() -> None:
    async with serving() as served:
        made = await served.create()
        first, second = made.stream(0), made.stream(0)
        await first.hello()
        await first.until("welcome")
        await second.hello(hello(made.seats[0], level=play_pb2.LEVEL_SEEDS))
        assert (await ended(second)).code == "FAILED_PRECONDITION"


@on_loop
async def test_a_hello_with_one_entry_that_differs_seats_none_of_the_others() -> None:
    async with serving() as served:
        made = await served.create()
        first, second = made.stream(1), made.stream(0, 1)
        await first.hello()
        await first.until("welcome")
        other = hello(made.seats[1], level=play_pb2.LEVEL_SEEDS)
        await second.hello(hello(made.seats[0]), other)
        assert (await ended(second)).code == "FAILED_PRECONDITION"
        assert made.match.state.seats[0] is None


@on_loop
async def test_a_hello_of_many_that_is_refused_says_by_which_entry() -> None:
    async with serving() as served:
        made = await served.create()
        for wrong in (
            hello("no token of ours"),
            hello(made.watching),
            hello(made.seats[1], name="two words"),
        ):
            stream = made.stream(0, 1)
            await stream.hello(hello(made.seats[0]), wrong)
            refused = await ended(stream)
            assert refused.text.startswith("hello.seats[1]: ")
            assert wrong.token not in refused.text


async def lost_by(made: Made) -> tuple[int | None, list[str]]:
    """The seat that forfeited a match, once it is over, and the faults that were counted."""
    await until(lambda: made.match.durable.over)
    closed = made.match.durable.closed
    assert closed is not None
    return closed.by, list(made.served.server.standing.tally.counted("faults"))


async def without_hurry(served: Served) -> Made:
    """A match in which nothing ends soon but the grace of whoever is away."""
    return await served.create(move_ms=60_000, commit_ms=60_000, reveal_ms=60_000, grace_ms=250)


@on_loop
async def test_a_hello_that_is_refused_does_not_bring_an_absent_seat_back() -> None:
    async with serving() as served:
        made = await without_hurry(served)
        streams = [made.stream(seat) for seat in range(4)]
        for stream in streams:
            await stream.hello()
        await streams[0].until("event")
        streams[0].call.cancel()
        await until(lambda: made.match.connected == 3)
        wrong = made.stream(0)
        await wrong.hello(hello(made.seats[0], level=play_pb2.LEVEL_SEEDS))
        assert (await ended(wrong)).code == "FAILED_PRECONDITION"
        assert await lost_by(made) == (0, ["DISCONNECT"])


@on_loop
async def test_a_client_that_is_gone_before_its_seat_is_recorded_is_away() -> None:
    async with serving() as served:
        made = await without_hurry(served)
        served.store.holding = True
        gone = made.stream(0)
        await gone.hello()
        await until(lambda: bool(served.store.held))
        gone.call.cancel()
        await until(lambda: not served.server.standing.tally.running("PlayService/Play"))
        served.store.release()
        rest = made.stream(1, 2, 3)
        await rest.hello()
        await rest.until("event")
        assert await lost_by(made) == (0, ["DISCONNECT"])


@on_loop
async def test_a_welcome_tells_the_rules_the_policy_and_the_key() -> None:
    async with serving() as served:
        made = await served.create("guide", move_ms=777)
        stream = made.stream(2)
        await stream.hello()
        welcome = (await stream.until("welcome")).welcome
        assert (welcome.match, welcome.seat, welcome.declined) == (made.id, SEATS[2], False)
        assert (welcome.rules["cut"], welcome.policy["move_ms"]) == ("dealers_right", 777)
        assert welcome.referee_key == served.referee.key.public.raw


# -- a whole match


@pytest.mark.parametrize("rules", ["quick", "guide", "winnipeg"])
@on_loop
async def test_four_seats_on_one_stream_play_a_match_that_verifies(rules: str) -> None:
    async with serving() as served:
        made = await served.create(rules)
        stream = made.stream()
        await stream.hello()
        await stream.play_on()
        report = verify_stream(BytesIO(transcript(made)), pinned=served.referee.key.public)
        assert report.exit == 0, report.verdict.failure
        raw = [item.event.event for item in stream.items if item.HasField("event")]
        assert all(raw.count(item.raw) == 4 for item in made.match.log)


@on_loop
async def test_four_streams_are_told_the_same_events_each_once_and_its_own_cards() -> None:
    async with serving() as served:
        made = await served.create()
        streams = [made.stream(seat) for seat in range(4)]
        for stream in streams:
            await stream.hello()
        await asyncio.gather(*(stream.play_on() for stream in streams))
        told = [[i.event.event for i in s.items if i.HasField("event")] for s in streams]
        assert told == [[item.raw for item in made.match.log]] * 4
        cards = [[i.private_deal for i in s.items if i.HasField("private_deal")] for s in streams]
        places = [c.position for dealt in cards for c in dealt[0].cards]
        assert sorted(places) == list(range(20))


@on_loop
async def test_a_match_that_a_declined_seat_plays_in_is_unrated() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        entries = [hello(token) for token in made.seats]
        entries[1].level = play_pb2.LEVEL_PLAYS
        await stream.hello(*entries)
        await stream.play_on(deals=2)
        assert not made.match.durable.rated
        welcome = next(i.welcome for i in stream.items if i.welcome.seat == SEATS[1])
        assert welcome.declined


# -- inputs and their answers


async def at_the_table(made: Made) -> tuple[Stream, int, int]:
    """A stream of all seats at the first question to act: the seat, and the seq it has."""
    stream = made.stream()
    await stream.hello()
    asked = await stream.until_asked_to_act()
    return stream, asked.seat - 1, asked.ask.view.state_version + 1


@on_loop
async def test_an_illegal_action_is_a_ruling_and_the_stream_goes_on() -> None:
    async with serving() as served:
        made = await served.create()
        stream, seat, seq = await at_the_table(made)
        await stream.say(made.act(seat, "play JD", seq))
        ruling = (await stream.until("ruling")).ruling
        while ruling.accepted:
            ruling = (await stream.until("ruling")).ruling
        assert (ruling.reason, ruling.attempts) == ("WRONG_PHASE", 1)
        assert "pass" in ruling.legal
        asked = await stream.until("ask")
        assert asked.ask.view.state_version + 1 == seq


@on_loop
async def test_a_stale_action_is_an_aborted_item_with_the_view() -> None:
    async with serving() as served:
        made = await served.create()
        stream, seat, seq = await at_the_table(made)
        await stream.say(made.act(seat, "pass", seq - 1))
        refused = refused_status((await stream.until("status")).status)
        assert (refused.code, refused.reason) == ("ABORTED", "STALE")
        assert refused.view.state_version == seq - 1


@on_loop
async def test_rubbish_is_an_invalid_argument_item_that_counts_up_to_the_forfeit() -> None:
    async with serving() as served:
        made = await served.create()
        stream, seat, seq = await at_the_table(made)
        for _ in range(3):
            await stream.say(made.act(seat, "x" * 49, seq))
            refused = refused_status((await stream.until("status")).status)
            assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", ["act.action"])
        await stream.play_on()
        await stream.until("fault")
        closed = made.match.log[-1].event.fields()
        assert (closed["outcome"], closed["by"]) == ("forfeit", SEAT_WORDS[seat])
        faults = [(i.seat, i.fault.seat, i.fault.why) for i in stream.items if i.HasField("fault")]
        assert faults == [(other, SEATS[seat], "ILLEGAL") for other in SEATS]


@on_loop
async def test_inputs_that_are_not_one_are_items_and_count_nothing() -> None:
    async with serving() as served:
        made = await served.create()
        stream, seat, seq = await at_the_table(made)
        short = made.act(seat, "pass", seq)
        short.request_id = b"short"
        nothing = made.input(seat)
        foreign = made.act(seat, "pass", seq)
        foreign.match = "0" * 32
        nobody = made.act(seat, "pass", seq)
        nobody.seat = table_pb2.SEAT_UNSPECIFIED
        greeting = made.input(seat)
        greeting.hello.token = made.seats[seat]
        commit = made.input(seat)
        commit.commit.commit = b"short"
        await stream.say(short, nothing, foreign, nobody, greeting, commit)
        found = [refused_status((await stream.until("status")).status) for _ in range(6)]
        assert [(r.code, r.fields) for r in found] == [
            ("INVALID_ARGUMENT", ["request_id"]),
            ("INVALID_ARGUMENT", ["input"]),
            ("PERMISSION_DENIED", []),
            ("PERMISSION_DENIED", []),
            ("INVALID_ARGUMENT", ["input"]),
            ("INVALID_ARGUMENT", ["commit.commit"]),
        ]
        assert made.match.durable.attempts == (0, 0, 0, 0)


@on_loop
async def test_a_stream_speaks_for_its_own_seats_only() -> None:
    async with serving() as served:
        made = await served.create()
        mine, others = made.stream(0), made.stream(1, 2, 3)
        await mine.hello()
        await others.hello()
        await mine.until("event")
        await mine.say(made.act(1, "pass", 1))
        refused = refused_status((await mine.until("status")).status)
        assert (refused.code, refused.reason) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")


@on_loop
async def test_leaving_forfeits_and_the_end_of_a_stream_does_not() -> None:
    async with serving() as served:
        made = await served.create()
        first = made.stream(0)
        rest = made.stream(1, 2, 3)
        await first.hello()
        await rest.hello()
        await first.until("event")
        await first.call.done_writing()
        assert await first.call.read() is not None
        await settle()
        assert not made.match.durable.over
        again = made.stream(0)
        await again.hello(hello(made.seats[0], resume=2))
        await again.until("welcome")
        leaving = made.input(0)
        leaving.leave.SetInParent()
        await again.say(leaving)
        assert (await again.until("ruling")).ruling.accepted
        closed = made.match.durable.closed
        assert closed is not None
        assert (closed.outcome, closed.by) == ("forfeit", 0)


@on_loop
async def test_a_second_stream_with_the_token_supersedes_the_first() -> None:
    async with serving() as served:
        made = await served.create()
        first, second = made.stream(0), made.stream(0)
        await first.hello()
        await first.until("welcome")
        await second.hello()
        await second.until("welcome")
        await first.until("superseded")
        assert await first.next() is None
        assert not made.match.state.over


@on_loop
async def test_a_stream_that_comes_back_is_told_the_rest_once() -> None:
    async with serving() as served:
        made = await served.create()
        whole = made.stream()
        await whole.hello()
        await whole.play_on(deals=2)
        place = len(made.match.log) // 2
        again = made.stream(3)
        await again.hello(hello(made.seats[3], resume=place))
        seqs: list[int] = []
        while len(seqs) < len(made.match.log) - place:
            seqs.append((await again.until("event")).event.seq)
        assert seqs == list(range(place, len(made.match.log)))


@on_loop
async def test_a_dropped_match_is_told_to_those_who_wait() -> None:
    async with serving() as served:
        made = await served.create(start_ms=250)
        stream = made.stream(0)
        await stream.hello()
        refused = refused_status((await stream.until("status")).status)
        assert (refused.code, refused.reason) == ("ABORTED", "DROPPED")
        assert "START_FAIL" in refused.text
        assert await stream.next() is None


# -- single calls


async def act(made: Made, said: play_pb2.PlayInput, token: str = "") -> play_pb2.ActResponse:
    found = await made.served.plays.Act(
        play_pb2.ActRequest(input=said),
        metadata=bearer(token or made.seats[said.seat - 1]),
        timeout=PATIENCE_S,
    )
    assert isinstance(found, play_pb2.ActResponse)
    return found


async def look(
    made: Made, seat: int, from_seq: int = 0, *, wait_ms: int = 0, token: str = ""
) -> play_pb2.GetViewResponse:
    found = await made.served.plays.GetView(
        play_pb2.GetViewRequest(
            match=made.id, seat=SEATS[seat], from_seq=from_seq, wait_ms=wait_ms
        ),
        metadata=bearer(token or made.seats[seat]),
        timeout=PATIENCE_S,
    )
    assert isinstance(found, play_pb2.GetViewResponse)
    return found


async def sit_by_calls(made: Made, *seats: int) -> None:
    for seat in seats:
        said = made.input(seat)
        said.hello.CopyFrom(hello(""))
        assert (await act(made, said)).item.HasField("welcome")


@on_loop
async def test_a_seat_can_play_by_single_calls_alone() -> None:
    async with serving() as served:
        made = await served.create()
        rest = made.stream(1, 2, 3)
        await rest.hello()
        others = asyncio.create_task(rest.play_on())
        await sit_by_calls(made, 0)
        helper = Stream(made, (0,))
        seen = 0
        while not made.match.durable.over:
            news = await look(made, 0, seen, wait_ms=5_000)
            events = [item.event.seq for item in news.items if item.HasField("event")]
            seen = max([seen, *(seq + 1 for seq in events)])
            for item in news.items:
                if item.HasField("ask"):
                    said = await helper_answer(helper, item)
                    assert (await act(made, said)).item.ruling.accepted
        await others
        assert verify_stream(BytesIO(transcript(made))).exit == 0


async def helper_answer(stream: Stream, item: play_pb2.PlayItem) -> play_pb2.PlayInput:
    """What a stream would have said to a question."""
    said: list[play_pb2.PlayInput] = []

    class Catching(Stream):
        async def say(self, *inputs: play_pb2.PlayInput) -> None:
            said.extend(inputs)

    catching = Catching.__new__(Catching)
    catching.made = stream.made
    await catching.answer(item)
    return said[0]


@on_loop
async def test_statuses_of_single_calls() -> None:
    async with serving() as served:
        made = await served.create()
        early = await refusal(look(made, 0))
        assert (early.code, early.reason) == ("FAILED_PRECONDITION", "NO_HELLO")
        stream, seat, seq = await at_the_table(made)
        stale = await refusal(act(made, made.act(seat, "pass", seq + 5)))
        assert (stale.code, stale.reason, stale.view.state_version) == ("ABORTED", "STALE", seq - 1)
        other = (seat + 1) % 4
        denied = await refusal(act(made, made.act(seat, "pass", seq), made.seats[other]))
        assert (denied.code, denied.reason) == ("PERMISSION_DENIED", "NOT_YOUR_SEAT")
        watching = await refusal(act(made, made.act(seat, "pass", seq), made.watching))
        assert watching.code == "PERMISSION_DENIED"
        unknown = await refusal(act(made, made.act(seat, "pass", seq), "ff"))
        assert (unknown.code, unknown.reason) == ("UNAUTHENTICATED", "BAD_TOKEN")
        rubbish = await refusal(act(made, made.act(seat, "\u2665", seq)))
        assert (rubbish.code, rubbish.fields) == ("INVALID_ARGUMENT", ["act.action"])
        late = made.input(seat)
        late.commit.deal, late.commit.commit = 1, bytes(32)
        conflict = await refusal(act(made, late))
        assert (conflict.code, conflict.reason) == ("FAILED_PRECONDITION", "CONFLICT")
        turned = await act(made, made.act(other, "pass", seq))
        assert (turned.item.ruling.accepted, turned.item.ruling.reason) == (False, "NOT_YOUR_TURN")
        served.store.broken = True
        lost = await refusal(act(made, made.act(seat, "pass", seq)))
        assert (lost.code, lost.asks_to_retry) == ("UNAVAILABLE", True)
        served.store.broken = False
        done = await act(made, made.act(seat, "pass", seq))
        assert (done.item.ruling.accepted, done.view.state_version) == (True, seq)
        assert await stream.next() is not None


@on_loop
async def test_a_look_waits_for_news_and_not_longer() -> None:
    async with serving() as served:
        made = await served.create()
        await sit_by_calls(made, 0, 1, 2)
        assert list((await look(made, 0, wait_ms=50)).items) == []
        waiting = asyncio.create_task(look(made, 0, wait_ms=10_000))
        await sit_by_calls(made, 3)
        news = await waiting
        assert [item.WhichOneof("item") for item in news.items] == ["event", "event", "ask"]


# -- watching


def watch(made: Made, token: str, from_seq: int = 0) -> "grpc.aio.UnaryStreamCall[object, object]":
    found: grpc.aio.UnaryStreamCall[object, object] = made.served.plays.Watch(
        play_pb2.WatchRequest(match=made.id, from_seq=from_seq),
        metadata=bearer(token),
        timeout=PATIENCE_S,
    )
    return found


async def watched(made: Made, from_seq: int = 0) -> list[bytes]:
    messages = await drain(watch(made, made.watching, from_seq))
    return [e.event for m in messages if isinstance(m, play_pb2.WatchResponse) for e in m.events]


@on_loop
async def test_a_watcher_sees_every_event_and_the_stream_ends_with_the_match() -> None:
    async with serving() as served:
        made = await served.create()
        seen = asyncio.create_task(watched(made))
        stream = made.stream()
        await stream.hello()
        await stream.play_on()
        assert await seen == [item.raw for item in made.match.log]


@on_loop
async def test_watching_a_match_that_is_over_ends_from_every_position() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        await stream.play_on()
        raw = [item.raw for item in made.match.log]
        for place in (0, len(raw) - 1, len(raw), len(raw) + 7):
            assert await watched(made, place) == raw[place:]


@on_loop
async def test_watching_a_match_that_never_opens_ends_when_it_is_dropped() -> None:
    async with serving() as served:
        made = await served.create()
        seen = asyncio.create_task(watched(made))
        await settle()
        await served.matches.AbortMatch(match_pb2.AbortMatchRequest(match=made.id), timeout=5)
        assert await seen == []
        assert await watched(made) == []


@on_loop
async def test_watching_needs_a_token_of_the_match() -> None:
    async with serving() as served:
        made, other = await served.create(), await served.create()
        for token, code in ((other.watching, "NOT_FOUND"), ("", "UNAUTHENTICATED")):
            assert (await refusal(drain(watch(made, token)))).code == code


# -- stopping


@on_loop
async def test_everybody_is_told_when_the_referee_stops_and_nothing_is_lost() -> None:
    async with serving() as served:
        made = await served.create()
        stream, _seat, _seq = await at_the_table(made)
        before = len(made.match.log)
        watching = watch(made, made.watching)
        assert isinstance(await watching.read(), play_pb2.WatchResponse)
        seen = asyncio.create_task(refusal(read_on(watching)))
        stopping = asyncio.create_task(served.server.stop(5))
        assert (await stream.until("draining")).draining.retry_ms > 0
        refused = await ended_after_draining(stream)
        assert (refused.code, refused.reason, refused.asks_to_retry) == (
            *("UNAVAILABLE", "DRAINING", True),
        )
        assert (await seen).reason == "DRAINING"
        await stopping
        assert len(made.match.log) == before
        assert not made.match.durable.over


@on_loop
async def test_a_hello_that_comes_too_late_is_told_that_the_referee_stops() -> None:
    async with serving() as served:
        made = await served.create()
        late = made.stream(0)
        await until(lambda: served.server.standing.tally.running("PlayService/Play") == 1)
        first = made.stream(0)
        await first.hello()
        await first.until("welcome")
        stopping = asyncio.create_task(served.server.stop(PATIENCE_S))
        await first.until("draining")
        await late.hello()
        await late.until("draining")
        assert (await ended_after_draining(late)).reason == "DRAINING"
        await stopping


async def read_on(stream: "grpc.aio.UnaryStreamCall[object, object]") -> None:
    while await stream.read() is not grpc.aio.EOF:
        pass


async def ended_after_draining(stream: Stream) -> Refused:
    async def rest() -> None:
        while await stream.next() is not None:
            pass

    return await refusal(rest())
