"""Room on the disk of an event: boards wait where there is none, and somebody should be told."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

LITTLE: Final = 1 << 20
"""Bytes; a journal that needs more room takes some hundred thousand at once."""


def free_bytes(directory: Path) -> int:
    """How much room there is, in bytes."""
    return shutil.disk_usage(directory).free


class DiskWatch:
    """Tells once when there is hardly any room left, and once when there is again."""

    def __init__(
        self,
        directory: Path,
        tell: Callable[[str], None],
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        self._directory = directory
        self._tell = tell
        self._free = free
        self._full = False

    def look(self) -> None:
        """Look now."""
        try:
            free = self._free(self._directory)
        except OSError:  # whoever writes there next says more
            return
        full = free < LITTLE
        if full and not self._full:
            self._tell(
                f"the disk of {str(self._directory)!r} is full ({free:,} bytes are free):"
                " nothing is lost, and boards wait (make room; where this ends, the same command"
                " goes on)"
            )
        if self._full and not full:
            self._tell(f"there is room again on the disk of {str(self._directory)!r}")
        self._full = full
