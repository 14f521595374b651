"""How a bot's command is started: as it is, within limits, or in a sandbox.

Within limits a bot has an environment without what is none of its business, and a directory of its
own as HOME and TMPDIR, which is gone with it. In a sandbox (bubblewrap) it also has no network, no
sight of other processes, nothing that it can write but its directory, and of the homes of this
machine's users only what it is made of: the working directory, the directories of the files that
its command names, and of the programs on PATH.
"""

import atexit
import contextlib
import errno
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.arena.census import orphans
from referee.arena.limits import USUAL, Limits, limited, limiter
from referee.arena.scratch import PREFIX
from referee.arena.scratch import scratch as scratch_folder
from referee.host.home import state_dir

KEPT: Final = frozenset({
    "PATH", "LANG", "LANGUAGE", "TZ", "TERM", "USER", "LOGNAME", "SHELL", "LD_LIBRARY_PATH",
    "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "PYENV_ROOT",
    "PYENV_VERSION", "NODE_PATH", "NVM_DIR", "JAVA_HOME", "GOROOT", "GOPATH", "RUSTUP_HOME",
    "CARGO_HOME",
})  # fmt: skip
"""What a bot is told of our environment, beside LC_*."""
_BOTS: Final = "bots"
TRIAL_S: Final = 20.0
_HOMES: Final = (Path("/root"), Path("/home"))
_ROOT: Final = Path("/")
_PRIVATE: Final = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL")
_SMALL: Final = ("--size", "16777216", "--tmpfs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms that bots by command run on.

    `hidden` are files and directories that no bot in a sandbox may see, beside our own keys; `seen`
    are directories that a bot needs to read besides what its command tells of; `kept` are names of
    the environment that bots are told besides those that all are told.
    """

    limits: Limits = USUAL
    sandbox: bool = False
    hidden: tuple[Path, ...] = ()
    seen: tuple[Path, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started, with which environment, and the directory of the bot's own, if any."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    scratch: Path | None = None

    def clear(self) -> None:
        """Remove the bot's own directory."""
        if self.scratch is not None:
            with contextlib.suppress(OSError):
                self.scratch.rmdir()  # where it is empty, this needs no open file
                return
            shutil.rmtree(self.scratch, ignore_errors=True)


def environment() -> dict[str, str]:
    """Our environment as a bot gets it: without the operator's tokens."""
    return {name: value for name, value in os.environ.items() if not name.startswith("EUCHRE_")}


def launch(command: Sequence[str], terms: Terms | None) -> Launch:
    """How to start a command; OSError where there is no such program, or no room for its directory.

    Without terms it is started as it is.
    """
    if terms is None:
        return Launch(tuple(command), environment())
    program = _program(command[0])
    scratch = Path(tempfile.mkdtemp(prefix="bot-", dir=_place(tempfile.gettempdir())))
    told = {
        name: value
        for name, value in environment().items()
        if name in KEPT or name.startswith("LC_") or name in terms.kept
    }
    told |= {"HOME": str(scratch), "TMPDIR": str(scratch)}
    whole = tuple(command)
    if (prlimit := limiter()) is not None:
        whole = limited(command, terms.limits, prlimit=prlimit, alone=terms.sandbox)
    if terms.sandbox:
        here = Path.cwd()
        seen = (here, *_made_of((str(program), *command[1:]), here), *terms.seen)
        hidden = (*terms.hidden, state_dir())
        whole = boxed(whole, here=here, scratch=scratch, seen=seen, hidden=hidden)
    if (setpriv := shutil.which("setpriv")) is not None:
        whole = (setpriv, "--pdeathsig", "KILL", "--", *whole)  # whoever starts it may be killed
    return Launch(whole, told, scratch)


@functools.cache
def _place(temporary: str) -> Path:
    """The directory of all bots of this process; what killed processes left is cleared away."""
    stack = contextlib.ExitStack()
    place = stack.enter_context(scratch_folder(_BOTS))
    atexit.register(stack.close)
    for pid in orphans(Path(temporary) / f"{PREFIX}{_BOTS}-"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return place


def _program(name: str) -> Path:
    """Where a program is; OSError where there is none that can be run."""
    found = shutil.which(name)
    if found is not None:
        return Path(found).absolute()
    code = errno.EACCES if Path(name).exists() else errno.ENOENT
    raise OSError(code, os.strerror(code), name)


def _made_of(command: Sequence[str], here: Path) -> Iterator[Path]:
    """The directories that a command needs to read, as far as one can tell."""
    for word in command:
        path = here / word
        if _is_file(path):
            yield path.parent
            yield _home_of(path.resolve().parent)
    for prefix in (sys.prefix, sys.base_prefix):
        yield Path(prefix)
    for place in os.environ.get("PATH", "").split(os.pathsep):
        if place and _is_folder(Path(place)):
            yield _home_of(Path(place).absolute())


def _home_of(place: Path) -> Path:
    """What a directory of programs is a part of: /x/bin and /x/shims of /x, but not of a home."""
    whole = place.parent
    if place.name not in {"bin", "shims", "sbin"} or whole in {*_homes(), _ROOT}:
        return place
    return whole


def boxed(
    command: Sequence[str],
    *,
    here: Path,
    scratch: Path,
    seen: Iterable[Path],
    hidden: Iterable[Path],
) -> tuple[str, ...]:
    """The command that runs another in a sandbox.

    `here` is where it runs, `scratch` what it may write, `seen` the directories that it may read
    although they lie in a home or a temporary directory, `hidden` what it may not see.
    """
    covered = [home for home in _homes() if _is_folder(home)]
    temporary = [Path("/tmp"), Path("/var/tmp"), Path("/run")]  # noqa: S108 -- hidden, not used
    if tempfile.gettempdir() not in map(str, temporary):
        temporary.append(Path(tempfile.gettempdir()))
    binds = [path for path in dict.fromkeys(seen) if _is_folder(path) and path != _ROOT]
    binds.sort(key=lambda path: len(path.parts))  # a directory before what lies in it
    words = ["bwrap", *_PRIVATE, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for place in covered:
        words += [*_SMALL, str(place)]
    for place in temporary:
        if _is_folder(place) and not place.is_symlink():
            words += [*_SMALL, str(place)]
    for path in binds:
        if any(path.is_relative_to(place) for place in (*covered, *temporary)):
            words += ["--ro-bind", str(path), str(path)]
    for path in hidden:
        words += _cover(path)
    return (*words, "--bind", str(scratch), str(scratch), "--chdir", str(here), "--", *command)


def _homes() -> tuple[Path, ...]:
    """Where people's files lie; a user without a home, as in a container, may have the root."""
    own = Path(os.path.expanduser("~"))  # noqa: PTH111 -- pathlib raises where there is none
    return tuple(dict.fromkeys((*_HOMES, *((own,) if own.is_absolute() and own != _ROOT else ()))))


def _is_folder(path: Path) -> bool:
    """Whether there is a directory that we can see: pathlib raises where we may not look."""
    return os.path.isdir(path)  # noqa: PTH112


def _is_file(path: Path) -> bool:
    """Whether there is a file that we can see."""
    return os.path.isfile(path)  # noqa: PTH113


def _cover(path: Path) -> list[str]:
    whole = path.absolute()
    if _is_folder(whole):
        return [*_SMALL, str(whole)]
    # The files that a database keeps beside its own hold the same secrets.
    beside = (Path(f"{whole}{suffix}") for suffix in ("", "-wal", "-shm", "-journal"))
    return [
        word for file in beside if _is_file(file) for word in ("--ro-bind", "/dev/null", str(file))
    ]


@functools.cache
def sandbox_trouble() -> str:
    """Why bots cannot be put in a sandbox here, and what to do; empty where they can.

    A sandbox is tried once: many containers have bwrap and forbid it.
    """
    if shutil.which("bwrap") is None:
        return "bwrap is not installed (apt-get install bubblewrap)"
    with scratch_folder("trial") as place:
        trial = boxed(("true",), here=Path("/"), scratch=place, seen=(), hidden=())
        try:
            ran = subprocess.run(
                trial, stdin=subprocess.DEVNULL, capture_output=True, timeout=TRIAL_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as err:
            return f"bwrap does not work here: {err} (see bwrap --unshare-all --ro-bind / / true)"
    if ran.returncode == 0:
        return ""
    said = ran.stderr.decode("utf-8", "replace").strip() or f"exit status {ran.returncode}"
    return f"bwrap does not work here: {said} (a container has to allow user namespaces)"
