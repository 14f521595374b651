"""Traps of the transport: what each option does on the wire, and what a client can do to others."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from google.rpc import code_pb2

from benchmarks.http2 import Http2, framed
from referee.pb.euchre.referee.v1 import deal_pb2, match_pb2, play_pb2, play_pb2_grpc
from referee.sealing.closing import MatchClose
from referee.service.limits import (
    LARGEST_MESSAGE,
    LARGEST_METADATA,
    MOST_STREAMS,
    OPTIONS,
)
from tests.service.support import (
    PATIENCE_S,
    SEATS,
    Made,
    Served,
    Stream,
    bearer,
    on_loop,
    refusal,
    serving,
    until,
)

CORE = Path(grpc.__file__).parent / "_cython"
REFEREE = Path(__file__).parents[2] / "referee"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
STREAMS, WINDOW, FRAME, HEADERS = 3, 4, 5, 6
SMALLEST_FRAME = 16_384
FIRST_WINDOW = 65_535
ENHANCE_YOUR_CALM = 11
AT_ONCE = 3_500
LIST = "/euchre.referee.v1.AdjudicationService/ListRuleSets"
PLAY = "/euchre.referee.v1.PlayService/Play"
VERIFY = "/euchre.referee.v1.DealService/VerifyTranscript"


@asynccontextmanager
async def serving_with(
    monkeypatch: pytest.MonkeyPatch, **options: int
) -> AsyncIterator[tuple[Served, Http2]]:
    """A server with some options changed, and a connection to it."""
    changed = {name: value for name, value in OPTIONS if name.split(".")[-1] not in options}
    known = {name.split(".")[-1]: name for name, _ in OPTIONS}
    changed |= {known[short]: value for short, value in options.items()}
    monkeypatch.setattr("referee.service.server.OPTIONS", tuple(changed.items()))
    async with serving() as served:
        client = await Http2.connect(served.server.address)
        yield served, client
        await client.close()


async def call(client: Http2, path: str, message: bytes = b"", **fields: str) -> int | None:
    """The status of a call of one message."""
    stream = client.call(path, fields=list(fields.items()))
    await client.send(stream, framed(message), end=True)
    return (await asyncio.wait_for(client.answer(stream), PATIENCE_S)).status


# Options.


def test_every_option_is_one_that_the_transport_knows() -> None:
    library = b"".join(path.read_bytes() for path in CORE.glob("cygrpc*.so"))
    for name, _ in OPTIONS:
        assert name.encode() + b"\0" in library, name
    assert b"grpc.http2.max_concurrent_streams\0" not in library


@on_loop
async def test_a_league_that_comes_back_at_once_is_answered_stream_by_stream() -> None:
    nobody = play_pb2.SeatHello(token="none")  # noqa: S106 -- and none it is
    hello = play_pb2.Hello(protocol=1, seats=[nobody])
    own = (("grpc.use_local_subchannel_pool", 1),)
    async with serving() as served:
        ways = [grpc.aio.insecure_channel(served.server.address, options=own) for _ in range(4)]
        stubs = [play_pb2_grpc.PlayServiceStub(way) for way in ways]
        calls = [stubs[n % len(stubs)].Play() for n in range(AT_ONCE)]
        await asyncio.gather(*(call.write(play_pb2.PlayRequest(hello=hello)) for call in calls))
        codes = {await call.code() for call in calls}
        for way in ways:
            await way.close()
    assert codes == {grpc.StatusCode.UNAUTHENTICATED}


@on_loop
async def test_the_server_tells_its_limits_to_every_client() -> None:
    async with serving() as served:
        client = await Http2.connect(served.server.address)
        assert client.told[STREAMS] == MOST_STREAMS
        assert client.told[HEADERS] == 2 * LARGEST_METADATA
        assert client.told.get(WINDOW, FIRST_WINDOW) == FIRST_WINDOW
        assert client.told.get(FRAME, SMALLEST_FRAME) == SMALLEST_FRAME
        await client.close()


@on_loop
async def test_a_call_beyond_the_limit_of_streams_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving_with(monkeypatch, max_concurrent_streams=2) as (_, client):
        client.settings.max_concurrent_streams = 9  # a client that does not keep to it
        client.settings.acknowledge()
        held = [client.call(PLAY, timeout="") for _ in range(4)]
        await client.flush()
        while not any(client.answers[stream].reset is not None for stream in held):
            await client.moved()
        assert client.answers[held[0]].reset is None


@pytest.mark.parametrize(
    ("size", "code"),
    [(LARGEST_METADATA // 2, code_pb2.OK), (3 * LARGEST_METADATA, code_pb2.RESOURCE_EXHAUSTED)],
)
@on_loop
async def test_headers_are_bounded(size: int, code: int) -> None:
    async with serving() as served:
        client = await Http2.connect(served.server.address)
        assert await call(client, LIST, x="y" * size) == code
        await client.close()


@on_loop
async def test_a_message_is_bounded_by_what_it_unpacks_to() -> None:
    async with serving() as served:
        for kind in (grpc.Compression.Gzip, grpc.Compression.Deflate):
            request = match_pb2.GetMatchRequest(match="0" * (64 << 20))
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await served.matches.GetMatch(request, timeout=PATIENCE_S, compression=kind)
            assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        small = match_pb2.GetMatchRequest(match="0" * (LARGEST_MESSAGE // 2))
        found = await refusal(
            served.matches.GetMatch(
                small, timeout=PATIENCE_S, compression=grpc.Compression.Gzip, metadata=bearer("x")
            )
        )
        assert found.code == "UNAUTHENTICATED"


@on_loop
async def test_a_client_that_pings_without_end_is_sent_away() -> None:
    async with serving() as served:
        client = await Http2.connect(served.server.address)
        for _ in range(20):
            client.ping()
        await client.flush()
        await asyncio.wait_for(client.over.wait(), PATIENCE_S)
        assert client.goaway == (ENHANCE_YOUR_CALM, b"too_many_pings")
        await client.close()


@on_loop
async def test_a_client_that_pings_now_and_then_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"min_ping_interval_without_data_ms": 20}
    async with serving_with(monkeypatch, **options) as (_, client):
        for _ in range(12):
            client.ping()
            await client.flush()
            await asyncio.sleep(0.04)
        assert await call(client, LIST) == code_pb2.OK
        assert client.goaway is None


@on_loop
async def test_the_server_asks_also_those_who_call_nothing_whether_they_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving_with(monkeypatch, keepalive_time_ms=50) as (_, client):
        while client.pings < 6:
            await asyncio.wait_for(client.moved(), PATIENCE_S)


@pytest.mark.parametrize("sent", [b"", PREFACE[:9], PREFACE, PREFACE + b"\0\0\6\4\0\0"])
@on_loop
async def test_a_connection_that_does_not_say_what_it_is_gets_closed(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving_with(monkeypatch, server_handshake_timeout_ms=300) as (served, _):
        host, _, port = served.server.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(sent)
        async with asyncio.timeout(PATIENCE_S):
            while await reader.read(1 << 16):
                pass
        writer.close()


@on_loop
async def test_a_connection_without_calls_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving_with(monkeypatch, max_connection_idle_ms=300) as (_, client):
        assert await call(client, LIST) == code_pb2.OK
        await asyncio.wait_for(client.over.wait(), PATIENCE_S)
        assert client.goaway is not None
        assert client.goaway[1] == b"connection idle"


@on_loop
async def test_connections_are_bounded_and_those_that_are_there_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serving_with(monkeypatch, max_allowed_incoming_connections=3) as (served, client):
        host, _, port = served.server.address.rpartition(":")
        links = [await asyncio.open_connection(host, int(port)) for _ in range(6)]
        firsts = await asyncio.gather(*(reader.read(9) for reader, _ in links))
        assert sum(bool(first) for first in firsts) == 2
        assert await call(client, LIST) == code_pb2.OK
        for _, writer in links:
            writer.close()


@on_loop
async def test_a_client_that_is_gone_without_a_word_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = {"keepalive_time_ms": 200, "keepalive_timeout_ms": 300, "ping_timeout_ms": 300}
    async with serving_with(monkeypatch, **short) as (served, client):
        made = await served.create(grace_ms=250)
        await seated(made, client)
        client.deafen()
        await asyncio.wait_for(made.match.over.wait(), PATIENCE_S)
        assert served.referee.match(made.id).durable.over


@on_loop
async def test_windows_do_not_grow_with_what_is_sent() -> None:
    async with serving() as served:
        client = await Http2.connect(served.server.address)
        stream = client.call(VERIFY)
        chunk = deal_pb2.VerifyTranscriptRequest(chunk=b"x" * (1 << 20)).SerializeToString()
        for _ in range(8):
            await client.send(stream, framed(chunk))
        assert client.pings == 0  # they would measure the line, to open the window
        assert client.told.get(WINDOW, FIRST_WINDOW) == FIRST_WINDOW
        await client.close()


@on_loop
async def test_a_call_without_a_deadline_is_refused_and_one_that_streams_is_not() -> None:
    async with serving() as served:
        made = await served.create()
        call = served.matches.ListMatches(match_pb2.ListMatchesRequest())
        found = await refusal(call)
        assert (found.code, found.fields) == ("INVALID_ARGUMENT", ["grpc-timeout"])
        assert "deadline" in found.text
        stream = served.plays.Play()
        seats = [play_pb2.SeatHello(token=made.seats[0], name="bot")]
        await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=seats)))
        assert await stream.read()
        stream.cancel()


@on_loop
async def test_a_stream_that_never_says_hello_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.play.HELLO_S", 0.2)
    async with serving() as served:
        found = await refusal(served.plays.Play(timeout=PATIENCE_S).read())
        assert (found.code, found.fields) == ("INVALID_ARGUMENT", ["hello"])


# The end of a stream, the end of the server, and resets.


async def seated(made: Made, client: Http2) -> int:
    """A raw stream that holds all four seats of a match that has begun."""
    stream = client.call(PLAY, timeout="")
    seats = [play_pb2.SeatHello(token=token, name="bot") for token in made.seats]
    first = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=seats))
    await client.send(stream, framed(first.SerializeToString()))
    await until(lambda: made.match.durable.deal is not None)
    return stream


async def to_the_end(stream: Stream) -> None:
    while await stream.next() is not None:
        pass


async def half_close(stream: Stream) -> None:
    await stream.call.done_writing()


async def cancel(stream: Stream) -> None:
    stream.call.cancel()


@pytest.mark.parametrize("end", [half_close, cancel])
@on_loop
async def test_the_end_of_what_a_client_sends_is_no_resignation(
    end: Callable[[Stream], Awaitable[None]],
) -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        await stream.until_asked_to_act()
        await end(stream)
        await plays_to_the_end(made)


@on_loop
async def test_a_deadline_of_a_stream_is_no_resignation() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        stream.call.cancel()
        stream.call = served.plays.Play(timeout=0.5)
        await stream.hello()
        await stream.until_asked_to_act()
        with pytest.raises(grpc.aio.AioRpcError, match="Deadline"):
            await to_the_end(stream)
        await plays_to_the_end(made)


@on_loop
async def test_a_lost_connection_is_no_resignation() -> None:
    async with serving() as served:
        made = await served.create()
        client = await Http2.connect(served.server.address)
        await seated(made, client)
        await client.close()
        await plays_to_the_end(made, level=play_pb2.LEVEL_PLAYS)


async def plays_to_the_end(made: Made, level: play_pb2.Level = play_pb2.LEVEL_CHECKS) -> None:
    """Once its stream is over a match is still on, comes back, and is played to its end."""
    await until(lambda: all(chair.away for chair in made.match.course.audience.chairs))
    assert not made.match.durable.over
    again = made.stream()
    entries = [
        play_pb2.SeatHello(token=token, name="bot", level=level, own_seeds=True)
        for token in made.seats
    ]
    await again.hello(*entries)
    await again.play_on()
    close = made.match.log[-1].event
    assert isinstance(close, MatchClose)
    assert close.outcome == "finished"


@on_loop
async def test_one_clients_rapid_reset_leaves_the_others_their_answers() -> None:
    async with serving() as served:
        attacker = await Http2.connect(served.server.address)
        made = await served.create()
        stream = made.stream()
        await stream.hello()

        async def attack() -> None:
            while not attacker.over.is_set():
                for _ in range(64):
                    attacker.reset(attacker.call(PLAY, timeout=""))
                await attacker.flush()
                await asyncio.sleep(0)

        attacking = asyncio.create_task(attack())
        await stream.play_on(deals=1)
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
        await attacker.close()


@on_loop
async def test_a_stop_tells_open_streams_first_and_everything_before_it_arrives() -> None:
    async with serving() as served:
        made = await served.create()
        stream = made.stream()
        await stream.hello()
        await stream.play_on(deals=1)
        stopping = asyncio.create_task(served.server.stop(5))
        last = await stream.until("draining")
        found = await refusal(to_the_end(stream))
        assert (found.code, found.reason) == ("UNAVAILABLE", "DRAINING")
        await asyncio.wait_for(stopping, PATIENCE_S)
        told = [item.event.seq for item in stream.items if item.HasField("event")]
        assert max(told) == len(made.match.log) - 1
        assert last.draining.retry_ms > 0


@on_loop
async def test_calls_that_are_given_up_leave_nothing_behind() -> None:
    async with serving() as served:
        made = await served.create("standard")
        playing = made.stream(0)
        await playing.hello()
        await playing.until("welcome")
        asyncio.current_task()
        before = len(asyncio.all_tasks())
        seen = bearer(made.watching)
        seat = bearer(made.seats[0])
        look = play_pb2.GetViewRequest(match=made.id, seat=SEATS[0], from_seq=9, wait_ms=30_000)
        calls = [
            served.plays.Watch(play_pb2.WatchRequest(match=made.id), metadata=seen),
            served.plays.GetView(look, metadata=seat, timeout=PATIENCE_S),
            served.plays.Play(),
            served.deals.VerifyTranscript(),
        ]
        await until(lambda: len(asyncio.all_tasks()) > before + 4)
        for each in calls:
            each.cancel()
        await asyncio.gather(*(each.code() for each in calls))
        del calls, each
        await until(lambda: len(asyncio.all_tasks()) <= before)
        assert not made.match.course.audience._watchers


# Forks, and cancellation.


def modules() -> list[Path]:
    """Every module of the package but what was generated."""
    return [path for path in REFEREE.rglob("*.py") if "pb" not in path.parts]


TETHER = REFEREE / "arena" / "checking" / "tether.py"
"""What forks in it runs as a program of its own, without threads or anything of the package."""


def test_no_module_forks() -> None:
    forks = r"""os\.fork|forkpty|preexec_fn|import multiprocessing|get_context\((?!"spawn"\))"""
    assert "referee" not in re.sub(r'""".*?"""', "", TETHER.read_text(), flags=re.DOTALL)
    for path in set(modules()) - {TETHER}:
        assert not re.search(forks, path.read_text()), path


MATCH_WITHOUT_FORKS = """
import os, sys
forks = []
os.register_at_fork(before=lambda: forks.append(1))
from referee.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
import grpc
assert not forks, len(forks)
"""


def test_a_match_of_programs_is_played_without_a_fork(tmp_path: Path) -> None:
    script = tmp_path / "no_fork.py"
    script.write_text(MATCH_WITHOUT_FORKS)
    dialing = f"dial:{sys.executable} -m euchre_bot.bots.random"
    words = ("match", "--north-south", dialing, "--east-west", "random", "--rules", "quick")
    done = subprocess.run(
        (sys.executable, str(script), *words), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]


CATCHES = re.compile(
    r"^( *)except(?: \(?[^:]*(?:CancelledError|BaseException)[^:]*)?:"
    r"(.*\n(?:\1 +.*\n|\n)*)",
    re.MULTILINE,
)


def test_no_handler_swallows_a_cancellation() -> None:
    in_threads = {REFEREE / "arena" / "inprocess.py", REFEREE / "cli" / "chair" / "away.py"}
    found = 0
    for path in set(modules()) - in_threads:
        for caught in CATCHES.finditer(path.read_text()):
            found += 1
            assert re.search(r"^ +raise\b", caught[2], re.MULTILINE), f"{path}: {caught[0]}"
    assert found > 3
