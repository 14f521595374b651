"""What a bot may know and do beyond choosing: for programs that stand between a bot and a seat."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from euchre_bot.canonical import JSON
from euchre_bot.errors import BotError


class UnansweredError(Exception):
    """A bot has no answer in time: nothing is said, and the clock of the referee decides."""


class BotFailedError(BotError):
    """The bot itself has failed."""


class Seeds(Protocol):
    """A bot that draws its own seeds; what it shows is checked before the referee sees it."""

    def commit(self, deal: int, *, cutter: bool) -> bytes:
        """The commitment to a deal's seed, and to its cut where we are the cutter."""

    def reveal(
        self, deal: int, *, commits: Sequence[bytes], r_commit: bytes, cset: bytes
    ) -> tuple[bytes, int | None]:
        """The seed and the cut behind the commitment; the commit set has passed its checks."""


class Companion:
    """Is told how a match goes; one process has one. By default it does nothing."""

    def seated(
        self, *, match: str, seat: str, rules: Mapping[str, str], policy: Mapping[str, int]
    ) -> Seeds | None:
        """We sit, before anything is asked; whoever draws its own seeds is returned."""
        del match, seat, rules, policy
        return None

    def heard(self, event: Mapping[str, JSON]) -> None:
        """A public event that has its place in the record."""
        del event

    def ended(self, *, ns: int, ew: int) -> None:
        """The match was closed at this score."""
        del ns, ew
