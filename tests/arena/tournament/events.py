"""Small events on the disk, played by the real command."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner

from referee.arena.tournament.actionlog import ActionLog
from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.model import BoardPlayed
from referee.arena.tournament.place import EventPlace
from referee.arena.tournament.signedlog import ANNOUNCED, LogLine, read_log
from referee.cli import main
from referee.sealing.keys import parse_key

PATIENCE_S = 120


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "referee", "tournament", *words]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_STATE_HOME": str(folder / "state")}


def tournament(folder: Path, *words: str) -> tuple[int, str]:
    """What a command says and its exit code, in a folder; a run in a process of its own."""
    if words[0] != "run":
        with contextlib.chdir(folder):
            said = CliRunner(env={"XDG_STATE_HOME": str(folder / "state")}).invoke(
                main, ["tournament", *words]
            )
        return said.exit_code, said.output
    done = subprocess.run(
        command(*words),
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def written(folder: Path, entries: Sequence[tuple[str, str]], *, more: str = "") -> Path:
    """A duel, or whatever `more` makes of it."""
    listed = "".join(f"  - {{name: {name}, bot: '{bot}'}}\n" for name, bot in entries)
    kind = "" if "format:" in more else "format: round_robin\n"
    boards = "" if "boards:" in more else "boards: 4\n"
    path = folder / "cup.yaml"
    path.write_text(f"name: A cup\n{kind}entries:\n{listed}{boards}workers: 2\n{more}")
    return path


def results(folder: Path) -> list[BoardPlayed]:
    db = EventDb(EventPlace(folder / "cup").db, write=False)
    _last, found = db.results()
    db.close()
    return found


def announcements(folder: Path) -> list[LogLine]:
    """What is published, checked against the key that the event was begun with."""
    place = EventPlace(folder / "cup")
    db = EventDb(place.db, write=False)
    key = parse_key(db.about()["referee_key"])
    db.close()
    with place.announced.open("rb") as stream:
        return read_log(ANNOUNCED, stream, key)


def action_kinds(folder: Path) -> list[str]:
    db = EventDb(EventPlace(folder / "cup").db, write=False)
    kinds = [
        action.kind for action in ActionLog(db, parse_key(db.about()["referee_key"])).actions()
    ]
    db.close()
    return kinds


def standing(folder: Path) -> dict[str, str]:
    """Every entry's exact score."""
    code, said = tournament(folder, "standings", "cup.yaml", "--json")
    assert code == 0, said
    return {row["entry"]: row["score"] for row in json.loads(said)["standings"]}
