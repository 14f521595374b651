"""A line that swallows bytes and never says so: both ends notice in time, and the seat goes on."""

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from euchre_bot.pb.euchre.referee.v1 import play_pb2 as bot_pb2
from euchre_bot.stream import channel_to
from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc, play_pb2, play_pb2_grpc
from tests.adversaries.proxy import Proxy
from tests.adversaries.stage import Stage
from tests.adversaries.weather import Plan

FOR_EVER = Plan(half_open_s=600)
NOTICED_S = 45.0
"""A ping after 20 s, 10 s for its answer, and room for a busy machine: under a minute anyway."""


def seat_hello(token: str, resume: int = 0) -> play_pb2.PlayRequest:
    level = play_pb2.LEVEL_PLAYS
    seat = play_pb2.SeatHello(token=token, name="seat", level=level, resume=resume)
    return play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=[seat]))


def deafened(address: str, token: str, half_open: "asyncio.Future[None]") -> float:
    """How long the Python client takes to notice that its line is dead; it blocks."""
    loop, left = half_open.get_loop(), threading.Event()

    def said() -> Iterator[bot_pb2.PlayRequest]:
        yield bot_pb2.PlayRequest.FromString(seat_hello(token).SerializeToString())
        left.wait()

    with channel_to(address, None, None) as channel:
        play = channel.stream_stream(
            "/euchre.referee.v1.PlayService/Play",
            request_serializer=bot_pb2.PlayRequest.SerializeToString,
            response_deserializer=bot_pb2.PlayResponse.FromString,
        )
        call = play(said())
        next(call)
        loop.call_soon_threadsafe(half_open.set_result, None)
        began = time.monotonic()
        with pytest.raises(grpc.RpcError):
            for _ in call:
                pass
        left.set()
        return time.monotonic() - began


@pytest.mark.heavy
def test_a_bot_notices_that_its_line_is_half_open_and_another_stream_takes_the_seat_at_once(
    tmp_path: Path,
) -> None:
    async def main() -> float:
        stage, proxy = Stage(tmp_path), Proxy(plan=FOR_EVER)
        try:
            await stage.serve()
            proxy.target = stage.address
            await proxy.start()
            async with grpc.aio.insecure_channel(stage.address) as channel:
                matches = match_pb2_grpc.MatchServiceStub(channel)
                policy = match_pb2.Policy(start_ms=600_000)
                made = await matches.CreateMatch(
                    match_pb2.CreateMatchRequest(policy=policy), timeout=NOTICED_S
                )
                token = made.seat_tokens[0]
                deaf: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                bot = asyncio.create_task(asyncio.to_thread(deafened, proxy.address, token, deaf))
                await deaf
                proxy.strike("half_open")
                call = play_pb2_grpc.PlayServiceStub(channel).Play()
                await call.write(seat_hello(token))
                async with asyncio.timeout(5):
                    told = await call.read()
                assert isinstance(told, play_pb2.PlayResponse)
                assert told.items[0].HasField("welcome")
                call.cancel()
                return await bot
        finally:
            await stage.strike()
            await proxy.stop()

    assert asyncio.run(main()) < NOTICED_S
