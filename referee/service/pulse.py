"""The pulse of the service: how late its event loop runs, and how fast things go just now."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.meter import Spread, Tally, quantile

log = logging.getLogger(__name__)
BEAT_S: Final = 0.5
RATE_S: Final = 10.0
WINDOW_S: Final = 60.0
MISSED_S: Final = 10.0
"""A loop that has not turned for so long is not alive."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What had been counted at a moment."""

    at_s: float
    actions: int
    answers: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long an rpc has taken lately; for Play from an input to its durable answer."""

    rpc: str
    count: int
    p50_s: float
    p99_s: float


class Pulse:
    """A task that beats while the loop turns; `each` is done at every beat."""

    def __init__(self, tally: Tally, each: Callable[[], Awaitable[None]]) -> None:
        self.lag_s = 0.0
        self._tally = tally
        self._each = each
        self.beaten = time.monotonic()
        self._readings = deque((self._read(),), maxlen=int(WINDOW_S / BEAT_S) + 1)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to beat."""
        self._task = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        """Beat no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))

    @property
    def alive(self) -> bool:
        """Whether the loop has turned lately, or is yet to; to be asked from another thread."""
        return self._task is None or time.monotonic() - self.beaten < MISSED_S

    async def _beat(self) -> None:
        while True:
            due = time.monotonic() + BEAT_S
            await asyncio.sleep(BEAT_S)
            self.beaten = time.monotonic()
            self.lag_s = max(0.0, self.beaten - due)
            self._tally.observe("loop_lag_seconds", self.lag_s)
            self._readings.append(self._read())
            try:
                await self._each()
            except Exception:
                log.exception("beat_failed")

    def _read(self) -> Reading:
        answers = {rpc: tuple(spread.counts) for rpc, spread in self._tally.spreads("seconds")}
        accepted = self._tally.counted("actions").get("accepted", 0)
        return Reading(time.monotonic(), accepted, answers)

    def actions_a_second(self) -> float:
        """Accepted actions a second over the last ten seconds, or since the start."""
        now = self._read()
        since = next((r for r in self._readings if now.at_s - r.at_s <= RATE_S), now)
        lapse = now.at_s - since.at_s
        return (now.actions - since.actions) / lapse if lapse else 0.0

    def paces(self) -> list[Pace]:
        """How long each rpc has taken in the last minute, by name."""
        before = self._readings[0].answers
        return [
            _pace(rpc, spread, before.get(rpc, ()))
            for rpc, spread in sorted(self._tally.spreads("seconds"))
        ]


def _pace(rpc: str, spread: Spread, before: tuple[int, ...]) -> Pace:
    then = before or (0,) * len(spread.counts)
    counts = [now - earlier for now, earlier in zip(spread.counts, then, strict=True)]
    bounds = spread.bounds
    return Pace(rpc, sum(counts), quantile(bounds, counts, 0.5), quantile(bounds, counts, 0.99))
