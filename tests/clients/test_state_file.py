"""One state file and bots of two languages: while one holds it, the other is kept out."""

import fcntl
import os
import signal
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.clients.house import Bot, until
from tests.clients.known import CLIENTS, Client

NOBODY: Final = "127.0.0.1:1"
LINES: Final = 150_000
"""So many promises take every language a while to read, and it holds the file meanwhile."""
NO_LOCKS: Final = "node"
"""The language that has no lock which the others would see; it is sound without."""
WHOLE_FILE: Final = (os.SEEK_SET, 0, 0, 0)
TORN: Final = b'{"deal":1,"match":"' + b"ab" * 8
"""A line that another process has not yet written to its end."""


def begun(client: Client, state: Path, log: str) -> Bot:
    """A bot on a state file, for which there is no referee."""
    words = ("--referee", NOBODY, "--secret-file", str(state.with_name(f"{log}.secret")))
    return Bot.start(
        state.parent,
        log,
        *(client.bot("random"), *words, "--state-file", str(state)),
        token="t" * 43,
    )


def is_held(state: int) -> bool:
    """Whether another process has a lock on an open file."""
    asked = struct.pack("hhqqi", fcntl.F_WRLCK, *WHOLE_FILE)
    found = fcntl.fcntl(state, fcntl.F_OFD_GETLK, asked)
    return bool(struct.unpack("hhqqi", found)[0] != fcntl.F_UNLCK)


@contextmanager
def stopped_while_it_holds(client: Client, state: Path) -> Iterator[None]:
    """A bot that is halted at a moment at which it holds its state file."""
    descriptor = os.open(state, os.O_RDWR)
    bot = begun(client, state, "holder")
    try:
        while not is_held(descriptor):
            assert bot.process.poll() is None, f"it never held the file: {bot.said}"
            assert "trying again" not in bot.said, "it has read the file and never held it"
        bot.process.send_signal(signal.SIGSTOP)
        assert is_held(descriptor), "it was too fast: more lines are needed"
        yield
    finally:
        bot.kill()
        os.close(descriptor)


def long_state(folder: Path) -> Path:
    """A state file of many promises in other matches."""
    state = folder / "shared.state"
    state.touch(mode=0o600)
    with state.open("w", encoding="ascii") as file:
        file.writelines(
            f'{{"deal":1,"match":"{match:032x}","r0":"{match:064x}","seat":"north"}}\n'
            for match in range(LINES)
        )
    return state


@pytest.mark.heavy
def test_while_one_language_holds_a_state_file_every_other_refuses_it_by_name(
    client: Client, tmp_path: Path
) -> None:
    if client.name == NO_LOCKS:
        pytest.skip("Node has no lock that the others would see")
    state = long_state(tmp_path)
    others = [one for one in CLIENTS if one.missing is None and one.name != NO_LOCKS]
    with stopped_while_it_holds(client, state):
        ends = [begun(other, state, f"{other.name}.log") for other in others]
        for other, bot in zip(others, ends, strict=True):
            code, said = bot.ends()
            assert code == 2, (other.name, said)
            assert "shared.state" in said, (other.name, said)
            assert "held by another process" in said, (other.name, said)


def test_the_unfinished_last_line_of_another_process_is_left_where_it_is(
    client: Client, tmp_path: Path
) -> None:
    state = tmp_path / "shared.state"
    state.touch(mode=0o600)
    state.write_bytes(TORN)
    bot = begun(client, state, "said")
    try:
        until(lambda: "trying again" in bot.said, "that it has looked at its state")
    finally:
        bot.kill()
    assert state.read_bytes() == TORN
