"""The one client of the service inside the package: what an operator or a player asks."""

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import grpc
from google.protobuf.message import Message

from referee.errors import RefereeError
from referee.journal.store import Deed
from referee.pb.euchre.referee.v1 import (
    lobby_pb2,
    lobby_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    status_pb2,
    status_pb2_grpc,
)
from referee.sealing.packs import SEATS
from referee.service import convert
from referee.service.addresses import is_loopback
from referee.service.figures import Figures, figures_of

PATIENCE_S: Final = 10.0
TRIES: Final = 3
PAUSE_S: Final = 0.5
DETAILS: Final = "grpc-status-details-bin"
LARGEST_PAGE: Final = 500
T = TypeVar("T")
Metadata = tuple[tuple[str, str], ...]


class ServiceError(RefereeError):
    """The referee could not be asked, or refused; `answered` where it said no for good."""

    def __init__(self, text: str, *, answered: bool = False) -> None:
        super().__init__(text)
        self.answered = answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """How to reach a referee: whose certificate to trust, and one of our own, as PEM files.

    Another machine is reached over TLS, unless `insecure` lets tokens travel in plain text.
    """

    ca: Path | None = None
    cert: Path | None = None
    cert_key: Path | None = None
    insecure: bool = False

    def plain(self, address: str) -> bool:
        """Whether an address is reached in plain text."""
        return self.insecure or (is_loopback(address) and not self._files)

    @property
    def _files(self) -> list[Path]:
        return [file for file in (self.ca, self.cert, self.cert_key) if file is not None]

    def channel(self, address: str) -> grpc.aio.Channel:
        """A connection to an address; ServiceError where a file is not what it should be."""
        if self.plain(address):
            if self._files:
                raise ServiceError("certificates and plain text do not go together (choose one)")
            return grpc.aio.insecure_channel(address)
        ca = None if self.ca is None else _pem(self.ca)
        if self.cert is None and self.cert_key is None:
            return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(ca))
        if self.cert is None or self.cert_key is None:
            raise ServiceError("a certificate goes with its key (give --cert and --cert-key)")
        try:
            key, cert = self.cert_key.read_bytes(), self.cert.read_bytes()
            ssl.create_default_context().load_cert_chain(self.cert, self.cert_key)
        except ssl.SSLError as err:
            raise ServiceError(
                f"{str(self.cert)!r} and {str(self.cert_key)!r} are not a certificate and its key"
                " (PEM, without a passphrase)"
            ) from err
        except OSError as err:
            raise ServiceError(f"cannot read {err.filename!r}: {err.strerror}") from err
        return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(ca, key, cert))


PLAIN: Final = Wire()


