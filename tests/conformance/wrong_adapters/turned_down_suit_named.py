"""The suit that was turned down may be named in round two."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "round-two.not-turned-suit"
WAS: Final = 'return "SUIT_TURNED_DOWN"'
BECOMES: Final = 'return ""'

if __name__ == "__main__":
    run(WAS, BECOMES)
