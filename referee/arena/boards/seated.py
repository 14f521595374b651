"""A player who keeps a seat through all boards of a chunk, and is replaced where it fails."""

import contextlib
import logging
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from referee.arena.local import OWN_SEEDS
from referee.arena.players import (
    JSON,
    BotFailure,
    BotHello,
    FailureKind,
    Player,
    Reveal,
    within,
)
from referee.sealing.packs import SEATS

log = logging.getLogger(__name__)
GOODBYE_S: Final = 5.0


class MakesPlayers(Protocol):
    """What an entry's players come from."""

    @property
    def text(self) -> str:
        """What it is, as it was written."""
        ...

    def player(self) -> Player:
        """A new player, of which nothing runs yet."""
        ...


class EntryFailure(BotFailure):
    """An entry's bot that does not start."""

    def __init__(self, entry: str, failure: BotFailure) -> None:
        super().__init__(
            FailureKind.START_FAIL,
            f"the bot of {entry!r} does not start: {failure.text}",
            failure.stderr,
        )
        self.entry = entry


class SeatedPlayer:
    """One entry's player in one seat of one table, from the first board of a chunk to the last.

    It is a Player to each of the boards: they begin with the hello that it gave once, and their
    ends are not told to it, which come when it plays the next. The host draws its seeds.
    """

    def __init__(self, entry: str, seat: int, bot: MakesPlayers, *, start_s: float) -> None:
        self.entry = entry
        self.seat = seat
        self._bot = bot
        self._start_s = start_s
        self._player: Player | None = None
        self._hello = BotHello(entry, frozenset())
        self._session = ""
        self._rules: Mapping[str, str] = {}

    async def begin(self, session: str, rules: Mapping[str, str]) -> None:
        """Start a player; EntryFailure where it does not. `session` is the match it is told of."""
        self._session, self._rules = session, rules
        player = self._bot.player()
        try:
            hello = await within(
                self._start_s,
                player.start(match=session, seat=SEATS[self.seat], rules=dict(rules)),
                "say hello",
            )
        except BotFailure as failure:
            await player.close()
            raise EntryFailure(self.entry, failure) from failure
        except BaseException:
            await player.close()
            raise
        self._player = player
        self._hello = BotHello(hello.name, hello.ops - OWN_SEEDS)

    async def renew(self) -> None:
        """Put a fresh player in the place of one that failed; where none starts, nobody plays."""
        await self._drop()
        try:
            await self.begin(self._session, self._rules)
        except EntryFailure as failure:
            log.warning("bot_not_renewed entry=%s error=%s", self.entry, failure.text)

    async def _drop(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            await player.close()

    async def leave(self) -> None:
        """The chunk is over: tell the player, and let it go."""
        if self._player is not None:
            with contextlib.suppress(BotFailure):
                await within(GOODBYE_S, self._player.end({"ns": 0, "ew": 0}), "hear of the end")
        await self._drop()

    # A player, to one board's table.

    def _there(self) -> Player:
        if self._player is None:
            raise BotFailure(FailureKind.CRASH, f"the bot of {self.entry!r} could not be restarted")
        return self._player

    async def start(self, *, match: str, seat: str, rules: Mapping[str, str]) -> BotHello:
        """The hello that was given when the chunk began."""
        del match, seat, rules
        return self._hello

    async def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The action that the player wants."""
        return await self._there().choose(view, legal)

    async def refused(self, reason: str, text: str) -> None:
        """Tell why the last action was refused."""
        await self._there().refused(reason, text)

    async def commit(self, deal: int, *, cutter: bool) -> str:
        """Never asked: the seeds of a board are the host's."""
        return await self._there().commit(deal, cutter=cutter)

    async def reveal(
        self, deal: int, *, commits: Sequence[str], r_commit: str, cset: str
    ) -> Reveal:
        """Never asked: the seeds of a board are the host's."""
        return await self._there().reveal(deal, commits=commits, r_commit=r_commit, cset=cset)

    async def event(self, event: Mapping[str, JSON]) -> None:
        """Tell a public event."""
        await self._there().event(event)

    async def end(self, score: Mapping[str, int]) -> None:
        """A board's end is not told: its player is at the next one."""

    async def close(self) -> None:
        """A board's end leaves the player where it is."""
