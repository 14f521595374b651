"""Targets behind gRPC: the same verdicts as before, whatever the service does."""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from conformance.check import Check, checks_of
from conformance.corpus import Corpus, load
from conformance.errors import TargetStartError, UsageError
from conformance.oracle import answer
from conformance.pb.euchre.conformance.v1.target_pb2 import (
    AnswerRequest,
    AnswerResponse,
    HelloResponse,
)
from conformance.pb.euchre.conformance.v1.target_pb2_grpc import ConformanceTargetServiceStub
from conformance.runner import Run, run
from conformance.serving import Served
from conformance.targets import open_target
from conformance.targets.wrong import complement
from conformance.verdict import judge
from conformance.wire import answer_of, question, reply, request_of
from tests.corpus import checks as every_check
from tests.corpus import corpus as our_corpus

Folder = Callable[..., Path]
Program = Callable[[str], str]


@contextmanager
def served(spec: str, corpus: Corpus, *, seconds: float = 60.0) -> Iterator[str]:
    service = Served(lambda: open_target(spec, corpus.rulesets, case_seconds=seconds), port=0)
    try:
        yield service.address
    finally:
        service.stop()


def ran(corpus: Corpus, spec: str, checks: list[Check] | None = None, seconds: float = 20.0) -> Run:
    target = open_target(spec, corpus.rulesets, case_seconds=seconds)
    return run(target, corpus, list(checks_of(corpus)) if checks is None else checks)


def through(folder: Path, spec: str, seconds: float = 20.0) -> Run:
    corpus = load(folder)
    with served(spec, corpus) as address:
        return ran(corpus, address, seconds=seconds)


def words(done: Run) -> list[str]:
    return [
        result.verdict.value for result in sorted(done.results, key=lambda one: one.check.case.id)
    ]


