"""Why a program cannot be started, as far as its file tells."""

import errno
import os
import shlex
import shutil
from pathlib import Path
from typing import Final

SHEBANG: Final = "#!/usr/bin/env python3"


def trouble(spec: str) -> list[str] | tuple[str, str]:
    """The words of a command; or what keeps it from starting, and what to do."""
    try:
        words = shlex.split(spec.removeprefix("cmd:"))
    except ValueError as err:
        return f"the command cannot be split into words: {err}", "close the quotation mark"
    if not words:
        return "there is no command", "write cmd:./my-adapter"
    name = words[0]
    if shutil.which(name) is not None:
        return words
    path = Path(name)
    if "/" not in name:
        if path.is_file():
            return f"{name!r} is a file here, no command", f"write cmd:./{name}"
        return f"there is no command {name!r}", "check its spelling, or give its whole path"
    if path.is_dir():
        return f"{name!r} is a folder", "name the program in it"
    if path.is_file() and not os.access(path, os.X_OK):
        return f"{name!r} is not executable", f"chmod +x {shlex.quote(name)}"
    return f"there is no file {name!r} (looked from {str(Path.cwd())!r})", "check the path"


def shebang_trouble(name: str, number: int) -> tuple[str, str]:
    """Why a file that is there and executable was not run."""
    found = shutil.which(name)
    first = b""
    if found is not None:
        with Path(found).open("rb") as file:
            first = file.readline(200)
    if number == errno.ENOEXEC or not first.startswith(b"#!"):
        return (
            f"{name!r} does not say what runs it: it has no #! line",
            f"begin it with a line as {SHEBANG}, or name the language: cmd:'python3 {name}'",
        )
    if first.rstrip(b"\n").endswith(b"\r"):
        return f"the #! line of {name!r} ends in CRLF", "save the file with Unix line ends"
    interpreter = first[2:].decode("utf-8", "replace").strip()
    return (
        f"{name!r} cannot be run: {os.strerror(number)}",
        f"its first line asks for {interpreter!r}: is that there?",
    )
