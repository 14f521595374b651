"""A player at a match of this process: what the host asks is put to it, its answers are given.

The host draws the seeds of a player that does not draw its own, and says so (`seed_by: host`).
"""

import asyncio
import hashlib
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass

from referee.arena.players import BotFailure, BotHello, FailureKind, Player
from referee.host.answers import reply_to
from referee.host.clock import Chance
from referee.host.items import Answer, AskItem, Closing, EventItem, Item, Misused, Ruling
from referee.host.match import Match
from referee.sealing.closing import MatchClose
from referee.sealing.commit import seat_commit, seat_seed
from referee.sealing.events import ActionTaken, CommitSet
from referee.sealing.packs import PACKS, SEATS
from referee.sealing.parts import SeatInfo
from referee.table.commands import GiveSeed
from referee.table.view import Ask
from referee.table.wire import view_map

log = logging.getLogger(__name__)
OWN_SEEDS = frozenset({"commit", "reveal"})
ID_SIZE = 16


@dataclass(frozen=True, slots=True)
class _Broken:
    """An error of ours while a question was put to a player."""

    error: Exception


class LocalSeat:
    """One seat of a match, played by a player of this process or a child of it."""

    def __init__(
        self, match: Match, seat: int, player: Player, *, secret: bytes, chance: Chance
    ) -> None:
        self.failure: BotFailure | None = None
        self._match = match
        self.seat = seat
        self._player = player
        self._secret = secret
        self._chance = chance
        self._hello = BotHello(name="?", ops=frozenset())
        self._inbox: asyncio.Queue[Item | Answer | _Broken] = asyncio.Queue()
        self._thinking: asyncio.Task[None] | None = None
        self._asked: Ask | None = None
        self._commit_set: CommitSet | None = None

    async def start(self) -> None:
        """Start the player and take the seat; BotFailure where it does not start."""
        self._hello = await self._player.start(
            match=self._match.id.hex(),
            seat=SEATS[self.seat],
            rules=dict(self._match.state.created.rules),
        )
        info = SeatInfo(
            name=self._hello.name,
            level="seeds",
            seed_by="seat" if self._draws_own else "host",
        )
        seated: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._match.sit(self.seat, info, reply_to(seated))
        await seated
        self._match.attach(self.seat, self._receive, 0)

    @property
    def _draws_own(self) -> bool:
        return self._hello.ops >= OWN_SEEDS

    async def let_go(self) -> None:
        """End the player without a match."""
        await self._player.close()

    def _receive(self, items: Sequence[Item]) -> None:
        for item in items:
            self._inbox.put_nowait(item)

    async def run(self) -> None:
        """Play until the match is over, then let the player go."""
        try:
            while not await self._handle(await self._inbox.get()):
                pass
        finally:
            self._stop_thinking()
            await self._player.close()

    async def _handle(self, item: "Item | Answer | _Broken") -> bool:
        """Deal with one item; True where it was the last."""
        match item:
            case _Broken():
                raise item.error
            case EventItem():
                return await self._event(item)
            case AskItem():
                self._stop_thinking()
                self._asked = item.ask
                self._thinking = asyncio.create_task(self._answer(item.ask))
            case Ruling() if not item.accepted:
                await self._try(self._player.refused(item.reason, item.text))
            case Misused(wrong="MALFORMED"):
                await self._try(self._player.refused(item.wrong, item.text))
            case Misused():
                log.info("dropped seat=%s wrong=%s", SEATS[self.seat], item.wrong)
            case Closing():
                return True
            case _:
                pass
        return False

    async def _event(self, item: EventItem) -> bool:
        event = item.event
        if isinstance(event, CommitSet):
            self._commit_set = event
        if isinstance(event, MatchClose) or (
            isinstance(event, ActionTaken) and event.seat == self.seat
        ):
            self._stop_thinking()
        if "event" in self._hello.ops:
            await self._try(self._player.event({"kind": event.kind, **event.fields()}))
        if isinstance(event, MatchClose):
            await self._try(self._player.end({"ns": event.score.ns, "ew": event.score.ew}))
            return True
        return False

    def _stop_thinking(self) -> None:
        if self._thinking is not None and not self._thinking.done():
            self._thinking.cancel()
        self._thinking = None

    async def _try(self, telling: Coroutine[None, None, None]) -> None:
        """Tell the player something; a player that has failed is told nothing more."""
        if self.failure is not None:
            telling.close()
            return
        try:
            await telling
        except BotFailure as err:
            self._failed(err)

    def _failed(self, err: BotFailure) -> None:
        if self.failure is None:
            self.failure = err
            log.warning("bot_failed seat=%s kind=%s", SEATS[self.seat], err.kind)

    async def _answer(self, ask: Ask) -> None:
        """Put one question to the player, and give its answer to the referee."""
        try:
            match ask.what:
                case "commit":
                    await self._commit(ask)
                case "reveal":
                    await self._reveal(ask)
                case "act":
                    await self._act(ask)
        except BotFailure as err:
            if err.kind is FailureKind.MALFORMED and ask.what == "act":
                self._match.malformed(self.seat, self._chance(ID_SIZE), self._answered)
                return
            if err.kind is FailureKind.TIMEOUT and ask.what == "act":  # it may play the next deal
                self._match.course.fall_back(self.seat, "TIMEOUT")
                return
            self._failed(err)
            if ask.what == "act":
                self._match.course.fall_back(self.seat, "CRASH")
        except Exception as err:  # noqa: BLE001 -- no bot is to be charged with what is ours
            self._inbox.put_nowait(_Broken(err))

    def _answered(self, answer: Answer) -> None:
        self._inbox.put_nowait(answer)

    async def _act(self, ask: Ask) -> None:
        view = ask.view
        if view is None:
            return
        if self.failure is not None:
            self._match.course.fall_back(self.seat, "CRASH")
            return
        action = await self._player.choose(view_map(view), view.legal)
        self._match.act(
            self.seat,
            self._chance(ID_SIZE),
            view.state_version + 1,
            action,
            reply=self._answered,
        )

    async def _commit(self, ask: Ask) -> None:
        if self._draws_own:
            commit = bytes.fromhex(await self._player.commit(ask.deal, cutter=ask.cutter))
        else:
            seed, cut = self._drawn(ask)
            commit = seat_commit(self._match.id, ask.deal, self.seat, seed, cut)
        rid = self._chance(ID_SIZE)
        self._match.commit(self.seat, rid, ask.deal, commit, self._answered)

    async def _reveal(self, ask: Ask) -> None:
        commits = self._commit_set
        if commits is None:
            return
        seed, cut = self._drawn(ask)
        if self._draws_own:
            shown = await self._player.reveal(
                ask.deal,
                commits=[commit.hex() for commit in commits.commits],
                r_commit=commits.r_commit.hex(),
                cset=commits.cset.hex(),
            )
            seed, cut = bytes.fromhex(shown.seed), shown.cut
        command = GiveSeed(seat=self.seat, deal=ask.deal, seed=seed, cut=cut, cset=commits.cset)
        rid = self._chance(ID_SIZE)
        self._match.reveal(command, rid, self._match.commit_head, self._answered)

    def _drawn(self, ask: Ask) -> tuple[bytes, int | None]:
        """The seed and cut that the host draws for the seat."""
        seed = seat_seed(self._secret, self._match.id, ask.deal)
        if not ask.cutter:
            return seed, None
        cards = len(PACKS[self._match.state.rules.pack.value])
        drawn = hashlib.sha256(b"euchre-referee/cut\0" + seed).digest()
        return seed, int.from_bytes(drawn, "big") % cards
