"""What the host did to the bots' clocks while an event was played: quiet or noisy, and why.

The figures are kept with the event: a bot's TIMEOUT on a noisy host says little about the bot.
Everything but `read_host` and `NoiseMeter` is pure.
"""

import asyncio
import contextlib
import os
import resource
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from referee.errors import RefereeError

TICK_S: Final = 0.01
EVERY_S: Final = 0.1
MOST_LATE_MS: Final = 25.0
"""Of the shortest limit of a decision, 250 ms, a tenth."""
MOST_LOAD: Final = 1.5
MOST_PRESSURE: Final = 0.5
MOST_STEAL: Final = 0.02
MOST_OVERSUBSCRIBED: Final = 0.05
_MICRO: Final = 1e6
_LATEST: Final = 0.99
_MS: Final = 1_000
_STEAL: Final = 7
_KEPT_TICKS: Final = 100_000


class NoiseError(RefereeError, ValueError):
    """A record of noise that is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What the system counts, at one moment; None where it does not say.

    `pressure_us` is how long some task has waited for a core, `steal` and `ticks` the processor's
    time that other machines took, and all of it, `switches` how often we and our children were put
    off a core, `load` the load average of a minute.
    """

    at_s: float
    load: float
    pressure_us: int | None
    steal: int
    ticks: int
    oom_kills: int | None
    switches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """The figures of one process's share of an event.

    `cores` is how many the process had to itself. Shares are of the time from 0 to 1; `late_ms` and
    `latest_ms` say how late a timer of 10 ms rang, at the 99th percentile and at worst;
    `thinking` is how many bots by command thought at once at most, and `oversubscribed` the share
    of the time in which they were more than the cores.
    """

    seconds: float
    cores: int
    load: float
    pressure: float | None
    steal: float
    oom_kills: int
    switches_per_s: float
    late_ms: float
    latest_ms: float
    thinking: int
    oversubscribed: float

    @property
    def reasons(self) -> tuple[str, ...]:
        """What made the host noisy, in words; none where it was quiet."""
        return tuple(_reasons(self))

    @property
    def verdict(self) -> str:
        """`quiet` or `noisy`."""
        return "noisy" if self.reasons else "quiet"

    def to_map(self) -> dict[str, object]:
        """The record as JSON has it, with its verdict and reasons."""
        return {**asdict(self), "verdict": self.verdict, "reasons": list(self.reasons)}


def _reasons(noise: Noise) -> Iterator[str]:
    if noise.oversubscribed > MOST_OVERSUBSCRIBED:
        yield (
            f"more bots thought at once than there were cores for, {noise.oversubscribed:.0%} of"
            f" the time (up to {noise.thinking} on {noise.cores})"
        )
    if noise.load > MOST_LOAD:
        yield f"the load was {noise.load:.1f} a core"
    if noise.pressure is not None and noise.pressure > MOST_PRESSURE:
        yield f"something waited for a core {noise.pressure:.0%} of the time"
    if noise.steal > MOST_STEAL:
        yield f"other machines took {noise.steal:.0%} of the processor"
    if noise.late_ms > MOST_LATE_MS:
        yield f"one timer of 10 ms in a hundred rang {noise.late_ms:.0f} ms late"
    if noise.oom_kills:
        yield f"the system ran out of memory and killed {noise.oom_kills}"


def noise_of(record: Mapping[str, object]) -> Noise:
    """The noise of a record that `to_map` made; NoiseError for any other."""

    def number(name: str) -> float:
        value = record.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise NoiseError(f"not a record of noise: {name} is {value!r} (a number is needed)")
        return value

    return Noise(
        seconds=number("seconds"),
        cores=int(number("cores")),
        load=number("load"),
        pressure=None if record.get("pressure", "") is None else number("pressure"),
        steal=number("steal"),
        oom_kills=int(number("oom_kills")),
        switches_per_s=number("switches_per_s"),
        late_ms=number("late_ms"),
        latest_ms=number("latest_ms"),
        thinking=int(number("thinking")),
        oversubscribed=number("oversubscribed"),
    )


def together(records: Sequence[Noise]) -> Noise | None:
    """The noise of all processes of an event: the worst of each figure; None without any."""
    if not records:
        return None
    pressures = [each.pressure for each in records if each.pressure is not None]
    return Noise(
        seconds=max(each.seconds for each in records),
        cores=sum(each.cores for each in records),
        load=max(each.load for each in records),
        pressure=max(pressures, default=None),
        steal=max(each.steal for each in records),
        oom_kills=max(each.oom_kills for each in records),  # the system's count: all see the same
        switches_per_s=sum(each.switches_per_s for each in records),
        late_ms=max(each.late_ms for each in records),
        latest_ms=max(each.latest_ms for each in records),
        thinking=sum(each.thinking for each in records),
        oversubscribed=max(each.oversubscribed for each in records),
    )


