"""Folders for the time of a match: gone with it, or swept by the next one where it was killed.

They hold tokens and secrets. A killed process leaves its folder, but not the lock on the file in
it, and so the next one knows it for nobody's.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PREFIX: Final = "euchre-"
HELD: Final = ".held"


@contextlib.contextmanager
def scratch(what: str) -> Iterator[Path]:
    """A new folder that nobody else can read, named after what it is for."""
    prefix = f"{PREFIX}{what}-"
    sweep(Path(tempfile.gettempdir()), prefix)
    with tempfile.TemporaryDirectory(prefix=prefix) as made, _held(Path(made)):
        yield Path(made)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which is there under its name only once it is held."""
    part = folder / f"{HELD}.part"
    with part.open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        part.rename(folder / HELD)
        yield


def sweep(place: Path, prefix: str) -> None:
    """Remove our folders with this prefix that nobody holds any more; others are not touched."""
    for folder in sorted(place.glob(f"{prefix}*")):
        with contextlib.suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            with (folder / HELD).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
