"""A hundred thousand messages that nobody should send, to a real referee, and what came of them.

`python -m tests.adversaries.fuzz --messages 100000 --transcript-mb 10 --seed 1` fuzzes every
request of every service beside a match of honest seats, then files for the verifier.
"""

import argparse
import asyncio
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Self

import grpc
from click.testing import CliRunner
from google.protobuf.descriptor import MethodDescriptor
from rich.console import Console
from rich.progress import Progress

from benchmarks.load import Multiplexed, tables
from referee.cli import main as command_line
from referee.pb.euchre.referee.v1 import (
    deal_pb2,
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    status_pb2,
    status_pb2_grpc,
)
from tests.adversaries.fuzzing import Chair, Fuzzer, Pool, rpcs

ALLOWED: Final = frozenset(
    {
        "OK",
        "INVALID_ARGUMENT",
        "ABORTED",
        "NOT_FOUND",
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
        "FAILED_PRECONDITION",
        "RESOURCE_EXHAUSTED",
        "UNAVAILABLE",
    }
)
"""The statuses that the proto files tell of; DEADLINE_EXCEEDED would be a stuck call."""
EXITS: Final = frozenset({0, 1, 2, 3, 4, 5, 6, 7})
AT_ONCE: Final = 24
PATIENCE_S: Final = 180.0
START_S: Final = 60.0
MOST_GROWTH_MIB: Final = 64
WARM: Final = 0.3
SIGNS_OF_TROUBLE: Final = ("Traceback", " error ", "raised=")
SELDOM: Final = frozenset({"JudgeRecord", "VerifyDeal", "VerifyTranscript", "AbortMatch"})
USUAL: Final = 8
CUT: Final = "Internal error from Core"
"""What a client of grpc.aio says of a stream that ended under its own hand."""
WAITS_S: Final = 0.3
"""A look that was to wait is given up then."""


@dataclass(frozen=True)
class Plan:
    """How much to send."""

    messages: int
    transcript_bytes: int
    seed: int


class Identity:
    """Bytes as they are."""

    @staticmethod
    def same(data: bytes) -> bytes:
        """Neither packed nor unpacked."""
        return data


@dataclass
class Found:
    """What came back, and what should not have."""

    messages: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    exits: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    honest_actions: int = 0
    rss: list[tuple[int, int]] = field(default_factory=list)

    def blame(self, text: str) -> None:
        """Keep what is wrong, but not without end."""
        if len(self.wrong) < 50:
            self.wrong.append(text)