def summary(
    before: Host,
    after: Host,
    *,
    cores: int,
    loads: Sequence[float],
    late_ms: Sequence[float],
    gauge: "Gauge",
) -> Noise:
    """What happened from one moment to another; `loads` and `late_ms` were sampled between."""
    seconds = max(after.at_s - before.at_s, TICK_S)
    pressure = None
    if before.pressure_us is not None and after.pressure_us is not None:
        pressure = min(1.0, (after.pressure_us - before.pressure_us) / _MICRO / seconds)
    kills = 0
    if before.oom_kills is not None and after.oom_kills is not None:
        kills = after.oom_kills - before.oom_kills
    ticks = max(after.ticks - before.ticks, 1)
    ordered = sorted(late_ms)
    return Noise(
        seconds=round(seconds, 3),
        cores=cores,
        load=round(max((*loads, after.load)) / (os.cpu_count() or 1), 3),
        pressure=None if pressure is None else round(pressure, 4),
        steal=round((after.steal - before.steal) / ticks, 4),
        oom_kills=kills,
        switches_per_s=round((after.switches - before.switches) / seconds, 1),
        late_ms=round(ordered[int(len(ordered) * _LATEST)], 2) if ordered else 0.0,
        latest_ms=round(ordered[-1], 2) if ordered else 0.0,
        thinking=gauge.most,
        oversubscribed=round(min(1.0, gauge.over_s / seconds), 4),
    )


class Gauge:
    """How many bots by command think just now, and for how long they were too many.

    `cores` is how many may think at once; `now` is a clock in seconds.
    """

    def __init__(self, cores: int, now: Callable[[], float] = time.monotonic) -> None:
        self.cores = cores
        self.most = 0
        self._over_s = 0.0
        self._thinking = 0
        self._now = now
        self._since = 0.0

    @property
    def over_s(self) -> float:
        """How many seconds more than `cores` have thought."""
        running = self._now() - self._since if self._thinking > self.cores else 0.0
        return self._over_s + running

    @contextlib.contextmanager
    def thinking(self) -> Iterator[None]:
        """One more bot thinks for so long."""
        self._become(self._thinking + 1)
        try:
            yield
        finally:
            self._become(self._thinking - 1)

    def restart(self) -> None:
        """Count afresh from here."""
        self._over_s, self._since, self.most = 0.0, self._now(), self._thinking

    def _become(self, thinking: int) -> None:
        over = self.over_s
        self._over_s, self._since, self._thinking = over, self._now(), thinking
        self.most = max(self.most, thinking)


THINKING: Final = Gauge(os.cpu_count() or 1)
"""The bots by command that this process asks."""


def read_host(proc: Path = Path("/proc")) -> Host:
    """What the system counts now; what it does not tell is None or 0."""
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_nivcsw
    processor = [int(word) for word in _line(proc / "stat", "cpu ").split()[1:]]
    return Host(
        at_s=time.monotonic(),
        load=os.getloadavg()[0],
        pressure_us=_number(_line(proc / "pressure" / "cpu", "some ").partition("total=")[2]),
        steal=processor[_STEAL] if len(processor) > _STEAL else 0,
        ticks=sum(processor),
        oom_kills=_number(_line(proc / "vmstat", "oom_kill ").partition(" ")[2]),
        switches=ours + theirs,
    )


def _line(path: Path, start: str) -> str:
    """The first line of a file that begins so; empty where there is none."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return ""
    return next((line for line in lines if line.startswith(start)), "")


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdigit() else None


class NoiseMeter:
    """Listens to the host from `start` to `stop`, on the event loop that the bots' clocks run on.

    `cores` is how many cores the process has to itself: where several play an event, its share.
    """

    def __init__(self, cores: int, gauge: Gauge = THINKING) -> None:
        gauge.cores = cores
        self._gauge = gauge
        self._before = read_host()
        self._late_ms: deque[float] = deque(maxlen=_KEPT_TICKS)
        self._loads: deque[float] = deque(maxlen=_KEPT_TICKS)
        self._listening: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen."""
        self._gauge.restart()
        self._before = read_host()
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        while True:
            due = time.monotonic() + TICK_S
            await asyncio.sleep(TICK_S)
            self._late_ms.append(max(0.0, time.monotonic() - due) * _MS)
            self._loads.append(os.getloadavg()[0])
            await asyncio.sleep(EVERY_S)

    def heard(self) -> Noise:
        """What was heard so far."""
        return summary(
            self._before,
            read_host(),
            cores=self._gauge.cores,
            loads=tuple(self._loads),
            late_ms=tuple(self._late_ms),
            gauge=self._gauge,
        )

    async def stop(self) -> Noise:
        """Listen no more, and say what was heard."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        return self.heard()
