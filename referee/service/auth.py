"""Who may come in: tokens in metadata, the operator's token, and loopback."""

import hmac
from collections.abc import Iterable
from typing import Final

from google.rpc import code_pb2

from referee.host.passes import Pass
from referee.host.referee import Referee
from referee.service.status import Context, refusal

BEARER: Final = "Bearer "


def bearer(context: Context) -> str:
    """The token in the metadata `authorization`; empty where there is none."""
    metadata: Iterable[tuple[str, str | bytes]] = context.invocation_metadata() or ()
    for name, value in metadata:
        if name == "authorization" and isinstance(value, str) and value.startswith(BEARER):
            return value.removeprefix(BEARER)
    return ""


def holder(referee: Referee, token: str) -> Pass:
    """What a token is good for; UNAUTHENTICATED where it is none of ours."""
    found = referee.pass_of(token) if token else None
    if found is None:
        raise refusal(
            code_pb2.UNAUTHENTICATED,
            "BAD_TOKEN",
            "no such token (use the one that CreateMatch returned for the seat)",
        )
    return found


def check_operator(context: Context, operator_token: str) -> None:
    """Refuse whoever is not the operator, where the server has an operator's token."""
    given = bearer(context).encode("utf-8", "replace")
    if operator_token and not hmac.compare_digest(given, operator_token.encode()):
        raise refusal(
            code_pb2.UNAUTHENTICATED,
            "OPERATOR_ONLY",
            "the operator's token is needed (send it as authorization: Bearer TOKEN)",
        )
