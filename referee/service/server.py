"""The server: services, limits, health, reflection, and how it goes down."""

import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
from google.protobuf import descriptor_pool
from grpc_health.v1 import health, health_pb2

from referee.host.clock import LoopClock
from referee.host.referee import Referee
from referee.meter import Tally
from referee.pb.euchre.referee.v1 import (
    adjudication_pb2,
    deal_pb2,
    lobby_pb2,
    match_pb2,
    play_pb2,
    status_pb2,
)
from referee.service.addresses import is_answered, is_loopback
from referee.service.adjudication import AdjudicationService
from referee.service.clerks import Clerks
from referee.service.deals import DealService
from referee.service.doors import Porter
from referee.service.guard import guarded, polite
from referee.service.handlers import add_service
from referee.service.limits import LARGEST_MESSAGE, MOST_STREAMS, OPTIONS
from referee.service.lobby import LobbyService
from referee.service.matches import MatchService
from referee.service.operating import VERSION, Standing, StatusService
from referee.service.operators import Operators
from referee.service.play import PlayService
from referee.service.pulse import Pulse
from referee.service.quotas import Quotas
from referee.service.reflecting import add_reflection
from referee.service.tls import ListenError, server_credentials

log = logging.getLogger(__name__)

LARGEST_PORT: Final = 1 << 16
MATCHES: Final = match_pb2.DESCRIPTOR.services_by_name["MatchService"]
PLAY: Final = play_pb2.DESCRIPTOR.services_by_name["PlayService"]
ADJUDICATION: Final = adjudication_pb2.DESCRIPTOR.services_by_name["AdjudicationService"]
DEALS: Final = deal_pb2.DESCRIPTOR.services_by_name["DealService"]
LOBBY: Final = lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"]
STATUS: Final = status_pb2.DESCRIPTOR.services_by_name["StatusService"]
HEALTH: Final = descriptor_pool.Default().FindServiceByName(health.SERVICE_NAME)
SERVICES: Final = tuple(
    service.full_name for service in (MATCHES, PLAY, LOBBY, ADJUDICATION, DEALS, STATUS)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Where to listen, and what keeps the wire private.

    `address` is HOST:PORT, port 0 for a free one. Certificates are PEM files; tokens travel in
    plain text only over loopback, or where `insecure` says so.
    """

    address: str = "127.0.0.1:0"
    cert: Path | None = None
    key: Path | None = None
    client_ca: Path | None = None
    insecure: bool = False
    operators: Operators = field(default_factory=Operators)
    quotas: Quotas = field(default_factory=Quotas)


def check_address(address: str) -> None:
    """The library takes a port modulo 65,536, and would listen where nobody asked it to."""
    port = address.rpartition(":")[2]
    plain = port.isascii() and port.isdigit() and len(port) <= len(str(LARGEST_PORT))
    good = plain and int(port) < LARGEST_PORT
    if not good and not address.startswith("unix:"):
        raise ListenError(
            f"not an address to listen on: {address!r} (write HOST:PORT, port 0 for a free one)"
        )


class Server:
    """A referee behind a port; what is counted goes into the tally."""

    def __init__(self, referee: Referee, listen: Listen, tally: Tally | None = None) -> None:
        tally = Tally() if tally is None else tally
        self._pulse = Pulse(tally, self._look)
        self.standing = Standing(referee, tally, self._pulse)
        self.address = ""
        self._referee = referee
        self._listen = listen
        self._unready = "starting"
        self._server = grpc.aio.server(options=OPTIONS)
        self._clerks = Clerks()
        self._health = health.aio.HealthServicer()
        self.porter = porter = Porter(listen.operators, listen.quotas, LoopClock())
        referee.making.most_of_one = listen.quotas.matches_per_operator
        for servicer, service in (
            (MatchService(referee, porter), MATCHES),
            (PlayService(referee, porter, tally), PLAY),
            (LobbyService(referee, porter), LOBBY),
            (AdjudicationService(self._clerks), ADJUDICATION),
            (DealService(self._clerks), DEALS),
            (StatusService(self.standing), STATUS),
        ):
            add_service(self._server, guarded(servicer, service, porter, tally), service)
        add_service(self._server, polite(self._health, HEALTH), HEALTH)
        add_reflection(self._server, (*SERVICES, health.SERVICE_NAME))

    @property
    def in_plain_text(self) -> bool:
        """Whether tokens travel in plain text beyond this machine."""
        return self._listen.cert is None and not is_loopback(self._listen.address)

    async def start(self) -> None:
        """Listen; `address` then holds the real port.

        Raises ListenError where the port is taken or the address is not allowed in plain text.
        """
        listen = self._listen
        check_address(listen.address)
        credentials = server_credentials(listen.cert, listen.key, listen.client_ca)
        if self.in_plain_text and not listen.insecure:
            raise ListenError(
                f"{listen.address!r} is not loopback, and tokens would travel in plain text"
                " (give --tls-cert and --tls-key, or --insecure if you know better)"
            )
        if not listen.operators and not is_loopback(listen.address):
            raise ListenError(
                f"{listen.address!r} is open to others, and anybody could make matches"
                " (give an operator's token in EUCHRE_OPERATOR_TOKEN, or --operator-token-file)"
            )
        if is_answered(listen.address):
            raise ListenError(
                f"cannot listen on {listen.address!r}: another server answers there (stop it, or"
                " name another path)"
            )
        try:
            if credentials is None:
                port = self._server.add_insecure_port(listen.address)
            else:
                port = self._server.add_secure_port(listen.address, credentials)
        except RuntimeError as err:
            raise ListenError(
                f"cannot listen on {listen.address!r}: the port is in use or the address is none"
                " of this machine (use another port, or port 0 for a free one)"
            ) from err
        await self._server.start()
        self.address = listen.address
        if not listen.address.startswith("unix:"):
            self.address = f"{listen.address.rpartition(':')[0]}:{port}"
        words = "server_started address=%s key=%s version=%s tls=%s streams=%s message_bytes=%s"
        key = self._referee.key.public.id
        limits = (MOST_STREAMS, LARGEST_MESSAGE)
        log.info(words, self.address, key, VERSION, credentials is not None, *limits)
        self.standing.listening = True
        await self._look()
        self._pulse.start()

    async def _look(self) -> None:
        """At every beat: health says what is so."""
        await self.standing.look()
        why = self.standing.unready
        if why == self._unready:
            return
        if why:
            log.warning("not_ready why=%s", why)
        else:
            log.info("ready address=%s", self.address)
        self._unready = why
        status = health_pb2.HealthCheckResponse
        for name in ("", *SERVICES):
            await self._health.set(name, status.NOT_SERVING if why else status.SERVING)

    async def stop(self, grace_s: float = 1.0) -> None:
        """Tell everybody, let streams end, and close the port; nothing recorded is lost."""
        await self._health.enter_graceful_shutdown()
        if self.address:  # what never began has nobody to tell
            self._referee.matches.drain("the referee is stopping")
        await self._server.stop(grace_s)
        await self._clerks.close()
        await self._pulse.stop()
        if self.address:
            log.info("server_stopped address=%s", self.address)

    async def wait(self) -> None:
        """Serve until stopped."""
        await self._server.wait_for_termination()
