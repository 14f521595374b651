"""The tokens of seats and watchers, as calls bring them."""

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


def holder(referee: Referee, token: str, *, reading: bool = False) -> Pass:
    """What a token is good for; UNAUTHENTICATED where it is none of ours, or not any more.

    For `reading` the transcript a token is good for longer than for anything else.
    """
    found = referee.pass_of(token) if token else None
    if found is None:
        raise refusal(
            code_pb2.UNAUTHENTICATED,
            "BAD_TOKEN",
            "no such token (use the one that CreateMatch returned for the seat)",
        )
    if found.ended and not reading:
        raise refusal(
            code_pb2.UNAUTHENTICATED,
            "TOKEN_ENDED",
            "the match of this token is over (GetTranscript reads its record for a day)",
        )
    return found
