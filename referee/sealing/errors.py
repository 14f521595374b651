"""What can be wrong with a seal, by the check that says so."""

from typing import ClassVar

from referee.errors import RefereeError


class DealProofError(RefereeError):
    """Bytes that are no proof: not canonical, of the wrong shape, or contradicting a seal."""

    exit_code: ClassVar[int] = 3


class UnreadableError(DealProofError, ValueError):
    """Bytes that are no transcript line, no event, no key and no vectors file."""

    exit_code: ClassVar[int] = 6


class NoSuchDealError(RefereeError):
    """A deal that a transcript does not hold whole."""


class KeyFormError(RefereeError, ValueError):
    """A key that is not in its one form."""

    exit_code: ClassVar[int] = 4


class UnsoundKeyError(KeyFormError):
    """A key in its form that no honest signer makes: of small order, or not reduced."""
