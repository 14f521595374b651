"""One match from start to end: the referee, its seats, and what is told on the way."""

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.arena.bots import BotSpec, DialSpec
from referee.arena.dialing import BotEndedError, DialedSeat, write_token
from referee.arena.local import LocalSeat
from referee.errors import RefereeError
from referee.host.clock import Chance
from referee.host.items import EventItem, Item
from referee.host.match import Match
from referee.host.mint import Tickets
from referee.host.referee import Referee
from referee.sealing.closing import MatchClose
from referee.sealing.packs import SEATS
from referee.sealing.parts import Policy
from referee.table.events import PublicEvent

if TYPE_CHECKING:
    from referee.service.server import Server

GOODBYE_S: Final = 5.0
Hear = Callable[[PublicEvent], None]


class MatchError(RefereeError):
    """The match could not be played."""

    exit_code = 4


class PlayedBeforeError(RefereeError):
    """The journal holds the match that was to be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to play: a rule set, a policy, and a bot a side. `seed` makes it repeatable.

    `chairs` are the seats that somebody else than the bot of their side takes.
    """

    rule_set: str
    knobs: Mapping[str, str]
    policy: Policy
    north_south: BotSpec
    east_west: BotSpec
    first_dealer: int | None = None
    seed: bytes = b""
    chairs: Mapping[int, BotSpec] = field(default_factory=dict)

    def spec(self, seat: int) -> BotSpec:
        """The bot of a seat."""
        return self.chairs.get(seat) or self._side(seat)

    def _side(self, seat: int) -> BotSpec:
        return self.east_west if seat & 1 else self.north_south


@dataclass(slots=True)
class Played:
    """A match that is over, as it was recorded."""

    match: Match
    transcript: bytes
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def closed(self) -> MatchClose | None:
        """How it ended; None where it never opened."""
        return self.match.durable.closed

    @property
    def seeds(self) -> tuple[int, int]:
        """How many seats drew their own seeds, and for how many this host did."""
        infos = self.match.durable.seated
        own = sum(info.seed_by == "seat" and not info.declined for info in infos)
        return own, sum(info.seed_by == "host" and not info.declined for info in infos)


