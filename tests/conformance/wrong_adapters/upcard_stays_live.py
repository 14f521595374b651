"""In round two the upcard still lies there to be taken."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "round-one.upcard-stays-known"
WAS: Final = '"turned_down" if self.passes >= 4 else called'
BECOMES: Final = "called"

if __name__ == "__main__":
    run(WAS, BECOMES)
