"""LobbyService: open seats, and how a stranger's bot comes by one."""

import asyncio
from typing import Final

from google.rpc import code_pb2

from referee.host.lobby import InvitationTakenError, OpenSeats, UnknownInvitationError
from referee.host.mint import ID_SIZE, heard_code
from referee.host.referee import Referee
from referee.pb.euchre.referee.v1 import lobby_pb2, lobby_pb2_grpc, match_pb2
from referee.service import convert
from referee.service.doors import Porter, place_of
from referee.service.matches import LARGEST_PAGE, USUAL_PAGE, invitation_messages, match_message
from referee.service.status import Context, bad_field, draining, refusal

GUESSES: Final = "guesses_per_minute"


class LobbyService(lobby_pb2_grpc.LobbyServiceServicer):
    """The open seats of one referee."""

    def __init__(self, referee: Referee, porter: Porter) -> None:
        self._referee = referee
        self._turnstiles = porter.turnstiles
        self._listing = asyncio.Lock()  # however many ask, the tables wait for one list

    async def JoinMatch(  # noqa: N802 -- the rpc's name
        self, request: lobby_pb2.JoinMatchRequest, context: Context
    ) -> lobby_pb2.JoinMatchResponse:
        """Take up an invitation; whoever guesses codes is soon refused unheard."""
        if self._referee.matches.draining:
            raise draining()
        if len(request.request_id) != ID_SIZE:
            raise bad_field("request_id", f"{ID_SIZE} bytes are wanted")
        if not heard_code(request.code):
            text = "not an invitation code (three groups of four letters and digits)"
            raise bad_field("code", text)
        place = place_of(context)
        self._turnstiles.check(GUESSES, place)
        try:
            match, seat, token = await self._referee.join(request.code, request.request_id)
        except UnknownInvitationError as err:
            self._turnstiles.spend(GUESSES, place)
            raise refusal(code_pb2.NOT_FOUND, "UNKNOWN_INVITATION", str(err)) from err
        except InvitationTakenError as err:
            raise refusal(code_pb2.FAILED_PRECONDITION, "TAKEN", str(err)) from err
        return lobby_pb2.JoinMatchResponse(
            match=match_message(self._referee.summary(match.id)),
            seat=convert.seat_value(seat),
            token=token,
            referee_key=match.referee_key.text,
        )

    async def ListOpenSeats(  # noqa: N802 -- the rpc's name
        self, request: lobby_pb2.ListOpenSeatsRequest, _context: Context
    ) -> lobby_pb2.ListOpenSeatsResponse:
        """Return the matches whose operators show them to everybody."""
        size = min(request.page_size or USUAL_PAGE, LARGEST_PAGE)
        page: list[lobby_pb2.OpenMatch] = []
        async with self._listing:
            async for seats in self._referee.open_seats():
                page.append(self._open(seats))
                if len(page) == size:
                    break
        return lobby_pb2.ListOpenSeatsResponse(matches=page)

    def _open(self, seats: OpenSeats) -> lobby_pb2.OpenMatch:
        limits = seats.created.policy
        return lobby_pb2.OpenMatch(
            match=match_message(self._referee.summary(seats.created.match)),
            policy=match_pb2.Policy(rated=limits.rated, **convert.policy_map(limits)),
            invitations=invitation_messages(seats.codes, seats.until_ms),
        )
