"""The port for metrics, for what is alive and for what is ready."""

import asyncio
import http.client
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from prometheus_client.parser import text_string_to_metric_families

from referee.host.clock import LoopClock
from referee.host.referee import Referee
from referee.pb.euchre.referee.v1.match_pb2 import CreateMatchRequest
from referee.service.metrics import MOST_REQUESTS, MetricsServer
from referee.service.pulse import MISSED_S
from referee.service.server import SERVICES, Listen, Server
from referee.service.tls import ListenError
from tests.host.support import KEY, MemoryStore
from tests.service.support import PATIENCE_S, RUNNER, Served, on_loop, refusal, serving

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@asynccontextmanager
async def measured(
    patience_s: float = PATIENCE_S,
) -> AsyncIterator[tuple[Served, MetricsServer]]:
    async with serving() as served:
        standing = served.server.standing
        metrics = MetricsServer("127.0.0.1:0", standing, patience_s=patience_s)
        metrics.start()
        try:
            yield served, metrics
        finally:
            await asyncio.to_thread(metrics.stop)


def fetch(address: str, path: str, method: str = "GET") -> tuple[int, str]:
    link = http.client.HTTPConnection(address, timeout=PATIENCE_S)
    try:
        link.request(method, path)
        answer = link.getresponse()
        return answer.status, answer.read().decode()
    finally:
        link.close()


async def ask(metrics: MetricsServer, path: str, method: str = "GET") -> tuple[int, str]:
    return await asyncio.to_thread(fetch, metrics.address, path, method)


def unstarted() -> Server:
    referee = Referee(store=MemoryStore(), key=KEY, clock=LoopClock(), chance=bytes)
    return Server(referee, Listen(address="127.0.0.1:0"))


async def status_of(
    watch: "grpc.aio.UnaryStreamCall[Message, health_pb2.HealthCheckResponse]",
) -> int:
    answer = await watch.read()
    assert isinstance(answer, health_pb2.HealthCheckResponse)
    return answer.status


async def watch_of(
    served: Served, service: str
) -> "grpc.aio.UnaryStreamCall[Message, health_pb2.HealthCheckResponse]":
    """A watch on the health of a service that serves now."""
    call = served.channel.unary_stream(
        "/grpc.health.v1.Health/Watch",
        request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
        response_deserializer=health_pb2.HealthCheckResponse.FromString,
    )
    watch = call(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE_S)
    assert await status_of(watch) == SERVING
    return watch


async def samples(metrics: MetricsServer) -> dict[tuple[str, tuple[str, ...]], float]:
    """Every sample by its name and the values of its labels."""
    status, text = await ask(metrics, "/metrics")
    assert status == 200
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@on_loop
async def test_every_metric_has_a_help_and_none_a_label_that_grows_with_matches() -> None:
    async with measured() as (served, metrics):
        made = await served.create(move_ms=60_000)
        _, text = await ask(metrics, "/metrics")
        families = list(text_string_to_metric_families(text))
        ours = [family for family in families if family.name.startswith("euchre_")]
        assert len(ours) > 20
        assert all(family.documentation for family in families)
        assert made.id not in text


@on_loop
async def test_actions_refusals_faults_and_matches_are_counted() -> None:
    async with measured() as (served, metrics):
        made = await served.create(move_ms=60_000)
        stream = made.stream()
        await stream.hello()
        asked = await stream.until_asked_to_act()
        seq = asked.ask.view.state_version + 1
        for _ in range(3):
            await stream.say(made.act(asked.seat - 1, "play AS", seq))
            refused = await stream.until("ruling")
        found = await samples(metrics)
        assert found["euchre_actions_total", ("refused",)] == 3
        assert found["euchre_refusals_total", (refused.ruling.reason,)] == 3
        assert found["euchre_faults_total", ("ILLEGAL",)] == 1
        assert found["euchre_matches_total", ("opened",)] == 1
        assert found["euchre_matches_total", ("forfeit",)] == 1
        assert found["euchre_matches_open", ()] == 0
        assert found["euchre_play_streams", ()] == 1
        stream.call.cancel()


@on_loop
async def test_calls_are_counted_by_code_and_timed_by_rpc() -> None:
    async with measured() as (served, metrics):
        await served.create()
        found = await samples(metrics)
        rpc = "MatchService/CreateMatch"
        assert found["euchre_rpcs_ended_total", ("OK", rpc)] == 1
        assert found["euchre_rpc_duration_seconds_count", (rpc,)] == 1
        assert found["euchre_rpc_duration_seconds_bucket", ("+Inf", rpc)] == 1


@on_loop
async def test_alive_and_ready_are_told_apart_while_the_referee_drains() -> None:
    async with measured() as (served, metrics):
        assert await ask(metrics, "/healthz") == (200, "alive\n")
        assert await ask(metrics, "/readyz") == (200, "ready\n")
        served.referee.matches.drain("stopping")
        assert await ask(metrics, "/healthz") == (200, "alive\n")
        assert await ask(metrics, "/readyz") == (503, "draining\n")


