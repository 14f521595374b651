"""Files of an event, read only where they are files and of a size that can be meant."""

import errno
import os
from pathlib import Path
from typing import Final

LARGEST_RECORD: Final = 1 << 24
"""Bytes of a board's or a table's file; the largest that were seen have some ten thousand."""


def read_bounded(path: Path, most: int) -> bytes:
    """The bytes of a file.

    OSError where it cannot be read, is a directory, a pipe or a device (which may never come to an
    end), or has more than so many bytes.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
    with path.open("rb") as stream:
        if os.fstat(stream.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
        return stream.read(most)