def some() -> tuple[Corpus, list[Check]]:
    """A corpus, and of every topic a few checks."""
    kept: dict[tuple[str, str], list[Check]] = {}
    for check in every_check():
        kept.setdefault((check.case.topic, check.case.op), []).append(check)
    return our_corpus(), [
        check for group in kept.values() for check in group[:: len(group) // 3 + 1]
    ]


def test_every_request_and_right_answer_comes_through_the_messages() -> None:
    _, checks = some()
    for check in checks:
        for step in check.steps:
            asked = {"id": 7, **step.request}
            sent = AnswerRequest.FromString(question(asked).SerializeToString())
            assert request_of(sent) == asked
            if step.op != "perft":
                told = AnswerResponse.FromString(
                    reply({"id": 7, **answer(asked)}).SerializeToString()
                )
                assert answer_of(told, step.op) == {"id": 7, **answer(asked)}


def test_a_wrong_answer_is_as_wrong_through_the_messages() -> None:
    _, checks = some()
    for check in checks:
        step = check.steps[-1]
        if step.op != "perft":
            wrong = complement(step.request)
            told = answer_of(reply({"id": 1, **wrong}), step.op)
            assert judge(step, told, {}).verdict == judge(step, wrong, {}).verdict


def test_an_answer_with_nothing_but_an_id_is_empty() -> None:
    assert answer_of(AnswerResponse(id=3), "legal") == {"id": 3}


def test_an_empty_list_that_the_op_asks_for_is_there() -> None:
    message = AnswerResponse(id=3, phase="over", closed=True)
    told = answer_of(message, "legal")
    assert told == {"id": 3, "phase": "over", "closed": True, "legal": []}


def test_a_refusal_without_a_reason_comes_through() -> None:
    told = answer_of(reply({"id": 1, "refused": True, "legal": ["pass"]}), "apply")
    assert told["refused"] is True


@pytest.mark.parametrize("spec", ["oracle:", "null:", "accept-everything:"])
def test_a_target_gets_the_same_verdicts_as_a_service(corpus_dir: Folder, spec: str) -> None:
    corpus = load(corpus_dir(count=6))
    checks = list(checks_of(corpus))
    with served(spec, corpus) as address:
        assert words(ran(corpus, address, checks)) == words(ran(corpus, spec, checks))


BAD = {
    "crash": ("sys.exit(3)", "the stream failed with INTERNAL: exited with 3"),
    "protocol": ("print('oops', flush=True)", "the stream failed with DATA_LOSS: a line that is"),
    "hang": ("time.sleep(600)", "no answer in time"),
}


@pytest.mark.parametrize("verdict", BAD)
def test_a_service_that_breaks_down_loses_one_case(
    corpus_dir: Folder, program: Program, verdict: str
) -> None:
    body, said = BAD[verdict]
    spec = program(
        f"""
        hello(parallel=True)
        for line in sys.stdin:
            request = json.loads(line)
            if request["id"] == 5:
                {body}
            say(right(request))
        """
    )
    done = through(corpus_dir(count=12), spec, seconds=3.0)
    assert words(done) == ["pass"] * 4 + [verdict] + ["pass"] * 7
    (fault,) = done.failed()[0].failures
    assert fault.problems[0].startswith(said)


class Rude(grpc.GenericRpcHandler):
    """A service that says hello, and then answers as a test wants."""

    def __init__(self, answers: Callable[[int], list[AnswerResponse]]) -> None:
        self._answers = answers

    def service(
        self, details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        if details.method.endswith("Hello"):
            return grpc.unary_unary_rpc_method_handler(self._hello)
        return grpc.stream_stream_rpc_method_handler(self._stream)

    def _hello(self, _request: bytes, _context: grpc.ServicerContext) -> bytes:
        hello = HelloResponse(protocol=1, ops=["legal"], rulesets=["standard"], parallel=True)
        return hello.SerializeToString()

    def _stream(self, requests: Iterator[bytes], _context: grpc.ServicerContext) -> Iterator[bytes]:
        for request in requests:
            for message in self._answers(AnswerRequest.FromString(request).id):
                yield message.SerializeToString()


@contextmanager
def rude(answers: Callable[[int], list[AnswerResponse]]) -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(2), handlers=[Rude(answers)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"grpc://127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


def right(number: int, asked: int) -> AnswerResponse:
    return AnswerResponse(id=number or asked, turn="east")


MISTAKES: dict[str, Callable[[int], list[AnswerResponse]]] = {
    "an unknown id": lambda asked: [right(900 if asked == 2 else 0, asked)],
    "an answer twice": lambda asked: [right(0, asked)] * (2 if asked == 2 else 1),
    "a flood": lambda asked: [right(0, asked)] if asked != 2 else [right(900, 0)] * 5000,
    "a message too long": lambda asked: [
        AnswerResponse(id=asked, turn="east" if asked != 2 else "x" * (2 << 20))
    ],
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_service_that_breaks_the_protocol_loses_one_case(
    corpus_dir: Folder, mistake: str
) -> None:
    corpus = load(corpus_dir(count=5))
    with rude(MISTAKES[mistake]) as address:
        done = ran(corpus, address)
    assert words(done) == ["pass", "protocol", "pass", "pass", "pass"]


def test_an_answer_that_was_sent_is_not_sent_again(corpus_dir: Folder, program: Program) -> None:
    corpus = load(corpus_dir(count=3))
    spec = program(
        """
        hello()
        for line in sys.stdin:
            request = json.loads(line)
            say({**right(request), "id": 1 if request["id"] == 3 else request["id"]})
        """
    )
    asked = [
        question({"id": number, **check.steps[0].request})
        for number, check in enumerate(checks_of(corpus), start=1)
    ]
    told: list[int] = []
    with (
        served(spec, corpus, seconds=5) as address,
        grpc.insecure_channel(address.removeprefix("grpc://")) as channel,
    ):
        call = ConformanceTargetServiceStub(channel).Answer(iter(asked))
        with pytest.raises(grpc.RpcError, match="DATA_LOSS"):
            told.extend(message.id for message in call)
    assert told == [1, 2]


def test_a_service_that_is_not_there_did_not_start(corpus_dir: Folder) -> None:
    with pytest.raises(TargetStartError, match="no service answers there"):
        ran(load(corpus_dir()), "grpc://127.0.0.1:1")


@pytest.mark.parametrize("spec", ["grpc:127.0.0.1:1", "grpc://127.0.0.1"])
def test_an_address_that_is_none_is_a_usage_error(corpus_dir: Folder, spec: str) -> None:
    with pytest.raises(UsageError, match="write grpc://HOST:PORT"):
        ran(load(corpus_dir()), spec)


def test_another_service_did_not_start(corpus_dir: Folder) -> None:
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with pytest.raises(TargetStartError, match="offers no euchre"):
            ran(load(corpus_dir()), f"grpc://127.0.0.1:{port}")
    finally:
        server.stop(None).wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_prints_its_address_and_ends_clean(
    program: Program, tmp_path: Path, number: signal.Signals
) -> None:
    note = tmp_path / "pid"
    spec = program(
        f"""
        open({str(note)!r}, "a").write(str(os.getpid()) + "\\n")
        hello()
        sys.stdin.readline()
        open({str(note)!r}, "a").write("asked\\n")
        time.sleep(600)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", "from conformance.cli import main; main()", "serve", "-t", spec],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert address.startswith("grpc://127.0.0.1:")
    with grpc.insecure_channel(address.removeprefix("grpc://")) as channel:
        call = ConformanceTargetServiceStub(channel).Answer(iter([AnswerRequest(id=1, op="legal")]))
        while "asked" not in note.read_text():
            assert process.poll() is None
        process.send_signal(number)
        assert process.wait(30) == 0
        call.cancel()
    process.stdout.close()
    assert all(ends(int(pid)) for pid in note.read_text().split() if pid != "asked")


def ends(pid: int) -> bool:
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    readable, _, _ = select.select([watched], [], [], 10)
    os.close(watched)
    return bool(readable)


def test_a_port_that_is_taken_is_said(corpus_dir: Folder) -> None:
    corpus = load(corpus_dir())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1:{port}"):
            Served(lambda: open_target("oracle:", corpus.rulesets), port=port)
