"""A worker's journal that is lost for good: what lay open in it is void, and the event ends."""

import os
import select
import signal
import subprocess
from pathlib import Path

import pytest

from referee.arena.tournament.announcing import read_announced
from referee.arena.tournament.journals import journal_fault
from referee.arena.tournament.place import EventPlace
from referee.journal.sqlite import SqliteStore
from tests.arena.tournament.events import (
    PATIENCE_S,
    action_kinds,
    announcements,
    command,
    environment,
    results,
    tournament,
    written,
)

SILENT = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "hello":
        with open("hellos", "a") as file:
            file.write("hello\\n")
        print(json.dumps({"name": "silent"}), flush=True)
    if asked["op"] == "choose":
        with open("hellos") as file:
            begun = len(file.readlines())
        if begun > 1 + 4 and not os.path.exists("again"):
            with open("open.fifo", "w") as fifo:
                fifo.write("a board lies open\\n")
            continue
        print(json.dumps({"id": asked["id"], "action": asked["legal"][0]}), flush=True)
"""
"""Says nothing more once it plays the second board: one of it is tried, four play a board."""
REASON = ("--reason", "the disk died", "--who", "eve")


def test_a_journal_is_sound_where_it_has_all_that_was_closed_in_it(tmp_path: Path) -> None:
    path = tmp_path / "1.db"
    assert journal_fault(path, []) == "it is gone"
    path.touch()
    assert journal_fault(path, []) == "it is gone"
    path.unlink()
    SqliteStore(path, None).close()
    assert journal_fault(path, []) == ""
    assert journal_fault(path, ["ab" * 16]).startswith("it is an older copy")
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert journal_fault(path, [])
    path.write_bytes(b"no journal at all" * 400)
    assert journal_fault(path, [])


@pytest.mark.heavy
def test_a_lost_journal_is_given_up_and_the_event_ends(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text(SILENT)
    os.mkfifo(tmp_path / "open.fifo")
    more = "chunk: 1\nsandbox: 'off'\npolicy: {move_ms: 60000}\n"
    written(tmp_path, (("ann", "cmd:python3 silent.py"), ("bob", "random")), more=more)
    place = EventPlace(tmp_path / "cup")
    lose = ("act", "lost", "cup.yaml", "1", *REASON)
    stopped_with_an_open_board(tmp_path, place)
    code, said = tournament(tmp_path, *lose)
    assert (code, "is there and sound (run the event" in said) == (2, True), said
    for path in place.work.glob("1.db*"):
        path.unlink()
    code, said = tournament(tmp_path, "act", "lost", "cup.yaml", "7", *REASON)
    assert (code, "there is no worker 7 (there are: 1)" in said) == (2, True), said
    code, said = tournament(tmp_path, *lose)
    told = "try 1 at board 2 of round 1, encounter 1 is void: the journal that it lay open in"
    assert (code, f"action 0: {told}" in said) == (0, True), said
    code, said = tournament(tmp_path, *lose)
    assert (code, "is given up already" in said) == (2, True), said
    code, said = tournament(tmp_path, "act", "undo", "cup.yaml", "0", *REASON)
    assert (code, "it stands" in said) == (2, True), said
    (tmp_path / "again").touch()
    code, said = tournament(tmp_path, "run", "cup.yaml", "--workers", "1")
    assert code == 0, said
    assert action_kinds(tmp_path) == ["lost"]
    assert [place.journal(slot).exists() for slot in (1, 2)] == [False, True]
    counted = {(each.key.board, each.key.attempt) for each in results(tmp_path)}
    assert counted == {(1, 1), (2, 2), (3, 1), (4, 1)}
    tries = [each for line in announcements(tmp_path) if (each := read_announced(line))]
    assert len({each.id for each in tries}) == 5
    published_and_verified(tmp_path)


def stopped_with_an_open_board(folder: Path, place: EventPlace) -> None:
    """Run the event until its second board is being played, then kill all at once."""
    told = os.open(folder / "open.fifo", os.O_RDWR)  # so that no bot waits for a reader
    director = subprocess.Popen(
        command("run", "cup.yaml", "--workers", "1"),
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        readable, _, _ = select.select([told], [], [], PATIENCE_S)
        assert readable, "no second board was begun"
        code, said = tournament(folder, "act", "lost", "cup.yaml", "1", *REASON)
        assert (code, "is in use by process" in said) == (2, True), said
    finally:
        worker = int((place.work / "1.lock").read_text())
        director.send_signal(signal.SIGSTOP)  # so that it starts no other worker
        os.kill(worker, signal.SIGKILL)
        director.kill()
        director.wait(PATIENCE_S)
        os.close(told)


def published_and_verified(folder: Path) -> None:
    """Everybody can read what was lost, and nothing else is wrong."""
    code, said = tournament(folder, "publish", "cup.yaml", "--out", "site")
    assert code == 0, said
    page = (folder / "site" / "index.html").read_text()
    assert "the journal that it lay open in is lost" in page
    assert "the disk died" in page
    code, said = tournament(folder, "verify", "site")
    assert code == 0, said
    assert "boards verified: 4 at 8 tables; void: 0; never opened: 0" in said
    assert "void without a record, its journal lost, as the director says: 1" in said
    told = subprocess.run(
        [*command()[:1], "-B", "-m", "recompute", "."],
        cwd=folder / "site", capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr
