"""A led left bower asks for the suit that is printed on it."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "follow.left-bower-is-trump"
WAS: Final = """\
        led = suit_of(self.trick[0][1], self.trump)
        able"""
BECOMES: Final = """\
        led = self.trick[0][1][1]
        able"""

if __name__ == "__main__":
    run(WAS, BECOMES)
