"""Refusals as gRPC statuses: a code, a sentence, and details that a program can read.

An illegal action is a ruling and never comes here; these are for misuse of the protocol.
"""

import asyncio
import logging
import secrets
from collections.abc import Mapping
from typing import Final, NoReturn, TypeAlias

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from referee.errors import InternalError, RefereeError
from referee.host.items import Misused, Wrong
from referee.host.making import TooManyMatchesError
from referee.host.matches import BoardOpenError
from referee.host.referee import UnknownMatchError
from referee.journal.store import StoreError
from referee.records import TableRulesError, UnreadableRecordError
from referee.rules import RuleSetError
from referee.sealing.errors import KeyFormError, UnsoundKeyError
from referee.service import convert
from referee.table.policy import PolicyError

log = logging.getLogger(__name__)
Context: TypeAlias = "grpc.aio.ServicerContext[Message, Message]"

DOMAIN: Final = "euchre.referee.v1"
RETRY_MS: Final = 1_000
_QUOTAS: Final = {
    "streams_per_token": "open streams of one token",
    "calls_per_token": "calls of one token at once",
    "calls_per_operator": "calls of one operator at once",
    "calls_per_peer": "calls at once from one address to what is open to all",
    "creates_per_minute": "matches that one operator makes in a minute",
    "guesses_per_minute": "wrong invitation codes in a minute from one address",
    "matches_per_operator": "open matches of one operator",
}

_CODES: Final[Mapping[Wrong, int]] = {
    "MALFORMED": code_pb2.INVALID_ARGUMENT,
    "UNSIGNED": code_pb2.INVALID_ARGUMENT,
    "STALE": code_pb2.ABORTED,
    "NOT_NOW": code_pb2.FAILED_PRECONDITION,
    "CONFLICT": code_pb2.FAILED_PRECONDITION,
    "CLOSED": code_pb2.FAILED_PRECONDITION,
    "FULL": code_pb2.RESOURCE_EXHAUSTED,
    "NOT_RECORDED": code_pb2.UNAVAILABLE,
    "DRAINING": code_pb2.UNAVAILABLE,
}


_FIELDS: Final[Mapping[type[RefereeError], str]] = {
    PolicyError: "policy",
    RuleSetError: "rules",
    TableRulesError: "table_rules",
    UnreadableRecordError: "record",
    KeyFormError: "referee_key",
    UnsoundKeyError: "key",
}
"""The field of a request that an error of the layers below speaks of."""


class RefusedError(RefereeError):
    """A call that cannot be answered; it becomes the status of the rpc, or of one item."""

    def __init__(self, status: status_pb2.Status) -> None:
        super().__init__(status.message)
        self.status = status


def refusal(code: int, reason: str, text: str, *details: Message) -> RefusedError:
    """A status with its ErrorInfo and further details."""
    status = status_pb2.Status(code=code, message=text)
    for detail in (error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN), *details):
        packed = AnyMessage()
        packed.Pack(detail)
        status.details.append(packed)
    return RefusedError(status)


def bad_field(field: str, text: str) -> RefusedError:
    """INVALID_ARGUMENT for one field of the request."""
    detail = _bad_request(field, text)
    return refusal(code_pb2.INVALID_ARGUMENT, "MALFORMED", f"{field}: {text}", detail)


def _bad_request(field: str, text: str) -> error_details_pb2.BadRequest:
    violation = error_details_pb2.BadRequest.FieldViolation(field=field, description=text)
    return error_details_pb2.BadRequest(field_violations=[violation])


def retry(code: int, reason: str, text: str) -> RefusedError:
    """A status that asks to try again."""
    delay = Duration(nanos=RETRY_MS * 1_000_000)
    delay.FromMilliseconds(RETRY_MS)
    return refusal(code, reason, text, error_details_pb2.RetryInfo(retry_delay=delay))


def exhausted(name: str, most: int, who: str, *, retry_ms: int = RETRY_MS) -> RefusedError:
    """The status of what a quota forbids; the details say which it is and when to try again."""
    text = f"at most {most} {_QUOTAS[name]} (try again in {-(-retry_ms // 1_000)} s)"
    violation = error_details_pb2.QuotaFailure.Violation(
        subject=who, description=text, quota_id=name, quota_value=most
    )
    delay = Duration()
    delay.FromMilliseconds(retry_ms)
    return refusal(
        code_pb2.RESOURCE_EXHAUSTED,
        "QUOTA",
        text,
        error_details_pb2.RetryInfo(retry_delay=delay),
        error_details_pb2.QuotaFailure(violations=[violation]),
    )


def draining() -> RefusedError:
    """The status of whatever ends because the referee is stopping."""
    text = "the referee is stopping (try again when it is back)"
    return retry(code_pb2.UNAVAILABLE, "DRAINING", text)


def misuse(answer: Misused) -> status_pb2.Status:
    """The status of an input that has no place in the course of the match."""
    code = _CODES[answer.wrong]
    if code in {code_pb2.UNAVAILABLE, code_pb2.RESOURCE_EXHAUSTED}:
        return retry(code, answer.wrong, answer.text).status
    details: list[Message] = []
    if answer.view is not None:
        details.append(convert.view_message(answer.view))
    if code == code_pb2.INVALID_ARGUMENT:
        field = "act.action" if answer.wrong == "MALFORMED" else "input"
        details.append(_bad_request(field, answer.text))
    return refusal(code, answer.wrong, answer.text, *details).status


def explained(err: RefereeError) -> RefusedError:
    """The status for an error of the layers below."""
    if isinstance(err, RefusedError):
        return err
    if isinstance(err, UnknownMatchError):
        return refusal(code_pb2.NOT_FOUND, "UNKNOWN_MATCH", str(err))
    if isinstance(err, BoardOpenError):
        return refusal(code_pb2.FAILED_PRECONDITION, "BOARD_OPEN", str(err))
    if isinstance(err, StoreError):
        return retry(code_pb2.UNAVAILABLE, "NOT_RECORDED", "the match could not be recorded")
    if isinstance(err, TooManyMatchesError) and err.quota:
        return exhausted(err.quota, err.most, f"operator {err.who}")
    if isinstance(err, TooManyMatchesError):
        return retry(code_pb2.RESOURCE_EXHAUSTED, "TOO_MANY_MATCHES", str(err))
    field = next((name for kind, name in _FIELDS.items() if isinstance(err, kind)), "request")
    reason = type(err).__name__.removesuffix("Error")
    text = str(err)
    return refusal(code_pb2.INVALID_ARGUMENT, reason, text, _bad_request(field, text))


def code_of(err: Exception) -> str:
    """The name of the status code that an error ends an rpc with."""
    if not isinstance(err, RefereeError):
        return "INTERNAL"
    name: str = code_pb2.Code.Name(explained(err).status.code)
    return name


async def end(context: Context, err: Exception, rpc: str = "") -> NoReturn:
    """End the rpc with the status for an error; our own bugs get an id and go to the log."""
    if isinstance(err, RefereeError):
        status, text = explained(err).status, str(err)
    else:
        number = secrets.token_hex(4)
        log.error("internal_error id=%s rpc=%s peer=%s", number, rpc, context.peer(), exc_info=err)
        text = f"the referee's own error {number} (report it with this number)"
        status = refusal(code_pb2.INTERNAL, "INTERNAL", text).status
    try:
        await context.abort_with_status(rpc_status.to_status(status))
    except grpc.aio.InternalError:
        raise asyncio.CancelledError("the line was cut") from None
    raise InternalError(text)
