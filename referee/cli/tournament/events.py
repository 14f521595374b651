"""What the commands of an event share: its file, its directory, its key."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from referee.arena.tournament.eventdb import EventDb, EventError
from referee.arena.tournament.place import EventPlace, check_unchanged, pinned_sheet, place_of
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.sheetread import read_sheet
from referee.host.home import load_key, state_dir
from referee.sealing.keys import SigningKey, VerifyKey, parse_key

_Command = TypeVar("_Command", bound=Callable[..., object])


def event_of(command: _Command) -> _Command:
    """The argument and the option that say which event."""
    for wrap in (
        click.option(
            "--dir", "directory", type=click.Path(file_okay=False, path_type=Path),
            help="The event's directory.  [default: beside FILE, with its name]",
        ),
        click.argument("file", type=click.Path(path_type=Path)),
    ):  # fmt: skip
        command = wrap(command)
    return command


def keyed(command: _Command) -> _Command:
    """The option of the referee's private key."""
    return click.option(
        "--key", type=click.Path(path_type=Path), help="The referee's private key (PEM)."
    )(command)


def key_file(path: Path | None) -> Path:
    """The file of the referee's key."""
    return path or state_dir() / "referee.pem"


@dataclass(frozen=True, slots=True)
class Opened:
    """An event that has begun, to be read."""

    place: EventPlace
    db: EventDb
    sheet: Sheet

    @property
    def public_key(self) -> VerifyKey:
        """The key that signs its logs."""
        return parse_key(self.db.about()["referee_key"])


def open_event(file: Path, directory: Path | None, *, write: bool = False) -> Opened:
    """An event that has begun; the tournament file itself need not be there any more."""
    place = place_of(file, directory)
    if not place.db.exists():
        raise EventError(
            f"no event has begun in {str(place.directory)!r}"
            f" (begin it with euchre-referee tournament run {file})"
        )
    db = EventDb(place.db, write=write)
    sheet = pinned_sheet(place, db)
    if file.is_file():
        check_unchanged(file, read_sheet(file, begun=True), sheet)
    return Opened(place, db, sheet)


def signing_key(path: Path | None, opened: Opened) -> SigningKey:
    """The private key, which has to be the one that the event was begun with."""
    where = key_file(path)
    if not where.exists():
        raise EventError(f"there is no key {str(where)!r} (give the event's with --key)")
    key = load_key(where, secrets.token_bytes)
    begun_with = opened.db.about()["referee_key"]
    if key.public.text != begun_with:
        raise EventError(
            f"the event was begun with the key {begun_with}, and this one is {key.public.text}"
            " (give the right one with --key)"
        )
    return key
