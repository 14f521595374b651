"""Bots that are Python classes, called in this process."""

import asyncio
import contextlib
import queue
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn, Protocol, TypeAlias

from referee.arena.players import JSON, BotFailure, BotHello, FailureKind, Reveal

_Work: TypeAlias = "tuple[Callable[[], object], asyncio.Future[object]]"
_TRACE: Final = 4096


class Chooser(Protocol):
    """What a bot's class needs; `start`, `refused`, `event` and `end` are called where it has them.

    A class with `instant = True` promises to answer at once and is called without a thread.
    """

    def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The action that the bot wants."""


class _Worker:
    """A thread that does one thing after the other; a daemon, for a bot may never come back."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="bot", daemon=True).start()

    async def call(self, work: Callable[[], object]) -> object:
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._work.put((work, future))
        return await future

    def stop(self) -> None:
        self._work.put(None)

    def _run(self) -> None:
        while (item := self._work.get()) is not None:
            work, future = item
            if future.cancelled():
                continue
            try:
                result: object = work()
            except BaseException as err:  # noqa: BLE001 - whatever the bot raises is its own failure
                _tell(future, err)
            else:
                _tell(future, result)


def _tell(future: asyncio.Future[object], outcome: object) -> None:
    def settle() -> None:
        if future.done():
            return
        if isinstance(outcome, BaseException):
            future.set_exception(_Raised(outcome))
        else:
            future.set_result(outcome)

    with contextlib.suppress(RuntimeError):  # the loop has ended without us
        future.get_loop().call_soon_threadsafe(settle)


class _Raised(Exception):  # noqa: N818 - carries another exception out of the bot's thread
    """What a bot raised."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


class PythonPlayer:
    """An object of a bot's class that plays one seat for one match."""

    def __init__(self, label: str, make: Callable[[], object]) -> None:
        self._label = label
        self._make = make
        self._bot: object = None
        self._worker: _Worker | None = None

    async def start(self, *, match: str, seat: str, rules: Mapping[str, str]) -> BotHello:
        """Make the object; what goes wrong is START_FAIL."""
        if getattr(self._make, "instant", False) is not True:
            self._worker = _Worker()
        try:
            self._bot = await self._call("start", self._make)
            await self._hook("start", match=match, seat=seat, rules=dict(rules))
        except BotFailure as failure:
            await self.close()
            raise BotFailure(FailureKind.START_FAIL, failure.text, failure.stderr) from failure
        has_event = callable(getattr(self._bot, "event", None))
        name = getattr(self._make, "__name__", "bot")
        return BotHello(str(name)[:32], frozenset({"event"} if has_event else ()))

    async def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The action that the bot returns."""
        action = await self._hook("choose", view, legal)
        if not isinstance(action, str):
            raise BotFailure(
                FailureKind.MALFORMED,
                f"{self._label!r} returned {action!r:.120}: a string is needed",
            )
        return action

    async def refused(self, reason: str, text: str) -> None:
        """Tell why the last action was refused."""
        await self._hook("refused", reason, text)

    async def commit(self, deal: int, *, cutter: bool) -> str:
        """Never asked: the seeds of a bot in this process are the host's."""
        self._seedless(deal, cutter)

    async def reveal(
        self, deal: int, *, commits: Sequence[str], r_commit: str, cset: str
    ) -> Reveal:
        """Never asked: the seeds of a bot in this process are the host's."""
        self._seedless(deal, commits, r_commit, cset)

    def _seedless(self, *asked: object) -> NoReturn:
        raise BotFailure(
            FailureKind.MALFORMED,
            f"{self._label!r} has no seeds of its own (asked: {asked!r:.120})",
        )

    async def event(self, event: Mapping[str, JSON]) -> None:
        """Tell a public event."""
        await self._hook("event", event)

    async def end(self, score: Mapping[str, int]) -> None:
        """Tell the final score."""
        await self._hook("end", score)

    async def close(self) -> None:
        """Let the thread end; one that is stuck in the bot ends with this process."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    async def _hook(self, name: str, *args: object, **named: object) -> object:
        method = getattr(self._bot, name, None)
        if not callable(method):
            return None
        return await self._call(name, lambda: method(*args, **named))

    async def _call(self, doing: str, work: Callable[[], object]) -> object:
        try:
            if self._worker is not None:
                return await self._worker.call(work)
            return _at_once(work)
        except _Raised as raised:
            error = raised.error
            frames = traceback.extract_tb(error.__traceback__)
            where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
            raise BotFailure(
                FailureKind.CRASH,
                f"{self._label!r} raised {type(error).__name__}: {str(error)!r:.120}{where}"
                f" (asked: {doing})",
                "".join(traceback.format_exception(error))[-_TRACE:],
            ) from error


def _at_once(work: Callable[[], object]) -> object:
    try:
        return work()
    except Exception as err:
        raise _Raised(err) from err
