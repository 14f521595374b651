"""Targets that are a service: `grpc://HOST:PORT`, in plain text.

A stream that fails is a crash, one that fails with DATA_LOSS a breach of the protocol, and an
answer that does not come in time a hang; each time the runner connects anew.
What cannot be done to a service is to end it: one that hangs for good hangs in every case.
"""

from collections.abc import Iterator
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Final

import grpc

from conformance.errors import TargetStartError, UsageError
from conformance.jsontypes import Record
from conformance.pb.euchre.conformance.v1.target_pb2 import (
    AnswerRequest,
    AnswerResponse,
)
from conformance.pb.euchre.conformance.v1.target_pb2_grpc import ConformanceTargetServiceStub
from conformance.targets.base import BrokenError, Hello, hello_from
from conformance.targets.pipelined import Pipelined
from conformance.targets.process import CASE_SECONDS, HELLO_SECONDS
from conformance.targets.talk import Talk, number_of
from conformance.verdict import Verdict
from conformance.wire import answer_of, claims_of, introduction, question

LONGEST_ANSWER: Final = 1 << 20
WAITING: Final = 256
PAUSE: Final = 0.1
ENDED: Final = "the service ended the stream"
OPTIONS: Final = (
    ("grpc.max_receive_message_length", LONGEST_ANSWER),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
)
PROTOCOL_CODES: Final = (grpc.StatusCode.DATA_LOSS, grpc.StatusCode.RESOURCE_EXHAUSTED)
UNREADABLE: Final = "Exception deserializing response"


class _Stream:
    """One stream of questions and answers, read by a thread into a queue that has an end."""

    def __init__(self, channel: grpc.Channel, stub: ConformanceTargetServiceStub) -> None:
        self._channel = channel
        self._asking: SimpleQueue[AnswerRequest | None] = SimpleQueue()
        self._come: Queue[AnswerResponse | BrokenError] = Queue(WAITING)
        self._closed = Event()
        self._ops: dict[int, str] = {}
        self._call: Iterator[AnswerResponse] = stub.Answer(iter(self._asking.get, None))
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            for message in self._call:
                self._put(message)
        except grpc.RpcError as err:
            self._put(_broken(err))
        else:
            self._put(BrokenError(Verdict.CRASH, ENDED))

    def _put(self, item: AnswerResponse | BrokenError) -> None:
        while not self._closed.is_set():
            try:
                self._come.put(item, timeout=PAUSE)
            except Full:
                continue
            return

    def send(self, request: Record) -> None:
        """Ask a question."""
        self._ops[number_of(request)] = str(request.get("op"))
        self._asking.put(question(request))

    def receive(self, deadline: float) -> Record:
        """The next answer."""
        try:
            found = self._come.get(timeout=max(0.001, deadline - monotonic()))
        except Empty:
            raise BrokenError(Verdict.HANG, "no answer in time") from None
        if isinstance(found, BrokenError):
            raise found
        return answer_of(found, self._ops.get(found.id, ""))

    def finish(self, seconds: float) -> list[Record]:
        """Ask nothing more; the answers that still come."""
        self._asking.put(None)
        found: list[Record] = []
        until = monotonic() + seconds
        try:
            while len(found) < WAITING:
                found.append(self.receive(until))
        except BrokenError:
            return found
        return found

    def said(self) -> str:
        """A service complains nowhere that can be seen from here."""
        return ""

    def interrupt(self) -> None:
        """Hang up, from another thread."""
        self._channel.close()

    def close(self) -> None:
        """Hang up."""
        self._closed.set()
        self._asking.put(None)
        self._channel.close()
        self._reader.join(1)


def _broken(err: grpc.RpcError) -> BrokenError:
    code, details = err.code(), err.details() or ""
    fault = Verdict.CRASH
    if code in PROTOCOL_CODES or details.startswith(UNREADABLE):
        fault = Verdict.PROTOCOL
    return BrokenError(fault, f"the stream failed with {code.name}: {details}".rstrip(": "))


class ServiceTarget(Pipelined):
    """A service that answers `euchre.conformance.v1`."""

    def __init__(
        self,
        address: str,
        *,
        case_seconds: float = CASE_SECONDS,
        hello_seconds: float = HELLO_SECONDS,
    ) -> None:
        super().__init__(f"grpc:{address}", case_seconds=case_seconds)
        self.hello_seconds = hello_seconds
        self._address = address.removeprefix("//").rstrip("/")
        host, _, port = self._address.rpartition(":")
        if not address.startswith("//") or not host or not (port.isascii() and port.isdigit()):
            raise UsageError(f"{self.name}: not an address: write grpc://HOST:PORT")
        self._known = False

    def _open(self, greeting: Record) -> tuple[Talk, Hello]:
        """Connect and let the service introduce itself; one that was there before is waited for."""
        channel = grpc.insecure_channel(self._address, options=OPTIONS)
        try:
            stub = ConformanceTargetServiceStub(channel)
            message = stub.Hello(
                introduction(greeting), timeout=self.hello_seconds, wait_for_ready=self._known
            )
            hello = hello_from(claims_of(message), self.name)
        except grpc.RpcError as err:
            channel.close()
            raise TargetStartError(f"{self.name}: {_no_hello(err)}") from err
        except BaseException:
            channel.close()
            raise
        self._known = True
        return _Stream(channel, stub), hello


def _no_hello(err: grpc.RpcError) -> str:
    match err.code():
        case grpc.StatusCode.UNAVAILABLE:
            return "no service answers there: start it, or give its address"
        case grpc.StatusCode.UNIMPLEMENTED:
            return "offers no euchre.conformance.v1.ConformanceTargetService"
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return "did not answer hello: no answer in time"
        case code:
            return f"did not answer hello: {code.name}: {err.details()}"
