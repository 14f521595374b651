"""What a file holds that was named on the command line."""

import os
from pathlib import Path
from stat import S_ISCHR

from conformance.errors import UsageError


def bytes_of(path: Path) -> bytes:
    """The bytes of a file or a pipe; a device, which may never end, is refused."""
    try:
        if S_ISCHR(path.stat().st_mode) and str(path) != os.devnull:
            raise UsageError(f"cannot read {str(path)!r}: it is a device (name a file)")
        return path.read_bytes()
    except OSError as err:
        raise UsageError(f"cannot read {str(path)!r}: {err.strerror}") from err
    except ValueError as err:  # a null byte in the name
        raise UsageError(f"cannot read {str(path)!r}: {err}") from err


def text_of_file(path: Path) -> str:
    """The text of a file or a pipe."""
    try:
        return bytes_of(path).decode("utf-8")
    except UnicodeDecodeError as err:
        raise UsageError(f"{path}: byte {err.start} is not UTF-8") from err
