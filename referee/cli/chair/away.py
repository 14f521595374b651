"""A person at a table elsewhere: the client of clients/python keeps the seat, the person plays it.

The client waits for the referee in a thread of its own; all that the person sees and types
belongs to the event loop.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Final, TypeVar

from euchre_bot.canonical import JSON, dump
from euchre_bot.companion import Companion, Seeds, UnansweredError
from euchre_bot.errors import BotError
from euchre_bot.options import Options
from euchre_bot.play import play
from euchre_bot.result import Result
from euchre_bot.views import View
from referee.cli.chair.person import Person
from referee.cli.chair.tale import Tale
from referee.rules import RuleSet
from referee.sealing import SEATS, read_line

_T = TypeVar("_T")
_OURS: Final = frozenset({"match", "limit_ms", "refused"})
"""What the client adds to a view."""
_LEFT: Final = "you have left; the same command takes the seat again while the match goes on"


class LeftError(BotError):
    """The person has left the table."""


class Away(Companion):
    """One seat elsewhere."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        person: Person,
        sit: Callable[[int, RuleSet], Tale],
    ) -> None:
        self._loop = loop
        self._person = person
        self._sit = sit
        self._tale: Tale | None = None
        self._stop: Callable[[], object] | None = None
        self._left = False
        self._over: asyncio.Future[Result] = loop.create_future()

    async def play(self, options: Options) -> Result:
        """Play the match to its end; a BotError says why it could not be."""
        threading.Thread(target=self._run, args=(options,), name="seat", daemon=True).start()
        return await self._over

    def leave(self) -> None:
        """Answer nothing more; the thread may be waiting for the referee, and ends with us."""
        self._left = True
        if self._stop is not None:
            self._stop()
        self._settle(LeftError(_LEFT))

    def _run(self, options: Options) -> None:
        try:
            told: Result | BaseException = play(self.choose, options, None, self)
        except BaseException as err:  # noqa: BLE001 -- whoever waits for the end is told
            told = err
        with contextlib.suppress(RuntimeError):  # the loop has ended without us
            self._loop.call_soon_threadsafe(self._settle, told)

    def _settle(self, told: Result | BaseException) -> None:
        if self._over.done():
            return
        if isinstance(told, BaseException):
            self._over.set_exception(told)
        else:
            self._over.set_result(told)

    # -- what the client tells and asks, in its thread

    def seated(
        self, *, match: str, seat: str, rules: Mapping[str, str], policy: Mapping[str, int]
    ) -> Seeds | None:
        """The seat is ours."""
        self._person.attempts = policy.get("illegal_limit", 0)
        self._tale = self._sit(SEATS.index(seat), RuleSet.from_map(rules))
        self._wait(self._person.start(match=match, seat=seat, rules=rules))
        return None

    def heard(self, event: Mapping[str, JSON]) -> None:
        """Tell a public event."""
        if self._tale is not None:
            told = read_line(dump(dict(event))).event
            self._loop.call_soon_threadsafe(self._tale.hear, told)

    def choose(self, view: View, legal: Sequence[str]) -> str:
        """The person's answer; none where the time is up."""
        return self._wait(self._answer(view, legal))

    async def _answer(self, view: View, legal: Sequence[str]) -> str:
        person = self._person
        person.limit_ms = view["limit_ms"]
        if "refused" in view:
            await person.refused(view["refused"]["reason"], view["refused"]["text"])
        shown = {
            name: value
            for name, value in view.items()
            if name not in _OURS and isinstance(value, str | int | list | dict)
        }
        person.begin(shown)
        try:
            async with asyncio.timeout(person.left_s):
                return await person.choose(shown, legal)
        except TimeoutError as err:
            raise UnansweredError from err

    def _wait(self, work: "Coroutine[None, None, _T]") -> _T:
        """Have something done by the loop, unless the person leaves before it is."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._stop = future.cancel
        if self._left:
            future.cancel()
        try:
            return future.result()
        except CancelledError as err:
            raise LeftError(_LEFT) from err
        finally:
            self._stop = None
