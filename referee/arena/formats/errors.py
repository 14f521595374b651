"""What is wrong with a field of entries, a format's options, or the history it is given."""

from referee.errors import RefereeError


class FormatError(RefereeError, ValueError):
    """An event that cannot be paired as it was asked for."""


class SwissExtraError(FormatError):
    """The library that pairs a Swiss is not installed."""
