"""Files in an event's directory that are none, or have a size that nobody meant."""

import os
from pathlib import Path

import pytest

from referee.arena.tournament.bounded import read_bounded
from referee.arena.tournament.eventdb import EventError
from referee.arena.tournament.place import BusyError, holder_of, only_one
from tests.arena.tournament.events import tournament, written

HUGE = 1 << 40
TWINS = (("ann", "sensible"), ("bob", "sensible"))


def test_a_file_is_read_up_to_a_size_and_a_pipe_never(tmp_path: Path) -> None:
    path, pipe = tmp_path / "file", tmp_path / "pipe"
    path.write_bytes(b"abc")
    assert read_bounded(path, 3) == b"abc"
    with pytest.raises(OSError, match="more than 2 bytes"):
        read_bounded(path, 2)
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="a pipe or a device"):
        read_bounded(pipe, 3)
    with pytest.raises(IsADirectoryError):
        read_bounded(tmp_path, 3)


def test_a_lock_that_is_a_pipe_holds_nobody_up(tmp_path: Path) -> None:
    pipe = tmp_path / "director.lock"
    os.mkfifo(pipe)
    assert holder_of(pipe) == 0
    with pytest.raises(EventError, match=r"a pipe .* \(remove it\)"), only_one(pipe):
        pass
    lock = tmp_path / "other.lock"
    with only_one(lock), pytest.raises(BusyError), only_one(lock):
        pass


def test_a_huge_file_in_an_events_directory_is_said(tmp_path: Path) -> None:
    written(tmp_path, TWINS)
    code, said = tournament(tmp_path, "run", "cup.yaml", "--quiet")
    assert code == 0, said
    place = tmp_path / "cup"
    for name, words in (
        (next(p.name for p in (place / "records").iterdir()), ("publish", "cup.yaml")),
        ("announced.jsonl", ("run", "cup.yaml", "--quiet")),
        ("event.yaml", ("status", "cup.yaml")),
    ):
        path = next(place.rglob(name))
        os.truncate(path, HUGE)
        code, said = tournament(tmp_path, *words)
        assert code == 2, said
        assert f"{name}': it has more than" in said
        assert "Traceback" not in said
