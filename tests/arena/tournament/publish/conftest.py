"""An event played once, with names that are no friends of pages or spreadsheets, and its site."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Final

import pytest
from click.testing import CliRunner

from referee.cli import main

SHEET: Final = """\
name: 'Cup <script>alert(1)</script> "of" & Ü'
format: round_robin
entries:
  - {name: "<i>ann", bot: random}
  - {name: "@bob", bot: sensible}
  - {name: "cat&amp;", bot: random}
boards: 4
byes: half
chunk: 2
workers: 1
tie_breaks: [score, buchholz, sonneborn_berger, head_to_head, lots]
seed: 7
"""
Run = Callable[..., str]


def run(*arguments: object, exits: int = 0) -> str:
    """What a command of a tournament says."""
    done = CliRunner().invoke(main, ["tournament", *map(str, arguments)])
    assert done.exit_code == exits, done.output
    return done.output


def published(folder: Path, sheet: str) -> Path:
    """The tournament file of an event that was played to its end and published."""
    file = folder / "cup.yaml"
    file.write_text(sheet, encoding="utf-8")
    run("run", file, "--quiet", "--key", folder / "referee.pem")
    run("publish", file)
    return file


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tournament file of an event that was played to its end."""
    return published(tmp_path_factory.mktemp("event"), SHEET)


@pytest.fixture(scope="session")
def site(played: Path) -> Path:
    """Its site: to be read, not changed."""
    return played.with_suffix("") / "site"


@pytest.fixture
def event(played: Path, tmp_path: Path) -> Path:
    """A copy of the event, with which a test may do as it likes."""
    copytree(played.parent, tmp_path / "event")
    return tmp_path / "event" / played.name


@pytest.fixture
def copy(site: Path, tmp_path: Path) -> Path:
    """A copy of the site, to be tampered with."""
    return Path(copytree(site, tmp_path / "site"))
