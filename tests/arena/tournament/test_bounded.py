"""Files in an event's directory that are none, or have a size that nobody meant."""

import os
from pathlib import Path

import pytest

from referee.arena.tournament.bounded import read_bounded
from referee.arena.tournament.disk import DiskWatch
from referee.arena.tournament.eventdb import EventError
from referee.arena.tournament.place import BusyError, holder_of, only_one, write_whole
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
    held = os.open(pipe, os.O_RDWR)  # so that whoever reads it after all gets something
    os.write(held, b"abc")
    with pytest.raises(OSError, match="a pipe or a device"):
        read_bounded(pipe, 3)
    os.close(held)
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


def test_a_disk_without_room_is_told_once_and_so_is_room_again(tmp_path: Path) -> None:
    told: list[str] = []
    room = [HUGE, 4_096, 0, HUGE, HUGE]
    watch = DiskWatch(tmp_path, told.append, lambda _: room.pop(0))
    while room:
        watch.look()
    assert [line.partition(" of ")[0] for line in told] == [
        "the disk",
        "there is room again on the disk",
    ]
    assert "(4,096 bytes are free)" in told[0]


def test_a_file_in_the_place_of_a_directory_is_said_before_anything_runs(tmp_path: Path) -> None:
    written(tmp_path, TWINS)
    for name in ("records", "work"):
        (tmp_path / "cup").mkdir()
        (tmp_path / "cup" / name).write_bytes(b"")
        code, said = tournament(tmp_path, "run", "cup.yaml", "--quiet")
        assert code == 2, said
        assert said.endswith(
            f"cup/{name}' is there and is no directory (name another with --dir)\n"
        )
        (tmp_path / "cup" / name).unlink()
        (tmp_path / "cup").rmdir()
    (tmp_path / "file").write_bytes(b"")
    code, said = tournament(tmp_path, "plan", "cup.yaml", "--dir", "file/cup")
    assert "file' is there and is no directory" in said


def test_a_file_that_could_not_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "taken", b"abc")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
