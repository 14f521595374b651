"""Who may come in and until when: tokens, of which nothing is kept but their SHA-256."""

import hashlib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from referee.host.clock import Clock
from referee.table.events import MatchCreated

WATCHING: Final = 4
"""The place of the watching token, behind the four seats'."""
READING_MS: Final = 24 * 3_600_000
"""How long after its match a token still reads the transcript."""
SHORTEST_LATE_MS: Final = 30_000


def digest(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def late_ms(created: MatchCreated) -> int:
    """How long after the end a seat that was away may still come to hear of it."""
    return max(created.policy.grace_ms, SHORTEST_LATE_MS)


@dataclass(frozen=True, slots=True)
class Pass:
    """What a token lets its holder do: play a seat, or watch where `seat` is None.

    Once it is `ended` nothing is left but to read the transcript.
    """

    match: bytes
    seat: int | None
    ended: bool = False


@dataclass(slots=True)
class _Guests:
    """Those who hold a token of one match."""

    late_ms: int
    digests: list[bytes]
    closed_ms: int | None = None


class Passes:
    """The tokens of all matches. What has ended is forgotten as time goes on."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._passes: dict[bytes, Pass] = {}
        self._guests: dict[bytes, _Guests] = {}
        self._ended: deque[tuple[int, bytes]] = deque()

    def __len__(self) -> int:
        return len(self._passes)

    def admit(self, created: MatchCreated, joined: Iterable[tuple[int, bytes]] = ()) -> None:
        """Let in who holds a token of a match; an invited seat's comes with its invitation."""
        self._guests[created.match] = _Guests(late_ms(created), [])
        for place, kept in enumerate(created.tokens):
            if place not in created.invited:
                self._give(Pass(created.match, None if place == WATCHING else place), kept)
        for seat, kept in joined:
            self.give(created.match, seat, kept)

    def give(self, match: bytes, seat: int, kept: bytes) -> None:
        """Let in who has joined a seat."""
        self._give(Pass(match, seat), kept)

    def _give(self, given: Pass, kept: bytes) -> None:
        if kept not in self._passes:
            self._passes[kept] = given
            self._guests[given.match].digests.append(kept)

    def end(self, match: bytes, closed_ms: int) -> None:
        """Note when a match was closed."""
        self._forget()
        guests = self._guests.get(match)
        if guests is not None and guests.closed_ms is None:
            guests.closed_ms = closed_ms
            self._ended.append((closed_ms, match))

    def drop(self, match: bytes) -> None:
        """Forget a match."""
        guests = self._guests.pop(match, None)
        for kept in guests.digests if guests is not None else ():
            self._passes.pop(kept, None)

    def find(self, token: str) -> Pass | None:
        """What a token is good for now; None where it is none of ours, or not any more."""
        found = self._passes.get(digest(token))
        closed_ms = None if found is None else self._guests[found.match].closed_ms
        if found is None or closed_ms is None:
            return found
        since = self._clock.wall_ms() - closed_ms
        if since >= READING_MS:
            self._forget()
            return None
        ended = since >= self._guests[found.match].late_ms
        return Pass(found.match, found.seat, ended=ended)

    def _forget(self) -> None:
        """Forget the matches whose tokens are good for nothing any more."""
        latest = self._clock.wall_ms() - READING_MS
        while self._ended and self._ended[0][0] <= latest:
            self.drop(self._ended.popleft()[1])