class Target:
    """`euchre-referee serve` as a process of its own, and its log."""

    def __init__(self, folder: Path, *words: str, **env: str) -> None:
        self.folder = folder
        self.address = ""
        self._words = words
        self._env = env
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        words = ("-W", "ignore::UserWarning", "-m", "referee", "serve", "--listen", "127.0.0.1:0")
        quotas = ("matches_per_operator=64", "calls_per_peer=256", "calls_per_token=256")
        files = ("--db", "j.db", "--key", "k.pem", "--address-file", "address")
        given = [word for quota in quotas for word in ("--quota", quota)]
        told = self.folder / "address"
        told.unlink(missing_ok=True)
        with (self.folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, *words, *files, *given, "--verbose", *self._words),
                cwd=self.folder,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **self._env},
            )
        async with asyncio.timeout(START_S):
            while not told.exists():
                if self._process.returncode is not None:
                    raise SystemExit(f"the referee did not start: {self.log()[-2_000:]}")
                await asyncio.sleep(0.05)
        self.address = told.read_text(encoding="ascii").strip()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(START_S):
                    await self._process.wait()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()

    @property
    def exit(self) -> int | None:
        """The exit code, once it is over."""
        return None if self._process is None else self._process.returncode

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._process is None else self._process.pid

    def rss_mib(self) -> int:
        """The memory of the process."""
        assert self._process is not None
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii")
            return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
        return 0

    def log(self) -> str:
        """All that it has said."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")


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
        """Send so many messages."""
        end = self._found.messages + messages
        kinds = [rpc for rpc in rpcs() for _ in range(1 if rpc.name in SELDOM else USUAL)]

        async def work() -> None:
            while self._found.messages < end:
                rpc = self._chance.choice(kinds)
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
    plan: "Plan",
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


def check_target(target: Target, found: Found) -> None:
    """It stopped by itself, said nothing of errors, and its memory was flat."""
    if target.exit:
        found.blame(f"the referee ended with {target.exit}")
    for line in target.log().splitlines():
        if any(sign in line for sign in SIGNS_OF_TROUBLE):
            found.blame(f"the log says: {line[:300]}")
    warm = [rss for done, rss in found.rss if done >= WARM * found.messages]
    if warm and warm[-1] - warm[0] > MOST_GROWTH_MIB:
        found.blame(f"memory grew from {warm[0]} to {warm[-1]} MiB")


COMMANDS: Final[Sequence[Sequence[str]]] = (
    ("verify",),
    ("verify", "--json"),
    ("show",),
    ("prove-deal", "1"),
    ("judge",),
    ("judge", "--json"),
    ("export", "--format", "egn"),
    ("export", "--format", "json"),
)


def honest_files(folder: Path) -> list[bytes]:
    """Transcripts of real matches, and the proof of a deal."""
    files = []
    for number, rules in enumerate(("quick", "standard", "british")):
        path, key = folder / f"honest-{number}.jsonl", folder / "honest.pem"
        bots = ("--north-south", "random", "--east-west", "sensible", "--rules", rules)
        where = ("--transcript", str(path), "--key", str(key))
        played = CliRunner().invoke(command_line, ("match", *bots, *where))
        if not path.exists():
            raise SystemExit(f"no match was played: {played.output}")
        files.append(path.read_bytes())
    proof = CliRunner().invoke(command_line, ("prove-deal", str(path), "1"))
    return [*files, proof.stdout_bytes]


def fuzz_files(
    folder: Path,
    files: Sequence[bytes],
    plan: Plan,
    told: Callable[[float], None],
    found: Found,
) -> None:
    """Give so many bytes of bent transcripts to the commands that read them."""
    chance, size = random.Random(plan.seed + 1), plan.transcript_bytes // 2
    fuzzer = Fuzzer(chance, Pool())
    path, done = folder / "bent.jsonl", 0
    while done < size:
        data = fuzzer.bent_lines(chance.choice(files))
        path.write_bytes(data)
        done += len(data)
        told(len(data))
        words = chance.choice(COMMANDS)
        given = [words[0], str(path), *words[1:]]
        result = CliRunner().invoke(command_line, given)
        found.exits[f"{words[0]} {result.exit_code}"] += 1
        crashed = result.exception is not None and not isinstance(result.exception, SystemExit)
        if crashed or result.exit_code not in EXITS or "Traceback" in result.output:
            kept = folder / f"wrong-{done}.jsonl"
            kept.write_bytes(data)
            found.blame(
                f"{' '.join(given)} of {kept}: exit {result.exit_code} {result.output[-200:]}"
            )


async def fuzz_deals(
    target: Target,
    files: Sequence[bytes],
    plan: Plan,
    told: Callable[[float], None],
    found: Found,
) -> None:
    """Give so many bytes of bent transcripts to the verifier as a service."""
    chance, size = random.Random(plan.seed + 2), plan.transcript_bytes // 2
    fuzzer = Fuzzer(chance, Pool())
    done = 0
    async with grpc.aio.insecure_channel(target.address) as channel:
        ask = channel.stream_unary(
            "/euchre.referee.v1.DealService/VerifyTranscript",
            request_serializer=deal_pb2.VerifyTranscriptRequest.SerializeToString,
            response_deserializer=deal_pb2.VerifyTranscriptResponse.FromString,
        )
        while done < size:
            data = fuzzer.bent_lines(chance.choice(files))
            pieces = [data[at : at + 65_536] for at in range(0, len(data), 65_536)]
            parts = iter([deal_pb2.VerifyTranscriptRequest(chunk=piece) for piece in pieces])
            done += len(data)
            told(len(data))
            try:
                answer: deal_pb2.VerifyTranscriptResponse = await ask(parts, timeout=PATIENCE_S)
            except grpc.aio.AioRpcError as err:
                found.exits[f"VerifyTranscript {err.code().name}"] += 1
                if err.code().name not in ALLOWED:
                    found.blame(f"VerifyTranscript ended with {err.code().name}")
                continue
            found.exits[f"VerifyTranscript {answer.verdict.exit}"] += 1
            if answer.verdict.exit not in EXITS:
                found.blame(f"VerifyTranscript says exit {answer.verdict.exit}")


async def _online(
    folder: Path, files: Sequence[bytes], plan: Plan, progress: Progress, found: Found
) -> None:
    wire = progress.add_task("messages", total=plan.messages)
    read = progress.add_task("bytes to the service", total=plan.transcript_bytes // 2)
    async with Target(folder) as target:
        sent = partial(progress.advance, wire)
        await fuzz_wire(target, files, plan, sent, found)
        await fuzz_deals(target, files, plan, partial(progress.advance, read), found)
    check_target(target, found)


def run(folder: Path, plan: Plan, *, quiet: bool = False) -> Found:
    """All of it; what was found."""
    found = Found()
    files = honest_files(folder)
    with Progress(console=Console(stderr=True), disable=quiet) as progress:
        asyncio.run(_online(folder, files, plan, progress, found))
        task = progress.add_task("bytes to the commands", total=plan.transcript_bytes // 2)
        fuzz_files(folder, files, plan, partial(progress.advance, task), found)
    return found


def main() -> None:
    """Fuzz, say what came of it, and exit 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--transcript-mb", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        plan = Plan(given.messages, int(given.transcript_mb * (1 << 20)), given.seed)
        found = run(Path(place), plan)
    say = Console().print
    for name, number in sorted(found.statuses.items()):
        say(f"{number:>8}  {name}")
    for name, number in sorted(found.exits.items()):
        say(f"{number:>8}  {name}")
    say(f"memory of the referee, MiB: {' '.join(str(rss) for _, rss in found.rss)}")
    say(
        f"{found.messages} messages, {sum(found.exits.values())} files, {found.honest_actions}"
        f" actions of honest seats beside them, seed {given.seed},"
        f" {time.monotonic() - began:.0f} s, {len(found.wrong)} things wrong"
    )
    for text in found.wrong:
        say(text, markup=False)
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main()
