"""StatusService: how the referee is doing, for its operator."""

import time
from importlib.metadata import version
from typing import Final

from referee.host.referee import Referee
from referee.journal.store import Deed
from referee.meter import Tally
from referee.pb.euchre.referee.v1 import status_pb2, status_pb2_grpc
from referee.service.matches import LARGEST_PAGE, USUAL_PAGE
from referee.service.pulse import Pulse
from referee.service.status import Context, bad_field
from referee.service.stream import PLAY

VERSION: Final = version("euchre-referee")
WATCH: Final = "PlayService/Watch"
PLACE: Final = 16
"""Digits that a place in the trail never has."""


class Standing:
    """All that is known of a running referee, to be asked at any time."""

    def __init__(self, referee: Referee, tally: Tally, pulse: Pulse) -> None:
        self.referee = referee
        self.tally = tally
        self.pulse = pulse
        self.listening = False
        self._started_at = time.time_ns() // 1_000_000
        self._began = time.monotonic()

    @property
    def unready(self) -> str:
        """Why no match can be made and played now; empty where one can."""
        if self.referee.matches.draining:
            return "draining"
        if not self.listening:
            return "starting"
        return "" if self.journal_ok else "the journal cannot be written"

    @property
    def journal_ok(self) -> bool:
        """Whether the journal kept what it was given last."""
        return not self.referee.trouble

    async def look(self) -> None:
        """Ask a journal that failed whether it can be written again: perhaps nobody else does."""
        if not self.journal_ok:
            await self.referee.can_append()

    def message(self) -> status_pb2.GetStatusResponse:
        """How the referee is doing now."""
        census, tally = self.referee.matches.census(), self.tally
        return status_pb2.GetStatusResponse(
            version=VERSION,
            referee_key=self.referee.key.public.text,
            started_at=self._started_at,
            up_ms=int((time.monotonic() - self._began) * 1_000),
            draining=self.referee.matches.draining,
            journal_ok=self.journal_ok,
            open_matches=census.open,
            waiting_matches=census.waiting,
            resumed_matches=tally.counted("resumed").get("", 0),
            seats_connected=census.seats,
            play_streams=tally.running(PLAY),
            watch_streams=tally.running(WATCH),
            actions=tally.counted("actions"),
            actions_a_second=self.pulse.actions_a_second(),
            refusals=tally.counted("refusals"),
            faults=tally.counted("faults"),
            latencies=[
                status_pb2.Latency(
                    rpc=pace.rpc,
                    count=pace.count,
                    p50_ms=pace.p50_s * 1_000,
                    p99_ms=pace.p99_s * 1_000,
                )
                for pace in self.pulse.paces()
            ],
            commits=self._commits(),
            loop_lag_ms=self.pulse.lag_s * 1_000,
        )

    def _commits(self) -> status_pb2.Commits:
        rows = next((spread for _, spread in self.tally.spreads("commit_rows")), None)
        taken = next((spread for _, spread in self.tally.spreads("commit_seconds")), None)
        flush = next((spread for _, spread in self.tally.spreads("flush_seconds")), None)
        return status_pb2.Commits(
            count=self.tally.counted("commits").get("", 0),
            rows=0 if rows is None else int(rows.total),
            failures=self.tally.counted("appends").get("lost", 0),
            last_rows=0 if rows is None else int(rows.last),
            last_ms=0.0 if taken is None else taken.last * 1_000,
            last_flush_ms=0.0 if flush is None else flush.last * 1_000,
        )


class StatusService(status_pb2_grpc.StatusServiceServicer):
    """What an operator asks of a running referee."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    async def GetStatus(  # noqa: N802 -- the rpc's name
        self, _request: status_pb2.GetStatusRequest, _context: Context
    ) -> status_pb2.GetStatusResponse:
        """Return how the referee is doing now."""
        return self._standing.message()

    async def ListDeeds(  # noqa: N802 -- the rpc's name
        self, request: status_pb2.ListDeedsRequest, _context: Context
    ) -> status_pb2.ListDeedsResponse:
        """Return what operators did, newest first; the page's token is a place in the trail."""
        referee = self._standing.referee
        end = count = referee.trail.count()
        if request.page_token:
            told = request.page_token
            end = int(told) if told.isascii() and told.isdigit() and len(told) < PLACE else -1
            if not 0 < end <= count:
                raise bad_field("page_token", f"not one of ours: {told!r} (start again)")
        start = max(0, end - min(request.page_size or USUAL_PAGE, LARGEST_PAGE))
        return status_pb2.ListDeedsResponse(
            deeds=[_deed(deed) for deed in reversed(referee.trail.deeds(start + 1, end))],
            next_page_token=str(start) if start else "",
        )


def _deed(deed: Deed) -> status_pb2.Deed:
    return status_pb2.Deed(
        at=deed.at_ms,
        who=deed.who,
        what=deed.what,
        match="" if deed.match is None else deed.match.hex(),
        detail=deed.detail,
    )
