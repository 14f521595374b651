"""A bot that takes a seat and misbehaves in one way: for authors of referees, and our tests."""

import argparse
import sys

from euchre_bot.errors import BotError
from euchre_bot.options import Options, argument_parser
from seat import Seat, secret_of, tell
from ways import WAYS


def parser() -> argparse.ArgumentParser:
    """The flags of every bot, and which way."""
    made = argument_parser("misbehaving", "Takes a seat and misbehaves in one way.")
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    width = max(map(len, WAYS))
    told = (f"  {name:<{width}}  {way.__doc__}" for name, way in WAYS.items())
    made.epilog = "\n".join(("ways:", *told))
    made.add_argument("--how", required=True, choices=WAYS, metavar="WAY", help="see below")
    made.add_argument("--seed", help="draw the same seeds again in the same match")
    return made


def main() -> None:
    """Play one match; exit 0 where it was closed, 1 where the referee was lost, 2 bad flags."""
    flags = parser().parse_args()
    try:
        seat = Seat(Options.read(flags), secret_of(flags.seed))
        tell(seat.play(WAYS[flags.how]()))
    except BotError as err:
        tell(str(err))
        sys.exit(err.exit_code)


if __name__ == "__main__":
    main()