def _pem(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        ssl.create_default_context(cafile=path)
    except ssl.SSLError as err:
        raise ServiceError(f"{str(path)!r} is not a certificate (PEM)") from err
    except OSError as err:
        raise ServiceError(f"cannot read {str(path)!r}: {err.strerror}") from err
    return content


@dataclass(frozen=True, slots=True)
class Invited:
    """A seat that is open to whoever has the code, until a time in milliseconds since 1970."""

    seat: str
    code: str = field(repr=False)
    ends_at: int


@dataclass(frozen=True, slots=True)
class CreatedMatch:
    """A match and its tokens: north, east, south, west, watching; empty for a seat that is open."""

    match: str
    tokens: tuple[str, ...] = field(repr=False)
    referee_key: str
    invited: tuple[Invited, ...] = ()


@dataclass(frozen=True, slots=True)
class JoinedSeat:
    """A seat that an invitation gave, and its token."""

    match: str
    seat: str
    token: str = field(repr=False)
    referee_key: str


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """A match in a few words, as an operator or the lobby sees it."""

    match: str
    state: str
    rule_set: str
    names: tuple[str, ...]
    games: tuple[int, int]
    score: tuple[int, int]
    deal: int
    outcome: str
    winner: str
    invited: tuple[Invited, ...] = ()


class Client:
    """An operator's or a player's connection to a referee."""

    def __init__(self, address: str, *, wire: Wire = PLAIN, operator_token: str = "") -> None:
        if not (operator_token.isascii() and operator_token.isprintable()):
            raise ServiceError("the operator's token is not printable ASCII (set it again)")
        self._address = address
        self._wire = wire
        self._metadata: Metadata = ()
        if operator_token:
            self._metadata = (("authorization", f"Bearer {operator_token}"),)

    async def create(
        self,
        *,
        rule_set: str,
        knobs: Mapping[str, str],
        policy: Mapping[str, int],
        open_seats: Sequence[str] = (),
        public: bool = False,
    ) -> CreatedMatch:
        """Make a match; ServiceError says what the referee said."""
        request = match_pb2.CreateMatchRequest(
            request_id=secrets.token_bytes(16),
            rule_set=rule_set,
            rules=knobs,
            open_seats=[convert.seat_value(SEATS.index(seat)) for seat in open_seats],
            public=public,
        )
        for name, value in policy.items():
            setattr(request.policy, name, value)
        made = await self.ask(lambda channel: _matches(channel).CreateMatch, request)
        tokens = (*made.seat_tokens, made.watch_token)
        return CreatedMatch(made.match.match, tokens, made.referee_key, _invited(made.invitations))

    async def matches(self, state: str = "") -> AsyncIterator[KnownMatch]:
        """Every match in a state, or all, newest first."""
        request = match_pb2.ListMatchesRequest(page_size=LARGEST_PAGE, state=state)
        while True:
            page = await self.ask(lambda channel: _matches(channel).ListMatches, request)
            for found in page.matches:
                yield _known(found)
            request.page_token = page.next_page_token
            if not page.next_page_token:
                return

    async def abort(self, match: str) -> KnownMatch:
        """End a match: nobody wins."""
        request = match_pb2.AbortMatchRequest(match=match)
        ended = await self.ask(lambda channel: _matches(channel).AbortMatch, request)
        return _known(ended.match)

    async def lobby(self) -> list[KnownMatch]:
        """The matches that wait for players and are shown to everybody, newest first."""
        request = lobby_pb2.ListOpenSeatsRequest(page_size=LARGEST_PAGE)
        found = await self.ask(lambda channel: _lobby(channel).ListOpenSeats, request)
        return [_known(each.match, _invited(each.invitations)) for each in found.matches]

    async def join(self, code: str, request_id: bytes) -> JoinedSeat:
        """Take up an invitation; the same request, of 16 bytes, gets the same seat again."""
        request = lobby_pb2.JoinMatchRequest(code=code, request_id=request_id)
        given = await self.ask(lambda channel: _lobby(channel).JoinMatch, request)
        seat = convert.seat_number(given.seat)
        if seat is None:
            raise ServiceError(f"the referee at {self._address!r} gave no seat (ask its operator)")
        return JoinedSeat(given.match.match, SEATS[seat], given.token, given.referee_key)

    async def status(self) -> Figures:
        """How the referee is doing now."""
        request = status_pb2.GetStatusRequest()
        return figures_of(await self.ask(lambda channel: _status(channel).GetStatus, request))

    async def deeds(self) -> AsyncIterator[Deed]:
        """What operators did, newest first."""
        request = status_pb2.ListDeedsRequest(page_size=LARGEST_PAGE)
        while True:
            page = await self.ask(lambda channel: _status(channel).ListDeeds, request)
            for deed in page.deeds:
                match = bytes.fromhex(deed.match) if deed.match else None
                yield Deed(
                    at_ms=deed.at, who=deed.who, what=deed.what, match=match, detail=deed.detail
                )
            request.page_token = page.next_page_token
            if not page.next_page_token:
                return

    async def ask(
        self,
        rpc: "Callable[[grpc.aio.Channel], Callable[..., Awaitable[T]]]",
        request: Message,
    ) -> T:
        """Ask one unary rpc on a connection of its own; a lost answer is asked for again.

        Every request may be sent twice: it is one that reads, or has a request_id, or ends what
        can end only once.
        """
        async with self._wire.channel(self._address) as channel:
            for left in reversed(range(TRIES)):
                try:
                    return await rpc(channel)(request, timeout=PATIENCE_S, metadata=self._metadata)
                except grpc.aio.AioRpcError as err:
                    if not (left and _may_be_lost(err)):
                        raise ServiceError(self._explain(err), answered=_said_no(err)) from err
                    await asyncio.sleep(PAUSE_S)
            raise AssertionError("the last try returns or raises")

    def _explain(self, err: grpc.aio.AioRpcError) -> str:
        if err.code() is grpc.StatusCode.UNAUTHENTICATED:
            return (
                f"the referee at {self._address!r} asks for an operator's token"
                " (give --operator-token-file, or set EUCHRE_OPERATOR_TOKEN)"
            )
        if err.code() is not grpc.StatusCode.UNAVAILABLE or _answered(err):
            return f"the referee at {self._address!r} says: {err.details()}"
        if not self._wire.plain(self._address):
            return (
                f"no referee answers at {self._address!r}, or it and this command do not trust one"
                " another (start one: euchre-referee serve; or check --ca, and --cert with"
                " --cert-key)"
            )
        return f"no referee answers at {self._address!r} (start one: euchre-referee serve)"


def _answered(err: grpc.aio.AioRpcError) -> bool:
    """Whether a referee said no itself: then the status has details."""
    return any(name == DETAILS for name, _ in err.trailing_metadata() or ())


def _said_no(err: grpc.aio.AioRpcError) -> bool:
    """Whether a referee said no, and would again."""
    later = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED}
    return _answered(err) and err.code() not in later


def _may_be_lost(err: grpc.aio.AioRpcError) -> bool:
    """Whether the answer may have been lost, or is worth asking for again."""
    reached = "failed to connect" not in (err.details() or "").lower()
    return err.code() is grpc.StatusCode.UNAVAILABLE and reached


def _matches(channel: grpc.aio.Channel) -> match_pb2_grpc.MatchServiceStub:
    return match_pb2_grpc.MatchServiceStub(channel)


def _lobby(channel: grpc.aio.Channel) -> lobby_pb2_grpc.LobbyServiceStub:
    return lobby_pb2_grpc.LobbyServiceStub(channel)


def _status(channel: grpc.aio.Channel) -> status_pb2_grpc.StatusServiceStub:
    return status_pb2_grpc.StatusServiceStub(channel)


def _invited(messages: Iterable[match_pb2.Invitation]) -> tuple[Invited, ...]:
    return tuple(
        Invited(SEATS[seat], each.code, each.ends_at)
        for each in messages
        if (seat := convert.seat_number(each.seat)) is not None
    )


def _known(message: match_pb2.Match, invited: tuple[Invited, ...] = ()) -> KnownMatch:
    return KnownMatch(
        match=message.match,
        state=message.state,
        rule_set=message.rule_set,
        names=tuple(message.names),
        games=(message.games.ns, message.games.ew),
        score=(message.score.ns, message.score.ew),
        deal=message.deal,
        outcome=message.outcome,
        winner=message.winner,
        invited=invited,
    )
