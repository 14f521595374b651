"""Events as the bytes that are kept, hashed and signed, and back.

A public event's bytes are the transcript's (`sealed-deal.md`, section 4). A private event's are
the same kind of JSON, for the journal alone.
"""

from typing import Final

from referee.errors import InternalError
from referee.journal.store import Row
from referee.sealing.canonical import dump, parse
from referee.sealing.errors import DealProofError
from referee.sealing.fields import Fields
from referee.sealing.transcript import read_line
from referee.table.events import PRIVATE_CLASSES, Event, PrivateEvent

_BY_KIND: Final[dict[str, type[PrivateEvent]]] = {cls.kind: cls for cls in PRIVATE_CLASSES}


def private_bytes(event: PrivateEvent) -> bytes:
    """The bytes of a private event."""
    return dump({"kind": event.kind, **event.fields()})


def event_of(row: Row) -> Event:
    """The event of a row.

    Raises InternalError where the bytes are not ours: the journal is damaged.
    """
    try:
        if row.seq is not None:
            return read_line(row.body, row.sig).event
        fields = Fields(parse(row.body), row.kind)
        event = _BY_KIND[fields.text("kind")].read(fields)
        fields.end()
    except (DealProofError, KeyError) as err:
        raise InternalError(
            f"row {row.n} of match {row.match.hex()} is damaged: {err} (restore a backup)"
        ) from err
    return event
