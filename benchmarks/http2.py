"""A client of HTTP/2 that knows nothing of gRPC's manners, to do what no client of gRPC does.

It reads only where it is told to, resets streams at once, and says what it likes in any order.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Self

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    PingReceived,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import ProtocolError
from h2.settings import Settings

PIECE: Final = 1 << 16
CANCEL: Final = 8
Fields = Iterable[tuple[str, str]]


@dataclass
class Answer:
    """What came back on one stream."""

    headers: dict[str, str] = field(default_factory=dict)
    data: bytearray = field(default_factory=bytearray)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    reset: int | None = None

    @property
    def status(self) -> int | None:
        """The status of the call, once it has one."""
        given = self.headers.get("grpc-status")
        return None if given is None else int(given)

    def messages(self) -> list[bytes]:
        """The whole messages so far."""
        found, at = [], 0
        while len(self.data) >= at + 5:
            size = int.from_bytes(self.data[at + 1 : at + 5], "big")
            if len(self.data) < at + 5 + size:
                break
            found.append(bytes(self.data[at + 5 : at + 5 + size]))
            at += 5 + size
        return found


def framed(message: bytes, *, packed: bool = False) -> bytes:
    """A message as gRPC puts it on a stream."""
    return bytes([packed]) + len(message).to_bytes(4, "big") + message


class Http2:
    """One connection. `reads` says whether what comes is acknowledged, so that more may come."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.answers: dict[int, Answer] = {}
        self.told: dict[int, int] = {}
        self.goaway: tuple[int, bytes] | None = None
        self.pings = 0
        self.over = asyncio.Event()
        self.reads = True
        self._reader = reader
        self._writer = writer
        self._held: list[tuple[int, int]] = []
        self._room = asyncio.Event()
        self._h2 = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        self._h2.initiate_connection()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def connect(cls, address: str) -> Self:
        """Connect, and learn the server's settings."""
        host, _, port = address.rpartition(":")
        client = cls(*await asyncio.open_connection(host, int(port)))
        await client.flush()
        while not client.told and not client.over.is_set():
            await client.moved()
        return client

    @property
    def settings(self) -> Settings:
        """What the server has told of its limits."""
        return self._h2.remote_settings

    async def flush(self) -> None:
        """Send what waits to be sent."""
        if data := self._h2.data_to_send():
            self._writer.write(data)
            with contextlib.suppress(ConnectionError):
                await self._writer.drain()

    async def moved(self) -> None:
        """Wait until something has come."""
        self._room.clear()
        await self._room.wait()

    def call(self, path: str, *, timeout: str = "20S", fields: Fields = ()) -> int:
        """Open a call; its stream. Nothing is sent before `flush`."""
        stream = self._h2.get_next_available_stream_id()
        head = [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", path),
            (":authority", "localhost"),
            ("te", "trailers"),
            ("content-type", "application/grpc"),
        ]
        if timeout:
            head.append(("grpc-timeout", timeout))
        self._h2.send_headers(stream, [*head, *fields])
        self.answers[stream] = Answer()
        return stream

    async def send(self, stream: int, data: bytes, *, end: bool = False) -> None:
        """Send bytes of a call as the server has room for them."""
        at = 0
        while at < len(data) and not self.answers[stream].ended.is_set():
            window = self._h2.local_flow_control_window(stream)
            size = min(len(data) - at, window, self._h2.max_outbound_frame_size)
            if not size:
                await self.flush()
                await self.moved()
                continue
            self._h2.send_data(stream, data[at : at + size])
            at += size
        if end and not self.answers[stream].ended.is_set():
            self._h2.end_stream(stream)
        await self.flush()

    def reset(self, stream: int) -> None:
        """Take a call back."""
        self._h2.reset_stream(stream, CANCEL)
        del self.answers[stream]

    def ping(self) -> None:
        """Ask whether the server is there."""
        self._h2.ping(bytes(8))

    def deafen(self) -> None:
        """Hear nothing any more, as a machine whose plug was pulled: pings stay unanswered."""
        self._listening.cancel()

    async def answer(self, stream: int) -> Answer:
        """The answer of a call, once it is whole."""
        await self.answers[stream].ended.wait()
        return self.answers[stream]

    async def read_on(self) -> None:
        """Acknowledge what was held back, and all that comes from now on."""
        self.reads = True
        for stream, size in self._held:
            with contextlib.suppress(ProtocolError):
                self._h2.acknowledge_received_data(size, stream)
        self._held = []
        await self.flush()

    async def close(self) -> None:
        """Let go of the connection."""
        self._listening.cancel()
        self._writer.transport.abort()
        await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self) -> None:
        try:
            while data := await self._reader.read(PIECE):
                for event in self._h2.receive_data(data):
                    self._take(event)
                await self.flush()
                self._room.set()
        except (OSError, ProtocolError):
            pass
        self.over.set()
        for answer in self.answers.values():
            answer.ended.set()
        self._room.set()

    def _take(self, event: Event) -> None:
        match event:
            case RemoteSettingsChanged():
                self.told = {int(k): int(v.new_value) for k, v in event.changed_settings.items()}
            case ConnectionTerminated():
                self.goaway = (int(event.error_code or 0), bytes(event.additional_data or b""))
            case PingReceived():
                self.pings += 1
            case _ if (stream := getattr(event, "stream_id", None)) in self.answers:
                self._take_answer(event, self.answers[stream], stream)

    def _take_answer(self, event: Event, answer: Answer, stream: int) -> None:
        match event:
            case ResponseReceived() | TrailersReceived():
                answer.headers |= {str(k): str(v) for k, v in event.headers or ()}
            case DataReceived():
                answer.data += event.data or b""
                self._held.append((stream, event.flow_controlled_length or 0))
                if self.reads:
                    for held, size in self._held:
                        self._h2.acknowledge_received_data(size, held)
                    self._held = []
            case StreamReset():
                answer.reset = int(event.error_code or 0)
                answer.ended.set()
            case StreamEnded():
                answer.ended.set()
