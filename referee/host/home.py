"""Where a referee keeps its key, and how it is made the first time."""

import os
from pathlib import Path
from typing import Final

from referee.errors import RefereeError
from referee.host.clock import Chance
from referee.sealing.errors import KeyFormError
from referee.sealing.keys import SigningKey

LARGEST: Final = 1 << 16


class KeyFileError(RefereeError):
    """The key file cannot be read, written or trusted."""


def state_dir() -> Path:
    """The directory of the referee's own files (XDG base directories)."""
    base = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(base).expanduser() / "euchre-referee"


def load_key(path: Path, chance: Chance, *, name: str = "referee") -> SigningKey:
    """The key in a file, made with mode 0600 where the file is not there.

    Raises KeyFileError where others can read the file, or it holds no key.
    """
    try:
        if not path.exists():
            key = SigningKey.from_bytes(name, chance(32))
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as stream:
                stream.write(key.pem())
            return key
        if not path.is_file():
            raise KeyFileError(f"the key file {str(path)!r} is no file (name another)")
        if path.stat().st_size > LARGEST:
            raise KeyFileError(f"the key file {str(path)!r} is too large for one (name another)")
        if path.stat().st_mode & 0o077:
            raise KeyFileError(f"others can read the key file {str(path)!r} (chmod 600 it)")
        return SigningKey.from_pem(name, path.read_bytes())
    except KeyFormError as err:
        raise KeyFileError(f"the key file {str(path)!r} is {err}") from err
    except OSError as err:
        raise KeyFileError(f"cannot use the key file {str(path)!r}: {err.strerror}") from err
