"""The families of errors, by whose fault they are."""

from typing import ClassVar


class RefereeError(Exception):
    """Expected in operation: the message says what was wrong and ends in what to do."""

    exit_code: ClassVar[int] = 2


class InternalError(Exception):
    """Our own bug: an unreadable journal row we wrote, an impossible state."""
