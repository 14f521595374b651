"""`euchre-bridge`: a seat for any program that speaks JSON lines."""

import argparse
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Final, NoReturn

import click

from euchre_bot.errors import BotError, UsageError
from euchre_bot.joining import take_seat
from euchre_bot.options import LEVELS, Options, check_place
from euchre_bot.run import guarded
from euchre_bot.voice import say, speak_as
from referee.arena.bridge import Bridge
from referee.arena.players import BotFailure
from referee.cli.errors import OneLineCommand
from referee.cli.files import NamedFile

TERMINATED: Final = 128 + signal.SIGTERM
"""As shells say it of a program that SIGTERM ends."""
LONGEST_NAME: Final = 32
FILE: Final = NamedFile()


@click.command("euchre-bridge", cls=OneLineCommand, no_args_is_help=True)
@click.version_option(package_name="euchre-referee")
@click.argument("command", metavar="CMD")
@click.option(
    "--referee", metavar="HOST:PORT", default="127.0.0.1:8377", show_default=True,
    help="Where the referee is; also unix:PATH.",
)  # fmt: skip
@click.option("--token-file", type=FILE, help="The seat's token; or set EUCHRE_TOKEN.")
@click.option("--invitation", metavar="CODE", help="Take the seat of CODE; its token is kept.")
@click.option("--name", help="The name at the table; by default that of the program's file.")
@click.option("--level", type=click.Choice(LEVELS), help="What the seat does for the seal.")
@click.option("--seat-key", type=FILE, help="The seat's private key (PEM): sign what it does.")
@click.option("--secret-file", type=FILE, help="32 bytes that its seeds are drawn from.")
@click.option("--state-file", type=FILE, help="What the seat has committed to.")
@click.option("--receipts", type=FILE, help="Folder for the referee's receipts.")
@click.option(
    "--key", "--referee-key", metavar="NAME+ID+BASE64", help="The referee's key to insist on."
)
@click.option("--ca", type=FILE, help="The authority behind the referee's certificate (PEM).")
@click.option("--cert", type=FILE, help="Our own certificate, where the referee asks (PEM).")
@click.option("--cert-key", type=FILE, help="Its private key (PEM).")
@click.option("--insecure", is_flag=True, help="Send the token in the clear to another machine.")
def bridge(command: str, **flags: object) -> None:
    """Play one match with a program that speaks JSON lines on standard input and output.

    CMD is one word to the shell: euchre-bridge 'perl bot.pl' --token-file north.token

    The bridge draws the seat's seeds (unless the bot does), checks the seal, keeps the receipts
    and comes back when the connection breaks, as a bot in Python does; files lie where those of
    such a bot lie. The program is started once and asked to choose.

    \b
    Exit codes: 0 the match was closed; 1 the referee was lost, or the bot failed; 2 a flag or file
    is wrong; 3 the seal does not hold; 4 another process took the seat.
    """  # noqa: D301 -- \b is click's
    speak_as("euchre-bridge")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        words = _words(command)
        given = argparse.Namespace(**{**flags, "name": flags["name"] or _name(words)})
        check_place(given)
        take_seat(given)
        options = Options.read(given)
    except BotError as err:
        _refuse(err)
    try:
        with Bridge(words, options.name) as player:
            sys.exit(guarded(player.choose, options, player))
    except BotFailure as err:
        _refuse(UsageError(err.text))


def _refuse(err: BotError) -> NoReturn:
    say(str(err))
    sys.exit(err.exit_code)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as err:
        raise UsageError(f"the command {command!r} is not closed: {err} (mind the quotes)") from err
    if not words or "\0" in command:
        raise UsageError(f"{command!r} names no command (give one, as 'perl bot.pl')")
    return words


def _name(words: list[str]) -> str:
    """What the bot is called: its own file, or else the program that runs it."""
    files = [word for word in words if Path(word).is_file()]
    stem = Path((files or words)[-1 if files else 0]).stem
    return re.sub(r"[^A-Za-z0-9_-]", "_", stem)[:LONGEST_NAME] or "bot"


def main() -> None:
    """The command."""
    bridge(prog_name="euchre-bridge")


if __name__ == "__main__":
    main()
