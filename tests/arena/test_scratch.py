"""Folders for the time of a match, and those that a killed process has left."""

import stat
import tempfile
from pathlib import Path

import pytest

from referee.arena.scratch import HELD, scratch


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_ours_alone_and_gone_after_its_time(place: Path) -> None:
    with scratch("check") as folder:
        assert folder.parent == place
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not list(place.iterdir())


def test_a_folder_that_nobody_holds_is_swept(place: Path) -> None:
    left = place / "euchre-check-left"
    left.mkdir()
    (left / "north.token").write_text("token")
    (left / HELD).touch()
    with scratch("check"):
        assert not left.exists()


def test_a_folder_that_is_held_is_left_alone(place: Path) -> None:
    with scratch("check") as first, scratch("check") as second:
        assert set(place.iterdir()) == {first, second}


@pytest.mark.parametrize("name", ["euchre-check-new", "euchre-match-left", "others"])
def test_a_folder_that_may_be_somebodys_is_left_alone(place: Path, name: str) -> None:
    folder = place / name
    folder.mkdir()
    if not name.endswith("new"):  # one that is just being made holds no lock yet
        (folder / HELD).touch()
    with scratch("check"):
        assert folder.exists()


def test_what_a_link_points_to_is_left_alone(place: Path) -> None:
    folder = place / "precious"
    folder.mkdir()
    (folder / HELD).touch()
    (place / "euchre-check-link").symlink_to(folder)
    with scratch("check"):
        assert (folder / HELD).exists()
