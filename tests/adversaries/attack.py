"""Every request of every service fuzzed, beside a match of honest seats."""

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Sequence
from typing import Final

import grpc
from google.protobuf.descriptor import MethodDescriptor

from benchmarks.load import Multiplexed, tables
from referee.pb.euchre.referee.v1 import (
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    status_pb2,
    status_pb2_grpc,
)
from tests.adversaries.found import ALLOWED, PATIENCE_S, Found, Plan
from tests.adversaries.fuzzing import Chair, Fuzzer, Pool, rpcs
from tests.adversaries.target import Target

AT_ONCE: Final = 24
SELDOM: Final = frozenset({"JudgeRecord", "VerifyDeal", "VerifyTranscript", "AbortMatch"})
USUAL: Final = 8
CUT: Final = "Internal error from Core"
"""What a client of grpc.aio says of a stream that ended under its own hand."""
WAITS_S: Final = 0.3
"""A look that was to wait is given up then."""


class Identity:
    """Bytes as they are."""

    @staticmethod
    def same(data: bytes) -> bytes:
        """Neither packed nor unpacked."""
        return data


class Attack:
    """The fuzzed calls, several at a time."""

    def __init__(
        self, channel: grpc.aio.Channel, pool: Pool, chance: random.Random, found: Found
    ) -> None:
        self._channel = channel
        self._fuzzer = Fuzzer(chance, pool)
        self._chance = chance
        self._found = found
        self._pool = pool

    async def run(self, messages: int, told: Callable[[float], None]) -> None:
        """Send so many messages, and every kind of them at least once."""
        end = self._found.messages + messages
        kinds = [rpc for rpc in rpcs() for _ in range(1 if rpc.name in SELDOM else USUAL)]
        first = list(rpcs())

        async def work() -> None:
            while self._found.messages < end:
                rpc = first.pop() if first else self._chance.choice(kinds)
                before = self._found.messages
                await self._call(rpc)
                told(self._found.messages - before)

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))

    async def _call(self, rpc: MethodDescriptor) -> None:
        name = f"{rpc.containing_service.name}/{rpc.name}"
        try:
            async with asyncio.timeout(PATIENCE_S):
                code = await self._ask(rpc)
        except TimeoutError:
            code = "STUCK"
        self._found.statuses[f"{name} {code}"] += 1
        if code not in ALLOWED:
            self._found.blame(f"{name} ended with {code}")

    def _chair(self) -> Chair | None:
        return self._chance.choice(self._pool.chairs) if self._chance.random() < 0.8 else None

    def _metadata(self, chair: Chair | None) -> list[tuple[str, str]]:
        if chair is None:
            token = self._chance.choice(("none-such", '"', "5f" * 32, ""))
            return [("authorization", f"Bearer {token}")] if token else []
        return [("authorization", f"Bearer {chair.token}")]

    async def _ask(self, rpc: MethodDescriptor) -> str:
        path = f"/{rpc.containing_service.full_name}/{rpc.name}"
        given: dict[str, Callable[[bytes], bytes]] = {
            "request_serializer": Identity.same,
            "response_deserializer": Identity.same,
        }
        limit = PATIENCE_S / 2
        chair = self._chair()
        metadata = self._metadata(chair)
        one = self._fuzzer.request(rpc.input_type, chair)
        try:
            if rpc.client_streaming:
                many = self._channel.stream_stream(path, **given)(metadata=metadata, timeout=limit)
                return await self._stream(rpc, many)
            self._found.messages += 1
            if rpc.server_streaming:
                watch = self._channel.unary_stream(path, **given)(
                    one, metadata=metadata, timeout=limit
                )
                return await self._first(watch)
            call = self._channel.unary_unary(path, **given)(one, metadata=metadata, timeout=limit)
            if rpc.name == "GetView":
                asyncio.get_running_loop().call_later(WAITS_S, call.cancel)
            await call
        except grpc.aio.AioRpcError as err:
            return str(err.code().name)
        except asyncio.CancelledError:
            if rpc.name != "GetView":
                raise
        return "OK"

    async def _first(self, watch: "grpc.aio.UnaryStreamCall[bytes, bytes]") -> str:
        """The first answers of a stream; it may go on as long as a match does."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAITS_S):
                while await watch.read() is not grpc.aio.EOF:
                    pass
                return str((await watch.code()).name)
        watch.cancel()
        return "OK"

    async def _stream(
        self, rpc: MethodDescriptor, call: "grpc.aio.StreamStreamCall[bytes, bytes]"
    ) -> str:
        """Some messages, the first of them often a Hello that is taken; then the end, or a cut."""
        chairs = [chair for chair in self._pool.chairs if chair.seat is not None]
        held = self._chance.sample(chairs, k=3)
        number = self._chance.randint(1, 8)
        parts = [self._fuzzer.request(rpc.input_type, held[at % 3]) for at in range(number)]
        if rpc.name == "Play" and self._chance.random() < 0.8:
            parts.insert(0, hello(held))
        reading = asyncio.create_task(_to_the_end(call))  # who does not read may not write either
        for part in parts:
            self._found.messages += 1
            try:
                await call.write(part)
            except (asyncio.InvalidStateError, grpc.aio.AioRpcError):
                break  # the stream has ended
        if self._chance.random() < 0.2:
            call.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            return "OK"
        with contextlib.suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            await call.done_writing()
        await reading
        code = await call.code()
        if code is grpc.StatusCode.INTERNAL and CUT in str(await call.details()):
            return "OK"
        return str(code.name)


async def _to_the_end(call: "grpc.aio.StreamStreamCall[bytes, bytes]") -> None:
    """Read until the stream ends, however it does."""
    with contextlib.suppress(grpc.aio.AioRpcError):
        while await call.read() is not grpc.aio.EOF:
            pass


def hello(chairs: Sequence[Chair]) -> bytes:
    """A Hello that is taken."""
    seats = [
        play_pb2.SeatHello(token=chair.token, name="bot", level=play_pb2.LEVEL_PLAYS)
        for chair in chairs
        if chair.seat is not None
    ]
    first = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=seats))
    return first.SerializeToString()


async def refill(channel: grpc.aio.Channel, pool: Pool) -> None:
    """New matches for the attack to play in; all seats of one are taken, so that it has begun."""
    pool.chairs = []
    stub = match_pb2_grpc.MatchServiceStub(channel)
    for _ in range(3):
        made = await stub.CreateMatch(
            match_pb2.CreateMatchRequest(rule_set="quick"), timeout=PATIENCE_S
        )
        seats = [Chair(made.match.match, n, token) for n, token in enumerate(made.seat_tokens)]
        pool.chairs += [*seats, Chair(made.match.match, None, made.watch_token)]
    call = play_pb2_grpc.PlayServiceStub(channel).Play(timeout=PATIENCE_S)
    await call.write(play_pb2.PlayRequest.FromString(hello(pool.chairs[:5])))
    while isinstance(message := await call.read(), play_pb2.PlayResponse):
        if any(item.HasField("ask") for item in message.items):
            break
    call.cancel()


async def honest(channel: grpc.aio.Channel, found: Found, stop: asyncio.Event) -> None:
    """Two matches of honest seats, which go on whatever the others do."""
    session = Multiplexed(channel, await tables(channel, 2))
    while not stop.is_set():
        try:
            async with asyncio.timeout(PATIENCE_S):
                found.honest_actions += await session.play(50)
        except (TimeoutError, grpc.aio.AioRpcError, SystemExit) as err:
            found.blame(f"the honest match did not go on: {err!r}")
            return
        await asyncio.sleep(1.0)


async def fuzz_wire(
    target: Target,
    files: Sequence[bytes],
    plan: Plan,
    told: Callable[[float], None],
    found: Found,
) -> None:
    """Fuzz every rpc; what is wrong ends up in `found`."""
    chance, messages = random.Random(plan.seed), plan.messages
    pool = Pool()
    pool.bytes["chunk"] = pool.bytes["proof"] = pool.bytes["record"] = list(files)
    stop = asyncio.Event()
    async with (
        grpc.aio.insecure_channel(target.address) as channel,
        grpc.aio.insecure_channel(target.address, options=[("grpc.channel", 2)]) as calm,
    ):
        playing = asyncio.create_task(honest(calm, found, stop))
        attack = Attack(channel, pool, chance, found)
        part = max(1, messages // 20)
        while found.messages < messages:
            await refill(channel, pool)
            await attack.run(min(part, messages - found.messages), told)
            found.rss.append((found.messages, target.rss_mib()))
        stop.set()
        await playing
        await check_after(calm, found)


async def check_after(channel: grpc.aio.Channel, found: Found) -> None:
    """Once the attack is over nothing of it is open any more but the honest stream."""
    stub = status_pb2_grpc.StatusServiceStub(channel)
    deadline = time.monotonic() + PATIENCE_S
    while True:
        now = await stub.GetStatus(status_pb2.GetStatusRequest(), timeout=PATIENCE_S)
        if (now.play_streams, now.watch_streams) == (1, 0) or time.monotonic() > deadline:
            break
        await asyncio.sleep(0.2)
    if (now.play_streams, now.watch_streams) != (1, 0):
        found.blame(f"streams left open: {now.play_streams} of Play, {now.watch_streams} of Watch")
