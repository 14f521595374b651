"""The one client of the service inside the package: what an operator asks."""

import secrets
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc

from referee.errors import RefereeError
from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc

PATIENCE_S: Final = 10.0


class ServiceError(RefereeError):
    """The referee could not be asked, or refused."""


@dataclass(frozen=True, slots=True)
class CreatedMatch:
    """A match and its tokens: north, east, south, west, watching."""

    match: str
    tokens: tuple[str, ...]
    referee_key: str


class Client:
    """An operator's connection to a referee."""

    def __init__(self, address: str, *, ca: Path | None = None, operator_token: str = "") -> None:
        if not (operator_token.isascii() and operator_token.isprintable()):
            raise ServiceError("the operator's token is not printable ASCII (set it again)")
        self._address = address
        self._ca = ca
        self._metadata = (("authorization", f"Bearer {operator_token}"),) if operator_token else ()

    def _channel(self) -> grpc.aio.Channel:
        if self._ca is None:
            return grpc.aio.insecure_channel(self._address)
        try:
            ca = self._ca.read_bytes()
            ssl.create_default_context(cafile=self._ca)
        except ssl.SSLError as err:
            raise ServiceError(f"{str(self._ca)!r} is not a certificate (PEM)") from err
        except OSError as err:
            raise ServiceError(f"cannot read {str(self._ca)!r}: {err.strerror}") from err
        return grpc.aio.secure_channel(self._address, grpc.ssl_channel_credentials(ca))

    async def create(
        self, *, rule_set: str, knobs: Mapping[str, str], policy: Mapping[str, int]
    ) -> CreatedMatch:
        """Make a match; ServiceError says what the referee said."""
        request = match_pb2.CreateMatchRequest(
            request_id=secrets.token_bytes(16),
            rule_set=rule_set,
            rules=knobs,
        )
        for name, value in policy.items():
            setattr(request.policy, name, value)
        async with self._channel() as channel:
            stub = match_pb2_grpc.MatchServiceStub(channel)
            try:
                made = await stub.CreateMatch(request, timeout=PATIENCE_S, metadata=self._metadata)
            except grpc.aio.AioRpcError as err:
                raise ServiceError(self._explain(err)) from err
        tokens = (*made.seat_tokens, made.watch_token)
        return CreatedMatch(made.match.match, tokens, made.referee_key)

    def _explain(self, err: grpc.aio.AioRpcError) -> str:
        if err.code() is grpc.StatusCode.UNAVAILABLE:
            return f"no referee answers at {self._address!r} (start one: euchre-referee serve)"
        return f"the referee at {self._address!r} says: {err.details()}"
