"""The terminal in which a page is read: real shells, and nothing left of them."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import blocks
from tests.docs.terminal import BlockError, Terminal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "page"
    made.mkdir()
    return made


@pytest.fixture
def terminal(folder: Path) -> Iterator[Terminal]:
    with Terminal(folder, dict(os.environ), seconds=60) as made:
        yield made


def told(terminal: Terminal, text: str) -> None:
    for block in blocks("PAGE.md", f"```sh\n{text}\n```\n"):
        terminal.run(block)


def test_blocks_share_a_folder_and_their_variables(terminal: Terminal, folder: Path) -> None:
    told(terminal, "mkdir inner\ncd inner\nNAME=Ada")
    told(terminal, 'echo "$NAME" > name')
    assert (folder / "inner" / "name").read_text() == "Ada\n"


def test_a_command_that_fails_stops_the_block_and_is_named(
    terminal: Terminal, folder: Path
) -> None:
    with pytest.raises(BlockError, match=r"failed \(exit 3\): sh -c 'exit 3'"):
        told(terminal, "sh -c 'exit 3'\ntouch after")
    assert not (folder / "after").exists()


def test_an_exit_that_the_page_announces_is_no_failure(terminal: Terminal, folder: Path) -> None:
    told(terminal, "sh -c 'exit 3'   # refused: exit 3\ntouch after")
    assert (folder / "after").exists()


def test_another_exit_than_announced_is_a_failure(terminal: Terminal) -> None:
    with pytest.raises(BlockError, match="exit 0"):
        told(terminal, "true   # exit 3")


def test_a_failure_inside_a_pipe_is_one(terminal: Terminal) -> None:
    with pytest.raises(BlockError):
        told(terminal, "false | cat")


def test_a_block_that_takes_too_long_is_said(folder: Path) -> None:
    with (
        Terminal(folder, dict(os.environ), seconds=0.3) as terminal,
        pytest.raises(BlockError, match="not done after"),
    ):
        told(terminal, "sleep 600")


def test_what_stays_up_is_heard_before_the_next_line_and_ends_with_the_page(folder: Path) -> None:
    with Terminal(folder, dict(os.environ), seconds=60) as terminal:
        told(terminal, "sh -c 'sleep 0.3; touch ready; echo up; sleep 600' &\ntest -e ready")
        told(terminal, "echo $! > number")
    number = int((folder / "number").read_text())
    assert gone(number)


def gone(number: int) -> bool:
    """Whether the process ends, now or soon; one that nobody has waited for yet has ended too."""
    path = Path(f"/proc/{number}/stat")
    for _ in range(500):
        try:
            if path.read_text(encoding="ascii").split()[2] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False
