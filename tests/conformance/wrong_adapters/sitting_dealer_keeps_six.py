"""A dealer who sits out takes the upcard and is never asked to bury a card."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "discard.dealer-sits-out"
WAS: Final = """\
                    self.phase, self.turn = "discard", self.dealer
                    return
"""
BECOMES: Final = """\
                    if self.dealer not in self.out():
                        self.phase, self.turn = "discard", self.dealer
                        return
"""

if __name__ == "__main__":
    run(WAS, BECOMES)
