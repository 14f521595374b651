"""A player with a limit on all the time that it takes over one deal."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from referee.arena.players import JSON, BotFailure, BotHello, FailureKind, Player, Reveal

_MS: Final = 1_000


class DealTimedPlayer:
    """Another player, whose choices of one deal may take `deal_ms` together.

    Whoever has used that up is a TIMEOUT at once for the rest of the deal, and plays the next one
    with all of its time again. A new deal is seen by the view: its number changes, or the match's
    version starts afresh, as it does where a player goes on to another board. `now` is a clock in
    seconds that only goes on.
    """

    def __init__(
        self, player: Player, deal_ms: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._player = player
        self._limit = deal_ms
        self._now = now
        self._used = 0.0
        self._seen: tuple[JSON, int] = (None, 0)

    async def start(self, *, match: str, seat: str, rules: Mapping[str, str]) -> BotHello:
        """Begin."""
        return await self._player.start(match=match, seat=seat, rules=rules)

    async def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The action that the player wants, where it has time left for it."""
        self._look(view)
        begun = self._now()
        if self._used * _MS >= self._limit:
            raise self._over()
        try:
            async with asyncio.timeout(self._limit / _MS - self._used):
                return await self._player.choose(view, legal)
        except TimeoutError as err:
            raise self._over() from err
        finally:
            self._used += self._now() - begun

    def _look(self, view: Mapping[str, JSON]) -> None:
        version = view.get("state_version")
        seen = (view.get("deal"), version if isinstance(version, int) else 0)
        if seen[0] != self._seen[0] or seen[1] < self._seen[1]:
            self._used = 0.0
        self._seen = seen

    def _over(self) -> BotFailure:
        return BotFailure(
            FailureKind.TIMEOUT,
            f"the bot has used up its {self._limit} ms for deal {self._seen[0]}",
        )

    async def refused(self, reason: str, text: str) -> None:
        """Tell why the last action was refused."""
        await self._player.refused(reason, text)

    async def commit(self, deal: int, *, cutter: bool) -> str:
        """The commitment to a deal's seed."""
        return await self._player.commit(deal, cutter=cutter)

    async def reveal(
        self, deal: int, *, commits: Sequence[str], r_commit: str, cset: str
    ) -> Reveal:
        """The seed behind the commitment."""
        return await self._player.reveal(deal, commits=commits, r_commit=r_commit, cset=cset)

    async def event(self, event: Mapping[str, JSON]) -> None:
        """Tell a public event."""
        await self._player.event(event)

    async def end(self, score: Mapping[str, int]) -> None:
        """Tell the final score."""
        await self._player.end(score)

    async def close(self) -> None:
        """Leave nothing running."""
        await self._player.close()
