"""Clients that stall or sit idle in great number: what they cost the server's process."""

import asyncio
import resource
from pathlib import Path

import grpc
import pytest

from benchmarks.http2 import Http2, framed
from benchmarks.load import Multiplexed, tables
from referee.cli.serve import OTHER_FILES, allow_files
from referee.pb.euchre.referee.v1 import play_pb2
from referee.service.limits import MOST_CONNECTIONS
from tests.adversaries.target import Target

WATCH = "/euchre.referee.v1.PlayService/Watch"
READERS = 64
MOST_KIB_A_READER = 3_500


async def stalled(folder: Path) -> int:
    """KiB that each of many watchers costs that read nothing while a long match is played."""
    async with (
        Target(folder) as target,
        grpc.aio.insecure_channel(target.address) as channel,
    ):
        (table,) = await tables(channel, 1)
        playing = Multiplexed(channel, [table])
        await playing.play(1_200)
        link = await Http2.connect(target.address)
        link.reads = False
        before = target.rss_mib()
        for _ in range(READERS):
            fields = [("authorization", f"Bearer {table.watching}")]
            stream = link.call(WATCH, timeout="", fields=fields)
            asked = play_pb2.WatchRequest(match=table.match).SerializeToString()
            await link.send(stream, framed(asked), end=True)
        await playing.play(400)
        grown = target.rss_mib() - before
        await link.close()
        return grown * 1_024 // READERS


def test_a_reader_that_stalls_costs_a_bounded_memory(tmp_path: Path) -> None:
    assert asyncio.run(stalled(tmp_path)) < MOST_KIB_A_READER


async def limits_of(folder: Path) -> tuple[int, int]:
    """The limit of open files that a server gives itself."""
    async with Target(folder) as target:
        assert target.pid is not None
        return resource.prlimit(target.pid, resource.RLIMIT_NOFILE)


def test_a_server_may_open_as_many_files_as_it_takes_connections(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
    try:
        given, _ = asyncio.run(limits_of(tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    wanted = MOST_CONNECTIONS + OTHER_FILES
    assert given == (wanted if hard == resource.RLIM_INFINITY else min(hard, wanted))


def test_a_system_that_gives_too_few_files_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        pytest.skip("this system has no limit of open files")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_files(hard + 1)
    resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert [record.getMessage().split()[0] for record in caplog.records] == ["few_files"]
