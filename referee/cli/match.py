"""`euchre-referee match`: play bots against each other, here and now."""

import asyncio
import contextlib
import json
import secrets
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from referee.arena.account import Account, counts_games, result_line
from referee.arena.bots import parse_bot
from referee.arena.confine import Terms
from referee.arena.match import Arena, Chances, Plan, Played
from referee.arena.plain import PlainPlan, PlainTable, log_bytes, read_decks
from referee.arena.scratch import scratch
from referee.arena.terms import SandboxMode, on_terms
from referee.cli.files import check_writable, write_bytes
from referee.cli.journals import open_journal
from referee.cli.pairs import map_of
from referee.host.clock import Chance, LoopClock
from referee.host.home import load_key, state_dir
from referee.host.referee import Referee
from referee.rules import RuleSet, preset
from referee.sealing.closing import DealClose, MatchClose
from referee.sealing.packs import SEATS, SIDES
from referee.table.events import PublicEvent
from referee.table.policy import policy

NOT_FINISHED = 1


class Teller:
    """Shows a match as it goes: a line a deal, and a bar towards the target."""

    def __init__(self, rules: RuleSet, games: int, *, quiet: bool) -> None:
        self._rules = rules
        self._games = games
        self._quiet = quiet
        self._account = Account()
        self._console = Console(stderr=quiet, highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=quiet,
        )
        self._task = self._progress.add_task("waiting for the seats", total=self._goal)
        self._deals = 0
        self._told: set[str] = set()

    @property
    def _goal(self) -> int:
        return self._rules.target if self._rules.deals is None else self._rules.deals

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Show the bar while the match is played."""
        with self._progress:
            yield

    def end(self, closed: MatchClose) -> str:
        """The end of the match in one line."""
        games = counts_games(self._rules.to_map())
        return result_line(closed, games=games, last=self._account.last)

    def untold(self, lines: Iterable[str]) -> list[str]:
        """Those of some lines that have not been said while the match was played."""
        return [line for line in lines if line not in self._told]

    def tell(self, text: str) -> None:
        """Say something above the bar."""
        self._told.add(text)
        self._console.print(text, markup=False, soft_wrap=True)

    def hear(self, event: PublicEvent) -> None:
        """Show what an event means."""
        line = self._account.hear(event)
        if line is not None and not self._quiet:
            self.tell(line)
        if isinstance(event, DealClose) and event.outcome != "draw":
            self._deals += 1
            done = max(event.score.ns, event.score.ew)
            if self._rules.deals is not None:
                done = self._deals
            text = f"deal {self._deals}  ns {event.score.ns}  ew {event.score.ew}"
            self._progress.update(self._task, completed=min(done, self._goal), description=text)


@click.command()
@click.option("--rules", default="standard", show_default=True, help="A rule set by name.")
@click.option("--knob", multiple=True, metavar="NAME=VALUE", help="A knob that differs from it.")
@click.option("--north-south", "north_south", required=True, metavar="BOT")
@click.option("--east-west", "east_west", required=True, metavar="BOT")
@click.option("--games", type=click.IntRange(1, 999), default=1, show_default=True)
@click.option("--deals", type=click.IntRange(1, 999), help="Play so many deals instead of games.")
@click.option("--first-dealer", type=click.Choice(SEATS), help="Where the rules say: agreed.")
@click.option("--seed", help="Make the match repeatable, and therefore unrated.")
@click.option("--deals-from", type=click.Path(path_type=Path), help="Decks to play, unsealed.")
@click.option("--transcript", type=click.Path(path_type=Path), help="Where the record goes.")
@click.option("--db", type=click.Path(path_type=Path), help="Keep the journal in this file.")
@click.option("--key", type=click.Path(path_type=Path), help="The referee's private key (PEM).")
@click.option("--move-ms", type=int, default=5_000, show_default=True, help="Time a decision.")
@click.option("--start-ms", type=int, default=20_000, show_default=True, help="Time to sit down.")
@click.option("--deal-ms", type=click.IntRange(0), default=0, help="Time a deal; 0: no limit.")
@click.option(
    "--sandbox",
    type=click.Choice([mode.value for mode in SandboxMode]),
    default=SandboxMode.OFF.value,
    show_default=True,
    help="Hold cmd: and py: bots to limits, in a sandbox of bwrap.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def match(  # noqa: PLR0917 -- click hands every option over by itself
    rules: str,
    knob: Sequence[str],
    north_south: str,
    east_west: str,
    games: int,
    deals: int | None,
    first_dealer: str | None,
    seed: str | None,
    deals_from: Path | None,
    transcript: Path | None,
    db: Path | None,
    key: Path | None,
    move_ms: int,
    start_ms: int,
    deal_ms: int,
    sandbox: str,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Play one match; each seat is a bot of its own.

    \b
    BOT is one of
      random, sensible, strong  the built-in ones
      py:MODULE:CLASS        a class with choose(view, legal), in this process;
                             with --sandbox auto or on, in a process of its own
      cmd:COMMAND            a program that speaks JSON lines on stdio
      dial                   a bot that you start; where its token lies is printed
      dial:COMMAND           a program that dials in over gRPC, started here

    \b
    Exit codes: 0 finished; 1 forfeit, void or aborted; 2 bad options; 4 a bot did not start.
    """  # noqa: D301 -- \b is click's
    check_writable(transcript or Path("euchre.jsonl"))
    knobs = map_of(knob)
    if deals is not None:
        knobs["deals"] = str(deals)
    hidden = tuple(path for path in (db, key) if path is not None)
    mode = SandboxMode(sandbox)
    apart = mode is not SandboxMode.OFF
    settled = on_terms(
        (parse_bot(north_south, apart=apart), parse_bot(east_west, apart=apart)),
        mode,
        Terms(hidden=hidden),
        deal_ms=deal_ms,
    )
    plan = Plan(
        rule_set=rules,
        knobs=knobs,
        policy=policy(
            {"games": games, "move_ms": move_ms, "start_ms": start_ms}, rated=seed is None
        ),
        north_south=settled.bots[0],
        east_west=settled.bots[1],
        first_dealer=None if first_dealer is None else SEATS.index(first_dealer),
        seed=b"" if seed is None else seed.encode("utf-8", "replace"),
    )
    rule_set = RuleSet.from_map({**preset(rules).to_map(), **knobs})
    teller = Teller(rule_set, games, quiet=as_json)
    for note in settled.notes:
        click.echo(note, err=True)
    if deals_from is not None:
        start = 0 if first_dealer is None else SEATS.index(first_dealer)
        plain = PlainPlan(
            rules=rule_set,
            decks=read_decks(deals_from, rule_set),
            dealer=start,
            specs=(plan.north_south, plan.east_west),
            move_ms=move_ms,
            start_ms=start_ms,
            illegal_limit=plan.policy.illegal_limit,
        )
        _play_plain(plain, transcript or Path("euchre-plain.jsonl"), as_json=as_json)
    with scratch("match") as directory:
        chance: Chance = Chances(plan.seed) if plan.seed else secrets.token_bytes
        referee = Referee(
            store=open_journal(db or directory / "journal.db"),
            key=load_key(key or state_dir() / "referee.pem", secrets.token_bytes),
            clock=LoopClock(),
            chance=chance,
        )
        try:
            with teller.showing():
                played = asyncio.run(
                    _play(Arena(referee, plan, chance=chance, directory=directory), teller)
                )
        finally:
            referee.close()
    path = transcript or Path(f"euchre-{played.match.id.hex()[:8]}.jsonl")
    write_bytes(path, played.transcript)
    closed = played.closed
    last = teller.untold(f"{seat}: {failure}" for seat, failure in played.failures.items())
    if closed is not None:
        last.append(teller.end(closed))
    _report(played, path, referee.key.public.text, last, as_json=as_json)
    sys.exit(0 if closed is not None and closed.outcome == "finished" else NOT_FINISHED)


