"""The clocks of one match: one for what is asked now, one of grace for each absent seat."""

from collections.abc import Callable, Collection
from typing import Final

from referee.host.clock import Clock, Timer

Key = tuple[str, int, int]
"""What is asked, in which deal, after which event: while it stays the same, so does the clock."""
SHORTEST_HOLD_MS: Final = 1_000
"""A question that waits to leave may wait for so long, though the limit is shorter."""
HICCUP_MS: Final = 20
"""A limit that is seen to be over later than that ended while the referee itself stood still."""


class Deadlines:
    """Alarms that ring once and are forgotten with what they were set for.

    The clock starts when the question has left for every seat that it is waiting to leave for, so
    that our queue costs nobody time. Whoever does not read gains so much by it as it may be held,
    or a second where that is longer, and no more.
    """

    def __init__(
        self, clock: Clock, expired: Callable[[Key], None], gone: Callable[[int], None]
    ) -> None:
        self._clock = clock
        self._expired = expired
        self._gone = gone
        self._key: Key | None = None
        self._started = 0
        self._limit = 0
        self._prolonged = False
        self._unread: set[int] = set()
        self._timer: Timer | None = None
        self._rings = 0
        self._grace: dict[int, Timer] = {}

    def run(
        self, key: Key, limit_ms: int, *, unread: Collection[int] = (), hold_ms: int = 0
    ) -> None:
        """Start the clock for what is asked, unless it runs for the same already.

        `unread` are the seats for which the question has yet to leave (see `handed`); the clock is
        held for them so long at most.
        """
        if key == self._key:
            for seat in self._unread.difference(unread):
                self.handed(seat)
            return
        self.stop()
        self._key = key
        now = self._started = self._clock.now_ms()
        self._limit = limit_ms
        self._prolonged = False
        if unread:
            self._unread.update(unread)
            self._started += max(hold_ms, SHORTEST_HOLD_MS)
        due = now + limit_ms  # too early where the question waits, and set anew then
        if self._timer is None or due < self._rings:
            self._set_alarm(due, limit_ms)

    def handed(self, seat: int) -> None:
        """The question has left for a seat, or the seat has shown that it has it, or is gone."""
        if seat in self._unread:
            self._unread.remove(seat)
            if not self._unread:
                self._started = min(self._started, self._clock.now_ms())

    def _set_alarm(self, due: int, delay_ms: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._rings = due
        self._timer = self._clock.call_later(delay_ms, self._ring)

    def _ring(self) -> None:
        """The alarm rings: too early for what was asked since it was set, which is most often so.

        Setting it anew at every decision would cost more than ruling on one. Where the limit ended
        while we stood still, an answer may lie unread before us: that time is nobody's, and there
        is as much again to read it, once.
        """
        self._timer = None
        key, now = self._key, self._clock.now_ms()
        if key is None:
            return
        late = now - self._started - self._limit
        if late > HICCUP_MS and not self._prolonged:
            self._prolonged = True
            self._started += late
            self._limit += late
        due = self._started + self._limit
        if due > now:
            self._set_alarm(due, due - now)
        else:
            self._expired(key)

    def stop(self) -> None:
        """Stop the clock; what is asked next starts afresh."""
        self._key = None
        self._unread.clear()

    def is_for(self, key: Key) -> bool:
        """Whether it is this that the clock is for."""
        return key == self._key

    def used_ms(self) -> int:
        """How long the clock has run; 0 where it stands still."""
        return 0 if self._key is None else max(0, self._clock.now_ms() - self._started)

    def left_ms(self) -> int:
        """How long is left of the limit; 0 where the clock stands still."""
        return 0 if self._key is None else max(0, self._limit - self.used_ms())

    def start_grace(self, seat: int, grace_ms: int) -> None:
        """Start the time that an absent seat has to come back.

        Where it ended while we stood still, the seat may be at the door: there is as much again as
        we were late, once.
        """
        self.stop_grace(seat)
        due = self._clock.now_ms() + grace_ms

        def ring() -> None:
            late = self._clock.now_ms() - due
            if late > HICCUP_MS:
                self._grace[seat] = self._clock.call_later(late, lambda: self._gone(seat))
            else:
                self._gone(seat)

        self._grace[seat] = self._clock.call_later(grace_ms, ring)

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
