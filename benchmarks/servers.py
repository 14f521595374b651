"""The servers that the load is put on, each a process of its own on a free port of loopback.

    python -m benchmarks.servers KIND DIRECTORY [--sampled]

`durable` is `euchre-referee serve` itself. `memory` is the same without a journal on disk, `tls`
that one behind a certificate, and `unsealed` that one without the seal: its decks are shuffled by
chance alone and its signatures are blank.
`echo` answers each input with as many items, of the same shapes, as the referee tells a stream
that holds all four seats; `bare` with a ruling alone. Both know nothing of Euchre.
"""

import asyncio
import ipaddress
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import Final

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from google.protobuf.message import Message

from referee.cli import main as command_line
from referee.cli.serve import rest_the_collector
from referee.host.clock import LoopClock
from referee.host.referee import Referee
from referee.journal.store import Deed, Row
from referee.pb.euchre.referee.v1 import events_pb2, play_pb2, play_pb2_grpc, table_pb2
from referee.sealing.deck import SealedDeck, sealed_deck
from referee.sealing.encode import HASH_SIZE, Mac
from referee.sealing.keys import SIGNATURE_SIZE, SigningKey
from referee.sealing.packs import PACKS
from referee.service.limits import OPTIONS
from referee.service.server import Listen, Server

LONGEST_LIFE_S: Final = 900
START_S: Final = 30.0
SAMPLED: Final = "--sampled"
SAMPLE_S: Final = 0.001
LOOPBACK: Final = "127.0.0.1:0"
Context = grpc.aio.ServicerContext[Message, Message]

VIEW: Final = table_pb2.View(
    seat=table_pb2.SEAT_EAST,
    phase="play",
    dealer=table_pb2.SEAT_NORTH,
    hand=["9C", "JD", "TD", "AH"],
    counts=[3, 4, 4, 4],
    upcard="QH",
    upcard_state="taken",
    trump="H",
    maker=table_pb2.SEAT_SOUTH,
    led="KD",
    trick=[table_pb2.PlayedCard(seat=table_pb2.SEAT_NORTH, card="KD")],
    tricks=table_pb2.Sides(ns=1, ew=0),
    score=table_pb2.Sides(ns=4, ew=6),
    turn=table_pb2.SEAT_EAST,
    legal=["play JD", "play TD"],
    state_version=123,
    deal=7,
)
MATCH: Final = "5f" * 16
RULING: Final = play_pb2.PlayItem(
    match=MATCH,
    seat=table_pb2.SEAT_NORTH,
    after=123,
    request_id=bytes(16),
    ruling=table_pb2.Ruling(request_id=bytes(16), accepted=True, seq=123),
)
TOLD: Final = [
    play_pb2.PlayItem(
        match=MATCH,
        seat=seat,
        event=events_pb2.Event(
            event=b'{"action":"play KD","deal":7,"kind":"action","prev":"%s","seat":"north",'
            b'"seq":123,"used_ms":17}' % (b"5f" * 32),
            seq=123,
            action=events_pb2.ActionTaken(
                deal=7, seat=table_pb2.SEAT_NORTH, action="play KD", used_ms=17
            ),
        ),
    )
    for seat in (
        table_pb2.SEAT_NORTH,
        table_pb2.SEAT_EAST,
        table_pb2.SEAT_SOUTH,
        table_pb2.SEAT_WEST,
    )
]
ASK: Final = play_pb2.PlayItem(
    match=MATCH,
    seat=table_pb2.SEAT_EAST,
    after=123,
    ask=play_pb2.Ask(what="act", view=VIEW, deal=7, limit_ms=5_000),
)


class Echo(play_pb2_grpc.PlayServiceServicer):
    """A service that answers, and does nothing else."""

    def __init__(self, items: Sequence[play_pb2.PlayItem]) -> None:
        self._items = list(items)

    async def Act(  # noqa: N802 -- the rpc's name
        self, _request: play_pb2.ActRequest, _context: Context
    ) -> play_pb2.ActResponse:
        """Answer one input."""
        return play_pb2.ActResponse(item=RULING, view=VIEW)

    async def Play(  # noqa: N802 -- the rpc's name
        self, _requests: AsyncIterator[play_pb2.PlayRequest], context: Context
    ) -> None:
        """Answer every message with one that holds the items of each input."""
        while isinstance(message := await context.read(), play_pb2.PlayRequest):
            items = self._items * len(message.inputs)
            await context.write(play_pb2.PlayResponse(items=items))


