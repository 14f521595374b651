"""The winner is taken by the place of the card in the trick, not by who laid it."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "trick.winner"
WAS: Final = "self.turn = best[0]"
BECOMES: Final = "self.turn = SEATS[self.trick.index(best)]"

if __name__ == "__main__":
    run(WAS, BECOMES)
