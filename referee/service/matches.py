"""MatchService: making, listing and ending matches, and their transcripts."""

import asyncio
from typing import Final

from referee.host.answers import reply_to
from referee.host.items import Answer, Misused
from referee.host.referee import Referee, UnknownMatchError
from referee.host.summary import Summary, summary_of
from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc
from referee.sealing.packs import SIDES
from referee.service import convert
from referee.service.auth import bearer, check_operator, holder
from referee.service.status import Context, RefusedError, bad_field, draining, misuse
from referee.table.policy import policy

ID_SIZE: Final = 16
USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 500
LINES_A_MESSAGE: Final = 512


def match_message(found: Summary) -> match_pb2.Match:
    """A match's public state."""
    return match_pb2.Match(
        match=found.match.hex(),
        state=found.state,
        rule_set=found.rule_set,
        rules=found.rules,
        names=found.names,
        score=convert.sides(found.score),
        games=convert.sides(found.games),
        deal=found.deal,
        events=found.events,
        outcome=found.outcome,
        winner="" if found.winner is None else SIDES[found.winner],
    )


class MatchService(match_pb2_grpc.MatchServiceServicer):
    """The matches of one referee."""

    def __init__(self, referee: Referee, operator_token: str) -> None:
        self._referee = referee
        self._operator_token = operator_token

    async def CreateMatch(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.CreateMatchRequest, context: Context
    ) -> match_pb2.CreateMatchResponse:
        """Make a match and return its tokens."""
        check_operator(context, self._operator_token)
        self._check_open()
        if len(request.request_id) not in {0, ID_SIZE}:
            raise bad_field("request_id", f"{ID_SIZE} bytes are wanted")
        rated = request.policy.rated if request.policy.HasField("rated") else True
        tickets = await self._referee.create(
            rule_set=request.rule_set,
            knobs=dict(request.rules),
            policy=policy(convert.given_policy(request.policy), rated=rated),
            first_dealer=convert.seat_number(request.first_dealer),
            request_id=request.request_id,
        )
        return match_pb2.CreateMatchResponse(
            match=match_message(self._referee.summary(tickets.match)),
            seat_tokens=tickets.seats,
            watch_token=tickets.watching,
            referee_key=self._referee.key.public.text,
        )

    def _check_open(self) -> None:
        if self._referee.draining:
            raise draining()

    async def GetMatch(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.GetMatchRequest, context: Context
    ) -> match_pb2.GetMatchResponse:
        """Return a match's public state to somebody who may see it."""
        found = self._referee.summary(self._seen(context, request.match))
        return match_pb2.GetMatchResponse(match=match_message(found))

    def _seen(self, context: Context, match_id: str) -> bytes:
        """A match that the token lets see; unknown and forbidden look alike."""
        found = holder(self._referee, bearer(context))
        if found.match.hex() != match_id:
            raise UnknownMatchError(match_id)
        return found.match

    async def ListMatches(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.ListMatchesRequest, context: Context
    ) -> match_pb2.ListMatchesResponse:
        """Return matches, newest first, a page at a time."""
        check_operator(context, self._operator_token)
        ids = self._referee.ids()
        start = 0
        if request.page_token:
            start = _place_after(ids, request.page_token)
        size = min(request.page_size or USUAL_PAGE, LARGEST_PAGE)
        page = ids[start : start + size]
        more = start + size < len(ids)
        return match_pb2.ListMatchesResponse(
            matches=[match_message(self._referee.summary(match_id)) for match_id in page],
            next_page_token=page[-1].hex() if page and more else "",
        )

    async def AbortMatch(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.AbortMatchRequest, context: Context
    ) -> match_pb2.AbortMatchResponse:
        """Close a match: nobody wins."""
        check_operator(context, self._operator_token)
        match = self._referee.match(request.match)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        match.abort(reply=reply_to(answer))
        given = await answer
        if isinstance(given, Misused):
            raise RefusedError(misuse(given))
        return match_pb2.AbortMatchResponse(match=match_message(summary_of(match.durable)))

    async def GetTranscript(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.GetTranscriptRequest, context: Context
    ) -> None:
        """Stream the transcript's lines so far."""
        lines = self._referee.lines(self._seen(context, request.match), request.from_seq)
        for start in range(0, len(lines), LINES_A_MESSAGE):
            part = lines[start : start + LINES_A_MESSAGE]
            await context.write(match_pb2.GetTranscriptResponse(lines=part))


def _place_after(ids: list[bytes], token: str) -> int:
    try:
        return ids.index(bytes.fromhex(token)) + 1
    except ValueError:
        raise bad_field("page_token", f"not one of ours: {token!r} (start again)") from None
