"""A bot on a tether: it does not outlive the check that started it, however that ends.

`tethered` puts this file before the bot's command, as a script. Before it becomes the bot, it
leaves a watchman outside the bot's process group, who kills that group when the check is gone: one
that `kill -9` ends cannot do so itself. The bot keeps the script's process id, pipes and group.
"""

import os
import select
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

NOT_STARTED = 126
"""As shells say it of a program that cannot be executed."""


def tethered(command: Sequence[str]) -> tuple[str, ...]:
    """The command on a tether to this process; bare where it would not start, or without Linux."""
    if not hasattr(os, "pidfd_open") or shutil.which(command[0]) is None:
        return tuple(command)
    script = str(Path(__file__).resolve())
    return (sys.executable, "-I", "-S", script, str(os.getpid()), *command)


def _tie(check: int) -> None:
    """Leave a watchman, whose parent is not the bot: it may wait for all that it has started."""
    bot = os.getpid()
    try:
        lives = [os.pidfd_open(check), os.pidfd_open(bot)]
    except OSError:  # the kernel is too old, or the check is gone
        lives = []
    if os.getppid() != check:
        sys.exit("the check has ended")
    if not lives:
        return
    if between := os.fork():
        os.waitpid(between, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    _watch(lives, bot)
    os._exit(0)


def _watch(lives: Sequence[int], bot: int) -> None:
    """Wait for the end of the check or of the bot; kill the bot's group where the check ends."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for pipe in range(3):
        os.dup2(nowhere, pipe)
    waiting = select.poll()
    for life in lives:
        waiting.register(life, select.POLLIN)
    ended = [life for life, _ in waiting.poll()]
    if lives[0] in ended:
        try:
            os.killpg(bot, signal.SIGKILL)
        except ProcessLookupError:
            return


def _become(check: int, command: list[str]) -> None:
    """Turn into the bot."""
    _tie(check)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and a bot would too
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 -- the words are the user's own command
    except OSError as err:
        sys.stderr.write(f"{command[0]!r} cannot be started: {err.strerror}\n")
        sys.exit(NOT_STARTED)


if __name__ == "__main__":
    _become(int(sys.argv[1]), sys.argv[2:])
