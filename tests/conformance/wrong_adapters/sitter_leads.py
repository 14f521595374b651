"""The partner of a loner, who sits out, is asked to lead."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "lead.first"
WAS: Final = 'self.phase, self.turn = "play", self.playing(left(self.dealer))'
BECOMES: Final = 'self.phase, self.turn = "play", left(self.dealer)'

if __name__ == "__main__":
    run(WAS, BECOMES)
