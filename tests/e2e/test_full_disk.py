"""A real referee whose journal may not grow: it says so, and goes on by itself."""

import asyncio
import random
import resource
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import grpc
import pytest
from grpc_health.v1 import health_pb2

from tests.adversaries.kills import Referee, judged
from tests.adversaries.lines import Floor, ManySeats

FULL_BYTES: Final = 512 * 1_024
UNLIMITED: Final = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
PATIENCE_S: Final = 60.0


async def until_it_serves(channel: grpc.aio.Channel, status: str) -> None:
    """Wait until the referee's health is what it has to be."""
    watch = channel.unary_stream(
        "/grpc.health.v1.Health/Watch",
        request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
        response_deserializer=health_pb2.HealthCheckResponse.FromString,
    )
    async for said in watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE_S):
        if health_pb2.HealthCheckResponse.ServingStatus.Name(said.status) == status:
            return


async def play(referee: Referee, floor: Floor) -> None:
    """Play until nothing can be written; then there is room, and the match comes to its end."""
    await referee.start()
    address = await referee.address()
    resource.prlimit(
        referee.process.pid, resource.RLIMIT_FSIZE, (FULL_BYTES, resource.RLIM_INFINITY)
    )
    async with grpc.aio.insecure_channel(address) as channel, asyncio.timeout(PATIENCE_S):
        floor.connect(channel)
        line = ManySeats(floor, 2)
        playing = asyncio.create_task(line.run())
        await until_it_serves(channel, "NOT_SERVING")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await floor.make(b"a match too many")
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        told = {match: len(table.heard.events) for match, table in floor.tables.items()}
        assert told == {match: len(table.heard.heads) for match, table in floor.tables.items()}
        floor.closing = True
        resource.prlimit(referee.process.pid, resource.RLIMIT_FSIZE, UNLIMITED)
        await until_it_serves(channel, "SERVING")
        await playing
    await referee.stop()


def test_a_referee_outlives_a_full_disk_without_a_restart(tmp_path: Path) -> None:
    referee = Referee(tmp_path)
    floor = Floor(random.Random(4))  # noqa: S311 -- play
    asyncio.run(play(referee, floor))
    assert floor.key is not None
    with closing(sqlite3.connect(referee.journal)) as db:
        for table in floor.tables.values():
            assert table.over
            assert table.heard.lost(db) == []
    matches = [table.heard.match for table in floor.tables.values()]
    assert judged(referee.journal, matches, floor.key.text) == []
    assert any(table.unrecorded for table in floor.tables.values())
    said = referee.said()
    assert "not_recorded" in said
    assert "Traceback" not in said
