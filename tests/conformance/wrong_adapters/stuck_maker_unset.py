"""After the call of a stuck dealer nobody is the maker, so nothing is scored."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "round-two.stick"
WAS: Final = """\
                self.maker = seat
"""
BECOMES: Final = """\
                self.maker = seat if self.passes < 7 else ""
"""

if __name__ == "__main__":
    run(WAS, BECOMES)
