"""MatchService: making, listing and ending matches, and their transcripts."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Final

from referee.host.items import Misused
from referee.host.matches import BoardOpenError
from referee.host.referee import Referee, UnknownMatchError
from referee.host.summary import Summary
from referee.pb.euchre.referee.v1 import match_pb2, match_pb2_grpc
from referee.sealing.packs import SIDES
from referee.service import convert
from referee.service.auth import bearer, holder
from referee.service.doors import Porter
from referee.service.status import Context, RefusedError, bad_field, draining, misuse
from referee.service.stream import begin, hand_over
from referee.table.policy import policy

ID_SIZE: Final = 16
USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 500
LINES_A_MESSAGE: Final = 128
STATES: Final = ("", "waiting", "open", "closed")
CREATES: Final = "creates_per_minute"


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

    def __init__(self, referee: Referee, porter: Porter) -> None:
        self._referee = referee
        self._porter = porter

    async def CreateMatch(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.CreateMatchRequest, context: Context
    ) -> match_pb2.CreateMatchResponse:
        """Make a match and return its tokens."""
        self._check_open()
        operator = self._porter.operator(context)
        self._porter.turnstiles.check(CREATES, operator.name)
        self._porter.turnstiles.spend(CREATES, operator.name)
        if len(request.request_id) not in {0, ID_SIZE}:
            raise bad_field("request_id", f"{ID_SIZE} bytes are wanted")
        rated = request.policy.rated if request.policy.HasField("rated") else True
        tickets = await self._referee.create(
            rule_set=request.rule_set,
            knobs=dict(request.rules),
            policy=policy(convert.given_policy(request.policy), rated=rated),
            first_dealer=convert.seat_number(request.first_dealer),
            request_id=request.request_id,
            invited=_open_seats(request),
            public=request.public,
            operator=operator,
        )
        open_to_others = {seat for seat, _ in tickets.codes}
        return match_pb2.CreateMatchResponse(
            match=match_message(self._referee.summary(tickets.match)),
            seat_tokens=[
                "" if seat in open_to_others else token for seat, token in enumerate(tickets.seats)
            ],
            watch_token=tickets.watching,
            referee_key=self._referee.key.public.text,
            invitations=invitation_messages(tickets.codes, tickets.until_ms),
        )

    def _check_open(self) -> None:
        if self._referee.matches.draining:
            raise draining()

    async def GetMatch(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.GetMatchRequest, context: Context
    ) -> match_pb2.GetMatchResponse:
        """Return a match's public state to somebody who may see it."""
        found = self._referee.summary(self._seen(context, request.match, reading=False))
        return match_pb2.GetMatchResponse(match=match_message(found))

    def _seen(self, context: Context, match_id: str, *, reading: bool) -> bytes:
        """A match that the token lets see; unknown and forbidden look alike."""
        found = holder(self._referee, bearer(context), reading=reading)
        if found.match.hex() != match_id:
            raise UnknownMatchError(match_id)
        return found.match

    async def ListMatches(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.ListMatchesRequest, _context: Context
    ) -> match_pb2.ListMatchesResponse:
        """Return matches, newest first, a page at a time."""
        if request.state not in STATES:
            raise bad_field("state", f"not a state: {request.state!r} (waiting, open or closed)")
        ids = self._referee.ids()
        start = _place_after(ids, request.page_token) if request.page_token else 0
        size = min(request.page_size or USUAL_PAGE, LARGEST_PAGE)
        page: list[match_pb2.Match] = []
        async for found in self._in_state(ids[start:], request.state):
            if len(page) == size:
                return match_pb2.ListMatchesResponse(matches=page, next_page_token=page[-1].match)
            page.append(match_message(found))
        return match_pb2.ListMatchesResponse(matches=page)

    async def _in_state(self, ids: Sequence[bytes], state: str) -> AsyncIterator[Summary]:
        """Those of the matches that are in a state, or all; only they are read whole.

        Tables that are played have their turn between two of them. Sealed boards and the tables of
        open ones are no matches that anybody is told of.
        """
        running = set(self._referee.open_ids())
        for match_id in ids:
            if not state or (state == "closed") == (match_id not in running):
                await asyncio.sleep(0)
                try:
                    summary = self._referee.summary(match_id)
                except (UnknownMatchError, BoardOpenError):
                    continue
                if state in {"", summary.state}:
                    yield summary

    async def AbortMatch(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.AbortMatchRequest, context: Context
    ) -> match_pb2.AbortMatchResponse:
        """Close a match: nobody wins."""
        ended = await self._referee.abort(request.match, self._porter.operator(context))
        if isinstance(ended, Misused):
            raise RefusedError(misuse(ended))
        return match_pb2.AbortMatchResponse(match=match_message(ended))

    async def GetTranscript(  # noqa: N802 -- the rpc's name
        self, request: match_pb2.GetTranscriptRequest, context: Context
    ) -> None:
        """Stream the transcript's lines so far."""
        lines = self._referee.lines(
            self._seen(context, request.match, reading=True), request.from_seq
        )
        await begin(context)
        for start in range(0, len(lines), LINES_A_MESSAGE):
            part = lines[start : start + LINES_A_MESSAGE]
            await hand_over(context, match_pb2.GetTranscriptResponse(lines=part))


def invitation_messages(
    codes: Sequence[tuple[int, str]], until_ms: int
) -> list[match_pb2.Invitation]:
    """Open seats, with their codes."""
    return [
        match_pb2.Invitation(seat=convert.seat_value(seat), code=code, ends_at=until_ms)
        for seat, code in codes
    ]


def _open_seats(request: match_pb2.CreateMatchRequest) -> list[int]:
    seats = [
        seat for value in request.open_seats if (seat := convert.seat_number(value)) is not None
    ]
    if len(set(seats)) < len(request.open_seats):
        raise bad_field("open_seats", "each is one of the four seats, and named once")
    if request.public and not seats:
        raise bad_field("public", "a match in the lobby has open_seats")
    return seats


def _place_after(ids: list[bytes], token: str) -> int:
    try:
        return ids.index(bytes.fromhex(token)) + 1
    except ValueError:
        raise bad_field("page_token", f"not one of ours: {token!r} (start again)") from None
