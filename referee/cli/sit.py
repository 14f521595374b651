"""`euchre-referee sit`: a chair at the table for a person."""

import asyncio
import io
import re
import secrets
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from referee.arena.account import verified_words
from referee.arena.bots import ChairSpec, parse_bot
from referee.arena.match import Arena, Chances, Plan, Played
from referee.arena.scratch import scratch
from referee.cli.chair.felt import Felt
from referee.cli.chair.lines import Lines
from referee.cli.chair.person import Person
from referee.cli.chair.tale import Tale
from referee.cli.files import NamedFile, check_writable, write_bytes
from referee.cli.journals import open_journal
from referee.cli.pairs import map_of
from referee.host.clock import Chance, LoopClock
from referee.host.home import load_key, state_dir
from referee.host.referee import Referee
from referee.journal.verify import verify_stream
from referee.rules import RuleSet, preset
from referee.sealing import parse_key
from referee.sealing.packs import SEATS
from referee.table.policy import LARGEST_COUNT, policy

NOT_FINISHED: Final = 1
FILE: Final = NamedFile()
_OWN: Final = frozenset(
    ("rules", "knob", "others", "partner", "seat", "deals", "first_dealer", "seed", "move_ms",
     "transcript", "key")
)  # fmt: skip
_THEIRS: Final = frozenset(
    ("token_file", "invitation", "referee_key", "ca", "cert", "cert_key", "insecure")
)
_ABORTS: Final = "The match ends when you leave: nobody wins, and its record is kept."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """What the person asked for."""

    plan: Plan
    rules: RuleSet
    seat: int
    name: str
    plain: bool

    def felt(self) -> Felt:
        """Where the match is shown."""
        return Felt(sys.stdout, drawn=not self.plain and sys.stdout.isatty())


@click.command()
@click.option("--rules", default="standard", show_default=True, help="A rule set by name.")
@click.option("--knob", multiple=True, metavar="NAME=VALUE", help="A knob that differs from it.")
@click.option("--with", "others", default="sensible", show_default=True, metavar="BOT")
@click.option("--partner", metavar="BOT", help="Who sits opposite; as --with, where not given.")
@click.option("--seat", type=click.Choice(SEATS), default="south", show_default=True)
@click.option("--name", default="person", show_default=True, help="Your name in the record.")
@click.option("--deals", type=click.IntRange(1, 999), help="Play so many deals, not to a target.")
@click.option("--first-dealer", type=click.Choice(SEATS), help="Where the rules say: agreed.")
@click.option("--seed", help="The same cards again, if all do the same; unrated.")
@click.option("--move-ms", type=int, default=600_000, show_default=True, help="Time a decision.")
@click.option("--transcript", type=click.Path(path_type=Path), help="Where the record goes.")
@click.option("--key", type=click.Path(path_type=Path), help="The referee's private key (PEM).")
@click.option("--plain", is_flag=True, help="Plain lines also in a terminal, nothing drawn.")
@click.option("--referee", metavar="HOST:PORT", help="Sit at a table there instead.")
@click.option("--token-file", type=FILE, help="There: the seat's token; or set EUCHRE_TOKEN.")
@click.option("--invitation", metavar="CODE", help="There: take the seat of CODE.")
@click.option("--referee-key", metavar="NAME+ID+BASE64", help="There: the key to insist on.")
@click.option("--ca", type=FILE, help="There: whose certificate to trust (PEM).")
@click.option("--cert", type=FILE, help="There: our own certificate (PEM).")
@click.option("--cert-key", type=FILE, help="There: its private key (PEM).")
@click.option("--insecure", is_flag=True, help="There: send the token in the clear.")
@click.pass_context
def sit(  # noqa: PLR0917 -- click hands every option over by itself
    ctx: click.Context,
    rules: str,
    knob: Sequence[str],
    others: str,
    partner: str | None,
    seat: str,
    name: str,
    deals: int | None,
    first_dealer: str | None,
    seed: str | None,
    move_ms: int,
    transcript: Path | None,
    key: Path | None,
    plain: bool,  # noqa: FBT001 -- click's
    referee: str | None,
    token_file: Path | None,
    invitation: str | None,
    referee_key: str | None,
    ca: Path | None,
    cert: Path | None,
    cert_key: Path | None,
    insecure: bool,  # noqa: FBT001 -- click's
) -> None:
    """Sit down and play: three bots and a referee of your own take the other places.

    \b
    BOT is one of
      random, sensible, strong  the built-in ones
      py:MODULE:CLASS        a class with choose(view, legal), in this process
      cmd:COMMAND            a program that speaks JSON lines on stdio
      dial:COMMAND           a program that dials in over gRPC, started here

    With --referee you sit at a table elsewhere, with the checks, files and exit codes of a bot in
    Python; the options of your own table have no meaning there.

    Answers are numbers, cards or actions, one a line; standard input may be a pipe.
    The deals are sealed; at the end the record is verified as `verify` does it.

    \b
    Exit codes: 0 finished; 1 left, forfeit or void; 2 bad options; 3 the record does not verify;
    4 a bot did not start.
    """  # noqa: D301 -- \b is click's
    check_name(name)
    check_apart(ctx, away=referee is not None)
    if referee is not None:
        from referee.cli.elsewhere import Place, sit_elsewhere  # noqa: PLC0415 -- loads the client

        place = Place(
            referee=referee,
            token_file=token_file,
            invitation=invitation,
            name=name,
            referee_key=referee_key,
            ca=ca,
            cert=cert,
            cert_key=cert_key,
            insecure=insecure,
        )
        sys.exit(sit_elsewhere(place, Felt(sys.stdout, drawn=not plain and sys.stdout.isatty())))
    check_writable(transcript or Path("euchre.jsonl"))
    knobs = map_of(knob)
    if deals is not None:
        knobs["deals"] = str(deals)
    number = SEATS.index(seat)
    theirs = parse_bot(others)
    plan = Plan(
        rule_set=rules,
        knobs=knobs,
        policy=policy({"move_ms": move_ms, "illegal_limit": LARGEST_COUNT}, rated=seed is None),
        north_south=theirs,
        east_west=theirs,
        first_dealer=None if first_dealer is None else SEATS.index(first_dealer),
        seed=b"" if seed is None else seed.encode("utf-8", "replace"),
        chairs={} if partner is None else {number ^ 2: parse_bot(partner)},
    )
    table = _Table(
        plan=plan,
        rules=RuleSet.from_map({**preset(rules).to_map(), **knobs}),
        seat=number,
        name=name,
        plain=plain,
    )
    sys.exit(_at_home(table, transcript, key))


