"""What a seat keeps on disk: its secret, and what it has bound itself to."""

import errno
import fcntl
import json
import os
import secrets
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Final

from euchre_bot.canonical import JSON, dump
from euchre_bot.errors import DealProofError, UsageError

_SECRET_BYTES: Final = 32
LONGEST_LINE: Final = 1 << 12
"""More bytes than a file of one line has: a token, a secret, a request."""
_LONGEST: Final = 1 << 20
"""More bytes than keys and certificates have, all that a machine trusts together too."""
_PRIVATE: Final = 0o600
_WHOLE_FILE: Final = (os.SEEK_SET, 0, 0, 0)
_LOCKED_BY_OTHERS: Final = frozenset({errno.EACCES, errno.EAGAIN})
_PATIENCE_S: Final = 5.0
"""How long a state file may be held by another process; it needs the file for a moment only."""
_PAUSE_S: Final = 0.01


def default_directory() -> Path:
    """Where secrets and state lie unless flags say otherwise."""
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(home) / "euchre-bot"


def make_parent(path: Path) -> None:
    """Make the folder of a file."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as err:
        raise UsageError(f"cannot make the directory of {str(path)!r}: {err.strerror}") from err


def _flush_folder(path: Path) -> None:
    """Put the name of a new file on the disk, which its own flush does not."""
    try:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as err:
        raise UsageError(f"cannot flush the directory of {str(path)!r}: {err.strerror}") from err


def check_private(path: Path, descriptor: int) -> None:
    """Refuse a file that others may read."""
    if os.fstat(descriptor).st_mode & 0o077:
        raise UsageError(f"others may read {str(path)!r}: run chmod 600 on it")


def check_regular(path: Path, what: str) -> None:
    """Refuse what is there and is no file, as a folder, a pipe and a device are none."""
    if path.exists() and not path.is_file():
        raise UsageError(f"{what} {str(path)!r} is no regular file (name another)")


def read_file(path: Path, what: str, *, most: int = _LONGEST, private: bool = False) -> bytes:
    """All bytes of a file that a flag names; one that can be none of ours is a UsageError."""
    try:
        check_regular(path, what)
        with path.open("rb") as file:
            if private:
                check_private(path, file.fileno())
            held = file.read(most + 1)
    except OSError as err:
        raise UsageError(f"cannot read {what} {str(path)!r}: {err.strerror}") from err
    if len(held) > most:
        raise UsageError(f"{what} {str(path)!r} is longer than {most} bytes (name another)")
    return held


def load_secret(path: Path) -> bytes:
    """The seat's 32-byte secret; made on first use, readable by its owner alone."""
    make_parent(path)
    try:
        if not path.exists():
            _create_secret(path)
    except OSError as err:
        raise UsageError(f"cannot make the secret {str(path)!r}: {err.strerror}") from err
    text = read_file(path, "the secret", most=LONGEST_LINE, private=True).strip()
    try:
        secret = bytes.fromhex(text.decode("ascii"))
    except ValueError:
        secret = b""
    if len(secret) != _SECRET_BYTES:
        raise UsageError(f"the secret {str(path)!r} does not hold 64 hex digits: restore it")
    return secret


def _create_secret(path: Path) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(_SECRET_BYTES).encode("ascii") + b"\n")
            file.flush()
            os.fsync(descriptor)
        try:
            os.link(draft, path)
        except FileExistsError:
            return  # another process was first; its secret is the one
        _flush_folder(path)
    finally:
        draft.unlink()


def add(file: FileIO, line: bytes) -> None:
    """Add a line in one write; a disk that is full in the midst takes a part and says nothing."""
    if file.write(line) < len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _set_lock(descriptor: int, kind: int) -> None:
    """Lock or unlock a file without waiting, so that POSIX locks, as Java's, see it too.

    Linux has such locks of an open file; elsewhere POSIX locks do, which are a process's own.
    """
    command = getattr(fcntl, "F_OFD_SETLK", fcntl.F_SETLK)
    fcntl.fcntl(descriptor, command, struct.pack("hhqqi", kind, *_WHOLE_FILE))


@dataclass(slots=True)
class _Promises:
    """What one match holds us to, and in which seat."""

    seat: str | None = None
    r0: str | None = None
    cuts: dict[int, int | None] = field(default_factory=dict)
    commits: dict[int, bytes] = field(default_factory=dict)
    answered: dict[int, str] = field(default_factory=dict)


