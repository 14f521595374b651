"""Play sealed Euchre matches: write one function `choose(view, legal)` and `run` it."""

from euchre_bot.errors import BotError, DealProofError, RefereeLostError, SeatTakenError, UsageError
from euchre_bot.options import Options, argument_parser
from euchre_bot.play import play
from euchre_bot.result import Result
from euchre_bot.run import run, run_with
from euchre_bot.views import Choose, View

__all__ = [
    "BotError",
    "Choose",
    "DealProofError",
    "Options",
    "RefereeLostError",
    "Result",
    "SeatTakenError",
    "UsageError",
    "View",
    "argument_parser",
    "play",
    "run",
    "run_with",
]
