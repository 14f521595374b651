"""The errors of the suite, each with the exit code that it ends a run with."""

from typing import ClassVar, Final

OUR_ERROR: Final = "an error of this program"
"""How the words of an error of our own begin, in a message and in a log."""


class SuiteError(Exception):
    """Expected in operation: the message says what was wrong and ends in what to do."""

    exit_code: ClassVar[int] = 2


class UsageError(SuiteError):
    """Something asked on the command line that cannot be done."""


class CorpusError(SuiteError):
    """A corpus that cannot be read, or that contradicts itself."""

    exit_code: ClassVar[int] = 5


class TargetStartError(SuiteError):
    """A target that did not start, or did not say hello."""

    exit_code: ClassVar[int] = 4


class SuiteFaultError(SuiteError):
    """An error of our own, in asking, judging or reporting: never the target's failure."""

    exit_code: ClassVar[int] = 5


class PositionError(SuiteError):
    """A request that describes no position: the oracle answers it with an error."""
