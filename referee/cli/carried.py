"""What of the clients a new bot takes along: sources without tests and products.

The package's wheel carries the same files; the build finds them by this module, which therefore
needs nothing that has to be installed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

CLIENTS: Final = ("python", "node", "go", "rust", "java", "cpp")
"""Languages with a client over gRPC."""
SAMPLES: Final = ("shell", "perl", "ruby", "lua")
"""Languages whose bots speak JSON lines."""

_LEFT_OUT: Final = frozenset(
    {
        *("tests", "test", "page", "verify.html", "vectors"),
        *("node_modules", "gen", "target", "build", "bin", "pb", "dist", "classes"),
        *("__pycache__", ".venv", "Cargo.lock"),
    }
)
_ENDINGS: Final = ("_test.go", ".egg-info", ".test.mjs", ".pyc")


def carried(root: Path) -> Iterator[Path]:
    """The files below a checkout's top, or the wheel's copy of it, that a new bot may need."""
    for name in (*CLIENTS, *SAMPLES):
        yield from _files(root, root / "clients" / name)
    yield from _files(root, root / "proto")


def carried_for(root: Path, language: str) -> Iterator[Path]:
    """Those of one language."""
    yield from _files(root, root / "clients" / language)
    yield from _files(root, root / "proto")


def _files(root: Path, folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.name in _LEFT_OUT or path.name.endswith(_ENDINGS) or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(root, path)
        else:
            yield path.relative_to(root)
