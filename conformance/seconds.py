"""A time that a person gives in seconds."""

from typing import Final

LONGEST: Final = 86_400.0


def seconds_of(text: str) -> float:
    """The seconds that a text says; ValueError where they are no time to wait.

    >>> seconds_of("0.5")
    0.5
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if 0 < seconds <= LONGEST:
        return seconds
    raise ValueError(f"not a time: {text!r} (write seconds, more than 0 and at most {LONGEST:.0f})")
