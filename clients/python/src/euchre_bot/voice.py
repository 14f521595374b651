"""What a bot tells its operator, on standard error."""

import sys
from typing import Final

TOLD_EVERY_S: Final = 10.0
"""How often an operator is told that the referee is still away."""
_speaker: Final = ["euchre-bot"]


def speak_as(program: str) -> None:
    """Have every line begin with the name of this program."""
    _speaker[:] = [program]


def say(line: str) -> None:
    """Tell the operator."""
    sys.stderr.write(f"{_speaker[0]}: {line}\n")
    sys.stderr.flush()


def no_word(referee: str, fault: str, left: float, *, still: bool = False) -> str:
    """What the operator is told while nobody answers: how long we go on trying, in seconds."""
    begins = "still no word" if still else "no word"
    return f"{begins} from {referee} ({fault}); trying again for {left:.0f} s"
