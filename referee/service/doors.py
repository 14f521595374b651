"""The door of every rpc: whose it is, and how much of the server may pass through it at once."""

import ipaddress
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from enum import Enum
from typing import Final
from urllib.parse import unquote

from google.rpc import code_pb2

from referee.host.clock import Clock
from referee.host.passes import digest
from referee.host.trail import Operator
from referee.service.auth import bearer
from referee.service.operators import NOBODY_IN_PARTICULAR, Operators
from referee.service.quotas import Quotas, Turnstiles
from referee.service.status import Context, refusal

LONGEST_NAME: Final = 64
NETWORK_BITS: Final = 64
"""Whoever has one IPv6 address has its whole network."""


class Door(Enum):
    """Who comes in: by an operator's token, by a seat's or watcher's, or anybody.

    The tokens of `HELLO` stand in the messages; those of the others in the metadata.
    """

    OPERATOR = "operator"
    TOKEN = "token"  # noqa: S105 -- a kind of door
    HELLO = "hello"
    OPEN = "open"


DOORS: Final[Mapping[str, Door]] = {
    "MatchService/CreateMatch": Door.OPERATOR,
    "MatchService/GetMatch": Door.TOKEN,
    "MatchService/ListMatches": Door.OPERATOR,
    "MatchService/AbortMatch": Door.OPERATOR,
    "MatchService/GetTranscript": Door.TOKEN,
    "PlayService/Play": Door.HELLO,
    "PlayService/Act": Door.TOKEN,
    "PlayService/GetView": Door.TOKEN,
    "PlayService/Watch": Door.TOKEN,
    "LobbyService/JoinMatch": Door.OPEN,
    "LobbyService/ListOpenSeats": Door.OPEN,
    "AdjudicationService/ListRuleSets": Door.OPEN,
    "AdjudicationService/GetRuleSet": Door.OPEN,
    "AdjudicationService/LegalActions": Door.OPEN,
    "AdjudicationService/Adjudicate": Door.OPEN,
    "AdjudicationService/ReplayDeals": Door.OPEN,
    "AdjudicationService/JudgeRecord": Door.OPEN,
    "DealService/VerifyDeal": Door.OPEN,
    "DealService/VerifyTranscript": Door.OPEN,
    "StatusService/GetStatus": Door.OPERATOR,
    "StatusService/ListDeeds": Door.OPERATOR,
}
"""An rpc that is not here has no door: the server does not start with it."""


def place_of(context: Context) -> str:
    """Where a call comes from."""
    return place(str(context.peer()))


def place(peer: str) -> str:
    """An address without its port, a network of IPv6, or `unix`, of what the library calls a peer.

    >>> place("ipv4:192.0.2.7:52011")
    '192.0.2.7'
    """
    kind, _, address = unquote(peer).partition(":")
    if kind not in {"ipv4", "ipv6"}:
        return kind
    try:
        found = ipaddress.ip_address(address.rpartition(":")[0].strip("[]").partition("%")[0])
    except ValueError:
        return kind
    if isinstance(found, ipaddress.IPv6Address) and not found.is_loopback:
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, NETWORK_BITS), strict=False))
    return str(found)


def certificate_name(context: Context) -> str:
    """The common name in the client's certificate; empty where it has given none.

    What the journal does not write as it stands is a question mark.
    """
    names = (context.auth_context() or {}).get("x509_common_name") or ()
    name = next((name.decode("utf-8", "replace") for name in names), "")[:LONGEST_NAME]
    return "".join(ch if " " <= ch <= "~" and ch not in '"\\' else "?" for ch in name)


class Porter:
    """Who stands at all doors: operators by their tokens, and quotas."""

    def __init__(self, operators: Operators, quotas: Quotas, clock: Clock) -> None:
        self.turnstiles = Turnstiles(quotas, clock)
        self._operators = operators

    def operator(self, context: Context) -> Operator:
        """The operator who calls; UNAUTHENTICATED where it is none."""
        name: str | None = NOBODY_IN_PARTICULAR
        if self._operators:
            name = self._operators.name_of(bearer(context))
        if name is None:
            raise refusal(
                code_pb2.UNAUTHENTICATED,
                "OPERATOR_ONLY",
                "the operator's token is needed (send it as authorization: Bearer TOKEN)",
            )
        return Operator(name, place_of(context), certificate_name(context))

    @contextmanager
    def through(self, door: Door, context: Context, *, streams: bool) -> Iterator[None]:
        """Let a call in, or refuse it, and count it as long as it lasts."""
        counted: tuple[str, str | bytes, str]
        match door:
            case Door.OPERATOR:
                name = self.operator(context).name
                counted = ("calls_per_operator", name, f"operator {name}")
            case Door.TOKEN:
                quota = "streams_per_token" if streams else "calls_per_token"
                counted = (quota, digest(bearer(context)), "token")
            case Door.OPEN:
                place = place_of(context)
                counted = ("calls_per_peer", place, f"address {place}")
            case Door.HELLO:
                yield
                return
        with self.turnstiles.inside(*counted):
            yield

    @contextmanager
    def streaming(self, tokens: Iterable[str]) -> Iterator[None]:
        """Let a stream of seats in where not too many others of a token are still there.

        The newest holds the seat. The others are those whose reader does not take what it was told:
        each costs memory until it is ended.
        """
        inside, name = self.turnstiles.inside, "streams_per_token"
        with ExitStack() as counted:
            for token in tokens:
                counted.enter_context(inside(name, digest(token), "token", free=1))
            yield
