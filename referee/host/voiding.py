"""Every open match closed void: what is left to do with a journal that comes from a backup."""

from collections.abc import Callable, Iterable
from functools import partial

from referee.host.answers import answer_of
from referee.host.items import Misused, Reply
from referee.host.match import Match
from referee.host.referee import Referee
from referee.journal.store import StoreError


async def void_open(
    referee: Referee, shown: Callable[[list[bytes]], Iterable[bytes]]
) -> list[bytes]:
    """Close every open match void, each durable before the next; their ids."""
    ids = referee.open_ids()
    for match_id in shown(ids):
        match = referee.match(match_id.hex())
        given = await answer_of(partial(_close_void, match))
        if isinstance(given, Misused):
            raise StoreError(f"match {match_id.hex()} cannot be closed: {given.text}")
    return ids


def _close_void(match: Match, reply: Reply) -> None:
    match.abort(void=True, reply=reply)