class MemoryStore:
    """A journal in memory alone: what a referee costs without a disk."""

    trouble: Final = ""

    def __init__(self) -> None:
        self._rows: dict[bytes, list[Row]] = {}

    def append(self, rows: Sequence[Row], *, at_ms: int) -> Future[None]:
        """Keep the rows, and say at once that they are durable."""
        del at_ms
        for row in rows:
            self._rows.setdefault(row.match, []).append(row)
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def note(self, deed: Deed) -> Future[None]:
        """Say at once that the deed is durable."""
        return self.append((), at_ms=deed.at_ms)

    def heal(self, match: bytes) -> None:
        """Nothing fails here."""

    def rows(self, match: bytes, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """The rows of a match, which is asked for what is past of it."""
        rows = self._rows.get(match, ())
        return iter([row for row in rows if not kinds or row.kind in kinds])

    def beginnings(self, *, since_ms: int) -> Iterator[Row]:
        """No row."""
        del since_ms
        return iter(())

    def matches(self, *, newest_first: bool = False) -> list[bytes]:
        """No match."""
        del newest_first
        return []

    def open_matches(self) -> list[bytes]:
        """No match."""
        return []

    def closed_ms(self, match: bytes) -> int | None:
        """No match was closed."""
        del match
        return None

    def closed(self, *, since_ms: int = 0) -> Mapping[bytes, int]:
        """No match was closed."""
        del since_ms
        return {}

    def deeds(self, first: int = 1, last: int | None = None) -> Iterator[Deed]:
        """No deed."""
        del first, last
        return iter(())

    def deed_count(self) -> int:
        """No deed."""
        return 0

    def close(self) -> None:
        """Nothing is open."""


def address_file(directory: Path) -> Path:
    """Where a server writes its address once it listens."""
    return directory / "address"


class BlankKey(SigningKey):
    """A key whose signatures cost nothing and prove nothing."""

    def sign(self, message: bytes) -> bytes:
        """No signature."""
        del message
        return bytes(SIGNATURE_SIZE)


def shuffled(
    match: bytes,  # noqa: ARG001 -- what a seal would need
    deal: int,  # noqa: ARG001 -- as above
    pack: str,
    **_given: bytes | Sequence[bytes] | int | None,
) -> SealedDeck:
    """A deck by chance, with blank salts and leaves."""
    cards = list(PACKS[pack])
    random.shuffle(cards)
    blank = (bytes(HASH_SIZE),) * len(cards)
    return SealedDeck(tuple(cards), blank, blank, bytes(HASH_SIZE), Mac(bytes(HASH_SIZE)))


def certificate(directory: Path) -> tuple[Path, Path]:
    """A certificate for loopback that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = directory / "cert.pem", directory / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert_file, key_file


async def _serve_memory(directory: Path, kind: str) -> None:
    sealed = kind != "unsealed"
    maker = SigningKey if sealed else BlankKey
    referee = Referee(
        store=MemoryStore(),
        key=maker.from_bytes("referee", secrets.token_bytes(32)),
        clock=LoopClock(),
        chance=secrets.token_bytes,
        sealer=sealed_deck if sealed else shuffled,
    )
    rest_the_collector()
    cert, key = certificate(directory) if kind == "tls" else (None, None)
    server = Server(referee, Listen(address=LOOPBACK, cert=cert, key=key))
    await server.start()
    _announce(directory, server.address)
    await server.wait()


async def _serve_echo(directory: Path, items: Sequence[play_pb2.PlayItem]) -> None:
    server = grpc.aio.server(options=OPTIONS)
    play_pb2_grpc.add_PlayServiceServicer_to_server(Echo(items), server)
    port = server.add_insecure_port(LOOPBACK)
    await server.start()
    _announce(directory, f"127.0.0.1:{port}")
    await server.wait_for_termination()


def _announce(directory: Path, address: str) -> None:
    part = directory / "address.part"
    part.write_text(address, encoding="ascii")
    part.replace(address_file(directory))


def resident_kib(directory: Path) -> int:
    """The memory that a server of a directory holds now, in KiB."""
    pid = (directory / "pid").read_text(encoding="ascii")
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


def samples_file(directory: Path) -> Path:
    """Where a sampled server leaves what was at work, when it ends."""
    return directory / "samples.json"


@contextmanager
def sampled(directory: Path) -> Iterator[None]:
    """Note once a millisecond of processor time what is at work, each stack with its count."""
    seen: Counter[str] = Counter()

    def note(_signal: int, frame: FrameType | None) -> None:
        stack = []
        while frame is not None:
            stack.append(f"{frame.f_globals['__name__']}:{frame.f_code.co_name}")
            frame = frame.f_back
        seen[";".join(reversed(stack))] += 1

    signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_S, SAMPLE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        samples_file(directory).write_text(json.dumps(seen), encoding="utf-8")


@contextmanager
def running(kind: str, directory: Path, *, sampled: bool = False) -> Iterator[str]:
    """The address of a server of that kind, which ends with the block."""
    directory.mkdir(parents=True)
    argv = [sys.executable, "-m", "benchmarks.servers", kind, str(directory)]
    argv += [SAMPLED] if sampled else []
    with (directory / "log").open("wb") as log:
        child = subprocess.Popen(argv, stdout=log, stderr=log, cwd=Path(__file__).parents[1])
        try:
            yield _address(child, directory)
        finally:
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def _address(child: subprocess.Popen[bytes], directory: Path) -> str:
    deadline = time.monotonic() + START_S
    while child.poll() is None and time.monotonic() < deadline:
        if address_file(directory).exists():
            return address_file(directory).read_text(encoding="ascii").strip()
        time.sleep(0.02)
    log = (directory / "log").read_text(encoding="utf-8", errors="replace")
    raise SystemExit(f"the server did not start: {log}")


def main() -> None:
    """Serve until SIGTERM, and in no case longer than a benchmark can take."""
    kind, directory = sys.argv[1], Path(sys.argv[2])
    (directory / "pid").write_text(str(os.getpid()), encoding="ascii")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with sampled(directory) if SAMPLED in sys.argv else nullcontext():
        serve(kind, directory)


def serve(kind: str, directory: Path) -> None:
    """Serve as that kind does."""
    if kind == "durable":
        os.environ.pop("EUCHRE_OPERATOR_TOKEN", None)
        signal.alarm(LONGEST_LIFE_S)
        files = {"--db": "journal.db", "--key": "referee.pem", "--address-file": "address"}
        given = [part for name, file in files.items() for part in (name, str(directory / file))]
        command_line(["serve", "--listen", LOOPBACK, *given])
        return
    signal.alarm(LONGEST_LIFE_S)
    if kind in {"memory", "unsealed", "tls"}:
        asyncio.run(_serve_memory(directory, kind))
    else:
        asyncio.run(_serve_echo(directory, [RULING] if kind == "bare" else [RULING, *TOLD, ASK]))


if __name__ == "__main__":
    main()
