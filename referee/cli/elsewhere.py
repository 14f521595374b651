"""A person at a table of another referee: what `euchre-referee sit --referee` does."""

import argparse
import asyncio
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from euchre_bot.errors import BotError
from euchre_bot.joining import take_seat
from euchre_bot.options import Options, check_place
from euchre_bot.result import Result
from euchre_bot.voice import say, speak_as
from referee.cli.chair.away import Away, LeftError
from referee.cli.chair.felt import Felt
from referee.cli.chair.lines import Lines
from referee.cli.chair.person import Person
from referee.cli.chair.tale import Tale
from referee.rules import RuleSet

_GOES_ON: Final = "The match goes on: your clock runs, and the same command takes the seat again."
_CHECKED: Final = (
    "verified: as far as this seat sees it: every commit set before the reveal, our own cards,"
    " every opening, every whole deck, the chain of events and the referee's signatures"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the table is, and what gives the seat."""

    referee: str
    token_file: Path | None
    invitation: str | None
    name: str
    referee_key: str | None
    ca: Path | None
    cert: Path | None
    cert_key: Path | None
    insecure: bool

    def options(self) -> Options:
        """The client's options; a BotError says what is wrong with them."""
        unset = dict.fromkeys(("level", "seat_key", "secret_file", "state_file", "receipts"))
        flags = argparse.Namespace(
            **unset,
            referee=self.referee,
            token_file=self.token_file,
            invitation=self.invitation,
            name=self.name,
            key=self.referee_key,
            ca=self.ca,
            cert=self.cert,
            cert_key=self.cert_key,
            insecure=self.insecure,
        )
        check_place(flags)
        take_seat(flags)
        return Options.read(flags)


def sit_elsewhere(place: Place, felt: Felt) -> int:
    """Play one match at a table elsewhere; the exit status is that of a bot."""
    speak_as("euchre-referee")
    try:
        result = asyncio.run(_play(place.options(), felt))
    except LeftError as err:
        felt.say(f"  {err}")
        return err.exit_code
    except BotError as err:
        say(str(err))
        return err.exit_code
    felt.say(str(result))
    felt.say(_CHECKED, "bold")
    return 0


async def _play(options: Options, felt: Felt) -> Result:
    lines = Lines(sys.stdin.fileno(), terminal=sys.stdin.isatty())

    def leave() -> None:
        away.leave()

    def sit(seat: int, rules: RuleSet) -> Tale:
        person.tale = Tale(felt, seat, rules)
        return person.tale

    person = Person(
        felt,
        lines,
        None,
        name=options.name,
        clock=time.monotonic,
        leave=leave,
        warning=_GOES_ON,
    )
    loop = asyncio.get_running_loop()
    away = Away(loop, person, sit)
    loop.add_signal_handler(signal.SIGINT, person.interrupt)
    loop.add_signal_handler(signal.SIGTERM, away.leave)
    try:
        return await away.play(options)
    finally:
        lines.close()