class StateFile:
    """Promises, one JSON line each, on disk before the referee hears of them.

    Several processes may share the file, of other languages too: it is locked and read on before
    each promise. In one match it is one seat's.

    The file only grows, by whole lines at its end, and of two promises for one deal the first
    stands: so it is sound also beside a process that cannot lock it, as Node's.
    """

    __slots__ = ("_file", "_known_to", "_matches", "_path", "_seat", "_torn")

    def __init__(self, path: Path, seat: str) -> None:
        make_parent(path)
        self._path = path
        self._seat = seat
        self._matches: dict[str, _Promises] = {}
        self._known_to = 0
        self._torn = False
        try:
            check_regular(path, "the state")
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, _PRIVATE)
        except OSError as err:
            raise UsageError(f"cannot open the state {str(path)!r}: {err.strerror}") from err
        self._file = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            check_private(path, descriptor)
            _flush_folder(path)
            with self._locked():
                pass
        except UsageError:
            self._file.close()
            raise

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the file alone, with everything in it known."""
        try:
            self._lock()
            try:
                self._read_on()
                yield
            finally:
                _set_lock(self._file.fileno(), fcntl.F_UNLCK)
        except OSError as err:
            raise UsageError(f"cannot use the state {str(self._path)!r}: {err.strerror}") from err

    def _lock(self) -> None:
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                _set_lock(self._file.fileno(), fcntl.F_WRLCK)
            except OSError as err:
                if err.errno not in _LOCKED_BY_OTHERS:
                    raise
                if time.monotonic() > end:
                    raise UsageError(
                        f"the state {str(self._path)!r} is held by another process"
                        " (wait for it to end, or give each bot its own --state-file)"
                    ) from err
                time.sleep(_PAUSE_S)
            else:
                return

    def _append(self, row: dict[str, JSON]) -> None:
        line = dump(row) + b"\n"
        add(self._file, b"\n" + line if self._torn else line)
        os.fsync(self._file.fileno())
        self._read_on()  # and not only this line: another may have come before it

    def _read_on(self) -> None:
        self._file.seek(self._known_to)
        news = self._file.read()
        whole = news[: news.rfind(b"\n") + 1]
        self._torn = len(whole) < len(news)
        self._known_to += len(whole)
        for line in whole.split(b"\n"):
            self._learn_line(line)

    def _learn_line(self, line: bytes) -> None:
        if not line or (line.startswith(b"{") and not line.endswith(b"}")):
            return  # a crash has torn it, and nothing is sent before its line is flushed
        try:
            self._learn(json.loads(line))
        except (ValueError, KeyError, TypeError) as err:
            raise UsageError(
                f"the state {str(self._path)!r} holds a line that is not ours: {line[:80]!r}"
                " (move the file away only if no match of yours is open)"
            ) from err

    def _learn(self, row: dict[str, str | int]) -> None:
        promises = self._matches.setdefault(str(row["match"]), _Promises())
        deal = int(row["deal"])
        if "cset" in row:
            promises.answered.setdefault(deal, str(row["cset"]))
            return
        r0 = str(row["r0"])
        promises.r0 = promises.r0 or r0
        if promises.seat is None and "seat" in row:
            promises.seat = str(row["seat"])
        promises.cuts.setdefault(deal, int(row["cut"]) if "cut" in row else None)
        if "commit" in row:
            promises.commits.setdefault(deal, bytes.fromhex(str(row["commit"])))

    def _known(self, match: bytes) -> _Promises:
        return self._matches.get(match.hex(), _Promises())

    def check_match(self, match: bytes, r0: bytes) -> None:
        """Refuse a match id that we know under another chain, or in another seat."""
        with self._locked():
            self._check_match(match, r0)

    def _check_match(self, match: bytes, r0: bytes) -> None:
        other = self._known(match).seat
        if other not in {None, self._seat}:
            raise UsageError(
                f"the state {str(self._path)!r} is that of {other} in this match: two seats with"
                " one secret have equal seeds (give each seat its own files)"
            )
        known = self._known(match).r0
        if known is not None and known != r0.hex():
            raise DealProofError(
                f"match {match.hex()} was opened before with another r0: its seeds are spent"
            )

    def promise(self, match: bytes, r0: bytes, deal: int, cut: int | None) -> int | None:
        """Write down what we are about to commit to; the cut that stands, if one was promised."""
        with self._locked():
            self._check_match(match, r0)
            cuts = self._known(match).cuts
            if deal in cuts:
                return cuts[deal]
            row: dict[str, JSON] = {"match": match.hex(), "r0": r0.hex(), "deal": deal}
            row["seat"] = self._seat
            if cut is not None:
                row["cut"] = cut
            self._append(row)
            self._check_match(match, r0)
            return self._known(match).cuts[deal]

    def promised_cut(self, match: bytes, deal: int) -> int | None:
        """The cut that we have committed to for a deal, if any."""
        with self._locked():
            return self._known(match).cuts.get(deal)

    def promise_commit(self, match: bytes, r0: bytes, deal: int, commit: bytes) -> bytes:
        """Write down the commitment of a bot with seeds of its own; the one that stands."""
        with self._locked():
            self._check_match(match, r0)
            commits = self._known(match).commits
            if deal not in commits:
                row: dict[str, JSON] = {"match": match.hex(), "r0": r0.hex(), "deal": deal}
                self._append({**row, "seat": self._seat, "commit": commit.hex()})
            return self._known(match).commits[deal]

    def promised_commit(self, match: bytes, deal: int) -> bytes | None:
        """The commitment that stands for a deal, of a bot with seeds of its own."""
        with self._locked():
            return self._known(match).commits.get(deal)

    def check_answer(self, match: bytes, deal: int, cset: bytes) -> None:
        """Refuse a commit set other than the one we have revealed a deal's seed for."""
        with self._locked():
            self._check_answer(match, deal, cset)

    def _check_answer(self, match: bytes, deal: int, cset: bytes) -> None:
        known = self._known(match).answered.get(deal)
        if known is not None and known != cset.hex():
            raise DealProofError(
                f"deal {deal} of match {match.hex()} has a second commit set:"
                f" {cset.hex()} after {known}, which we answered"
            )

    def answer(self, match: bytes, deal: int, cset: bytes) -> None:
        """Write down the commit set that we are about to reveal for; a second one is refused."""
        with self._locked():
            self._check_answer(match, deal, cset)
            if deal not in self._known(match).answered:
                self._append({"match": match.hex(), "deal": deal, "cset": cset.hex()})
                self._check_answer(match, deal, cset)
