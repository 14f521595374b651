"""Time and chance, as the host reads them: arguments, so that tests turn the hands themselves."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

Chance = Callable[[int], bytes]
"""So many bytes, drawn."""


class Timer(Protocol):
    """A call that is due later."""

    def cancel(self) -> None:
        """Forget the call."""
        ...


class Clock(Protocol):
    """Two readings and an alarm, all in milliseconds."""

    def now_ms(self) -> int:
        """A reading that never goes back, for limits."""
        ...

    def wall_ms(self) -> int:
        """Milliseconds since 1970, for the record."""
        ...

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> Timer:
        """Run a call after a delay."""
        ...


class LoopClock:
    """The running event loop's clock."""

    def now_ms(self) -> int:
        """A reading that never goes back, for limits."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """Milliseconds since 1970, for the record."""
        return time.time_ns() // 1_000_000

    def call_later(self, delay_ms: int, call: Callable[[], None]) -> Timer:
        """Run a call after a delay."""
        return asyncio.get_running_loop().call_later(delay_ms / 1_000, call)
