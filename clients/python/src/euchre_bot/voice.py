"""What a bot tells its operator, on standard error."""

import sys
from typing import Final

_speaker: Final = ["euchre-bot"]


def speak_as(program: str) -> None:
    """Have every line begin with the name of this program."""
    _speaker[:] = [program]


def say(line: str) -> None:
    """Tell the operator."""
    sys.stderr.write(f"{_speaker[0]}: {line}\n")
    sys.stderr.flush()
