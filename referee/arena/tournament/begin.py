"""How an event begins, once; afterwards it is gone on with."""

from dataclasses import dataclass
from pathlib import Path

from referee.arena.tournament.eventdb import VERSION, EventDb, EventError
from referee.arena.tournament.field import format_of, order_of
from referee.arena.tournament.place import (
    EventPlace,
    check_unchanged,
    make_place,
    pinned_sheet,
    write_whole,
)
from referee.arena.tournament.sheet import Sheet
from referee.sealing.keys import SigningKey


@dataclass(frozen=True, slots=True)
class Begun:
    """An event that can be played: its file, the sheet that counts, where its bots start."""

    db: EventDb
    sheet: Sheet
    directory: Path


def begin_event(
    file: Path, sheet: Sheet, place: EventPlace, key: SigningKey, directory: Path
) -> Begun:
    """Begin an event, or open the one that has begun.

    The sheet is pinned when the event begins, with the key and the working directory of its bots.
    Raises EventError, SheetChangedError, or what the format has against the field.
    """
    format_of(sheet)
    order_of(sheet)
    make_place(place)
    db = EventDb(place.db, write=True)
    db.queue().close()
    about = db.about()
    if "sheet" not in about:  # the last thing that is noted
        write_whole(place.sheet, sheet.text)
        db.set_about(
            version=VERSION,
            referee_key=key.public.text,
            directory=str(directory.absolute()),
            sheet=sheet.hash,
        )
        about = db.about()
    pinned = pinned_sheet(place, db)
    check_unchanged(file, sheet, pinned)
    if about["referee_key"] != key.public.text:
        raise EventError(
            f"the event was begun with the key {about['referee_key']}, and this one is"
            f" {key.public.text} (give the right one with --key)"
        )
    return Begun(db, pinned, Path(about["directory"]))
