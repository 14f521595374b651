"""A trick of a lone hand is complete only with four cards."""

from typing import Final

from tests.conformance.wrong_adapters.changed import run

RULE: Final = "alone.trick-size"
WAS: Final = "len(self.trick) == 4 - len(self.alone)"
BECOMES: Final = "len(self.trick) == 4"

if __name__ == "__main__":
    run(WAS, BECOMES)
