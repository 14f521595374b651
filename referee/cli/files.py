"""Files named on the command line: what goes wrong with them is one line that names them."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from referee.errors import RefereeError

EXISTING: Final = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
EXISTING_OR_STDIN: Final = click.Path(
    exists=True, dir_okay=False, readable=True, allow_dash=True, path_type=Path
)


class NamedFile(click.Path):
    """A file by its name, which `--ca "$CA"` does not give where there is no CA."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """The path; nothing is none, though a path would be made of it."""
        if not os.fspath(value):
            flag = param.opts[0] if param else "the file"
            raise click.UsageError(f"{flag} is empty", ctx)
        return super().convert(value, param, ctx)


class FileError(RefereeError):
    """A file that cannot be read or written."""


def read_bytes(path: Path) -> bytes:
    """All bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as err:
        raise FileError(f"cannot read {str(path)!r}: {err.strerror}") from err


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file without their line feeds; a torn last line is left out."""
    try:
        with path.open("rb") as stream:
            for line in stream:
                if line.endswith(b"\n"):
                    yield line[:-1]
    except OSError as err:
        raise FileError(f"cannot read {str(path)!r}: {err.strerror}") from err


def write_bytes(path: Path, content: bytes, *, made_from: Path | None = None) -> None:
    """Write a file whole, but never in the place of the one that it was made from."""
    try:
        if made_from and path.is_file() and made_from.exists() and path.samefile(made_from):
            raise FileError(f"{str(path)!r} is the file that is read (name another file)")
        path.write_bytes(content)
    except OSError as err:
        raise FileError(f"cannot write {str(path)!r}: {err.strerror}") from err


def check_writable(path: Path) -> None:
    """Find out before the work, not after it, that its result cannot be kept."""
    if path.is_dir():
        raise FileError(f"cannot write {str(path)!r}: Is a directory")
    if not path.parent.is_dir():
        raise FileError(f"cannot write {str(path)!r}: there is no directory {str(path.parent)!r}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(f"cannot write {str(path)!r}: Permission denied")


def make_directory(path: Path) -> None:
    """Make a directory that only its owner reads, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as err:
        raise FileError(f"cannot make the directory {str(path)!r}: {err.strerror}") from err


def move(path: Path, to: Path) -> None:
    """Put a file in the place of another."""
    try:
        path.replace(to)
    except OSError as err:
        raise FileError(f"cannot write {str(to)!r}: {err.strerror}") from err
