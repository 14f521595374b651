"""What ends a match early, and the exit status of each."""

from typing import ClassVar


class BotError(Exception):
    """The match cannot go on: the message says why and what to do."""

    exit_code: ClassVar[int] = 1


class RefereeLostError(BotError):
    """The referee could not be reached, or would not have us."""


class UsageError(BotError):
    """A flag, a file or an address is not usable."""

    exit_code: ClassVar[int] = 2


class DealProofError(BotError):
    """The referee's word does not hold: a seal, a signature or a promise is broken."""

    exit_code: ClassVar[int] = 3


class SeatTakenError(BotError):
    """Another process has taken the seat."""

    exit_code: ClassVar[int] = 4
