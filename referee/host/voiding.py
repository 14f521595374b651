"""Every open match closed void: what is left to do with a journal that comes from a backup."""

from collections.abc import Callable, Iterable

from referee.host.items import Misused
from referee.host.referee import Referee
from referee.host.trail import Operator
from referee.journal.store import StoreError


async def void_open(
    referee: Referee, operator: Operator, shown: Callable[[list[bytes]], Iterable[bytes]]
) -> list[bytes]:
    """Close every open match void, each durable before the next; their ids."""
    ids = referee.open_ids()
    for match_id in shown(ids):
        given = await referee.abort(match_id.hex(), operator, void=True)
        if isinstance(given, Misused):
            raise StoreError(f"match {match_id.hex()} cannot be closed: {given.text}")
    return ids
