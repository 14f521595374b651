"""Files named on the command line: what goes wrong with them is one line that names them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from referee.errors import RefereeError

EXISTING: Final = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


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


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole."""
    try:
        path.write_bytes(content)
    except OSError as err:
        raise FileError(f"cannot write {str(path)!r}: {err.strerror}") from err
