"""Play begins while the dealer still holds six cards."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "discard.before-play"
WAS: Final = """\
                    self.phase, self.turn = "discard", self.dealer
                    return
"""
BECOMES: Final = """\
                    pass
"""

if __name__ == "__main__":
    run(WAS, BECOMES)