def _play_plain(plan: PlainPlan, path: Path, *, as_json: bool) -> NoReturn:
    table = PlainTable(plan)
    whole = asyncio.run(_interruptible(table))
    write_bytes(path, log_bytes(table.log))
    deals = table.log[1:]
    if as_json:
        shown = {"sealed": False, "rated": False, "deals": deals, "failures": table.failures}
        click.echo(json.dumps({**shown, "log": str(path)}))
    else:
        for line in deals:
            score = line.get("score")
            told = f", score {score['ns']}-{score['ew']}" if isinstance(score, Mapping) else ""
            click.echo(f"deal {line['deal']}: {line['outcome']}{told}")
        for seat, failure in table.failures.items():
            click.echo(f"{seat}: {failure}")
        click.echo(f"plain log, unsealed and unrated: {path}")
    finished = whole and all(line["outcome"] != "fault" for line in deals)
    sys.exit(0 if finished else NOT_FINISHED)


async def _interruptible(table: PlainTable) -> bool:
    """Play the decks; False where Ctrl-C or SIGTERM came first."""
    task = asyncio.create_task(table.play())
    _on_signal(task.cancel)
    await asyncio.wait({task})
    return not task.cancelled() and task.result() is None


def _on_signal(call: Callable[[], object]) -> None:
    """Have Ctrl-C and SIGTERM make a call instead of ending the process."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, call)


async def _play(arena: Arena, teller: Teller) -> Played:
    """Play until the end; Ctrl-C and SIGTERM abort the match and keep its record."""
    task = asyncio.create_task(arena.play(teller.hear, teller.tell))
    _on_signal(arena.abort)
    return await task


def _report(played: Played, path: Path, key: str, last: Sequence[str], *, as_json: bool) -> None:
    closed = played.closed
    own, host = played.seeds
    if as_json:
        shown = {
            "match": played.match.id.hex(),
            "rated": played.match.durable.rated,
            "outcome": None if closed is None else closed.outcome,
            "by": None if closed is None or closed.by is None else SEATS[closed.by],
            "winner": None if closed is None or closed.winner is None else SIDES[closed.winner],
            "score": None if closed is None else {"ns": closed.score.ns, "ew": closed.score.ew},
            "deals": None if closed is None else closed.deals,
            "seeds": {"seat": own, "host": host},
            "failures": played.failures,
            "transcript": str(path),
            "referee_key": key,
        }
        click.echo(json.dumps(shown))
        return
    for line in last:
        click.echo(line)
    rated = "rated" if played.match.durable.rated else "unrated: the result proves nothing"
    click.echo(f"seeds: {own} by bots, {host} by this host; {rated}")
    click.echo(f"transcript: {path}")
    click.echo(f"to verify: euchre-referee verify {path} --referee-key '{key}'")
