"""The way from one function to a seat at the table."""

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from euchre_bot.companion import Companion
from euchre_bot.errors import BotError
from euchre_bot.joining import take_seat
from euchre_bot.options import Options, argument_parser, check_place
from euchre_bot.play import play
from euchre_bot.views import Choose
from euchre_bot.voice import say


def run(choose: Choose, *, name: str = "my-bot", argv: Sequence[str] | None = None) -> NoReturn:
    """Read the flags, play one match with `choose`, and exit with its status.

    0 the match was closed; 1 the referee was lost, or `choose` failed; 2 a flag or file is wrong;
    3 the seal does not hold; 4 another process took the seat.
    """
    parser = argument_parser(name, f"{name}: plays one Euchre match under a referee.")
    run_with(choose, parser.parse_args(argv))


def run_with(
    choose: Choose, flags: argparse.Namespace, companion: Companion | None = None
) -> NoReturn:
    """As `run`, with flags that a bot's own `argument_parser` has read."""
    try:
        check_place(flags)
        take_seat(flags)
        options = Options.read(flags)
    except BotError as err:
        say(str(err))
        sys.exit(err.exit_code)
    sys.exit(guarded(choose, options, companion))


def guarded(choose: Choose, options: Options, companion: Companion | None = None) -> int:
    """Play one match and say how it ended; the exit status."""
    try:
        say(str(play(choose, options, companion=companion)))
    except BotError as err:
        say(str(err))
        return err.exit_code
    except KeyboardInterrupt:
        say("stopped; the seat stays ours: start again with the same files to go on")
        return 130
    return 0