@on_loop
async def test_a_journal_that_cannot_be_written_makes_the_referee_unready_until_it_can() -> None:
    async with measured() as (served, metrics):
        health = await watch_of(served, "")
        served.store.broken = True
        await refusal(served.matches.CreateMatch(CreateMatchRequest(), timeout=PATIENCE_S))
        assert await status_of(health) == NOT_SERVING
        assert await ask(metrics, "/readyz") == (503, "the journal cannot be written\n")
        assert await ask(metrics, "/healthz") == (200, "alive\n")
        assert (await samples(metrics))["euchre_journal_appends_total", ("lost",)] == 1
        served.store.broken = False
        assert await status_of(health) == SERVING
        assert await ask(metrics, "/readyz") == (200, "ready\n")
        health.cancel()


@on_loop
async def test_a_probe_that_watches_is_told_of_every_service_when_the_referee_drains() -> None:
    async with serving() as served:
        watches = [await watch_of(served, name) for name in SERVICES]
        served.referee.matches.drain("stopping")
        then = [await status_of(watch) for watch in watches]
        assert set(then) == {NOT_SERVING}
        for watch in watches:
            watch.cancel()


@on_loop
async def test_a_client_that_says_nothing_keeps_no_other_waiting() -> None:
    async with measured() as (_, metrics):
        host, _, port = metrics.address.rpartition(":")
        _, writer = await asyncio.open_connection(host, int(port))
        assert (await ask(metrics, "/healthz"))[0] == 200
        writer.close()


async def line_to(metrics: MetricsServer) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = metrics.address.rpartition(":")
    return await asyncio.open_connection(host, int(port))


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    """What comes until the line is cut."""
    async with asyncio.timeout(PATIENCE_S / 2):
        with suppress(ConnectionResetError):
            return await reader.read()
        return b""


@on_loop
async def test_a_client_that_sends_a_byte_now_and_then_is_hung_up_on() -> None:
    async with measured(patience_s=0.2) as (_, metrics):
        reader, writer = await line_to(metrics)

        async def drip() -> None:
            while True:
                writer.write(b"G")
                await asyncio.sleep(0.02)

        dripping = asyncio.create_task(drip())
        await rest_of(reader)
        dripping.cancel()
        writer.close()


@on_loop
async def test_one_line_too_many_is_closed_and_there_is_room_again_when_others_have_gone() -> None:
    async with measured() as (_, metrics):
        lines = [await line_to(metrics) for _ in range(MOST_REQUESTS)]
        reader, writer = await line_to(metrics)
        assert await rest_of(reader) == b""
        for _, each in ((reader, writer), *lines):
            each.close()

        def answered() -> bool:
            with suppress(OSError, http.client.HTTPException):
                return fetch(metrics.address, "/healthz") == (200, "alive\n")
            return False

        async with asyncio.timeout(PATIENCE_S):
            while not await asyncio.to_thread(answered):
                pass


def test_clients_that_go_away_leave_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    async def leave() -> None:
        async with measured(patience_s=0.2) as (_, metrics):
            lines = [await line_to(metrics) for _ in range(3)]
            lines[0][1].transport.abort()
            for reader, writer in lines[1:]:
                assert await rest_of(reader) == b""
                writer.close()
            assert (await ask(metrics, "/healthz"))[0] == 200

    RUNNER.run(leave())
    assert "Traceback" not in capfd.readouterr().err


@on_loop
async def test_other_paths_and_methods_are_told_what_there_is() -> None:
    async with measured() as (_, metrics):
        assert (await ask(metrics, "/"))[0] == 404
        assert (await ask(metrics, "/metrics", "POST"))[0] == 405


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("0.0.0.0:0", "not loopback"),
        ("127.0.0.1", "not an address"),
        ("unix:/tmp/metrics", "no Unix socket"),
        ("127.0.0.1:99999", "not an address"),
    ],
)
@on_loop
async def test_an_address_that_metrics_cannot_have_is_one_sentence(address: str, text: str) -> None:
    async with serving() as served:
        with pytest.raises(ListenError, match=text):
            MetricsServer(address, served.server.standing).start()


@on_loop
async def test_a_port_that_is_in_use_is_one_sentence() -> None:
    async with measured() as (served, metrics):
        with pytest.raises(ListenError, match="use another port"):
            MetricsServer(metrics.address, served.server.standing).start()


@on_loop
async def test_a_referee_that_starts_is_alive_and_not_ready() -> None:
    server = unstarted()
    server.standing.pulse.beaten -= 2 * MISSED_S
    metrics = MetricsServer("127.0.0.1:0", server.standing)
    metrics.start()
    assert await ask(metrics, "/healthz") == (200, "alive\n")
    assert await ask(metrics, "/readyz") == (503, "starting\n")
    await server.start()
    assert (await ask(metrics, "/readyz"))[1] != "starting\n"
    await server.stop(0)
    await asyncio.to_thread(metrics.stop)


@on_loop
async def test_a_loop_that_stands_still_is_not_alive_and_says_so() -> None:
    async with measured() as (served, metrics):
        await served.server.standing.pulse.stop()
        served.server.standing.pulse.beaten -= 2 * MISSED_S
        assert await ask(metrics, "/healthz") == (503, "the event loop does not turn\n")
        assert await ask(metrics, "/readyz") == (503, "not alive\n")
