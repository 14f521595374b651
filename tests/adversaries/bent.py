"""Transcripts bent in every way, given to the commands and to the service that read them."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import grpc
from click.testing import CliRunner

from referee.cli import main as command_line
from referee.pb.euchre.referee.v1 import deal_pb2
from tests.adversaries.found import ALLOWED, EXITS, PATIENCE_S, Found, Plan
from tests.adversaries.fuzzing import Fuzzer, Pool
from tests.adversaries.target import Target

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
