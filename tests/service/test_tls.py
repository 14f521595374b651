"""TLS and client certificates: who gets in, and what our own commands and clients say."""

import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from referee.cli.serve import PLAIN_TEXT
from referee.host.clock import LoopClock
from referee.host.referee import Referee
from referee.journal.store import Deed
from referee.service.client import Client, ServiceError, Wire
from referee.service.operators import Operators
from referee.service.server import Listen, Server
from referee.service.tls import ListenError
from tests.host.support import KEY, MemoryStore
from tests.service.certificates import DAY, Authority, Pair
from tests.service.support import on_loop

TOKEN = "t" * 16
OPERATORS = Operators.of([("ada", TOKEN)], "the test")


@asynccontextmanager
async def listening(listen: Listen) -> AsyncIterator[tuple[str, MemoryStore]]:
    """A server's address and journal."""
    store = MemoryStore()
    referee = Referee(store=store, key=KEY, clock=LoopClock(), chance=bytes)
    server = Server(referee, listen)
    await server.start()
    try:
        yield server.address, store
    finally:
        await server.stop(0)
        referee.close()


def asking_for_certificates(folder: Path, authority: Authority) -> Listen:
    own = Authority(folder, "server-authority").sign("referee")
    return Listen(cert=own.cert, key=own.key, client_ca=authority.file, operators=OPERATORS)


def wire(folder: Path, pair: Pair | None = None) -> Wire:
    return Wire(
        ca=folder / "server-authority.pem",
        cert=None if pair is None else pair.cert,
        cert_key=None if pair is None else pair.key,
    )


async def create(address: str, how: Wire) -> str:
    client = Client(address, wire=how, operator_token=TOKEN)
    return (await client.create(rule_set="quick", knobs={}, policy={})).match


@on_loop
async def test_a_client_with_a_certificate_of_the_authority_comes_in_under_its_name(
    tmp_path: Path,
) -> None:
    authority = Authority(tmp_path)
    async with listening(asking_for_certificates(tmp_path, authority)) as (address, store):
        match = await create(address, wire(tmp_path, authority.sign("ada-laptop")))
        assert [match.hex() for match in store.matches()] == [match]
        found: Deed = next(store.deeds())
        assert found.detail == '{"certificate":"ada-laptop","from":"127.0.0.1"}'


@on_loop
async def test_a_name_in_any_script_is_a_name(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with listening(asking_for_certificates(tmp_path, authority)) as (address, store):
        await create(address, wire(tmp_path, authority.sign('Zo\u00eb "\\z" ')))
        assert next(store.deeds()).detail == '{"certificate":"Zo? ??z? ","from":"127.0.0.1"}'


@pytest.mark.parametrize("who", ["nobody", "stranger", "expired"])
@on_loop
async def test_no_other_client_comes_in_whatever_token_it_has(tmp_path: Path, who: str) -> None:
    authority = Authority(tmp_path)
    other = Authority(tmp_path, "other")
    pairs = {
        "nobody": None,
        "stranger": other.sign("ada-laptop"),
        "expired": authority.sign("late", -dt.timedelta(minutes=1)),
    }
    async with listening(asking_for_certificates(tmp_path, authority)) as (address, store):
        with pytest.raises(ServiceError):
            await create(address, wire(tmp_path, pairs[who]))
        assert store.matches() == []


@on_loop
async def test_a_certificate_is_no_token(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with listening(asking_for_certificates(tmp_path, authority)) as (address, _):
        client = Client(address, wire=wire(tmp_path, authority.sign("ada-laptop")))
        with pytest.raises(ServiceError, match="operator's token"):
            await client.create(rule_set="quick", knobs={}, policy={})


@on_loop
async def test_a_referee_that_another_authority_signed_is_told_apart(tmp_path: Path) -> None:
    own = Authority(tmp_path, "server-authority").sign("referee")
    Authority(tmp_path, "other")
    async with listening(Listen(cert=own.cert, key=own.key)) as (address, _):
        await create(address, wire(tmp_path))
        with pytest.raises(ServiceError, match="do not trust one"):
            await create(address, Wire(ca=tmp_path / "other.pem"))


@pytest.mark.parametrize("left", [DAY, -dt.timedelta(minutes=1)])
@on_loop
async def test_a_referee_whose_certificate_has_expired_does_not_start(
    tmp_path: Path, left: dt.timedelta
) -> None:
    own = Authority(tmp_path).sign("referee", left)
    listen = Listen(cert=own.cert, key=own.key)
    if left > dt.timedelta():
        async with listening(listen):
            return
    with pytest.raises(ListenError, match="has expired"):
        async with listening(listen):
            pass


@pytest.mark.parametrize("name", ["rubbish", "none.pem"])
@on_loop
async def test_an_authority_that_is_none_is_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "rubbish").write_text("no certificate")
    own = Authority(tmp_path).sign("referee")
    with pytest.raises(ListenError, match=name):
        async with listening(Listen(cert=own.cert, key=own.key, client_ca=tmp_path / name)):
            pass


@pytest.mark.parametrize(
    ("how", "text"),
    [
        (Wire(cert=Path("referee.cert.pem")), "--cert and --cert-key"),
        (Wire(cert_key=Path("referee.key.pem")), "--cert and --cert-key"),
        (Wire(cert=Path("none"), cert_key=Path("referee.key.pem")), "cannot read 'none'"),
        (Wire(cert=Path("rubbish"), cert_key=Path("rubbish")), "a certificate and its key"),
        (Wire(ca=Path("rubbish")), "'rubbish' is not a certificate"),
        (Wire(ca=Path("authority.pem"), insecure=True), "choose one"),
    ],
)
@on_loop
async def test_files_that_make_no_connection_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Wire, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rubbish").write_text("no certificate")
    Authority(tmp_path).sign("referee")
    with pytest.raises(ServiceError, match=text):
        await create("localhost:1", how)


@on_loop
async def test_a_token_goes_to_another_machine_over_tls_only() -> None:
    async with listening(Listen(address="0.0.0.0:0", insecure=True, operators=OPERATORS)) as (
        address,
        store,
    ):
        other = f"0.0.0.0:{address.rpartition(':')[2]}"
        with pytest.raises(ServiceError):
            await create(other, Wire())
        assert store.matches() == []
        await create(other, Wire(insecure=True))
        assert len(store.matches()) == 1


def test_plain_text_beyond_this_machine_is_said_at_the_start() -> None:
    assert "plain text" in PLAIN_TEXT
    store = MemoryStore()
    referee = Referee(store=store, key=KEY, clock=LoopClock(), chance=bytes)
    for address, said in (("0.0.0.0:0", True), ("127.0.0.1:0", False), ("unix:/tmp/x", False)):
        listen = Listen(address=address, insecure=True, operators=OPERATORS)
        assert Server(referee, listen).in_plain_text is said
