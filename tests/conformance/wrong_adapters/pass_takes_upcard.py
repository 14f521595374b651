"""Every pass puts the upcard into the dealer's hand."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "discard.dealer-takes-upcard"
WAS: Final = """\
                self.passes += 1
"""
BECOMES: Final = """\
                self.passes += 1
                self.hands[self.dealer].append(self.upcard)
"""

if __name__ == "__main__":
    run(WAS, BECOMES)
