"""A site on disk: written beside its place and put there whole, or not at all."""

import glob
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from referee.arena.tournament.bounded import read_bounded
from referee.arena.tournament.publish.document import FORMAT
from referee.errors import RefereeError

_EVENT: Final = "event.json"
_FOLDER: Final = 0o755
_LARGEST: Final = 1 << 28


class PublishError(RefereeError):
    """A site that cannot be written, or must not be written where it was asked for."""


def check_place(out: Path, *, name: str, key: str, force: bool) -> None:
    """Refuse a place that holds anything but an earlier site of this event, unless by force.

    Errors: PublishError, which says what is there.
    """
    if not os.path.lexists(out):
        if not out.parent.is_dir():
            raise PublishError(
                f"cannot write {str(out)!r}: there is no directory {str(out.parent)!r} (make it)"
            )
        return
    if out.is_symlink() or not out.is_dir():
        raise PublishError(f"{str(out)!r} is no directory (name another place)")
    if out.resolve() in (Path.cwd().resolve(), Path.home().resolve(), Path(out.anchor or "/")):
        raise PublishError(f"{str(out)!r} is a directory to stand in (name a new one inside it)")
    if force or not any(out.iterdir()):
        return
    there = _there(out)
    if there is None:
        raise PublishError(
            f"{str(out)!r} holds files, and they are no published event (name another directory,"
            " or --force to replace it whole)"
        )
    if there != (name, key):
        raise PublishError(
            f"{str(out)!r} holds another event, {there[0]!r} (name another directory, or --force to"
            " replace it whole)"
        )


def write_site(out: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """Put the files in the place of whatever is at `out`; how many there are.

    Errors: PublishError where the disk refuses; what stood there stands then.
    """
    made = out.with_name(f".{out.name}.{os.getpid()}.new")
    aside = out.with_name(f".{out.name}.{os.getpid()}.old")
    try:
        _mend(out)
        made.mkdir(mode=_FOLDER)
        count = 0
        for count, (name, content) in enumerate(files, start=1):  # noqa: B007 -- told below
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        _exchange(made, out, aside)
    except OSError as err:
        where = err.filename or str(out)
        raise PublishError(f"cannot write {where!r}: {err.strerror} (nothing was changed)") from err
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return count


def _mend(out: Path) -> None:
    """Put right what a publisher that was killed left beside the site."""
    for left in sorted(out.parent.glob(f".{glob.escape(out.name)}.*")):
        number, _, sort = left.name.removeprefix(f".{out.name}.").partition(".")
        if sort not in {"new", "old"} or not number.isdecimal() or _is_running(int(number)):
            continue
        if sort == "old" and not out.exists():
            left.rename(out)
        else:
            shutil.rmtree(left)


def _is_running(process: int) -> bool:
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _exchange(made: Path, out: Path, aside: Path) -> None:
    """Put the new site in its place; where that fails the old one goes back."""
    had = out.exists()
    if had:
        out.rename(aside)
    try:
        made.rename(out)
    except OSError:
        if had:
            aside.rename(out)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _there(out: Path) -> tuple[str, str] | None:
    """The name and the key of the event that a directory holds; None where it holds none."""
    try:
        found: object = json.loads(read_bounded(out / _EVENT, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        return None
    return str(found.get("name")), str(found.get("referee_key"))
