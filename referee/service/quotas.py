"""How much of the server one token, one operator or one peer may have."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Final

from referee.errors import RefereeError
from referee.host.clock import Clock
from referee.service.status import exhausted

MINUTE_MS: Final = 60_000
MOST_REMEMBERED: Final = 1_024


class QuotaError(RefereeError, ValueError):
    """A quota that is none, or whose number makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """The most of each at a time, or in a minute where the name says so."""

    streams_per_token: int = 64
    calls_per_token: int = 16
    calls_per_operator: int = 1_024
    calls_per_peer: int = 64
    creates_per_minute: int = 6_000
    guesses_per_minute: int = 10
    matches_per_operator: int = 4_096

    def __post_init__(self) -> None:
        for name in QUOTA_NAMES:
            if not 1 <= self.most(name) <= LARGEST:
                raise QuotaError(f"the quota {name} is {self.most(name)}: use 1 to {LARGEST}")

    def most(self, name: str) -> int:
        """The number of a quota by name."""
        return int(getattr(self, name))


LARGEST: Final = 1_000_000
QUOTA_NAMES: Final = tuple(field.name for field in fields(Quotas))


class Turnstiles:
    """What is in use of each quota. Whoever uses nothing is not remembered."""

    def __init__(self, quotas: Quotas, clock: Clock) -> None:
        self.quotas = quotas
        self._clock = clock
        self._inside: Counter[tuple[str, bytes | str]] = Counter()
        self._spent: dict[tuple[str, str], tuple[float, int]] = {}
        self._roomy = MOST_REMEMBERED

    @contextmanager
    def inside(self, name: str, key: bytes | str, who: str, *, free: int = 0) -> Iterator[None]:
        """Count one more as long as the block lasts; RefusedError where that is too many.

        So many are `free` beyond the quota.
        """
        place, most = (name, key), self.quotas.most(name)
        if self._inside[place] >= most + free:
            raise exhausted(name, most, who)
        self._inside[place] += 1
        try:
            yield
        finally:
            self._inside[place] -= 1
            if not self._inside[place]:
                del self._inside[place]

    def check(self, name: str, who: str) -> None:
        """Refuse where nothing is left of this minute's; RefusedError says until when."""
        most = self.quotas.most(name)
        if self._left(name, who) < 1:
            missing = 1 - self._left(name, who)
            raise exhausted(name, most, who, retry_ms=max(1, int(missing * MINUTE_MS / most)))

    def spend(self, name: str, who: str) -> None:
        """Take one of this minute's."""
        now = self._clock.now_ms()
        self._spent[name, who] = self._left(name, who) - 1, now
        if len(self._spent) > self._roomy:  # looked through rarely, however many there are
            self._spent = {
                place: spent for place, spent in self._spent.items() if now - spent[1] < MINUTE_MS
            }
            self._roomy = max(MOST_REMEMBERED, 2 * len(self._spent))

    def _left(self, name: str, who: str) -> float:
        """What is left now: a minute fills all of it again, evenly."""
        most = self.quotas.most(name)
        left, since = self._spent.get((name, who), (float(most), 0))
        return min(most, left + (self._clock.now_ms() - since) * most / MINUTE_MS)
