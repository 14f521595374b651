"""`euchre-referee tournament status`: how far an event is, who runs it, what was decided."""

import json
from pathlib import Path

import click

from referee.arena.noise import noise_of, together
from referee.arena.tournament.actionlog import ActionLog
from referee.arena.tournament.director import Progress, progress_of
from referee.arena.tournament.model import BoardPlayed
from referee.arena.tournament.place import holder_of
from referee.arena.tournament.scoring import Tally, is_over
from referee.cli.times import clock_time
from referee.cli.tournament.events import event_of, open_event


@click.command()
@event_of
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(
    file: Path,
    directory: Path | None,
    as_json: bool,  # noqa: FBT001 -- click's
) -> None:
    """Say how far the event of FILE is, without disturbing whoever runs it."""
    opened = open_event(file, directory)
    log = ActionLog(opened.db, opened.public_key)
    _last, results = opened.db.results()
    tally = Tally(opened.sheet, results, log.rulings())
    plans = [planned.plan for planned in opened.db.rounds()]
    meetings = [meeting for plan in plans for meeting in tally.meetings(plan)]
    progress = progress_of(opened.sheet, plans, meetings, tally)
    director = holder_of(opened.place.directory / "director.lock")
    over = is_over(opened.sheet, plans, tally)
    actions = log.actions()
    force = {action.seq for action in tally.rulings.actions}
    noise = together([noise_of(json.loads(body)) for body in opened.db.noise()])
    voids = [played for played in results if played.void]
    if as_json:
        shown = {
            "event": opened.sheet.name,
            "director": director,
            "over": over,
            "round": progress.round,
            "rounds": progress.rounds,
            "boards": {"done": progress.done, "total": progress.total},
            "void": [
                {"id": played.id, "board": _board(played), "why": played.void} for played in voids
            ],
            "faults": progress.faults,
            "noise": None if noise is None else noise.to_map(),
            "announced": max(0, len(opened.db.announced()) - 1),
            "actions": [
                {"seq": a.seq, "what": a.told, "who": a.who, "reason": a.reason, "at": a.at_ms,
                 "in_force": a.seq in force or a.kind == "undo"}
                for a in actions
            ],
        }  # fmt: skip
        click.echo(json.dumps(shown))
        return
    click.echo(f"event     {opened.sheet.name}, {opened.sheet.format.kind}")
    nobody = "the event is over" if over else "nobody (tournament run goes on with it)"
    running = f"process {director}" if director else nobody
    click.echo(f"director  {running}")
    click.echo(f"rounds    {_of(progress.round, progress.rounds)}")
    click.echo(f"boards    {_boards(progress)}")
    click.echo(f"faults    {progress.faults} by bots")
    if noise is not None:
        click.echo(f"host      {'; '.join([noise.verdict, *noise.reasons])}")
    for played in voids:
        click.echo(f"void      {_board(played)} ({played.id[:8]}): {played.void}")
    for action in actions:
        undone = "" if action.seq in force or action.kind == "undo" else "  [undone]"
        click.echo(
            f"action {action.seq}  {clock_time(action.at_ms)} {action.who}: {action.told}"
            f" ({action.reason}){undone}"
        )


def _board(played: BoardPlayed) -> str:
    key = played.key
    again = f", try {key.attempt}" if key.attempt > 1 else ""
    return f"board {key.board} of round {key.round}, encounter {key.encounter}{again}"


def _of(number: int, total: int | None) -> str:
    return str(number) if total is None else f"{number} of {total}"


def _boards(progress: Progress) -> str:
    void = f", {progress.void} void" if progress.void else ""
    return f"{_of(progress.done, progress.total)} done{void}"
