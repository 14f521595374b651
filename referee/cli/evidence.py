"""Rosters and receipts on disk: what `verify` holds files against."""

from collections.abc import Iterator
from pathlib import Path

from referee.cli.files import FileError, read_bytes, read_lines
from referee.errors import RefereeError
from referee.journal.replay import positions_by_word
from referee.sealing.errors import UnreadableError
from referee.sealing.receipts import Evidence, Receipts, read_receipt
from referee.sealing.roster import Roster, RosterError


class EvidenceError(RefereeError):
    """A file of receipts that holds something else."""

    exit_code = UnreadableError.exit_code


def read_roster(path: Path) -> Roster:
    """The roster in a file."""
    return _roster(path, _roster_text(path))


def append_entry(path: Path, entry: bytes, *, write: bool = True) -> None:
    """Add a line to a roster, which then still has to stand; nothing is written where it does not.

    `write` false only asks whether it would.
    """
    text = _roster_text(path) if path.exists() else b""
    _roster(path, text + entry + b"\n")
    if write:
        try:
            with path.open("ab") as stream:
                stream.write(entry + b"\n")
        except OSError as err:
            raise FileError(f"cannot write {str(path)!r}: {err.strerror}") from err


def _roster_text(path: Path) -> bytes:
    text = read_bytes(path)
    if text and not text.endswith(b"\n"):
        raise RosterError(f"{str(path)!r}: the last line has no line feed: its end is missing")
    return text


def _roster(path: Path, text: bytes) -> Roster:
    try:
        return Roster.read(text.split(b"\n")[:-1])
    except RosterError as err:
        raise RosterError(f"{str(path)!r}: {err}") from err


def read_receipts(folder: Path) -> Receipts:
    """All receipts of a folder; a last line that a crash has torn is left out."""
    files = sorted(folder.rglob("*.jsonl"))
    if not files:
        raise FileError(f"no receipts in {str(folder)!r} (a client keeps them as *.jsonl files)")
    return Receipts(_receipts(files, folder), positions_by_word)


def _receipts(files: list[Path], folder: Path) -> Iterator[Evidence]:
    for path in files:
        name = str(path.relative_to(folder))
        for number, line in enumerate(read_lines(path), start=1):
            try:
                yield read_receipt(line, name, number)
            except UnreadableError as err:
                raise EvidenceError(f"{str(path)!r}, line {number}: no receipt: {err}") from err
