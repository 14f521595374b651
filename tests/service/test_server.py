"""The server itself: addresses, limits, health, reflection, TLS and Unix sockets."""

import asyncio
import datetime as dt
import socket
import stat
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from referee.host.clock import LoopClock
from referee.host.referee import Referee
from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc
from referee.service.addresses import is_loopback
from referee.service.limits import LARGEST_MESSAGE
from referee.service.operators import Operators
from referee.service.server import SERVICES, Listen, Server
from referee.service.tls import ListenError
from tests.host.support import KEY, MemoryStore, settle
from tests.service.support import PATIENCE_S, on_loop, refusal, serving

OPERATORS = Operators.of([("ada", "t" * 16)], "the test")


def server(listen: Listen) -> Server:
    store = MemoryStore()
    return Server(Referee(store=store, key=KEY, clock=LoopClock(), chance=bytes), listen)


async def listen_error(listen: Listen) -> str:
    with pytest.raises(ListenError) as caught:
        await server(listen).start()
    return str(caught.value)


@on_loop
async def test_a_port_in_use_is_one_sentence_that_says_what_to_do() -> None:
    async with serving() as served:
        text = await listen_error(Listen(address=served.server.address))
        assert text.startswith(f"cannot listen on {served.server.address!r}: the port is in use")
        assert "use another port" in text


@pytest.mark.parametrize("address", ["127.0.0.1:99999", "127.0.0.1:port", "nonsense", ""])
@on_loop
async def test_an_address_that_is_none_is_one_sentence(address: str) -> None:
    text = await listen_error(Listen(address=address, operators=OPERATORS, insecure=True))
    assert repr(address) in text


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("127.0.0.1:1", True),
        ("[::1]:1", True),
        ("localhost:1", True),
        ("unix:/tmp/x", True),
        ("0.0.0.0:1", False),
        ("[::]:1", False),
        ("10.0.0.1:1", False),
        ("example.org:1", False),
        ("localhost.example.org:1", False),
    ],
)
def test_loopback_is_what_only_this_machine_reaches(address: str, *, loopback: bool) -> None:
    assert is_loopback(address) is loopback


@on_loop
async def test_plain_text_beyond_loopback_is_refused_unless_asked_for() -> None:
    text = await listen_error(Listen(address="0.0.0.0:0", operators=OPERATORS))
    assert "plain text" in text
    assert "--tls-cert" in text
    open_server = server(Listen(address="0.0.0.0:0", operators=OPERATORS, insecure=True))
    await open_server.start()
    await open_server.stop(0)


@on_loop
async def test_a_server_that_is_open_to_others_needs_an_operators_token() -> None:
    text = await listen_error(Listen(address="0.0.0.0:0", insecure=True))
    assert "EUCHRE_OPERATOR_TOKEN" in text


@on_loop
async def test_a_message_over_the_limit_is_refused() -> None:
    async with serving() as served:
        request = match_pb2.GetMatchRequest(match="0" * (LARGEST_MESSAGE + 1))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await served.matches.GetMatch(request, timeout=PATIENCE_S)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


@on_loop
async def test_health_is_told_for_every_service_and_ends_with_the_server() -> None:
    async with serving() as served:
        check = served.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        for name in ("", *SERVICES):
            request = health_pb2.HealthCheckRequest(service=name)
            found = await check(request, timeout=PATIENCE_S)
            assert found.status == health_pb2.HealthCheckResponse.SERVING
        watching = served.channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )(health_pb2.HealthCheckRequest(), timeout=PATIENCE_S)
        told = [await watching.read()]
        stopping = asyncio.create_task(served.server.stop(2))
        told.append(await watching.read())
        watching.cancel()
        await stopping
        assert told == [
            health_pb2.HealthCheckResponse(status="SERVING"),
            health_pb2.HealthCheckResponse(status="NOT_SERVING"),
        ]


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
@on_loop
async def test_reflection_lists_every_service_and_knows_itself(version: str) -> None:
    async with serving() as served:
        ask = served.channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        found = await ask(iter([request]), timeout=PATIENCE_S).read()
        assert isinstance(found, reflection_pb2.ServerReflectionResponse)
        names = {service.name for service in found.list_services_response.service}
        assert names >= {*SERVICES, "grpc.health.v1.Health"}
        for name in names:
            request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=name)
            found = await ask(iter([request]), timeout=PATIENCE_S).read()
            assert isinstance(found, reflection_pb2.ServerReflectionResponse)
            assert found.file_descriptor_response.file_descriptor_proto


@on_loop
async def test_a_unix_socket_serves_and_has_its_own_address(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 'r.sock'}"
    async with serving(address=address) as served:
        assert served.server.address == address
        assert stat.S_ISSOCK((tmp_path / "r.sock").stat().st_mode)
        made = await served.create()
        assert made.match.id.hex() == made.id


@on_loop
async def test_a_unix_socket_on_which_a_server_answers_is_not_taken_from_it(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 'r.sock'}"
    async with serving(address=address) as served:
        for name in (address, f"unix://{tmp_path / 'r.sock'}"):
            assert "another server answers there" in await listen_error(Listen(address=name))
        assert (await served.create()).id
    left = tmp_path / "left.sock"
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(left))
    async with serving(address=f"unix:{left}") as served:  # whoever left it there is gone
        assert (await served.create()).id


@on_loop
async def test_whoever_comes_over_a_unix_socket_is_an_operator_on_this_machine(
    tmp_path: Path,
) -> None:
    async with serving(address=f"unix:{tmp_path / 'r.sock'}") as served:
        await served.create()
        assert [(d.who, d.detail) for d in served.store.deeds()] == [
            ("loopback", '{"from":"unix"}')
        ]


def certificate(folder: Path) -> tuple[Path, Path]:
    """A self-signed certificate for localhost, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    cert = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


@on_loop
async def test_a_server_with_a_certificate_speaks_tls_and_nothing_else(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    safe = server(Listen(address="127.0.0.1:0", cert=cert, key=key))
    await safe.start()
    port = safe.address.rpartition(":")[2]
    request = match_pb2.CreateMatchRequest()
    try:
        trust = grpc.ssl_channel_credentials(cert.read_bytes())
        async with grpc.aio.secure_channel(f"localhost:{port}", trust) as channel:
            stub = match_pb2_grpc.MatchServiceStub(channel)
            assert (await stub.CreateMatch(request, timeout=PATIENCE_S)).match.match
        async with grpc.aio.insecure_channel(f"localhost:{port}") as channel:
            stub = match_pb2_grpc.MatchServiceStub(channel)
            with pytest.raises(grpc.aio.AioRpcError):
                await stub.CreateMatch(request, timeout=2)
    finally:
        await safe.stop(0)


@on_loop
async def test_half_a_tls_identity_is_refused(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    assert "both" in await listen_error(Listen(cert=cert))
    assert "both" in await listen_error(Listen(key=key))
    missing = await listen_error(Listen(cert=tmp_path / "none.pem", key=key))
    assert "none.pem" in missing


@on_loop
async def test_no_match_is_made_while_the_server_stops() -> None:
    async with serving() as served:
        served.referee.matches.drain("stopping")
        request = match_pb2.CreateMatchRequest()
        refused = await refusal(served.matches.CreateMatch(request, timeout=PATIENCE_S))
        assert (refused.code, refused.reason, refused.asks_to_retry) == (
            *("UNAVAILABLE", "DRAINING", True),
        )
        await settle()
