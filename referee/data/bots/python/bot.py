"""A Euchre bot: change `choose`."""

from collections.abc import Sequence

from euchre_bot import View, run


def choose(view: View, legal: Sequence[str]) -> str:
    """Call when we hold three of the suit; play the first legal card."""
    if "order" in legal and "upcard" in view:
        suit = view["upcard"][-1]
        return "order" if sum(card[-1] == suit for card in view["hand"]) > 2 else legal[0]
    return legal[0]


if __name__ == "__main__":
    run(choose, name="@NAME@")
