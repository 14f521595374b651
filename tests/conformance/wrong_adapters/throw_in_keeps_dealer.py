"""A deal that was thrown in is dealt again by the same seat."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "dealer.rotation"
WAS: Final = 'again = not self.maker and self.rules["throw_in_dealer"] == "same"'
BECOMES: Final = "again = not self.maker"

if __name__ == "__main__":
    run(WAS, BECOMES)
