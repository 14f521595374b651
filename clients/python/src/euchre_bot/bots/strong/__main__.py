"""Plays one match: `python -m euchre_bot.bots.strong`."""

from collections.abc import Mapping

from euchre_bot.bots.strong.bot import BUDGET_MS, Effort, Strong
from euchre_bot.canonical import JSON
from euchre_bot.companion import Companion
from euchre_bot.options import argument_parser
from euchre_bot.run import run_with


class Ears(Companion):
    """Tells the bot what happens, also what comes after its own card in a trick."""

    def __init__(self, bot: Strong) -> None:
        self._bot = bot

    def heard(self, event: Mapping[str, JSON]) -> None:
        """A public event."""
        self._bot.event(event)


def main() -> None:
    """Play one match."""
    parser = argument_parser("strong", "Deals the unseen cards many times over, and picks.")
    add = parser.add_argument
    add("--budget-ms", type=int, default=BUDGET_MS, help="time a decision (default: %(default)s)")
    add("--worlds", type=int, default=0, help="worlds a decision, whatever time they take")
    add("--seed", default="0", help="another seed deals other worlds")
    flags = parser.parse_args()
    if flags.budget_ms < 1 or flags.worlds < 0:
        parser.error("--budget-ms is at least 1, and --worlds no less than 0")
    effort = Effort(budget_ms=flags.budget_ms, worlds=flags.worlds, seed=flags.seed)
    bot = Strong(effort)
    run_with(bot.choose, flags, Ears(bot))


if __name__ == "__main__":
    main()
