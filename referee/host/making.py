"""Matches as they are made: each once, whoever asks again, and so many at most."""

import asyncio
import logging
from typing import Final

from referee.errors import RefereeError
from referee.host.asked import check_same
from referee.host.matches import Matches
from referee.host.trail import Operator, Trail
from referee.journal.store import StoreError
from referee.table.events import MatchCreated

log = logging.getLogger(__name__)

MOST_OPEN: Final = 4_096


class TooManyMatchesError(RefereeError):
    """The referee, or one operator, has as many open matches as may be; `quota` says which."""

    def __init__(self, most: int, *, quota: str = "", who: str = "") -> None:
        whose = f" of operator {who}" if quota else ""
        super().__init__(f"{most} matches{whose} are open (try again later)")
        self.most = most
        self.quota = quota
        self.who = who


class Making:
    """The matches that are just being recorded. `most_of_one` is how many an operator may have."""

    def __init__(self, matches: Matches, trail: Trail) -> None:
        self.most_of_one = MOST_OPEN
        self._matches = matches
        self._trail = trail
        self._running: dict[bytes, tuple[MatchCreated, asyncio.Task[None]]] = {}

    async def made(self, asked: MatchCreated, operator: Operator | None) -> MatchCreated:
        """The match, once it is recorded, by this request or by the same one before it.

        Raises RefereeError where it was made with other settings, TooManyMatchesError, StoreError.
        """
        making = self._running.get(asked.match)
        if making is None and (known := self._matches.find(asked.match)) is not None:
            check_same(known.state.created, asked)
            return known.state.created
        if making is None:
            making = asked, asyncio.create_task(self._make(asked, operator))
            self._running[asked.match] = making
        check_same(making[0], asked)
        await asyncio.shield(making[1])
        return making[0]

    async def _make(self, created: MatchCreated, operator: Operator | None) -> None:
        """Record a match, whoever waits for it or does not; nothing is left where that fails."""
        try:
            self._check_room(created.by)
            self._matches.open_of[created.by] += 1
            try:
                if operator is not None:
                    await self._trail.note(operator, "create", created.match)
                await self._matches.take(created).course.begin()
            except StoreError:
                self._matches.give_up(created)
                raise
            log.info("match_created match=%s rules=%s", created.match.hex(), created.rule_set)
        finally:
            del self._running[created.match]

    def _check_room(self, by: str) -> None:
        if self._matches.open_of.total() >= MOST_OPEN:
            raise TooManyMatchesError(MOST_OPEN)
        if self._matches.open_of[by] >= self.most_of_one:
            raise TooManyMatchesError(self.most_of_one, quota="matches_per_operator", who=by)