def _at_home(table: _Table, transcript: Path | None, key: Path | None) -> int:
    """Play at a table of one's own; the exit code."""
    plan, felt = table.plan, table.felt()
    with scratch("sit") as directory:
        chance: Chance = Chances(plan.seed) if plan.seed else secrets.token_bytes
        referee = Referee(
            store=open_journal(directory / "journal.db"),
            key=load_key(key or state_dir() / "referee.pem", secrets.token_bytes),
            clock=LoopClock(),
            chance=chance,
        )
        try:
            played = asyncio.run(_play(referee, table, felt, chance, directory))
        finally:
            referee.close()
    if felt.unread:
        raise BrokenPipeError
    path = transcript or Path(f"euchre-{played.match.id.hex()[:8]}.jsonl")
    write_bytes(path, played.transcript)
    for place, failure in played.failures.items():
        felt.say(f"{place}: {failure}")
    verified = tell_verdict(felt, played.transcript, path, referee.key.public.text)
    closed = played.closed
    finished = closed is not None and closed.outcome == "finished"
    return verified or (0 if finished else NOT_FINISHED)


def check_apart(ctx: click.Context, *, away: bool) -> None:
    """Options of a table of one's own and of one elsewhere do not go together."""
    given = {
        param.name
        for param in ctx.command.params
        if ctx.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
    }
    wrong = given & (_OWN if away else _THEIRS)
    if wrong:
        option = "--" + min(wrong).replace("others", "with").replace("_", "-")
        why = "goes with a table of your own" if away else "goes with --referee"
        raise click.UsageError(f"{option} {why} (leave it out)")


def check_name(name: str) -> None:
    """A name as every client has it: BadParameter where it is none."""
    if not re.fullmatch(r"[!#-*,-\[\]-~]{1,32}", name):
        raise click.BadParameter(
            f'not a name: {name!r} (1 to 32 printable ASCII characters without space, ", \\ and +)',
            param_hint="--name",
        )


async def _play(
    referee: Referee, table: _Table, felt: Felt, chance: Chance, directory: Path
) -> Played:
    """Play until the end; the person may leave, and the record is kept."""
    tale = Tale(felt, table.seat, table.rules)
    lines = Lines(sys.stdin.fileno(), terminal=sys.stdin.isatty())

    def leave() -> None:
        arena.abort()

    person = Person(
        felt,
        lines,
        tale,
        name=table.name,
        clock=time.monotonic,
        leave=leave,
        warning=_ABORTS,
    )
    person.limit_ms = table.plan.policy.move_ms
    chairs = {**table.plan.chairs, table.seat: ChairSpec(table.name, lambda: person)}
    plan = replace(table.plan, chairs=chairs)
    arena = Arena(referee, plan, chance=chance, directory=directory)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, person.interrupt)
    loop.add_signal_handler(signal.SIGTERM, arena.abort)
    try:
        return await arena.play(tale.hear, felt.say)
    finally:
        lines.close()


def tell_verdict(felt: Felt, transcript: bytes, path: Path, key: str) -> int:
    """Verify the record of the match and say so; the exit code of `verify`."""
    report = verify_stream(io.BytesIO(transcript), pinned=parse_key(key))
    failure, totals = report.verdict.failure, report.verdict.totals
    if failure is None:
        seal = "seal, signatures, rules and scores"
        felt.say(f"verified: {verified_words(totals)}; {seal}", "bold")
    else:
        felt.say(f"NOT verified (exit {failure.exit}): {failure.message}", "bold")
    felt.say(f"transcript: {path}")
    felt.say(f"to verify it again: euchre-referee verify {path} --referee-key '{key}'")
    return report.exit
