"""The keeper: starts one program, and ends it with all that it has started.

Run as a script, `keeper.py STATUS CONTROL COMMAND…`, with the numbers of two pipes.
It writes `pid N`, then `exit N`, `signal N` or `failed ERRNO` to the first, and when the second
is written to or closed (also because the runner died) it kills everything below itself.
On Linux it adopts orphans (PR_SET_CHILD_SUBREAPER), so a grandchild that has left its process
group, its session and its parent is still below it.
What it cannot reach: a process of another user, one that kills the keeper first, and, where there
is no /proc, one that left the process group.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time
from pathlib import Path
from typing import Final

SUBREAPER: Final = 36
ENDING_SECONDS: Final = 3.0
PAUSE: Final = 0.002
PROC: Final = Path("/proc")


def main() -> None:
    """Start the program, tell how it ends, and end what is left when told to."""
    status, control = int(sys.argv[1]), int(sys.argv[2])
    command = sys.argv[3:]
    os.set_inheritable(status, False)  # noqa: FBT003 -- by position only
    os.set_inheritable(control, False)  # noqa: FBT003 -- by position only
    _adopt_orphans()
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    pid = os.fork()
    if pid == 0:
        _become(command, status)
    _say(status, f"pid {pid}")
    _let_go()
    while True:
        ready, _, _ = select.select([woken, control], [], [])
        if woken in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(woken, 4096)
            _reap(pid, status)
        if control in ready:
            _end_all(pid)
            return


def _become(command: list[str], status: int) -> None:
    """Turn this child into the program."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.setsid()
    try:
        os.execvp(command[0], command)  # noqa: S606 -- the command is what the user asked for
    except OSError as err:
        _say(status, f"failed {err.errno}")
    finally:
        os._exit(127)


def _adopt_orphans() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0)


def _let_go() -> None:
    """Hold none of the program's pipes, so that they end when it ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)


def _say(status: int, text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(status, text.encode("ascii") + b"\n")


def _reap(program: int, status: int) -> None:
    """Take leave of every child that has ended; tell how the program did."""
    while True:
        try:
            pid, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if pid == program and status >= 0:
            code = os.waitstatus_to_exitcode(how)
            _say(status, f"signal {-code}" if code < 0 else f"exit {code}")


def _end_all(program: int) -> None:
    """Kill the program's group, then everything below this process until nothing is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    until = time.monotonic() + ENDING_SECONDS
    while time.monotonic() < until:
        _reap(program, -1)
        left = descendants(os.getpid())
        if not left and not _has_children():
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE)


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return PROC.is_dir()


def descendants(root: int) -> list[int]:
    """The processes below one, as /proc tells them; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    for entry in PROC.glob("[0-9]*/stat"):
        try:
            text = entry.read_bytes()
        except OSError:
            continue
        fields = text[text.rfind(b")") + 2 :].split()
        if fields[0] != b"Z":
            children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found: list[int] = []
    todo = [root]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


if __name__ == "__main__":
    main()
