"""Any target as the service `euchre.conformance.v1`, on loopback: a peer for tests and authors.

Every stream has an instance of the target of its own, which is asked one question at a time.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Final

import grpc

from conformance.errors import PositionError, SuiteError, UsageError
from conformance.jsontypes import Record
from conformance.pb.euchre.conformance.v1.target_pb2 import (
    AnswerRequest,
    AnswerResponse,
    HelloRequest,
    HelloResponse,
)
from conformance.pb.euchre.conformance.v1.target_pb2_grpc import (
    ConformanceTargetServiceServicer,
    add_ConformanceTargetServiceServicer_to_server,
)
from conformance.targets.base import Hello, Reply, Target
from conformance.targets.pipelined import Pipelined
from conformance.verdict import Verdict
from conformance.wire import greeting_of, hello_message, reply, request_of

STREAMS: Final = 8
LONGEST_QUESTION: Final = 1 << 20
GRACE_SECONDS: Final = 0.5
HOST: Final = "127.0.0.1"


class _Servicer(ConformanceTargetServiceServicer):
    """The service: a target opened for each call."""

    def __init__(self, opened: Callable[[], Target]) -> None:
        self._opened = opened
        self._lock = Lock()
        self._open: set[Target] = set()
        self._greeting: Record = {"id": 0, "op": "hello", "protocol": 1}

    def Hello(  # noqa: N802 -- the proto file's name
        self, request: HelloRequest, context: grpc.ServicerContext
    ) -> HelloResponse:
        """The target's hello."""
        self._greeting = greeting_of(request)
        target = self._opened()
        try:
            return hello_message(_claims(target.hello(self._greeting)))
        except SuiteError as err:
            context.abort(grpc.StatusCode.INTERNAL, str(err))
        finally:
            target.close()

    def Answer(  # noqa: N802 -- the proto file's name
        self, request_iterator: Iterable[AnswerRequest], context: grpc.ServicerContext
    ) -> Iterator[AnswerResponse]:
        """The target's answers, until it breaks down."""
        target = self._opened()
        with self._lock:
            self._open.add(target)
        context.add_callback(lambda: _interrupt(target))
        try:
            target.hello(self._greeting)
            _one_at_a_time(target)
            told: set[int] = set()
            for found in target.ask(map(request_of, request_iterator)):
                if found.answer is None:
                    context.abort(*_failure(found))
                if found.id not in told:  # once sent, an answer cannot be taken back
                    yield reply({**found.answer, "id": found.id})
                told.add(found.id)
        except PositionError as err:
            context.abort(grpc.StatusCode.DATA_LOSS, str(err))
        except SuiteError as err:
            context.abort(grpc.StatusCode.INTERNAL, str(err))
        finally:
            target.close()
            with self._lock:
                self._open.discard(target)

    def end(self) -> None:
        """End every target that is at work."""
        with self._lock:
            for target in self._open:
                _interrupt(target)


def _interrupt(target: Target) -> None:
    if isinstance(target, Pipelined):
        target.interrupt()


def _one_at_a_time(target: Target) -> None:
    if isinstance(target, Pipelined):
        target.one_at_a_time()


def _failure(found: Reply) -> tuple[grpc.StatusCode, str]:
    code = grpc.StatusCode.INTERNAL
    if found.fault is Verdict.PROTOCOL:
        code = grpc.StatusCode.DATA_LOSS
    last = found.stderr.splitlines()[-1:]
    return code, "; it said: ".join([found.detail, *last])


def _claims(hello: Hello) -> Record:
    return {
        "protocol": 1,
        "name": hello.name,
        "version": hello.version,
        "language": hello.language,
        "ops": sorted(hello.ops),
        "knobs": {knob: list(values) for knob, values in hello.knobs.items()},
        "rulesets": sorted(hello.rulesets),
        "parallel": hello.parallel,
    }


class Served:
    """A running service."""

    def __init__(self, opened: Callable[[], Target], *, port: int, host: str = HOST) -> None:
        self._servicer = _Servicer(opened)
        self._server = grpc.server(
            ThreadPoolExecutor(STREAMS),
            maximum_concurrent_rpcs=STREAMS,
            options=[
                ("grpc.max_receive_message_length", LONGEST_QUESTION),
                ("grpc.so_reuseport", 0),
            ],
        )
        add_ConformanceTargetServiceServicer_to_server(self._servicer, self._server)
        try:
            self.port = self._server.add_insecure_port(f"{host}:{port}")
        except RuntimeError as err:
            raise UsageError(
                f"cannot listen on {host}:{port}: it is taken (--port 0 picks a free one)"
            ) from err
        self.address = f"grpc://{host}:{self.port}"
        self._server.start()

    def stop(self) -> None:
        """Refuse new calls, end those at work, and wait until all is ended."""
        stopped = self._server.stop(GRACE_SECONDS)
        self._servicer.end()
        stopped.wait()
