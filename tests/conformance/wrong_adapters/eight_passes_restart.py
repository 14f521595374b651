"""After eight passes the calling begins again, for ever."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "round-two.throw-in"
WAS: Final = """\
                    self.phase = "over"
                return
"""
BECOMES: Final = """\
                    self.phase, self.passes = "round_one", 0
                return
"""

if __name__ == "__main__":
    run(WAS, BECOMES)
