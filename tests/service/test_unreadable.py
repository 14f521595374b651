"""Bytes that are no message, sent to every rpc there is."""

import random

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.pb.euchre.referee.v1 import play_pb2
from tests.adversaries.found import ALLOWED
from tests.adversaries.fuzzing import Fuzzer, Pool, rpcs
from tests.service.support import PATIENCE_S, RUNNER, Refused, hello, on_loop, refusal, serving

NO_MESSAGE = b"\xff" * 9


def same(data: bytes) -> bytes:
    return data


async def sent(channel: grpc.aio.Channel, rpc: MethodDescriptor, data: bytes) -> object:
    """The first answer of an rpc to some bytes."""
    path = f"/{rpc.containing_service.full_name}/{rpc.name}"
    if rpc.client_streaming:
        stream = channel.stream_stream(path, same, same)(iter([data]), timeout=PATIENCE_S)
        return await stream.read()
    if rpc.server_streaming:
        return await channel.unary_stream(path, same, same)(data, timeout=PATIENCE_S).read()
    return await channel.unary_unary(path, same, same)(data, timeout=PATIENCE_S)


@pytest.mark.parametrize("rpc", rpcs(), ids=lambda rpc: rpc.name)
@on_loop
async def test_bytes_that_are_no_message_are_an_invalid_argument_and_no_error_of_ours(
    rpc: MethodDescriptor, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving() as served:
        found = await refusal(sent(served.channel, rpc, NO_MESSAGE))
        assert (found.code, found.reason, found.fields) == (
            *("INVALID_ARGUMENT", "MALFORMED", ["request"]),
        )
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@on_loop
async def test_bytes_that_are_no_message_end_a_stream_of_seats_and_resign_nothing() -> None:
    async with serving() as served:
        made = await served.create()
        path = "/euchre.referee.v1.PlayService/Play"
        stream = served.channel.stream_stream(path, same, same)(timeout=PATIENCE_S)
        seats = [hello(token) for token in made.seats]
        first = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, seats=seats))
        await stream.write(first.SerializeToString())
        await stream.read()
        await stream.write(NO_MESSAGE)
        found: Refused = await refusal(to_the_end(stream))
        assert (found.code, found.fields) == ("INVALID_ARGUMENT", ["request"])
        assert not made.match.durable.over


async def to_the_end(stream: "grpc.aio.StreamStreamCall[bytes, bytes]") -> None:
    while await stream.read() is not grpc.aio.EOF:
        pass


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(rpcs()), st.randoms(use_true_random=False))
def test_every_rpc_answers_whatever_it_is_sent_with_a_status_that_is_documented(
    rpc: MethodDescriptor, chance: random.Random
) -> None:
    request = Fuzzer(chance, Pool()).request(rpc.input_type)

    async def code() -> str:
        async with serving() as served:
            try:
                await sent(served.channel, rpc, request)
            except grpc.aio.AioRpcError as err:
                return str(err.code().name)
        return "OK"

    assert RUNNER.run(code()) in ALLOWED
