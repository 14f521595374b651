"""`euchre-referee check-bot`: is a bot fit for a match, step by step."""

import asyncio
import json
import signal
import sys
from collections.abc import Coroutine, Sequence
from typing import Final

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from referee.arena.bots import BUILT_IN, BotSpec, DialSpec, parse_bot
from referee.arena.checking.course import check_of, run_steps
from referee.arena.checking.findings import MEANING, Finding, Limits, State, Step
from referee.cli.logs import errors_alone

FAILED: Final = 1
TERMINATED: Final = 128 + signal.SIGTERM
"""As shells say it of a program that SIGTERM ends."""
KINDS: Final = ("py:", "cmd:", "dial:")
COLORS: Final = {State.PASSED: "green", State.FAILED: "red", State.NOT_ASKED: "yellow"}
WIDTH: Final = max(map(len, Step))
STATE_WIDTH: Final = max(map(len, State))
TAIL: Final = 5


class Teller:
    """Shows the steps as they are done: a line each, and a bar below them."""

    def __init__(self, steps: Sequence[Step], *, quiet: bool) -> None:
        self._quiet = quiet
        self._console = Console(stderr=quiet, highlight=False)
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=quiet,
        )
        self._whole = self.progress.add_task("steps", total=len(steps))
        self._part: TaskID | None = None

    def begin(self, step: Step) -> None:
        """Show that a step is being done."""
        self._part = self.progress.add_task(step.value, total=None)

    def went(self, done: int, total: int) -> None:
        """Show how far the step is."""
        if self._part is not None:
            self.progress.update(self._part, completed=done, total=total)

    def tell(self, finding: Finding) -> None:
        """Show what came of the step."""
        if self._part is not None:
            self.progress.remove_task(self._part)
        self.progress.advance(self._whole)
        if self._quiet:
            return
        color = COLORS[finding.state]
        state = f"[{color}]{finding.state.value:<{STATE_WIDTH}}[/{color}]"
        line = f"{finding.step.value:<{WIDTH}}  {state}  {escape(finding.told)}"
        self._console.print(line, soft_wrap=True)
        if finding.state is State.FAILED:
            for text in _heard(finding):
                self._console.print(f"{'':<{WIDTH}}    {text}", markup=False, soft_wrap=True)


def _heard(finding: Finding) -> list[str]:
    """What the bot said, a line each."""
    said = [f"it said {finding.said!r}"] if finding.said else []
    tail = [f"stderr: {line}" for line in finding.stderr.splitlines()[-TAIL:]]
    return [f"it should: {MEANING[finding.step]}", *said, *tail]


@click.command("check-bot")
@click.argument("bot", metavar="BOT")
@click.option(
    "--step",
    "names",
    multiple=True,
    type=click.Choice([step.value for step in Step]),
    help="Do this step alone; may be given more than once.",
)
@click.option("--move-ms", type=click.IntRange(250, 3_600_000), default=5_000, show_default=True,
              help="Time a decision.")  # fmt: skip
@click.option("--start-ms", type=click.IntRange(250, 3_600_000), default=20_000, show_default=True,
              help="Time until its hello.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def check_bot(
    bot: str,
    names: Sequence[str],
    move_ms: int,
    start_ms: int,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Check step by step whether BOT is fit for a match, and show what it said where it is not.

    \b
    BOT is one of
      cmd:COMMAND            a program that speaks JSON lines on stdio; the cmd: may be left out
      dial:COMMAND           a program that dials in over gRPC: its lines are cut and it is lied to
      py:MODULE:CLASS        a class with choose(view, legal)
      random, sensible       the built-in ones

    \b
    The steps are
      starts      says hello within the start limit
      answers     answers a question with a legal action
      legal       plays legally: in every position of the conformance corpus, or where it
                  dials in, in a match under every named rule set
      late        goes on after a question that was given up
      clock       keeps its clock; the share of the limit that it used
      refused     answers again after a refusal
      ends        leaves within 2 s of the end, and leaves nothing running
      reconnects  comes back when the connection is cut and when the referee was killed
      rubbish     survives unknown words and fields, an unknown phase, and what is no JSON
      seals       notices a seal that does not hold, and shows no seed twice

    \b
    Exit codes: 0 every step passed or did not apply; 1 a step failed; 2 bad options.
    """  # noqa: D301 -- \b is click's
    steps = [step for step in Step if not names or step.value in names]
    spec = _spec(bot)
    teller = Teller(steps, quiet=as_json)
    check = check_of(spec, Limits(start_ms=start_ms, move_ms=move_ms), teller.went)
    with errors_alone(), teller.progress:
        found = asyncio.run(_stoppable(run_steps(check, steps, teller.begin, teller.tell)))
    if found is None:
        sys.exit(TERMINATED)
    failures = [finding.step.value for finding in found if finding.state is State.FAILED]
    if as_json:
        steps_shown = [finding.fields() for finding in found]
        click.echo(json.dumps({"bot": spec.text, "passed": not failures, "steps": steps_shown}))
    else:
        asked = [finding for finding in found if finding.state is not State.NOT_ASKED]
        end = f"{len(failures)} failed: {', '.join(failures)}" if failures else "none failed"
        click.echo(f"{len(asked)} of {len(found)} steps asked, {end}")
    sys.exit(FAILED if failures else 0)


async def _stoppable(running: Coroutine[None, None, list[Finding]]) -> list[Finding] | None:
    """What was found; None where SIGTERM came first, and then the bot is gone as after Ctrl-C."""
    steps = asyncio.ensure_future(running)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, steps.cancel)
    try:
        return await steps
    except asyncio.CancelledError:
        mine = asyncio.current_task()
        if mine is not None and mine.cancelling():  # Ctrl-C, which asyncio tells as such
            raise
        return None


def _spec(text: str) -> BotSpec:
    """The bot of a text; a bare command speaks on stdio."""
    known = text in BUILT_IN or text == "dial" or text.startswith(KINDS)
    spec = parse_bot(text if known else f"cmd:{text}")
    if isinstance(spec, DialSpec) and not spec.command:
        raise click.UsageError("a bot that dials in is started here: write dial:COMMAND")
    return spec
