"""The proxy of bad networks does what its log says, and nothing else."""

import asyncio
import io
import json
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import pytest

from tests.adversaries.proxy import Proxy
from tests.adversaries.weather import KINDS, Plan, PlanError, drawn, parse_plan

PATIENCE_S = 10.0
LONG = Plan(half_open_s=60, slow_s=60, blackout_s=60, longest_blackout_s=60)


@dataclass
class Line:
    """A client, the proxy, and an echo behind it that says when its end of the line is gone."""

    proxy: Proxy
    log: io.StringIO
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    gone: asyncio.Event
    heard: bytearray

    async def say(self, text: bytes) -> bytes:
        self.writer.write(text)
        return await self.reader.readexactly(len(text))

    async def dial(self) -> bytes:
        reader, writer = await _dial(self.proxy)
        writer.write(b"again")
        try:
            return await reader.read(5)
        except ConnectionResetError:
            return b"reset"
        finally:
            writer.close()

    def logged(self) -> list[str]:
        return [json.loads(line)["what"] for line in self.log.getvalue().splitlines()]


@asynccontextmanager
async def line(plan: Plan = LONG) -> AsyncIterator[Line]:
    gone = asyncio.Event()
    heard = bytearray()

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(1 << 16):
                heard.extend(piece)
                writer.write(piece)
        except ConnectionResetError:
            pass
        gone.set()
        writer.close()

    log = io.StringIO()
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    proxy = Proxy(seed=1, plan=plan, log=log)
    proxy.target = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    await proxy.start()
    reader, writer = await _dial(proxy)
    found = Line(proxy, log, reader, writer, gone, heard)
    assert await found.say(b"here") == b"here"
    try:
        yield found
    finally:
        writer.close()
        await proxy.stop()
        server.close()


async def _dial(proxy: Proxy) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = proxy.address.rpartition(":")
    return await asyncio.open_connection(host, int(port))


def patiently(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    @wraps(test)
    def run() -> None:
        async def main() -> None:
            async with asyncio.timeout(PATIENCE_S):
                await test()

        asyncio.run(main())

    return run


@patiently
async def test_bytes_come_through_whole_where_nothing_strikes() -> None:
    async with line() as found:
        much = random.Random(2).randbytes(1 << 20)
        assert await found.say(much) == much
        assert found.logged() == ["open"]


@patiently
async def test_a_cut_is_an_end_in_good_order_at_both_ends() -> None:
    async with line() as found:
        found.proxy.strike("cut")
        assert await found.reader.read() == b""
        await found.gone.wait()
        assert found.logged()[:2] == ["open", "cut"]


@patiently
async def test_a_reset_is_an_error_at_both_ends() -> None:
    async with line() as found:
        found.proxy.strike("reset")
        with pytest.raises(ConnectionResetError):
            await found.reader.read()
        await found.gone.wait()
        assert found.logged()[:2] == ["open", "reset"]


@patiently
async def test_a_half_open_line_swallows_bytes_and_no_end_learns_that_the_other_left() -> None:
    async with line() as found:
        found.proxy.strike("half_open")
        found.writer.write(b"lost")
        found.writer.close()
        await found.writer.wait_closed()
        assert await found.dial() == b"again"  # the proxy has had the time to pass an end on
        assert not found.gone.is_set()
        assert bytes(found.heard) == b"hereagain"
        assert found.logged()[:2] == ["open", "half_open"]


@patiently
async def test_a_half_open_line_is_reset_when_its_time_is_over() -> None:
    async with line(Plan(half_open_s=0.1)) as found:
        found.proxy.strike("half_open")
        with pytest.raises(ConnectionResetError):
            await found.reader.read()
        await found.gone.wait()


@pytest.mark.parametrize("kind", ["delay", "slice", "throttle"])
def test_slow_lines_lose_and_change_nothing(kind: str) -> None:
    async def main() -> None:
        async with asyncio.timeout(PATIENCE_S), line() as found:
            found.proxy.strike(kind)
            much = random.Random(3).randbytes(20_000)
            assert await found.say(much) == much
            assert found.logged() == ["open", kind]

    asyncio.run(main())


@patiently
async def test_a_dark_door_resets_its_lines_and_takes_nobody_until_it_is_calm() -> None:
    async with line() as found:
        found.proxy.strike("blackout")
        with pytest.raises(ConnectionResetError):
            await found.reader.read()
        assert await found.dial() in {b"", b"reset"}
        found.proxy.calm()
        assert await found.dial() == b"again"


@patiently
async def test_a_storm_strikes_by_its_plan_until_it_is_calm() -> None:
    async with line(Plan(every=0.001, slow_s=0.01, cut=0, reset=0, half_open=0, blackout=0)) as f:
        f.proxy.storm()
        while sum(f.proxy.struck.values()) < 20:
            assert await f.say(b"here") == b"here"
        f.proxy.calm()
        assert set(f.proxy.struck) == {"delay", "slice", "throttle"}
        assert f.logged().count("storm") == f.logged().count("calm") == 1


def test_the_same_seed_draws_the_same_faults() -> None:
    weights = Plan().weights()
    first, second = random.Random(5), random.Random(5)
    assert [drawn(weights, first) for _ in range(50)] == [drawn(weights, second) for _ in range(50)]
    assert set(weights) == set(KINDS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rain=1", "not a word of a plan: 'rain'"),
        ("cut=often", "cut is 'often': write a number"),
        ("cut=-1", "a number from 0 up"),
        ("cut=0,reset=0,half_open=0,delay=0,slice=0,throttle=0,blackout=0", "no kind of fault"),
    ],
)
def test_a_plan_that_is_none_says_what_may_stand_there(words: str, said: str) -> None:
    with pytest.raises(PlanError, match=said):
        parse_plan(words)


def test_the_program_ends_with_its_standard_input_and_logs_what_it_did(tmp_path: Path) -> None:
    log = tmp_path / "faults.jsonl"
    program = (sys.executable, "-m", "tests.adversaries.proxy", "--to", "127.0.0.1:1")
    said = subprocess.run(
        (*program, "--doors", "2", "--log", str(log), "--seed", "1"),
        input="storm\ncalm\nrain\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert [line.partition(":")[0] for line in said.stdout.splitlines()] == ["127.0.0.1"] * 2
    assert "not a word for the proxy: b'rain" in said.stderr
    assert [json.loads(line)["what"] for line in log.read_text().splitlines()] == ["storm", "calm"]
