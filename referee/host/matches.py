"""The matches of one referee: those that are here, and those that sleep in its journal."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from referee.errors import InternalError, RefereeError
from referee.host.asked import created_of, joined_of
from referee.host.clock import Clock
from referee.host.lobby import Lobby
from referee.host.match import Match
from referee.host.passes import READING_MS, Passes, late_ms
from referee.journal.boards import is_board
from referee.journal.store import Row, Store, StoreError
from referee.meter import Meter
from referee.sealing.keys import VerifyKey
from referee.table.events import MatchCreated

log = logging.getLogger(__name__)

AGAIN_MS: Final = 1_000
"""After that a journal that could not be read is read again."""
STOPPING: Final = "the referee is stopping"


class BoardOpenError(RefereeError):
    """A table of a sealed board, of which nothing is told before its board is closed."""

    def __init__(self, match_id: bytes) -> None:
        super().__init__(
            f"match {match_id.hex()} is a table of a sealed board that is open (ask again when the"
            " board is closed)"
        )


class OtherKeyError(RefereeError):
    """An open match is recorded under another key than the referee now has."""


@dataclass(frozen=True, slots=True)
class Census:
    """Matches that are played, those that wait for their seats, and seats that a stream holds."""

    open: int
    waiting: int
    seats: int


class Matches:
    """What is found by its id, and taken up from the journal when somebody asks for it.

    `match_of` makes a match of how it began. Who may come to a match that is not over has a pass,
    and its open seats stand in the lobby. `open_of` counts the matches that are not over, by
    operator.
    """

    def __init__(
        self,
        *,
        store: Store,
        key: VerifyKey,
        clock: Clock,
        passes: Passes,
        lobby: Lobby,
        meter: Meter,
        match_of: Callable[[MatchCreated], Match],
    ) -> None:
        self.draining = False
        self.open_of: Counter[str] = Counter()
        self._store = store
        self._key = key
        self._clock = clock
        self._passes = passes
        self._lobby = lobby
        self._meter = meter
        self._match_of = match_of
        self._here: dict[bytes, Match] = {}
        self._asleep: dict[bytes, MatchCreated] = {}

    def __len__(self) -> int:
        return len(self._here)

    # New ones.

    def take(self, created: MatchCreated) -> Match:
        """A match that is being made, and has been counted: who holds a token of it may come."""
        match = self._match_of(created)
        self._here[created.match] = match
        self._passes.admit(created)
        self._lobby.open(created)
        return match

    def give_up(self, created: MatchCreated) -> None:
        """Forget a match that could not be recorded.

        It may stand all the same: it is then one that waits.
        """
        self.open_of[created.by] -= 1
        self._here.pop(created.match, None)
        self._passes.drop(created.match)
        self._lobby.close(created)
        self._store.heal(created.match)
        with suppress(StoreError):
            if any(True for _ in self._store.rows(created.match)):
                self._let_in(created)

    # Those of the journal.

    def resume(self) -> int:
        """Take up every open match where it was; the number of them."""
        number = self.let_in()
        for match_id in tuple(self._asleep):
            self._wake(match_id)
        return number

    def let_in(self) -> int:
        """Let in who may come to any match; open ones are taken up when somebody asks for them.

        The number of open matches.
        """
        since = self._clock.wall_ms() - READING_MS + 1
        closed = self._store.closed(since_ms=since)
        begun = groupby(self._store.beginnings(since_ms=since), key=attrgetter("match"))
        for match_id, found in begun:
            rows = tuple(found)
            created = created_of(match_id, rows)
            if created.place is not None:
                continue  # whoever hosts its board plays it, or recovers it
            if match_id in closed:
                self._passes.admit(created, joined_of(rows))
            else:
                self._check_key(created)
                self._let_in(created, rows)
        for match_id, closed_ms in sorted(closed.items(), key=itemgetter(1)):
            self._passes.end(match_id, closed_ms)
        return len(self._asleep)

    def _check_key(self, created: MatchCreated) -> None:
        """A record goes on under the key that it began with, or not at all."""
        if created.referee_key != self._key.text:
            raise OtherKeyError(
                f"match {created.match.hex()} is open and recorded under the key"
                f" {created.referee_key!r}, not {self._key.text!r} (give that key's file)"
            )

    def _let_in(self, created: MatchCreated, rows: Sequence[Row] = ()) -> None:
        """Let in who may come to an open match of the journal, which nobody has asked for yet."""
        self._passes.admit(created, joined_of(rows))
        self._lobby.open(created)
        self.open_of[created.by] += 1
        self._asleep[created.match] = created

    async def take_up(self) -> None:
        """Take up what nobody has asked for yet, with room for others between two matches."""
        while self._asleep:
            for match_id in tuple(self._asleep):
                try:
                    self.here(match_id)
                except (InternalError, StoreError) as err:
                    log.error("not_resumed match=%s error=%s", match_id.hex(), err)  # noqa: TRY400 -- it says all
                await asyncio.sleep(0)
            if self._asleep:  # the journal could not be read just now
                again = asyncio.Event()
                self._clock.call_later(AGAIN_MS, again.set)
                await again.wait()

    def _wake(self, match_id: bytes) -> Match:
        """Take up an open match where it was.

        It stays asleep where the journal cannot be read, and does not where it makes no sense.
        """
        rows = tuple(self._store.rows(match_id))
        match = self._match_of(self._asleep.pop(match_id))
        match.course.resume(rows)
        self._taken_up(match)
        return match

    def _taken_up(self, match: Match) -> None:
        """A match of the journal goes on here, unless we are on the way down."""
        self._here[match.id] = match
        if self.draining:
            match.course.drain(STOPPING)
        self._meter.count("resumed")
        log.info("match_resumed match=%s", match.id.hex())

    # Finding.

    def here(self, match_id: bytes) -> Match | None:
        """A match that is not over, or has not been let go of."""
        return self._wake(match_id) if match_id in self._asleep else self._here.get(match_id)

    def find(self, match_id: bytes) -> Match | None:
        """A match, also one that is over; None where there is none.

        Raises BoardOpenError for a table whose board is open.
        """
        match = self.here(match_id)
        if match is not None:
            return match
        rows = tuple(self._store.rows(match_id))
        if not rows or is_board(rows):
            return None
        created = created_of(match_id, rows)
        if created.place is not None and self._store.closed_ms(match_id) is None:
            raise BoardOpenError(match_id)
        match = self._match_of(created)
        match.course.resume(rows)
        if not match.durable.over:  # it stands, though nobody could tell when it was made
            self._let_in(created, rows)
            del self._asleep[match_id]
            self._taken_up(match)
        return match

    def census(self) -> Census:
        """How many there are just now."""
        matches = tuple(self._here.values())  # another thread may ask
        here = [match for match in matches if not match.durable.over]
        playing = sum(match.durable.opened for match in here)
        waiting = len(here) - playing + len(self._asleep)
        return Census(playing, waiting, sum(match.connected for match in here))

    # Ending, and going down.

    def ended(self, created: MatchCreated) -> None:
        """A match is over: its tokens end, and in a while it is let go of."""
        self.open_of[created.by] -= 1
        self._passes.end(created.match, self._clock.wall_ms())
        self._lobby.close(created)
        self._clock.call_later(late_ms(created), partial(self._let_go, created.match))

    def _let_go(self, match_id: bytes) -> None:
        self._here.pop(match_id, None)

    def forget_finished(self) -> None:
        """Let go of matches that are over; their record stays in the journal."""
        for match_id in [m for m, match in self._here.items() if match.over.is_set()]:
            self._let_go(match_id)

    def drain(self, text: str = STOPPING) -> None:
        """Take nothing more, tell everybody, stop the clocks."""
        census = self.census()
        log.info("draining open=%s waiting=%s", census.open, census.waiting)
        self.draining = True
        for match in self._here.values():
            match.course.drain(text)

    def close(self) -> None:
        """Stop the clocks of all."""
        for match in self._here.values():
            match.course.close()
