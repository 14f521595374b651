"""One connection to the referee: requests out, items in."""

import queue
from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

import grpc

from euchre_bot.errors import RefereeLostError, UsageError
from euchre_bot.options import Options
from euchre_bot.pb.euchre.referee.v1 import play_pb2

_METHOD: Final = "/euchre.referee.v1.PlayService/Play"
_CHANNEL: Final = (
    # Without its own pool a new channel would inherit the waiting time of a broken one.
    ("grpc.use_local_subchannel_pool", 1),
    # A dead network is noticed also while the others think.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # without it the one above waits a minute
    ("grpc.http2.max_pings_without_data", 0),
)

_HOPELESS: Final = {
    grpc.StatusCode.UNAUTHENTICATED: "the referee does not know this token: ask for a new one",
    grpc.StatusCode.PERMISSION_DENIED: "this token is for another seat",
    grpc.StatusCode.FAILED_PRECONDITION: "the referee does not accept our Hello",
    grpc.StatusCode.INVALID_ARGUMENT: "the referee does not understand our Hello",
    grpc.StatusCode.UNIMPLEMENTED: "there is no Euchre referee at this address",
}


def channel_to(
    referee: str, ca: bytes | None, identity: tuple[bytes, bytes] | None
) -> grpc.Channel:
    """A connection; over TLS where an authority is given, with our key and certificate if any."""
    if ca is None:
        return grpc.insecure_channel(referee, _CHANNEL)
    credentials = grpc.ssl_channel_credentials(ca, *(identity or ()))
    return grpc.secure_channel(referee, credentials, _CHANNEL)


class PlayStream:
    """An open `Play` stream; leaving the `with` block ends it."""

    __slots__ = ("_channel", "_items", "_outbox")

    def __init__(self, options: Options) -> None:
        self._outbox: queue.SimpleQueue[play_pb2.PlayRequest | None] = queue.SimpleQueue()
        self._channel = channel_to(options.referee, options.ca, options.identity)
        call = self._channel.stream_stream(
            _METHOD,
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )
        self._items = call(iter(self._outbox.get, None))

    def send(self, request: play_pb2.PlayRequest) -> None:
        """Queue a request; it leaves at once."""
        self._outbox.put(request)

    def __iter__(self) -> Iterator[play_pb2.PlayResponse]:
        yield from self._items

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._outbox.put(None)
        self._channel.close()


def fault_of(err: grpc.RpcError) -> str:
    """Why the stream broke; where trying again is hopeless, a BotError."""
    code = err.code()
    details = err.details() or "no details"
    hopeless = _HOPELESS.get(code)
    if hopeless is None:
        return f"{code.name}: {details}"
    kind = UsageError if code is grpc.StatusCode.UNAUTHENTICATED else RefereeLostError
    raise kind(f"{hopeless} ({details})") from err
