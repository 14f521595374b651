"""A seat taken with an invitation code: the token is kept in a file, and the bot plays with it."""

import argparse
import os
import secrets
import time
from pathlib import Path
from typing import Final

import grpc

from euchre_bot.errors import RefereeLostError, UsageError
from euchre_bot.files import LONGEST_LINE, read_file
from euchre_bot.options import authority, empty, identity_of
from euchre_bot.pb.euchre.referee.v1 import lobby_pb2
from euchre_bot.stream import channel_to
from euchre_bot.voice import TOLD_EVERY_S, no_word, say

_METHOD: Final = "/euchre.referee.v1.LobbyService/JoinMatch"
_REQUEST_ID_BYTES: Final = 16
_PATIENCE_S: Final = 10.0
_TOTAL_S: Final = 60.0
_PAUSE_S: Final = 0.5
_OURS: Final = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.FAILED_PRECONDITION,
    }
)


def take_seat(flags: argparse.Namespace) -> None:
    """Take the seat of `--invitation`, unless the token file holds its token already.

    The request is kept beside the token file until the token is there: whoever is stopped between
    the two gets the same token when the same command is started again.
    """
    if flags.invitation is None:
        return
    if not flags.invitation:
        raise UsageError(empty("--invitation"))
    if flags.token_file is None:
        raise UsageError("--invitation needs --token-file FILE: the seat's token is kept there")
    if flags.token_file.exists():
        return
    request = flags.token_file.with_name(f"{flags.token_file.name}.request")
    rid = _request_id(request)
    ca = None if flags.ca is None else authority(flags.ca)
    channel = channel_to(flags.referee, ca, identity_of(flags.ca, flags.cert, flags.cert_key))
    try:
        request_of_seat = lobby_pb2.JoinMatchRequest(code=flags.invitation, request_id=rid)
        token = _token(channel, flags.referee, request_of_seat)
    except UsageError:
        request.unlink(missing_ok=True)
        raise
    finally:
        channel.close()
    part = flags.token_file.with_name(f"{flags.token_file.name}.part")
    _write(part, token)
    part.replace(flags.token_file)
    request.unlink(missing_ok=True)


def _request_id(path: Path) -> bytes:
    """The request's id, drawn the first time."""
    if not path.exists():
        _write(path, secrets.token_hex(_REQUEST_ID_BYTES))
    try:
        rid = bytes.fromhex(read_file(path, "the request", most=LONGEST_LINE).decode("ascii"))
    except ValueError as err:
        raise UsageError(f"{str(path)!r} is no request of ours: remove it, and try again") from err
    return rid


def _write(path: Path, text: str) -> None:
    """Write a file that nobody else can read."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(f"{text}\n")
    except OSError as err:
        raise UsageError(f"cannot write {str(path)!r}: {err.strerror}") from err


def _token(channel: grpc.Channel, referee: str, request: lobby_pb2.JoinMatchRequest) -> str:
    """The seat's token; a lost answer is asked for again."""
    join = channel.unary_unary(
        _METHOD,
        request_serializer=lobby_pb2.JoinMatchRequest.SerializeToString,
        response_deserializer=lobby_pb2.JoinMatchResponse.FromString,
    )
    end = time.monotonic() + _TOTAL_S
    told: float | None = None
    while True:
        try:
            return str(join(request, timeout=_PATIENCE_S).token)
        except grpc.RpcError as err:
            if err.code() in _OURS:
                raise UsageError(f"the invitation gives no seat: {err.details()}") from err
            fault, now = f"{err.code().name}: {err.details()}", time.monotonic()
            if err.code() is not grpc.StatusCode.UNAVAILABLE or now > end:
                raise RefereeLostError(fault) from err
            if told is None or now >= told + TOLD_EVERY_S:
                say(no_word(referee, fault, end - now, still=told is not None))
                told = now
            time.sleep(_PAUSE_S)
