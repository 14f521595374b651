"""A bot that picks among the legal actions by a hash: repeatable, and no better than chance."""

import hashlib
from collections.abc import Sequence

from euchre_bot.options import argument_parser
from euchre_bot.run import run_with
from euchre_bot.views import Choose, View


def chooser(seed: str) -> Choose:
    """A chooser that answers one question always alike, and differently for another seed."""

    def choose(view: View, legal: Sequence[str]) -> str:
        place = f"{seed}/{view['match']}/{view['state_version'] + 1}/{view['seat']}"
        digest = hashlib.sha256(place.encode("ascii", "replace")).digest()
        return sorted(legal)[int.from_bytes(digest[:4], "big") % len(legal)]

    return choose


def main() -> None:
    """Play one match."""
    parser = argument_parser("random", "Plays any legal action.")
    parser.add_argument("--seed", default="0", help="another seed gives another game")
    flags = parser.parse_args()
    run_with(chooser(flags.seed), flags)


if __name__ == "__main__":
    main()
