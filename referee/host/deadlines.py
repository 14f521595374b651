"""The clocks of one match: one for what is asked now, one of grace for each absent seat."""

from collections.abc import Callable

from referee.host.clock import Clock, Timer

Key = tuple[str, int, int]
"""What is asked, in which deal, after which event: while it stays the same, so does the clock."""


class Deadlines:
    """Alarms that ring once and are forgotten with what they were set for."""

    def __init__(
        self, clock: Clock, expired: Callable[[Key], None], gone: Callable[[int], None]
    ) -> None:
        self._clock = clock
        self._expired = expired
        self._gone = gone
        self._key: Key | None = None
        self._started = 0
        self._limit = 0
        self._timer: Timer | None = None
        self._rings = 0
        self._grace: dict[int, Timer] = {}

    def run(self, key: Key, limit_ms: int) -> None:
        """Start the clock for what is asked, unless it runs for the same already."""
        if key == self._key:
            return
        self.stop()
        self._key = key
        self._started = self._clock.now_ms()
        self._limit = limit_ms
        due = self._started + limit_ms
        if self._timer is None or due < self._rings:
            self._set_alarm(due, limit_ms)

    def _set_alarm(self, due: int, delay_ms: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._rings = due
        self._timer = self._clock.call_later(delay_ms, self._ring)

    def _ring(self) -> None:
        """The alarm rings: too early for what was asked since it was set, which is most often so.

        Setting it anew at every decision would cost more than ruling on one.
        """
        self._timer = None
        key, left = self._key, self.left_ms()
        if key is None:
            return
        if left > 0:
            self._set_alarm(self._started + self._limit, left)
        else:
            self._expired(key)

    def stop(self) -> None:
        """Stop the clock; what is asked next starts afresh."""
        self._key = None

    def used_ms(self) -> int:
        """How long the clock has run; 0 where it stands still."""
        return 0 if self._key is None else max(0, self._clock.now_ms() - self._started)

    def left_ms(self) -> int:
        """How long is left of the limit; 0 where the clock stands still."""
        return 0 if self._key is None else max(0, self._limit - self.used_ms())

    def start_grace(self, seat: int, grace_ms: int) -> None:
        """Start the time that an absent seat has to come back."""
        self.stop_grace(seat)
        self._grace[seat] = self._clock.call_later(grace_ms, lambda: self._gone(seat))

    def stop_grace(self, seat: int) -> None:
        """The seat is back."""
        timer = self._grace.pop(seat, None)
        if timer is not None:
            timer.cancel()

    def absent(self, seat: int) -> bool:
        """Whether the seat's time of grace runs."""
        return seat in self._grace

    def close(self) -> None:
        """Stop everything."""
        self.stop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for seat in tuple(self._grace):
            self.stop_grace(seat)