class Chances:
    """Random bytes from a seed, for a match that can be repeated."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._count = 0

    def __call__(self, size: int) -> bytes:
        """The next bytes."""
        drawn = b""
        while len(drawn) < size:
            counter = self._count.to_bytes(8, "big")
            drawn += hashlib.sha256(b"euchre-referee/chance\0" + self._seed + counter).digest()
            self._count += 1
        return drawn[:size]


class Arena:
    """Plays one plan on a referee; use it once."""

    def __init__(self, referee: Referee, plan: Plan, *, chance: Chance, directory: Path) -> None:
        self._referee = referee
        self._plan = plan
        self._chance = chance
        self._directory = directory
        self._locals: list[LocalSeat] = []
        self._dialed: list[DialedSeat] = []
        self._server: Server | None = None
        self._match: Match | None = None
        self._ended_early: dict[str, str] = {}
        self._left: dict[str, str] = {}

    async def play(self, hear: Hear, tell: Callable[[str], None]) -> Played:
        """Play the match to its end; `tell` is for people: where to dial in, and who has ended.

        Raises MatchError, PlayedBeforeError, DialError or BotFailure where it cannot be played.
        """
        plan = self._plan
        tickets = await self._referee.create(
            rule_set=plan.rule_set,
            knobs=plan.knobs,
            policy=plan.policy,
            first_dealer=plan.first_dealer,
            seed=plan.seed,
        )
        match = self._match = self._referee.match(tickets.match.hex())
        if match.log or match.durable.over:
            raise PlayedBeforeError(
                f"the journal has a match of this seed: {match.id.hex()}"
                " (use another seed or another journal)"
            )
        match.watch(lambda items: _hear_all(items, hear), 0)
        try:
            if await _seated(match, self._seat_all(match, tickets, tell)):
                await self._run(match, tell)
        finally:
            await self._finish(match)
            await asyncio.gather(*(local.let_go() for local in self._locals))
            for dialed in self._dialed:
                await dialed.stop()
            if self._server is not None:
                await self._server.stop()
        if not match.durable.opened:
            raise MatchError(f"the match did not open: {self._unopened(match)}")
        transcript = b"".join(item.line for item in match.log)  # the journal may be closed later
        return Played(match, transcript, self._failures())

    def _unopened(self, match: Match) -> str:
        """Why a match did not open, and what to do."""
        if match.durable.dropped != "START_FAIL":
            return "it was interrupted (start it again)"
        empty = (seat for seat, info in enumerate(match.durable.seats) if info is None)
        seats = ", ".join(f"{SEATS[seat]} ({self._plan.spec(seat).text})" for seat in empty)
        limit = self._plan.policy.start_ms
        return f"not seated within {limit} ms: {seats} (see what the bot says when run by hand)"

    async def _finish(self, match: Match) -> None:
        """Close the record of a match that could not be played to its end."""
        if not match.state.over:
            match.abort()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_S):
                    await match.over.wait()

    def abort(self) -> None:
        """End the match now; its record is closed and kept."""
        if self._match is not None:
            self._match.abort()

    def _failures(self) -> dict[str, str]:
        failed = {
            SEATS[local.seat]: f"{local.failure.kind}: {local.failure.text}"
            for local in self._locals
            if local.failure is not None
        }
        closed = None if self._match is None else self._match.durable.closed
        left = {} if closed is not None and closed.outcome == "finished" else self._left
        return {**failed, **left, **self._ended_early}

    async def _seat_all(self, match: Match, tickets: Tickets, tell: Callable[[str], None]) -> None:
        for seat in range(4):
            spec = self._plan.spec(seat)
            if isinstance(spec, DialSpec):
                token_file = write_token(self._directory, seat, tickets.seats[seat])
                self._dialed.append(DialedSeat(seat, spec, token_file, self._directory))
        await self._start_dialed(tell)
        for seat in range(4):
            spec = self._plan.spec(seat)
            if not isinstance(spec, DialSpec):
                local = LocalSeat(
                    match, seat, spec.player(), secret=self._secret(seat), chance=self._chance
                )
                self._locals.append(local)
        starting = (local.start() for local in self._locals)
        failures = [e for e in await asyncio.gather(*starting, return_exceptions=True) if e]
        if failures:
            raise failures[0]

    def _secret(self, seat: int) -> bytes:
        if self._plan.seed:
            return hashlib.sha256(bytes((seat,)) + self._plan.seed).digest()
        return self._chance(32)

    async def _start_dialed(self, tell: Callable[[str], None]) -> None:
        if not self._dialed:
            return
        # The server takes longer to load than all else here, and only bots that dial in need it.
        from referee.service.server import Listen, Server  # noqa: PLC0415

        self._server = Server(self._referee, Listen())
        await self._server.start()
        for dialed in self._dialed:
            await dialed.start(self._server.address, self._referee.key.public.text)
            if not dialed.spec.command:
                tell(
                    f"{SEATS[dialed.seat]}: dial {self._server.address}"
                    f" with --token-file {dialed.token_file}"
                )

    async def _run(self, match: Match, tell: Callable[[str], None]) -> None:
        """Wait for the end; a bot that was started here and dies before the match opens ends it."""
        over = asyncio.create_task(match.over.wait())
        playing = [asyncio.create_task(local.run()) for local in self._locals]
        watching = [asyncio.create_task(dialed.watch()) for dialed in self._dialed]
        try:
            waiting = {over, *playing, *watching}
            while not over.done():
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    self._ended(task, match, tell)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_S):
                    await asyncio.gather(*playing)
        finally:
            for task in (over, *playing, *watching):
                task.cancel()
            await asyncio.gather(over, *playing, *watching, return_exceptions=True)

    def _ended(
        self, task: "asyncio.Task[object]", match: Match, tell: Callable[[str], None]
    ) -> None:
        error = task.exception()
        if error is None:
            return
        if isinstance(error, BotEndedError) and error.code == 0:
            if not match.over.is_set():  # another process may play on: what comes of it tells
                self._left[SEATS[error.seat]] = error.told
            return
        if not isinstance(error, RefereeError) or not match.state.opened:
            raise error
        if isinstance(error, BotEndedError):
            self._ended_early[SEATS[error.seat]] = error.told
            tell(f"{SEATS[error.seat]}: {error.told}")


async def _seated(match: Match, seating: Coroutine[None, None, None]) -> bool:
    """Seat the bots; False where the match is over first: the time is up, or it is aborted."""
    over = asyncio.create_task(match.over.wait())
    seated = asyncio.create_task(seating)
    try:
        await asyncio.wait({over, seated}, return_when=asyncio.FIRST_COMPLETED)
        return seated.done() and seated.result() is None
    finally:
        over.cancel()
        seated.cancel()
        await asyncio.gather(over, seated, return_exceptions=True)


def _hear_all(items: Sequence[Item], hear: Hear) -> None:
    for item in items:
        if isinstance(item, EventItem):
            hear(item.event)
