"""A program on standard input and output as a full client: it chooses, we do the rest of a seat.

The seat's side of the seal, the receipts and the reconnects are those of the Python client: the
checks against a lying referee exist once in Python, and are tested there.
"""

import asyncio
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Final, NoReturn, Self, TypeVar

from euchre_bot.canonical import JSON
from euchre_bot.companion import BotFailedError, Companion, Seeds, UnansweredError
from euchre_bot.views import View
from euchre_bot.voice import say
from referee.arena.players import BotFailure, BotHello, FailureKind, within
from referee.arena.stdio import CommandPlayer

MALFORMED: Final = '"'
"""What stands for an answer that is none: no action is spelt so, and it counts as an attempt."""

_OURS: Final = frozenset({"match", "limit_ms", "refused"})
"""What the client adds to a view; the bot is shown the view of the table."""
_CHAIN: Final = frozenset({"seq", "prev"})
_OWN_SEEDS: Final = frozenset({"commit", "reveal"})
_MARGIN_S: Final = 0.05
"""What of a limit is kept for the way to the referee."""
_T = TypeVar("_T")


class _Loop:
    """An event loop in a thread of its own: the client waits for the referee, the bot for us."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="bot", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[None, None, _T]) -> _T:
        """Do something there, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Bridge(Companion):
    """One program that plays one match; leaving the `with` block ends it and all it started."""

    def __init__(self, command: Sequence[str], name: str) -> None:
        self._name = name
        self._player = CommandPlayer(" ".join(command), command)
        self._loop = _Loop()
        self._hello = BotHello("", frozenset())
        self._policy: Mapping[str, int] = {}
        self._asked = -1
        self._until = 0.0

    def __enter__(self) -> Self:
        """Start the program, before a seat is taken for it; BotFailure where there is none."""
        try:
            self._loop.run(self._player.launch())
        except BaseException:
            self._loop.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Two seconds after the end of a match, and at once before it."""
        self._loop.run(self._player.close())
        self._loop.close()

    # -- what the client asks

    def seated(
        self, *, match: str, seat: str, rules: Mapping[str, str], policy: Mapping[str, int]
    ) -> Seeds | None:
        """Greet the bot; its seeds, where it draws them itself."""
        self._policy = policy
        greeting = self._player.start(match=match, seat=seat, rules=rules)
        try:
            self._hello = self._loop.run(within(self._limit("start_ms"), greeting, "say hello"))
        except BotFailure as err:
            raise BotFailedError(err.text) from err
        if self._hello.name != self._name:
            say(f"the bot calls itself {self._hello.name!r}; at the table it is {self._name!r}")
        return self if self._hello.ops >= _OWN_SEEDS else None

    def choose(self, view: View, legal: Sequence[str]) -> str:
        """The bot's answer; one that is none is sent as what counts for that."""
        shown = _of_the_table(view)
        if view["state_version"] != self._asked:  # a question put again has the time of the first
            self._asked = view["state_version"]
            self._until = time.monotonic() + view["limit_ms"] / 1_000
        try:
            if "refused" in view:
                refused = view["refused"]
                self._loop.run(self._player.refused(refused["reason"], refused["text"]))
            left = max(_MARGIN_S, self._until - time.monotonic() - _MARGIN_S)
            return self._loop.run(within(left, self._player.choose(shown, legal), "choose"))
        except BotFailure as err:
            if err.kind is FailureKind.MALFORMED:
                say(err.text)
                return MALFORMED
            _fail(err)

    def commit(self, deal: int, *, cutter: bool) -> bytes:
        """The commitment of a bot that draws its own seeds."""
        asked = self._player.commit(deal, cutter=cutter)
        try:
            return bytes.fromhex(self._loop.run(within(self._limit("commit_ms"), asked, "commit")))
        except BotFailure as err:
            _fail(err)

    def reveal(
        self, deal: int, *, commits: Sequence[bytes], r_commit: bytes, cset: bytes
    ) -> tuple[bytes, int | None]:
        """The seed of a bot that draws its own."""
        asked = self._player.reveal(
            deal,
            commits=[commit.hex() for commit in commits],
            r_commit=r_commit.hex(),
            cset=cset.hex(),
        )
        try:
            shown = self._loop.run(within(self._limit("reveal_ms"), asked, "reveal"))
        except BotFailure as err:
            _fail(err)
        return bytes.fromhex(shown.seed), shown.cut

    # -- what the client tells

    def heard(self, event: Mapping[str, JSON]) -> None:
        """Tell a public event, to a bot that asks for them."""
        if "event" in self._hello.ops:
            told = {name: value for name, value in event.items() if name not in _CHAIN}
            self._loop.run(self._player.event(told))

    def ended(self, *, ns: int, ew: int) -> None:
        """Tell the final score."""
        self._loop.run(self._player.end({"ns": ns, "ew": ew}))

    def _limit(self, name: str) -> float | None:
        """A limit of the match policy, in seconds."""
        return self._policy[name] / 1_000 if name in self._policy else None


def _of_the_table(view: View) -> dict[str, JSON]:
    """A view as the stdio protocol has it; the types are those that a view holds."""
    return {
        name: value
        for name, value in view.items()
        if name not in _OURS and isinstance(value, str | int | list | dict)
    }


def _fail(err: BotFailure) -> NoReturn:
    """A bot that was too slow loses this one answer; any other failure ends its match."""
    if err.kind is FailureKind.TIMEOUT:
        say(err.text)
        raise UnansweredError from err
    raise BotFailedError(err.text) from err
