"""What a match asks of a player, and how a player can fail."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, Protocol, TypeAlias, TypeVar

from referee.errors import RefereeError

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"

OPS: Final = frozenset({"commit", "reveal", "event"})
"""What a player may offer beyond choosing."""

_Answer = TypeVar("_Answer")


class FailureKind(StrEnum):
    """How a player failed."""

    CRASH = "CRASH"
    MALFORMED = "MALFORMED"
    START_FAIL = "START_FAIL"
    TIMEOUT = "TIMEOUT"
    INFRA = "INFRA"
    """Not the bot's fault: this machine could not run it."""


class BotFailure(RefereeError):  # noqa: N818 - the arena's word for it: a ruling follows, not a bug
    """A bot that could not be started, died, spoke nonsense or was too slow."""

    exit_code: ClassVar[int] = 4

    def __init__(self, kind: FailureKind, text: str, stderr: str = "") -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.stderr = stderr


@dataclass(frozen=True, slots=True)
class BotHello:
    """How a player introduced itself, and what it offers beyond choosing."""

    name: str
    ops: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reveal:
    """A seed that a player opens, in hex, with the cut where it was the cutter."""

    seed: str
    cut: int | None


class Player(Protocol):
    """One seat of a local match; every method may raise BotFailure and may be canceled."""

    async def start(self, *, match: str, seat: str, rules: Mapping[str, str]) -> BotHello:
        """Begin; the player answers with its name."""

    async def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
        """The action that the player wants."""

    async def refused(self, reason: str, text: str) -> None:
        """Tell why the last action was refused, before `choose` is asked again."""

    async def commit(self, deal: int, *, cutter: bool) -> str:
        """The commitment to a deal's seed, in hex; only where `commit` is among the ops."""

    async def reveal(
        self, deal: int, *, commits: Sequence[str], r_commit: str, cset: str
    ) -> Reveal:
        """The seed behind the commitment; only where `reveal` is among the ops."""

    async def event(self, event: Mapping[str, JSON]) -> None:
        """Tell a public event; only where `event` is among the ops."""

    async def end(self, score: Mapping[str, int]) -> None:
        """Tell the final score."""

    async def close(self) -> None:
        """Leave nothing running; safe to call again."""


async def within(seconds: float | None, answer: Awaitable[_Answer], doing: str) -> _Answer:
    """The answer, or a BotFailure of kind TIMEOUT that says what was not done in time."""
    try:
        async with asyncio.timeout(seconds):
            return await answer
    except TimeoutError as err:
        raise BotFailure(
            FailureKind.TIMEOUT, f"the bot did not {doing} within {seconds or 0:g} s"
        ) from err
